/* Datatypes from pieces of others; data packed and unpacked by their type maps. */
#include "sw/mpi/datatypes/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/datatypes/type_contents.h"
#include "sw/mpi/datatypes/type_map.h"

/* ---- making ---- */
static struct MPI_datatype_** free_types(void) {
  static struct MPI_datatype_* list;
  return &list;
}

static struct MPI_datatype_* type_take(void) {
  struct MPI_datatype_** list = free_types();
  struct MPI_datatype_* type = *list;
  if (type)
    *list = type->next;
  else
    type = malloc(sizeof *type);
  if (type) *type = (struct MPI_datatype_){.references = 1, .align = 1, .name = ""};
  return type;
}

void mpi_type_hold(MPI_Datatype type) {
  if (!type->predefined) ++type->references;
}

void mpi_type_release(MPI_Datatype type) {
  if (type->predefined || --type->references > 0) return;
  struct MPI_datatype_** list = free_types();
  mpi_attributes_delete("MPI_Type_free", mpi_owner_type(type));
  mpi_contents_free(type->contents);
  mpi_map_release(type->map);
  type->next = *list;
  *list = type;
}

struct interval {
  ptrdiff_t low, high;
  int known;
};

static void widen(struct interval* interval, ptrdiff_t low, ptrdiff_t high) {
  if (!interval->known || low < interval->low) interval->low = low;
  if (!interval->known || high > interval->high) interval->high = high;
  interval->known = 1;
}

struct bounds {
  struct interval lower, upper, set_lower, set_upper; /* set: by the program */
};

/* Those of a piece that begins at an offset. */
static void add_bounds(struct bounds* bounds, const struct mpi_piece* piece, ptrdiff_t offset) {
  const MPI_Datatype old = piece->type;
  const ptrdiff_t span = ((ptrdiff_t)piece->count - 1) * old->extent;
  const ptrdiff_t reach = ((ptrdiff_t)piece->times - 1) * piece->apart;
  for (int corner = 0; corner < (reach != 0 ? 4 : span != 0 ? 2 : 1); ++corner) { /* an extent may be negative */
    const ptrdiff_t at = offset + (corner & 1 ? span : 0) + (corner & 2 ? reach : 0);
    const ptrdiff_t low = at + old->lower, high = low + old->extent;
    if (old->sticky_lower) widen(&bounds->set_lower, low, low);
    if (old->sticky_upper) widen(&bounds->set_upper, high, high);
    if (old->bytes == 0) continue;
    widen(&bounds->lower, low, low);
    widen(&bounds->upper, high, high);
  }
}

static int are_alike(const struct mpi_piece* one, const struct mpi_piece* other) {
  return one->type == other->type && one->count == other->count && one->times == other->times &&
         one->apart == other->apart;
}

/* Bounds of the pieces; if the program has set some, only those count. */
static void find_bounds(struct MPI_datatype_* type, size_t count, const struct mpi_piece* pieces) {
  struct bounds bounds = {0};
  for (size_t i = 0; i < count;) {
    const struct mpi_piece* first = &pieces[i];
    ptrdiff_t low = first->offset, high = low;
    for (++i; i < count && are_alike(&pieces[i], first); ++i) { /* the outermost ones of many */
      if (pieces[i].offset < low) low = pieces[i].offset;
      if (pieces[i].offset > high) high = pieces[i].offset;
    }
    if (first->times == 0 || first->count == 0) continue;
    if (first->type->align > type->align) type->align = first->type->align;
    add_bounds(&bounds, first, low);
    if (high != low) add_bounds(&bounds, first, high);
  }
  const struct interval lower = bounds.lower, upper = bounds.upper;
  const struct interval set_lower = bounds.set_lower, set_upper = bounds.set_upper;
  type->sticky_lower = set_lower.known;
  type->sticky_upper = set_upper.known;
  type->lower = set_lower.known ? set_lower.low : lower.low;
  type->extent = (set_upper.known ? set_upper.high : upper.high) - type->lower;
  if (set_lower.known && !set_upper.known && !upper.known) type->extent = 0;
  const ptrdiff_t align = (ptrdiff_t)type->align;
  if (!set_upper.known && type->extent % align != 0) type->extent += align - type->extent % align;
}

void mpi_type_find_dense(struct MPI_datatype_* type) {
  const struct mpi_shape* shape = &type->map->shape;
  type->dense = type->lower == 0 && shape->consecutive && shape->low == 0 && type->extent == (ptrdiff_t)shape->bytes;
}

static MPI_Datatype basic_of(size_t count, const struct mpi_piece* pieces) {
  MPI_Datatype found = NULL;
  for (size_t i = 0; i < count; ++i) {
    const MPI_Datatype old = pieces[i].type;
    if (old == found) continue;
    if (pieces[i].times == 0 || pieces[i].count == 0 || old->bytes == 0) continue;
    if (!old->basic || (found && found != old->basic)) return NULL;
    found = old->basic;
  }
  return found;
}

/* Null: no memory. */
static struct mpi_map* map_of(size_t count, const struct mpi_piece* pieces) {
  const struct mpi_piece* only = pieces;
  if (count == 1 && only->times == 1 && only->count == 1 && only->offset == 0) return mpi_map_hold(only->type->map);
  struct mpi_map* map = mpi_map_new(count);
  if (!map) return NULL;
  for (size_t i = 0; i < count; ++i) {
    const struct mpi_piece* piece = &pieces[i];
    if (mpi_map_append(map, piece->offset, piece->times, piece->apart, piece->count, piece->type->extent,
                       piece->type->map))
      continue;
    mpi_map_release(map);
    return NULL;
  }
  mpi_map_end(map);
  return map->count < count ? mpi_map_fitting(map) : map;
}

int mpi_type_new(const char* call, size_t count, const struct mpi_piece* pieces, MPI_Datatype* made) {
  struct MPI_datatype_* type = type_take();
  if (type) type->map = map_of(count, pieces);
  if (!type || !type->map) {
    if (type) mpi_type_release(type);
    return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for a type of %zu pieces; make it of fewer, or set host.memory",
                    count);
  }
  const struct mpi_shape* shape = &type->map->shape;
  find_bounds(type, count, pieces);
  type->bytes = shape->bytes > PTRDIFF_MAX ? SIZE_MAX : shape->bytes;
  type->true_lower = shape->low;
  type->true_extent = shape->high - shape->low;
  type->basic = basic_of(count, pieces);
  mpi_type_find_dense(type);
  *made = type;
  return MPI_SUCCESS;
}

/* ---- packing ---- */
enum way { PACK, UNPACK };

static void copy(char* memory, char* packed, size_t bytes, enum way way) {
  memcpy(way == PACK ? packed : memory, way == PACK ? memory : packed, bytes);
}

static char* move_blocks(size_t times, ptrdiff_t apart, size_t bytes, char* memory, char* packed, enum way way) {
  for (size_t i = 0; i < times; ++i, memory += apart, packed += bytes) copy(memory, packed, bytes, way);
  return packed;
}

/* Copies of a map, `apart` bytes from one to the next in memory. Returns the end of their packed data. */
static char* move(const struct mpi_map* map, size_t times, ptrdiff_t apart, char* memory, char* packed, enum way way) {
  if (map->shape.consecutive) return move_blocks(times, apart, map->shape.bytes, memory + map->shape.low, packed, way);
  for (size_t i = 0; i < times; ++i, memory += apart)
    for (const struct mpi_part *part = map->parts, *end = part + map->count; part < end; ++part) {
      char* at = memory + part->offset;
      if (part->map) {
        packed = move(part->map, part->times, part->apart, at, packed, way);
      } else if (part->times > 1) {
        packed = move_blocks(part->times, part->apart, part->bytes, at, packed, way);
      } else {
        copy(at, packed, part->bytes, way);
        packed += part->bytes;
      }
    }
  return packed;
}

void mpi_pack(const void* from, size_t count, MPI_Datatype type, void* to) {
  if (count * type->bytes == 0) return;
  if (type->dense)
    memcpy(to, from, count * type->bytes);
  else
    move(type->map, count, type->extent, (char*)from, to, PACK);
}

void mpi_unpack_bytes(const void* from, size_t bytes, void* to, MPI_Datatype type) {
  if (bytes == 0 || type->bytes == 0) return;
  if (type->dense) {
    memcpy(to, from, bytes);
    return;
  }
  const size_t whole = bytes / type->bytes, rest = bytes - whole * type->bytes;
  const char* packed = move(type->map, whole, type->extent, to, (char*)from, UNPACK);
  char* element = (char*)to + (ptrdiff_t)whole * type->extent;
  for (size_t done = 0, inside = 0; done < rest;) {
    const struct mpi_run run = mpi_map_run(type->map, done, &inside);
    const size_t all = run.count * run.element, part = all < rest - done ? all : rest - done;
    memcpy(element + run.offset, packed + done, part);
    done += part;
  }
}

void mpi_unpack(const void* from, void* to, size_t count, MPI_Datatype type) {
  mpi_unpack_bytes(from, count * type->bytes, to, type);
}

/* ---- counting ---- */
/* In the first bytes of a map, which are fewer than all. */
static size_t elements_in(const struct mpi_map* map, size_t bytes) {
  size_t elements = 0;
  for (const struct mpi_part* part = map->parts; bytes > 0; ++part) {
    const size_t fitting = bytes / part->bytes, copies = fitting < part->times ? fitting : part->times;
    elements += copies * part->elements;
    bytes -= copies * part->bytes;
    if (copies == part->times || bytes == 0) continue;
    if (!part->map) return bytes % part->element == 0 ? elements + bytes / part->element : SIZE_MAX;
    const size_t inside = elements_in(part->map, bytes);
    return inside == SIZE_MAX ? SIZE_MAX : elements + inside;
  }
  return elements;
}

size_t mpi_elements_in(MPI_Datatype type, size_t bytes) {
  if (bytes == 0) return 0;
  if (type->bytes == 0) return SIZE_MAX;
  const size_t rest = elements_in(type->map, bytes % type->bytes);
  return rest == SIZE_MAX ? SIZE_MAX : bytes / type->bytes * type->map->shape.elements + rest;
}

/* Bytes of the first elements of a map, which are fewer than all. */
static size_t bytes_of(const struct mpi_map* map, size_t elements) {
  size_t bytes = 0;
  for (const struct mpi_part* part = map->parts; elements > 0; ++part) {
    const size_t each = part->elements, fitting = elements / each;
    const size_t copies = fitting < part->times ? fitting : part->times;
    bytes += copies * part->bytes;
    elements -= copies * each;
    if (copies == part->times || elements == 0) continue;
    return bytes + (part->map ? bytes_of(part->map, elements) : elements * part->element);
  }
  return bytes;
}

size_t mpi_bytes_of(MPI_Datatype type, size_t elements) {
  if (type->bytes == 0) return 0;
  const size_t each = type->map->shape.elements;
  return elements / each * type->bytes + bytes_of(type->map, elements % each);
}
