/* Types of very many copies of a few runs, of which one is stored; elements of any type counted. */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/datatype.h"

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
  MPI_Datatype bounds = NULL;
  MPI_TRY(mpi_type_new(call, 2, ends, &bounds));
  const ptrdiff_t lower = bounds->lower, extent = bounds->extent;
  mpi_type_release(bounds);
  MPI_TRY(mpi_type_new(call, 1, &piece, made));
  struct MPI_datatype_* type = *made;
  type->lower = lower;
  type->extent = extent;
  if (type->runs_count == 0) return MPI_SUCCESS;
  struct mpi_copies* copies = malloc(sizeof *copies + (type->runs_count + 1) * sizeof *copies->runs);
  if (!copies) {
    mpi_type_release(type);
    return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for a type; set host.memory");
  }
  *copies = (struct mpi_copies){.times = times, .count = type->runs_count, .apart = apart};
  const ptrdiff_t span = (ptrdiff_t)(times - 1) * apart;
  if (span < 0) type->true_lower += span;
  type->true_extent += span < 0 ? -span : span;
  type->bytes = mpi_bytes_at_most(times, type->bytes);
  if (copy_runs(type, copies)) type->runs_count = 0;
  type->dense =
      type->runs_count == 1 && type->lower == 0 && type->runs->offset == 0 && type->extent == (ptrdiff_t)type->bytes;
  type->no_walk = type->dense || type->runs_count == 0;
  return MPI_SUCCESS;
}

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

void mpi_pack_copies(const char* from, size_t count, MPI_Datatype type, char* to) {
  for (size_t i = 0; i < count; ++i, from += type->extent) to += move_copies(type, (char*)from, to, type->bytes, 1);
}

size_t mpi_unpack_copies(MPI_Datatype type, char* element, const char* from, size_t bytes) {
  return move_copies(type, element, (char*)from, bytes, 0);
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
