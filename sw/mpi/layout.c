/* The type map of a type: how it is made from pieces, and how data are packed and unpacked by it. */
#include "sw/mpi/layout.h"

#include <stdlib.h>
#include <string.h>

#include "sw/mpi/attribute.h"
#include "sw/mpi/type_contents.h"

/* ---- making ---- */
static struct MPI_datatype_** free_types(void) {
  static struct MPI_datatype_* list;
  return &list;
}

/* In a free type, the pointer to the runs links to the next free one. */
static struct MPI_datatype_* take(void) {
  struct MPI_datatype_** list = free_types();
  struct MPI_datatype_* type = *list;
  if (type)
    *list = (struct MPI_datatype_*)type->runs;
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
  free(type->runs);
  type->runs = (struct mpi_run*)*list;
  *list = type;
}

/* Merges adjacent runs. */
static void add_run(struct MPI_datatype_* type, struct mpi_run run) {
  if (type->runs_count > 0) {
    struct mpi_run* last = &type->runs[type->runs_count - 1];
    if (last->element == run.element && last->external == run.external &&
        last->offset + (ptrdiff_t)(last->count * last->element) == run.offset) {
      last->count += run.count;
      return;
    }
  }
  type->runs[type->runs_count++] = run;
}

static void add_piece(struct MPI_datatype_* type, const struct mpi_piece* piece) {
  const MPI_Datatype old = piece->type;
  if (old->dense && old->runs_count == 1) {
    struct mpi_run run = old->runs[0];
    run.offset = piece->offset;
    run.count *= piece->count;
    if (piece->count > 0) add_run(type, run);
    return;
  }
  for (size_t i = 0; i < piece->count; ++i)
    for (size_t j = 0; j < mpi_runs_of(old); ++j) {
      struct mpi_run run = mpi_run_at(old, j);
      run.offset += piece->offset + (ptrdiff_t)i * old->extent;
      add_run(type, run);
    }
}

static size_t most_runs(size_t count, const struct mpi_piece* pieces) {
  size_t runs = 0;
  for (size_t i = 0; i < count; ++i) {
    const MPI_Datatype old = pieces[i].type;
    runs += old->dense && old->runs_count == 1 ? 1 : pieces[i].count * mpi_runs_of(old);
  }
  return runs;
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

/* Bounds of the pieces; if the program has set some, only those count. */
static void find_bounds(struct MPI_datatype_* type, size_t count, const struct mpi_piece* pieces) {
  struct interval lower = {0}, upper = {0}, set_lower = {0}, set_upper = {0};
  for (size_t i = 0; i < count; ++i) {
    const MPI_Datatype old = pieces[i].type;
    if (pieces[i].count == 0) continue;
    if (old->align > type->align) type->align = old->align;
    const ptrdiff_t last = pieces[i].offset + ((ptrdiff_t)pieces[i].count - 1) * old->extent;
    for (int end = 0; end < 2; ++end) { /* an extent may be negative */
      const ptrdiff_t at = end ? last : pieces[i].offset;
      const ptrdiff_t low = at + old->lower, high = low + old->extent;
      if (old->sticky_lower) widen(&set_lower, low, low);
      if (old->sticky_upper) widen(&set_upper, high, high);
      if (old->bytes == 0) continue;
      widen(&lower, low, low);
      widen(&upper, high, high);
    }
  }
  type->sticky_lower = set_lower.known;
  type->sticky_upper = set_upper.known;
  type->lower = set_lower.known ? set_lower.low : lower.low;
  type->extent = (set_upper.known ? set_upper.high : upper.high) - type->lower;
  if (set_lower.known && !set_upper.known && !upper.known) type->extent = 0;
  const ptrdiff_t align = (ptrdiff_t)type->align;
  if (!set_upper.known && type->extent % align != 0) type->extent += align - type->extent % align;
}

static void find_true_bounds(struct MPI_datatype_* type) {
  struct interval data = {0};
  type->dense = type->lower == 0;
  for (size_t i = 0; i < type->runs_count; ++i) {
    const struct mpi_run* run = &type->runs[i];
    const size_t bytes = run->count * run->element;
    if (run->offset != (ptrdiff_t)type->bytes) type->dense = 0;
    type->bytes += bytes;
    widen(&data, run->offset, run->offset + (ptrdiff_t)bytes);
  }
  type->true_lower = data.low;
  type->true_extent = data.high - data.low;
  if (type->extent != (ptrdiff_t)type->bytes) type->dense = 0;
}

int mpi_type_new(const char* call, size_t count, const struct mpi_piece* pieces, MPI_Datatype* made) {
  struct MPI_datatype_* type = take();
  const size_t runs = most_runs(count, pieces);
  if (type) type->runs = malloc((runs + 1) * sizeof *type->runs);
  if (!type || !type->runs) {
    if (type) mpi_type_release(type);
    return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for a type of %zu pieces; make it of fewer, or set host.memory",
                    runs);
  }
  for (size_t i = 0; i < count; ++i) add_piece(type, &pieces[i]);
  find_bounds(type, count, pieces);
  find_true_bounds(type);
  if (type->runs_count < runs) {
    struct mpi_run* fitting = realloc(type->runs, (type->runs_count + 1) * sizeof *type->runs);
    if (fitting) type->runs = fitting;
  }
  *made = type;
  return MPI_SUCCESS;
}

/* ---- copies ---- */
static int are_one(const struct mpi_run* first, const struct mpi_run* next) {
  return first->element == next->element && first->external == next->external &&
         first->offset + (ptrdiff_t)(first->count * first->element) == next->offset;
}

/* The runs of a type as one copy. Returns 0 if copies of one run are one run. */
static int copy_runs(struct MPI_datatype_* type, struct mpi_copies* copies) {
  memcpy(copies->runs, type->runs, copies->count * sizeof *copies->runs);
  struct mpi_run next = *copies->runs;
  next.offset += copies->apart;
  free(type->runs);
  type->runs = (struct mpi_run*)copies;
  if (copies->count > 1 || !are_one(copies->runs, &next)) return 1;
  next = *copies->runs;
  next.count *= copies->times;
  *type->runs = next;
  return 0;
}

int mpi_type_copies(const char* call, size_t times, ptrdiff_t apart, struct mpi_piece piece, MPI_Datatype* made) {
  const struct mpi_piece ends[] = {piece, {piece.offset + (ptrdiff_t)(times - 1) * apart, piece.count, piece.type}};
  struct MPI_datatype_ whole = {.align = 1};
  MPI_TRY(mpi_type_new(call, 1, &piece, made));
  struct MPI_datatype_* type = *made;
  if (type->runs_count == 0) return MPI_SUCCESS;
  struct mpi_copies* copies = malloc(sizeof *copies + (type->runs_count + 1) * sizeof *copies->runs);
  if (!copies) {
    mpi_type_release(type);
    return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for a type; set host.memory");
  }
  *copies = (struct mpi_copies){.times = times, .count = type->runs_count, .apart = apart};
  find_bounds(&whole, 2, ends);
  const ptrdiff_t span = (ptrdiff_t)(times - 1) * apart;
  if (span < 0) type->true_lower += span;
  type->true_extent += span < 0 ? -span : span;
  type->lower = whole.lower;
  type->extent = whole.extent;
  type->bytes *= times;
  if (copy_runs(type, copies)) type->runs_count = 0;
  type->dense =
      type->runs_count == 1 && type->lower == 0 && type->runs->offset == 0 && type->extent == (ptrdiff_t)type->bytes;
  return MPI_SUCCESS;
}

/* The first `bytes` bytes of an element's data, at most all. Returns how many. */
static size_t move_copies(MPI_Datatype type, char* element, char* packed, size_t bytes, int pack) {
  const struct mpi_copies* copies = mpi_copies_of(type);
  size_t moved = 0;
  if (!copies) return 0;
  for (size_t k = 0; k < copies->times && moved < bytes; ++k, element += copies->apart)
    for (size_t j = 0; j < copies->count && moved < bytes; ++j) {
      const struct mpi_run* run = &copies->runs[j];
      const size_t all = run->count * run->element, part = all < bytes - moved ? all : bytes - moved;
      if (pack)
        memcpy(packed + moved, element + run->offset, part);
      else
        memcpy(element + run->offset, packed + moved, part);
      moved += part;
    }
  return moved;
}

/* ---- walking ---- */
void mpi_pack(const void* from, size_t count, MPI_Datatype type, void* to) {
  char* out = to;
  if (type->dense) {
    if (count * type->bytes > 0) memcpy(out, from, count * type->bytes);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const char* element = (const char*)from + (ptrdiff_t)i * type->extent;
    if (type->runs_count == 0) out += move_copies(type, (char*)element, out, type->bytes, 1);
    for (size_t j = 0; j < type->runs_count; ++j) {
      const struct mpi_run* run = &type->runs[j];
      memcpy(out, element + run->offset, run->count * run->element);
      out += run->count * run->element;
    }
  }
}

void mpi_unpack_bytes(const void* from, size_t bytes, void* to, MPI_Datatype type) {
  const char* in = from;
  if (type->dense) {
    if (bytes > 0) memcpy(to, in, bytes);
    return;
  }
  for (char* element = to; bytes > 0 && type->bytes > 0; element += type->extent) {
    if (type->runs_count == 0) {
      const size_t moved = move_copies(type, element, (char*)in, bytes, 0);
      in += moved;
      bytes -= moved;
    }
    for (size_t j = 0; j < type->runs_count && bytes > 0; ++j) {
      const struct mpi_run* run = &type->runs[j];
      const size_t all = run->count * run->element, part = all < bytes ? all : bytes;
      memcpy(element + run->offset, in, part);
      in += part;
      bytes -= part;
    }
  }
}

void mpi_unpack(const void* from, void* to, size_t count, MPI_Datatype type) {
  mpi_unpack_bytes(from, count * type->bytes, to, type);
}

/* ---- counting ---- */
/* The runs that repeat, the elements in them, and their bytes. */
struct pattern {
  const struct mpi_run* runs;
  size_t count, elements, bytes;
};

static struct pattern pattern_of(MPI_Datatype type) {
  const struct mpi_copies* copies = mpi_copies_of(type);
  struct pattern pattern = {copies ? copies->runs : type->runs, copies ? copies->count : type->runs_count, 0, 0};
  for (size_t i = 0; i < pattern.count; ++i) {
    pattern.elements += pattern.runs[i].count;
    pattern.bytes += pattern.runs[i].count * pattern.runs[i].element;
  }
  return pattern;
}

size_t mpi_elements_in(MPI_Datatype type, size_t bytes) {
  const struct pattern pattern = pattern_of(type);
  if (bytes == 0 || pattern.bytes == 0) return bytes == 0 ? 0 : SIZE_MAX;
  size_t elements = bytes / pattern.bytes * pattern.elements, rest = bytes % pattern.bytes;
  for (size_t i = 0; i < pattern.count && rest > 0; ++i) {
    const struct mpi_run* run = &pattern.runs[i];
    const size_t all = run->count * run->element, here = all < rest ? all : rest;
    if (here % run->element != 0) return SIZE_MAX;
    elements += here / run->element;
    rest -= here;
  }
  return elements;
}

size_t mpi_bytes_of(MPI_Datatype type, size_t elements) {
  const struct pattern pattern = pattern_of(type);
  if (pattern.elements == 0) return 0;
  size_t bytes = elements / pattern.elements * pattern.bytes, rest = elements % pattern.elements;
  for (size_t i = 0; i < pattern.count && rest > 0; ++i) {
    const size_t here = pattern.runs[i].count < rest ? pattern.runs[i].count : rest;
    bytes += here * pattern.runs[i].element;
    rest -= here;
  }
  return bytes;
}
