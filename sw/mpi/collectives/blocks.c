/* Addresses of the bytes of blocks (of collective operations) and of vectors (to be reduced). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/datatypes/op.h"

void mpi_copy_now(void* to, const void* from, size_t bytes) {
  if (bytes == 0 || to == from) return;
  memmove(to, from, bytes);
}

static size_t fitting(struct mpi_schedule* schedule, MPI_Comm comm, size_t own, size_t place) {
  if (own <= place) return own;
  mpi_schedule_mismatch(schedule, comm->rank, own, place);
  return place;
}

void mpi_add_own(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block place) {
  mpi_add_copy(schedule, own.at, place.at, fitting(schedule, comm, own.bytes, place.bytes));
}

void mpi_copy_own(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block place) {
  mpi_copy_now(place.at, own.at, fitting(schedule, comm, own.bytes, place.bytes));
}

static struct mpi_block* make_blocks(struct mpi_schedule* schedule, MPI_Comm comm) {
  return mpi_schedule_room(schedule, (size_t)comm->size * sizeof(struct mpi_block));
}

struct mpi_block* mpi_even_blocks(struct mpi_schedule* schedule, MPI_Comm comm, void* at, size_t bytes) {
  struct mpi_block* blocks = make_blocks(schedule, comm);
  for (int i = 0; i < comm->size; ++i) blocks[i] = (struct mpi_block){(char*)at + (size_t)i * bytes, bytes};
  return blocks;
}

int mpi_even_counts(const char* call, MPI_Comm comm, int count, int* counts, int* offsets) {
  const int step = count > 0 ? count : 0; /* the check of the counts reports a negative one */
  if (comm->size > 1 && step > INT_MAX / (comm->size - 1))
    return mpi_fail_on(comm, call, MPI_ERR_COUNT,
                       "%d elements for each of %d ranks are too many; take a datatype of several", count, comm->size);
  for (int i = 0; i < comm->size; ++i) {
    counts[i] = count;
    offsets[i] = i * step;
  }
  return MPI_SUCCESS;
}

struct mpi_block mpi_packed_block(struct mpi_schedule* schedule, const void* buffer, int count, MPI_Datatype type) {
  return (struct mpi_block){(char*)mpi_packed(schedule, buffer, (size_t)count, type), (size_t)count * type->bytes};
}

struct mpi_block mpi_block_to_unpack(struct mpi_schedule* schedule, void* buffer, int count, MPI_Datatype type) {
  return (struct mpi_block){mpi_to_unpack(schedule, buffer, (size_t)count, type), (size_t)count * type->bytes};
}

struct mpi_block* mpi_packed_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const void* buffer, const int* counts,
                                    const int* offsets, MPI_Datatype type) {
  struct mpi_block* blocks = make_blocks(schedule, comm);
  for (int i = 0; i < comm->size; ++i)
    blocks[i] = mpi_packed_block(schedule, (const char*)buffer + offsets[i] * mpi_extent(type), counts[i], type);
  return blocks;
}

struct mpi_block* mpi_blocks_to_unpack(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, const int* counts,
                                       const int* offsets, MPI_Datatype type) {
  struct mpi_block* blocks = make_blocks(schedule, comm);
  for (int i = 0; i < comm->size; ++i)
    blocks[i] = mpi_block_to_unpack(schedule, (char*)buffer + offsets[i] * mpi_extent(type), counts[i], type);
  return blocks;
}

int mpi_check_counts(const char* call, MPI_Comm comm, const void* buffer, const int* counts, const int* offsets,
                     MPI_Datatype type) {
  if (!counts || !offsets) return mpi_fail(call, MPI_ERR_ARG, "the counts or the offsets are a null pointer");
  for (int i = 0; i < comm->size; ++i) MPI_TRY(mpi_check_data(call, buffer, counts[i], type));
  return MPI_SUCCESS;
}

/* ---- vectors ---- */
/* Gaps in elements are sent, too: the program's operations expect that layout. */
static struct mpi_vector shape_of(size_t count, MPI_Datatype type) {
  struct mpi_vector vector = {.count = count, .cuts = mpi_is_dense(type)};
  if (vector.cuts) {
    vector.stride = type->bytes;
    vector.bytes = count * type->bytes;
    return vector;
  }
  vector.lowest = mpi_true_lower(type);
  vector.stride = (size_t)mpi_extent(type);
  vector.bytes = count == 0 ? 0 : (count - 1) * vector.stride + (size_t)mpi_true_extent(type);
  return vector;
}

struct mpi_vector mpi_vector_to_fill(struct mpi_schedule* schedule, void* result, size_t count, MPI_Datatype type) {
  struct mpi_vector vector = shape_of(count, type);
  vector.own = vector.cuts ? result : mpi_vector_room(schedule, &vector);
  if (!vector.cuts) mpi_add_elements_at_last(schedule, vector.own - vector.lowest, result, count, type);
  return vector;
}

struct mpi_vector mpi_vector_of(struct mpi_schedule* schedule, const void* send, void* result, size_t count,
                                MPI_Datatype type, MPI_Op op) {
  struct mpi_vector vector = shape_of(count, type);
  vector.commutes = op->commutes;
  mpi_schedule_reduces(schedule, type, op);
  const void* from = send == MPI_IN_PLACE ? result : send;
  if (vector.cuts) {
    vector.borrowed = !result;
    vector.own = result ? result : (void*)from;
    if (result) mpi_copy_now(result, from, vector.bytes);
    return vector;
  }
  vector.own = mpi_vector_room(schedule, &vector);
  mpi_copy_elements(from, vector.own - vector.lowest, count, type);
  if (result) mpi_add_elements_at_last(schedule, vector.own - vector.lowest, result, count, type);
  return vector;
}

void mpi_vector_part_to(struct mpi_schedule* schedule, const struct mpi_vector* vector, size_t begin, void* buffer,
                        size_t count, MPI_Datatype type) {
  if (vector->cuts)
    mpi_add_copy(schedule, vector->own + begin, buffer, count * vector->stride);
  else
    mpi_add_elements(schedule, vector->own + begin - vector->lowest, buffer, count, type);
}

void mpi_vector_own(struct mpi_schedule* schedule, struct mpi_vector* vector) {
  if (!vector->borrowed) return;
  const void* from = vector->own;
  vector->own = mpi_vector_room(schedule, vector);
  vector->borrowed = 0;
  mpi_copy_now(vector->own, from, vector->bytes);
}

size_t mpi_vector_bytes(const struct mpi_vector* vector, size_t count) {
  return count == 0 ? 0 : vector->bytes - (vector->count - count) * vector->stride;
}

char* mpi_vector_room(struct mpi_schedule* schedule, const struct mpi_vector* vector) {
  char* room = mpi_schedule_room(schedule, vector->bytes);
  if (!vector->cuts) memset(room, 0, vector->bytes); /* gaps travel, too */
  return room;
}

int mpi_check_reduction(const char* call, const void* send, const void* receive, int count, MPI_Datatype type,
                        MPI_Op op) {
  MPI_TRY(mpi_check_data(call, receive, count, type));
  if (send != MPI_IN_PLACE) MPI_TRY(mpi_check_data(call, send, count, type));
  return mpi_check_op(call, op, type);
}
