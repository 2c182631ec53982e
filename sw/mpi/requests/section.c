/* Sections of arrays that are not contiguous: as datatypes, and as copies. */
#include "sw/mpi/requests/section.h"

#include <stdlib.h>

#include "sw/mpi/base/memory.h"
#include "sw/mpi/check/checked.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/datatypes/type_map.h"
#include "sw/mpi/requests/request.h"

/* ---- the pieces of memory ---- */
/* The same memory with as few dimensions, and as large elements, as there can be. */
static struct mpi_section merged(const struct mpi_section* section) {
  struct mpi_section made = {.base = section->base, .element = section->element};
  for (int d = 0; d < section->rank; ++d) {
    const ptrdiff_t extent = section->dimensions[d].extent, apart = section->dimensions[d].apart;
    const int last = made.rank - 1;
    if (extent == 1) continue;
    if (made.rank == 0 && apart == (ptrdiff_t)made.element) {
      made.element *= (size_t)extent;
    } else if (made.rank > 0 && apart == made.dimensions[last].extent * made.dimensions[last].apart) {
      made.dimensions[last].extent *= extent;
    } else {
      made.dimensions[made.rank].extent = extent;
      made.dimensions[made.rank++].apart = apart;
    }
  }
  return made;
}

static size_t elements_of(const struct mpi_section* section) {
  size_t all = 1;
  for (int d = 0; d < section->rank; ++d)
    all *= section->dimensions[d].extent > 0 ? (size_t)section->dimensions[d].extent : 0;
  return all;
}

/* The offset of an element, in bytes. */
static ptrdiff_t place_of(const struct mpi_section* section, size_t index) {
  ptrdiff_t place = 0;
  for (int d = 0; d < section->rank; ++d) {
    const size_t extent = (size_t)section->dimensions[d].extent;
    place += (ptrdiff_t)(index % extent) * section->dimensions[d].apart;
    index /= extent;
  }
  return place;
}

/* ---- as a type ---- */
/* A type of `each` elements in each of the section's, without a walk: what is full in each dimension, then the rest. */
static int dense_type(const char* call, const struct mpi_section* section, size_t count, size_t each, MPI_Datatype type,
                      MPI_Datatype* made) {
  struct mpi_piece pieces[MPI_SECTION_DIMENSIONS_MOST + 1];
  MPI_Datatype full[MPI_SECTION_DIMENSIONS_MOST + 1] = {NULL};
  size_t used = 0, inside = 1, left = count / each;
  const struct mpi_piece element = {.times = 1, .count = each, .type = type};
  int error = mpi_type_new(call, 1, &element, &full[0]);
  for (int d = 0; d + 1 < section->rank && error == MPI_SUCCESS; ++d) {
    const struct mpi_piece row = {.times = (size_t)section->dimensions[d].extent,
                                  .apart = section->dimensions[d].apart,
                                  .count = 1,
                                  .type = full[d]};
    error = mpi_type_new(call, 1, &row, &full[d + 1]);
    inside *= row.times;
  }
  ptrdiff_t offset = 0;
  for (int d = section->rank - 1; d >= 0 && error == MPI_SUCCESS; --d) {
    const size_t times = left / inside;
    pieces[used++] = (struct mpi_piece){offset, times, section->dimensions[d].apart, 1, full[d]};
    offset += (ptrdiff_t)times * section->dimensions[d].apart;
    left -= times * inside;
    if (d > 0) inside /= (size_t)section->dimensions[d - 1].extent;
  }
  const size_t rest = section->rank == 0 ? count : count % each;
  if (rest > 0) pieces[used++] = (struct mpi_piece){.offset = offset, .times = 1, .count = rest, .type = type};
  if (error == MPI_SUCCESS) error = mpi_type_new(call, used, pieces, made);
  for (int d = 0; d <= section->rank; ++d)
    if (full[d]) mpi_type_release(full[d]);
  return error;
}

/* For types with gaps, or elements that cross those of the section: piece by piece. */
static int type_by_pieces(const char* call, const struct mpi_section* section, size_t count, MPI_Datatype type,
                          MPI_Datatype* made) {
  const size_t all = count * type->bytes;
  struct mpi_piece* pieces = NULL;
  size_t used = 0, room = 0;
  for (size_t done = 0; done < all;) {
    size_t inside = 0;
    const struct mpi_run run = mpi_map_run(type->map, done % type->bytes, &inside);
    const size_t at = (size_t)((ptrdiff_t)(done / type->bytes) * type->extent + run.offset) + inside;
    const size_t in_run = run.count * run.element - inside, in_element = section->element - at % section->element;
    const size_t bytes = in_run < in_element ? in_run : in_element;
    if (used == room) pieces = mpi_larger_memory(pieces, (room = room > 0 ? 2 * room : 16) * sizeof *pieces);
    const int is_whole = type->basic && type->basic->dense && bytes % type->basic->bytes == 0;
    const MPI_Datatype basic = is_whole ? type->basic : MPI_BYTE;
    pieces[used++] = (struct mpi_piece){place_of(section, at / section->element) + (ptrdiff_t)(at % section->element),
                                        1, 0, bytes / basic->bytes, basic};
    done += bytes;
  }
  const int error = mpi_type_new(call, used, pieces, made);
  free(pieces);
  return error;
}

int sanvp_mpi_section_type(const char* call, const struct mpi_section* section, size_t count, MPI_Datatype type,
                           MPI_Datatype* made) {
  const struct mpi_section pieces = merged(section);
  const size_t there = elements_of(&pieces) * pieces.element;
  if (count > 0 && type->bytes > 0) {
    const ptrdiff_t low = type->true_lower, span = ((ptrdiff_t)count - 1) * type->extent;
    const ptrdiff_t high = low + type->true_extent + (span > 0 ? span : 0);
    if (low + (span < 0 ? span : 0) < 0 || high > (ptrdiff_t)there)
      return mpi_fail(call, MPI_ERR_BUFFER,
                      "the buffer is a section of %zu bytes; elements of the datatype are outside", there);
  }
  const int is_basic = type->dense && type->basic && type->basic->dense; /* the order of basic elements is all it has */
  const MPI_Datatype unit = is_basic ? type->basic : type;
  const size_t units = is_basic ? count * (type->bytes / unit->bytes) : count;
  int error = MPI_SUCCESS;
  if (unit->dense && unit->bytes > 0 && pieces.element % unit->bytes == 0)
    error = dense_type(call, &pieces, units, pieces.element / unit->bytes, unit, made);
  else
    error = type_by_pieces(call, &pieces, count, type, made);
  if (error == MPI_SUCCESS) (*made)->committed = 1;
  return error;
}

void sanvp_mpi_section_release(MPI_Datatype made) { mpi_type_release(made); }

/* ---- as a copy ---- */
struct mpi_staged {
  struct mpi_staged* next; /* of the same request */
  enum mpi_staging ways;
  char* base;
  MPI_Datatype type;
  void* data;
};

struct mpi_staged* sanvp_mpi_stage(const char* call, const struct mpi_section* section, enum mpi_staging ways) {
  MPI_Datatype type = NULL;
  const size_t bytes = elements_of(section) * section->element;
  if (sanvp_mpi_section_type(call, section, bytes, MPI_BYTE, &type) != MPI_SUCCESS) return NULL;
  struct mpi_staged* staged = mpi_memory(sizeof *staged);
  *staged = (struct mpi_staged){.ways = ways, .base = section->base, .type = type, .data = mpi_memory(bytes)};
  mpi_checked_copy(staged->data, 1);
  mpi_pack(staged->base, 1, type, staged->data); /* also if it is written: perhaps not all of it */
  return staged;
}

void* sanvp_mpi_staged_data(struct mpi_staged* staged) { return staged->data; }

void mpi_staged_in(struct mpi_staged* staged) {
  for (; staged; staged = staged->next) mpi_pack(staged->base, 1, staged->type, staged->data);
}

void mpi_staged_out(struct mpi_staged* staged) {
  for (; staged; staged = staged->next)
    if (staged->ways & MPI_STAGED_OUT) mpi_unpack(staged->data, staged->base, 1, staged->type);
}

void mpi_staged_free(struct mpi_staged* staged) {
  while (staged) {
    struct mpi_staged* next = staged->next;
    mpi_checked_copy(staged->data, 0);
    mpi_type_release(staged->type);
    free(staged->data);
    free(staged);
    staged = next;
  }
}

void sanvp_mpi_unstage(struct mpi_staged* staged) {
  mpi_staged_out(staged);
  mpi_staged_free(staged);
}

void sanvp_mpi_unstage_later(struct mpi_staged* staged, MPI_Request request) {
  staged->next = request->staged;
  request->staged = staged;
}
