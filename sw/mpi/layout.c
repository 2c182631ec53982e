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

/* In a free type, the pointer to the pattern links to the next free one. */
static struct MPI_datatype_* take(void) {
  struct MPI_datatype_** list = free_types();
  struct MPI_datatype_* type = *list;
  if (type)
    *list = (struct MPI_datatype_*)type->pattern;
  else
    type = malloc(sizeof *type);
  if (type) *type = (struct MPI_datatype_){.references = 1, .times = 1, .align = 1, .name = ""};
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
  free(type->pattern);
  type->pattern = (struct mpi_run*)*list;
  *list = type;
}

/* Adjacent runs are one. */
static int are_one(const struct mpi_run* first, const struct mpi_run* next) {
  return first->element == next->element && first->external == next->external &&
         first->offset + (ptrdiff_t)(first->count * first->element) == next->offset;
}

static void add_run(struct MPI_datatype_* type, struct mpi_run run) {
  if (type->pattern_count > 0 && are_one(&type->pattern[type->pattern_count - 1], &run))
    type->pattern[type->pattern_count - 1].count += run.count;
  else
    type->pattern[type->pattern_count++] = run;
}

static int is_one_run(MPI_Datatype type) { return type->dense && type->runs_count == 1; }

static void add_piece(struct MPI_datatype_* type, const struct mpi_piece* piece) {
  const MPI_Datatype old = piece->type;
  if (is_one_run(old)) {
    struct mpi_run run = old->pattern[0];
    run.offset = piece->offset;
    run.count *= piece->count;
    if (piece->count > 0) add_run(type, run);
    return;
  }
  for (size_t i = 0; i < piece->count; ++i)
    for (size_t j = 0; j < old->runs_count; ++j) {
      struct mpi_run run = mpi_run_at(old, j);
      run.offset += piece->offset + (ptrdiff_t)i * old->extent;
      add_run(type, run);
    }
}

static size_t most_runs(size_t count, const struct mpi_piece* pieces) {
  size_t runs = 0;
  for (size_t i = 0; i < count; ++i)
    runs += is_one_run(pieces[i].type) ? 1 : pieces[i].count * pieces[i].type->runs_count;
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

/* Bounds of the pieces; if the program has set some, only those count. Padding of a piece is no part of it: a type is
 * padded as a whole (MPI-1.3, 3.12.3). */
static void find_bounds(struct MPI_datatype_* type, size_t count, const struct mpi_piece* pieces) {
  struct interval lower = {0}, upper = {0}, set_lower = {0}, set_upper = {0};
  for (size_t i = 0; i < count; ++i) {
    const MPI_Datatype old = pieces[i].type;
    if (pieces[i].count == 0) continue;
    if (old->align > type->align) type->align = old->align;
    const ptrdiff_t last = pieces[i].offset + ((ptrdiff_t)pieces[i].count - 1) * old->extent;
    for (int end = 0; end < 2; ++end) { /* an extent may be negative */
      const ptrdiff_t at = end ? last : pieces[i].offset;
      const ptrdiff_t low = at + old->lower;
      const ptrdiff_t high = old->sticky_upper ? low + old->extent : at + old->true_lower + old->true_extent;
      if (old->sticky_lower) widen(&set_lower, low, low);
      if (old->sticky_upper) widen(&set_upper, high, high);
      if (old->runs_count == 0) continue;
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
  const ptrdiff_t rest = (type->extent % align + align) % align;
  if (!set_upper.known && rest != 0) type->extent += align - rest;
}

/* Also whether it is dense. */
static void find_true_bounds(struct MPI_datatype_* type) {
  struct interval data = {0};
  type->runs_count = type->pattern_count * type->times;
  type->dense = type->lower == 0;
  for (size_t i = 0; i < type->pattern_count; ++i) {
    const struct mpi_run* run = &type->pattern[i];
    const size_t bytes = run->count * run->element;
    const ptrdiff_t last = run->offset + (ptrdiff_t)(type->times - 1) * type->apart;
    if (run->offset != (ptrdiff_t)type->bytes) type->dense = 0;
    type->bytes += bytes;
    widen(&data, run->offset, run->offset + (ptrdiff_t)bytes);
    widen(&data, last, last + (ptrdiff_t)bytes);
  }
  if (type->times > 1 && type->apart != (ptrdiff_t)type->bytes) type->dense = 0;
  type->bytes *= type->times;
  type->true_lower = data.low;
  type->true_extent = data.high - data.low;
  if (type->extent != (ptrdiff_t)type->bytes) type->dense = 0;
}

static int make_pattern(const char* call, size_t count, const struct mpi_piece* pieces, MPI_Datatype* made) {
  struct MPI_datatype_* type = take();
  const size_t runs = most_runs(count, pieces);
  if (type) type->pattern = malloc((runs + 1) * sizeof *type->pattern);
  if (!type || !type->pattern) {
    if (type) mpi_type_release(type);
    return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for a type of %zu pieces; make it of fewer, or set host.memory",
                    runs);
  }
  for (size_t i = 0; i < count; ++i) add_piece(type, &pieces[i]);
  if (type->pattern_count < runs) {
    struct mpi_run* fitting = realloc(type->pattern, (type->pattern_count + 1) * sizeof *type->pattern);
    if (fitting) type->pattern = fitting;
  }
  *made = type;
  return MPI_SUCCESS;
}

int mpi_type_new(const char* call, size_t count, const struct mpi_piece* pieces, MPI_Datatype* made) {
  MPI_TRY(make_pattern(call, count, pieces, made));
  find_bounds(*made, count, pieces);
  find_true_bounds(*made);
  return MPI_SUCCESS;
}

/* Copies of a pattern that are one run stay one. */
static void repeat(struct MPI_datatype_* type, size_t times, ptrdiff_t apart) {
  struct mpi_run *run = type->pattern, next = *run;
  next.offset += apart;
  if (type->pattern_count == 1 && are_one(run, &next)) {
    run->count *= times;
    return;
  }
  type->times = times;
  type->apart = apart;
}

int mpi_type_repeat(const char* call, size_t times, ptrdiff_t apart, struct mpi_piece piece, MPI_Datatype* made) {
  if (times == 0) return mpi_type_new(call, 0, NULL, made);
  const struct mpi_piece ends[] = {piece, {piece.offset + (ptrdiff_t)(times - 1) * apart, piece.count, piece.type}};
  MPI_TRY(make_pattern(call, 1, &piece, made));
  if (times > 1 && (*made)->pattern_count > 0) repeat(*made, times, apart);
  find_bounds(*made, 2, ends);
  find_true_bounds(*made);
  return MPI_SUCCESS;
}

/* ---- walking ---- */
void mpi_pack(const void* from, size_t count, MPI_Datatype type, void* to) {
  char* out = to;
  if (type->dense) {
    if (count * type->bytes > 0) memcpy(out, from, count * type->bytes);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const char* copy = (const char*)from + (ptrdiff_t)i * type->extent;
    for (size_t k = 0; k < type->times; ++k, copy += type->apart)
      for (size_t j = 0; j < type->pattern_count; ++j) {
        const struct mpi_run* run = &type->pattern[j];
        memcpy(out, copy + run->offset, run->count * run->element);
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
    char* copy = element;
    for (size_t k = 0; k < type->times && bytes > 0; ++k, copy += type->apart)
      for (size_t j = 0; j < type->pattern_count && bytes > 0; ++j) {
        const struct mpi_run* run = &type->pattern[j];
        const size_t all = run->count * run->element, part = all < bytes ? all : bytes;
        memcpy(copy + run->offset, in, part);
        in += part;
        bytes -= part;
      }
  }
}

void mpi_unpack(const void* from, void* to, size_t count, MPI_Datatype type) {
  mpi_unpack_bytes(from, count * type->bytes, to, type);
}

/* ---- counting ---- */
static size_t elements_of_pattern(MPI_Datatype type) {
  size_t elements = 0;
  for (size_t i = 0; i < type->pattern_count; ++i) elements += type->pattern[i].count;
  return elements;
}

size_t mpi_elements_of(MPI_Datatype type) { return type->times * elements_of_pattern(type); }

size_t mpi_elements_in(MPI_Datatype type, size_t bytes) {
  const size_t each = type->bytes / type->times; /* of a copy of the pattern */
  if (bytes == 0 || each == 0) return bytes == 0 ? 0 : SIZE_MAX;
  size_t elements = bytes / each * elements_of_pattern(type), rest = bytes % each;
  for (size_t i = 0; i < type->pattern_count && rest > 0; ++i) {
    const struct mpi_run* run = &type->pattern[i];
    const size_t all = run->count * run->element, here = all < rest ? all : rest;
    if (here % run->element != 0) return SIZE_MAX;
    elements += here / run->element;
    rest -= here;
  }
  return elements;
}

size_t mpi_bytes_of(MPI_Datatype type, size_t elements) {
  const size_t each = elements_of_pattern(type);
  if (each == 0) return 0;
  size_t bytes = elements / each * (type->bytes / type->times), rest = elements % each;
  for (size_t i = 0; i < type->pattern_count && rest > 0; ++i) {
    const size_t here = type->pattern[i].count < rest ? type->pattern[i].count : rest;
    bytes += here * type->pattern[i].element;
    rest -= here;
  }
  return bytes;
}
