/* The type map of a type: how it is made from pieces, and how data are packed and unpacked by it. */
#include "sw/mpi/layout.h"

#include <stdint.h>
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
  type->no_walk = type->dense;
}

size_t mpi_bytes_at_most(size_t count, size_t bytes) {
  size_t all = 0;
  return __builtin_mul_overflow(count, bytes, &all) ? SIZE_MAX : all;
}

/* The data of some types are more than an address space holds. No program can use them but to ask for their sizes. */
static void find_overflow(struct MPI_datatype_* type, size_t count, const struct mpi_piece* pieces) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i)
    if (__builtin_add_overflow(bytes, mpi_bytes_at_most(pieces[i].count, pieces[i].type->bytes), &bytes))
      bytes = SIZE_MAX;
  if (bytes > PTRDIFF_MAX) type->bytes = SIZE_MAX;
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
  find_overflow(type, count, pieces);
  if (type->runs_count < runs) {
    struct mpi_run* fitting = realloc(type->runs, (type->runs_count + 1) * sizeof *type->runs);
    if (fitting) type->runs = fitting;
  }
  *made = type;
  return MPI_SUCCESS;
}

/* ---- walking ---- */
void mpi_pack(const void* from, size_t count, MPI_Datatype type, void* to) {
  char* out = to;
  if (type->no_walk) {
    if (!type->dense)
      mpi_pack_copies(from, count, type, to);
    else if (count * type->bytes > 0)
      memcpy(out, from, count * type->bytes);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const char* element = (const char*)from + (ptrdiff_t)i * type->extent;
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
    size_t j = 0;
    if (__builtin_expect(type->runs_count == 0, 0)) {
      const size_t moved = mpi_unpack_copies(type, element, in, bytes);
      in += moved;
      bytes -= moved;
      continue;
    }
    do {
      const struct mpi_run* run = &type->runs[j];
      const size_t all = run->count * run->element, part = all < bytes ? all : bytes;
      memcpy(element + run->offset, in, part);
      in += part;
      bytes -= part;
    } while (++j < type->runs_count && bytes > 0);
  }
}

void mpi_unpack(const void* from, void* to, size_t count, MPI_Datatype type) {
  mpi_unpack_bytes(from, count * type->bytes, to, type);
}
