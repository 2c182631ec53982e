/* Datatypes made from others: each call gives the pieces. */
#include <stdlib.h>

#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/datatypes/type_contents.h"

/* Pieces of a type under construction. */
struct maker {
  const char* call;
  size_t count;
  struct mpi_piece* pieces;
};

static int begin(struct maker* maker, const char* call, int count, const void* made) {
  *maker = (struct maker){.call = call};
  MPI_TRY(mpi_check_result(call, made));
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  maker->pieces = malloc(((size_t)count + 1) * sizeof *maker->pieces);
  if (!maker->pieces) return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for %d pieces; set host.memory", count);
  return MPI_SUCCESS;
}

/* Adds a piece. Reports an error, and then frees the pieces. */
static int add(struct maker* maker, int length, ptrdiff_t offset, MPI_Datatype type) {
  const int is_checked = maker->count > 0 && maker->pieces[maker->count - 1].type == type;
  int error = is_checked ? MPI_SUCCESS : mpi_check_type(maker->call, type);
  if (error == MPI_SUCCESS && length < 0)
    error =
        mpi_fail(maker->call, MPI_ERR_ARG, "the length of block %zu is %d; it must be 0 or more", maker->count, length);
  if (error != MPI_SUCCESS) {
    free(maker->pieces);
    return error;
  }
  maker->pieces[maker->count++] =
      (struct mpi_piece){.offset = offset, .times = 1, .count = (size_t)length, .type = type};
  return MPI_SUCCESS;
}

static int end(struct maker* maker, MPI_Datatype* made) {
  const int error = mpi_type_new(maker->call, maker->count, maker->pieces, made);
  free(maker->pieces);
  return error;
}

static int check_arrays(const char* call, int count, const void* lengths, const void* offsets) {
  if (count > 0 && (!lengths || !offsets))
    return mpi_fail(call, MPI_ERR_ARG, "the lengths or the offsets are a null pointer; pass %d of each", count);
  return MPI_SUCCESS;
}

/* Remembers how a type was made: its call and the first of its integers. */
static void remember(MPI_Datatype made, int combiner, int integers, const int* first, MPI_Datatype old) {
  mpi_contents_begin(made, combiner);
  mpi_contents_integers(made, integers, first);
  if (old) mpi_contents_types(made, 1, &old);
}

/* ---- MPI_Type_contiguous ---- */
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* made) {
  struct maker maker;
  MPI_TRY(mpi_check_lone_type("MPI_Type_contiguous", old));
  MPI_TRY(begin(&maker, "MPI_Type_contiguous", count < 1 ? count : 1, made)); /* one piece for all elements */
  MPI_TRY(add(&maker, count, 0, old));
  MPI_TRY(end(&maker, made));
  remember(*made, MPI_COMBINER_CONTIGUOUS, 1, &count, old);
  return mpi_contents_end("MPI_Type_contiguous", made);
}

/* ---- MPI_Type_vector, MPI_Type_create_hvector, MPI_Type_hvector ---- */
static int vector(const char* call, int count, int length, ptrdiff_t stride, MPI_Datatype old, MPI_Datatype* made) {
  MPI_TRY(mpi_check_result(call, made));
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  if (count > 0 && length < 0)
    return mpi_fail(call, MPI_ERR_ARG, "the length of the blocks is %d; it must be 0 or more", length);
  const struct mpi_piece piece = {.times = (size_t)count, .apart = stride, .count = (size_t)length, .type = old};
  return mpi_type_new(call, 1, &piece, made);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* made) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_vector", old));
  MPI_TRY(vector("MPI_Type_vector", count, length, stride * old->extent, old, made));
  remember(*made, MPI_COMBINER_VECTOR, 3, (int[]){count, length, stride}, old);
  return mpi_contents_end("MPI_Type_vector", made);
}

static int hvector(const char* call, int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  MPI_TRY(mpi_check_lone_type(call, old));
  MPI_TRY(vector(call, count, length, stride, old, made));
  remember(*made, MPI_COMBINER_HVECTOR, 2, (int[]){count, length}, old);
  mpi_contents_addresses(*made, 1, &stride);
  return mpi_contents_end(call, made);
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  return hvector("MPI_Type_create_hvector", count, length, stride, old, made);
}

int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  return hvector("MPI_Type_hvector", count, length, stride, old, made);
}

/* ---- MPI_Type_indexed, MPI_Type_create_indexed_block: offsets in extents ---- */
int MPI_Type_indexed(int count, const int* lengths, const int* offsets, MPI_Datatype old, MPI_Datatype* made) {
  struct maker maker;
  MPI_TRY(mpi_check_lone_type("MPI_Type_indexed", old));
  MPI_TRY(check_arrays("MPI_Type_indexed", count, lengths, offsets));
  MPI_TRY(begin(&maker, "MPI_Type_indexed", count, made));
  for (int i = 0; i < count; ++i) MPI_TRY(add(&maker, lengths[i], offsets[i] * old->extent, old));
  MPI_TRY(end(&maker, made));
  remember(*made, MPI_COMBINER_INDEXED, 1, &count, old);
  mpi_contents_integers(*made, count, lengths);
  mpi_contents_integers(*made, count, offsets);
  return mpi_contents_end("MPI_Type_indexed", made);
}

int MPI_Type_create_indexed_block(int count, int length, const int* offsets, MPI_Datatype old, MPI_Datatype* made) {
  struct maker maker;
  MPI_TRY(mpi_check_lone_type("MPI_Type_create_indexed_block", old));
  MPI_TRY(check_arrays("MPI_Type_create_indexed_block", count, offsets, offsets));
  MPI_TRY(begin(&maker, "MPI_Type_create_indexed_block", count, made));
  for (int i = 0; i < count; ++i) MPI_TRY(add(&maker, length, offsets[i] * old->extent, old));
  MPI_TRY(end(&maker, made));
  remember(*made, MPI_COMBINER_INDEXED_BLOCK, 2, (int[]){count, length}, old);
  mpi_contents_integers(*made, count, offsets);
  return mpi_contents_end("MPI_Type_create_indexed_block", made);
}

/* ---- MPI_Type_create_hindexed, MPI_Type_hindexed, MPI_Type_create_hindexed_block: offsets in bytes ---- */
static int hindexed(const char* call, int count, const int* lengths, const MPI_Aint* offsets, MPI_Datatype old,
                    MPI_Datatype* made) {
  struct maker maker;
  MPI_TRY(mpi_check_lone_type(call, old));
  MPI_TRY(check_arrays(call, count, lengths, offsets));
  MPI_TRY(begin(&maker, call, count, made));
  for (int i = 0; i < count; ++i) MPI_TRY(add(&maker, lengths[i], offsets[i], old));
  MPI_TRY(end(&maker, made));
  remember(*made, MPI_COMBINER_HINDEXED, 1, &count, old);
  mpi_contents_integers(*made, count, lengths);
  mpi_contents_addresses(*made, count, offsets);
  return mpi_contents_end(call, made);
}

int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* offsets, MPI_Datatype old,
                             MPI_Datatype* made) {
  return hindexed("MPI_Type_create_hindexed", count, lengths, offsets, old, made);
}

int MPI_Type_hindexed(int count, const int* lengths, const MPI_Aint* offsets, MPI_Datatype old, MPI_Datatype* made) {
  return hindexed("MPI_Type_hindexed", count, lengths, offsets, old, made);
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint* offsets, MPI_Datatype old,
                                   MPI_Datatype* made) {
  struct maker maker;
  MPI_TRY(mpi_check_lone_type("MPI_Type_create_hindexed_block", old));
  MPI_TRY(check_arrays("MPI_Type_create_hindexed_block", count, offsets, offsets));
  MPI_TRY(begin(&maker, "MPI_Type_create_hindexed_block", count, made));
  for (int i = 0; i < count; ++i) MPI_TRY(add(&maker, length, offsets[i], old));
  MPI_TRY(end(&maker, made));
  remember(*made, MPI_COMBINER_HINDEXED_BLOCK, 2, (int[]){count, length}, old);
  mpi_contents_addresses(*made, count, offsets);
  return mpi_contents_end("MPI_Type_create_hindexed_block", made);
}

/* ---- MPI_Type_create_struct, MPI_Type_struct ---- */
static int structure(const char* call, int count, const int* lengths, const MPI_Aint* offsets,
                     const MPI_Datatype* types, MPI_Datatype* made) {
  struct maker maker;
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(check_arrays(call, count, lengths, offsets));
  MPI_TRY(check_arrays(call, count, types, types));
  MPI_TRY(begin(&maker, call, count, made));
  for (int i = 0; i < count; ++i) MPI_TRY(add(&maker, lengths[i], offsets[i], types[i]));
  MPI_TRY(end(&maker, made));
  remember(*made, MPI_COMBINER_STRUCT, 1, &count, MPI_DATATYPE_NULL);
  mpi_contents_integers(*made, count, lengths);
  mpi_contents_addresses(*made, count, offsets);
  mpi_contents_types(*made, count, types);
  return mpi_contents_end(call, made);
}

int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* offsets, const MPI_Datatype* types,
                           MPI_Datatype* made) {
  return structure("MPI_Type_create_struct", count, lengths, offsets, types, made);
}

int MPI_Type_struct(int count, const int* lengths, const MPI_Aint* offsets, const MPI_Datatype* types,
                    MPI_Datatype* made) {
  return structure("MPI_Type_struct", count, lengths, offsets, types, made);
}

/* ---- MPI_Type_create_resized, MPI_Type_dup ---- */
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made) {
  static const char call[] = "MPI_Type_create_resized";
  const struct mpi_piece whole = mpi_whole(old);
  MPI_TRY(mpi_check_lone_type(call, old));
  MPI_TRY(mpi_check_result(call, made));
  MPI_TRY(mpi_type_new(call, 1, &whole, made));
  (*made)->lower = lower;
  (*made)->extent = extent;
  (*made)->sticky_lower = (*made)->sticky_upper = 1;
  mpi_type_find_dense(*made);
  remember(*made, MPI_COMBINER_RESIZED, 0, NULL, old);
  mpi_contents_addresses(*made, 2, (MPI_Aint[]){lower, extent});
  return mpi_contents_end(call, made);
}

int MPI_Type_dup(MPI_Datatype old, MPI_Datatype* made) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_dup", old));
  const struct mpi_piece whole = mpi_whole(old);
  MPI_TRY(mpi_check_result("MPI_Type_dup", made));
  MPI_TRY(mpi_type_new("MPI_Type_dup", 1, &whole, made));
  struct MPI_datatype_* type = *made;
  type->kind = old->kind;
  type->lower = old->lower;
  type->extent = old->extent;
  type->sticky_lower = old->sticky_lower;
  type->sticky_upper = old->sticky_upper;
  type->dense = old->dense;
  type->committed = old->committed;
  remember(type, MPI_COMBINER_DUP, 0, NULL, old);
  MPI_TRY(mpi_contents_end("MPI_Type_dup", made));
  const int error = mpi_attributes_copy("MPI_Type_dup", mpi_owner_type(old), mpi_owner_type(type));
  if (error == MPI_SUCCESS) return error;
  mpi_type_release(type);
  *made = MPI_DATATYPE_NULL;
  return error;
}
