/* Walking through the data of a datatype: pieces of memory in the order of the type map. */
#include <string.h>

#include "sw/mpi/datatypes/type_map.h"
#include "sw/mpi/windows/windows.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The present piece, not merged with the next one; 0: the end. */
static size_t piece_of(const struct window_cursor* cursor, ptrdiff_t* offset) {
  const MPI_Datatype type = cursor->type;
  if (type->dense) { /* all of it is one */
    *offset = (ptrdiff_t)cursor->done;
    return cursor->count * type->bytes - cursor->done;
  }
  if (cursor->element == cursor->count || type->bytes == 0) return 0;
  const ptrdiff_t element = (ptrdiff_t)cursor->element * type->extent;
  const struct mpi_shape* shape = &type->map->shape;
  if (shape->consecutive) {
    *offset = element + shape->low + (ptrdiff_t)cursor->done;
    return type->bytes - cursor->done;
  }
  size_t inside = 0;
  const struct mpi_run run = mpi_map_run(type->map, cursor->done, &inside);
  *offset = element + run.offset + (ptrdiff_t)inside;
  return run.count * run.element - inside;
}

static void step(struct window_cursor* cursor, size_t bytes) {
  cursor->done += bytes;
  if (cursor->type->dense || cursor->done < cursor->type->bytes) return;
  cursor->done = 0;
  ++cursor->element;
}

size_t window_next(struct window_cursor* cursor, size_t most, ptrdiff_t* offset) {
  size_t piece = piece_of(cursor, offset), bytes = 0;
  while (piece > 0 && bytes < most) {
    const size_t part = least(piece, most - bytes);
    bytes += part;
    step(cursor, part);
    ptrdiff_t next = 0;
    piece = piece_of(cursor, &next);
    if (piece == 0 || next != *offset + (ptrdiff_t)bytes) break;
  }
  return bytes;
}

/* An element whose type has gaps may be several pieces: its place is that of the first. */
static size_t next_element(struct window_cursor* cursor, MPI_Datatype basic, ptrdiff_t* offset) {
  size_t bytes = 0;
  while (bytes < basic->bytes) {
    ptrdiff_t at = 0;
    const size_t piece = window_next(cursor, basic->bytes - bytes, &at);
    if (piece == 0) return 0;
    if (bytes == 0) *offset = at - basic->map->shape.first;
    bytes += piece;
  }
  return 1;
}

size_t window_next_elements(struct window_cursor* cursor, MPI_Datatype basic, size_t most, ptrdiff_t* offset) {
  if (basic->dense) return window_next(cursor, most * basic->bytes, offset) / basic->bytes;
  size_t count = 0;
  while (count < most) {
    const struct window_cursor before = *cursor;
    ptrdiff_t at = 0;
    if (next_element(cursor, basic, &at) == 0) break;
    if (count > 0 && at != *offset + (ptrdiff_t)count * basic->extent) {
      *cursor = before;
      break;
    }
    if (count == 0) *offset = at;
    ++count;
  }
  return count;
}

void window_gather(struct window_cursor* cursor, const char* buffer, char* to, size_t bytes) {
  while (bytes > 0) {
    ptrdiff_t offset = 0;
    const size_t piece = window_next(cursor, bytes, &offset);
    if (piece == 0) return;
    memcpy(to, buffer + offset, piece);
    to += piece;
    bytes -= piece;
  }
}

void window_scatter(struct window_cursor* cursor, char* buffer, const char* from, size_t bytes) {
  while (bytes > 0) {
    ptrdiff_t offset = 0;
    const size_t piece = window_next(cursor, bytes, &offset);
    if (piece == 0) return;
    memcpy(buffer + offset, from, piece);
    from += piece;
    bytes -= piece;
  }
}

/* The last element lacks what follows its data in an extent. */
static size_t spread(MPI_Datatype basic, size_t count) {
  return (count - 1) * (size_t)basic->extent + (size_t)basic->true_extent;
}

void window_gather_elements(struct window_cursor* cursor, MPI_Datatype basic, const char* buffer, char* to,
                            size_t count) {
  while (count > 0) {
    ptrdiff_t offset = 0;
    const size_t some = window_next_elements(cursor, basic, count, &offset);
    if (some == 0) return;
    memcpy(to, buffer + offset, spread(basic, some));
    to += some * (size_t)basic->extent;
    count -= some;
  }
}

/* Members alone: the operation leaves the bytes between them as they are. */
void window_scatter_elements(struct window_cursor* cursor, MPI_Datatype basic, char* buffer, const char* from,
                             size_t count) {
  while (count > 0) {
    ptrdiff_t offset = 0;
    const size_t some = window_next_elements(cursor, basic, count, &offset);
    if (some == 0) return;
    if (basic->dense) memcpy(buffer + offset, from, some * basic->bytes);
    for (size_t i = 0; i < some && !basic->dense; ++i) {
      const ptrdiff_t at = (ptrdiff_t)i * basic->extent;
      for (const struct mpi_part *part = basic->map->parts, *end = part + basic->map->count; part < end; ++part)
        memcpy(buffer + offset + at + part->offset, from + at + part->offset, part->bytes);
    }
    from += some * (size_t)basic->extent;
    count -= some;
  }
}
