/* Datatypes of parts of arrays: a subarray, and a process's part of a distributed array. Both are made dimension by
 * dimension, the fastest-varying first. */
#include <stdlib.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/datatypes/type_contents.h"

/* Along one dimension: blocks of indices, each so many after the last one. The last block may be shorter. */
struct row {
  int first, apart, blocks, length, last_length;
};

static int check(const char* call, int dimensions, const void* made, int order, MPI_Datatype old) {
  MPI_TRY(mpi_check_lone_type(call, old));
  MPI_TRY(mpi_check_result(call, made));
  if (dimensions < 1) return mpi_fail(call, MPI_ERR_ARG, "there are %d dimensions; it must be 1 or more", dimensions);
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    return mpi_fail(call, MPI_ERR_ARG, "the order is %d; it is MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
  return MPI_SUCCESS;
}

static int add_dimension(const char* call, struct row row, ptrdiff_t stride, MPI_Datatype inner, MPI_Datatype* made) {
  const size_t full = (size_t)(row.blocks > 0 ? row.blocks - 1 : 0), last = (size_t)row.last_length;
  const ptrdiff_t apart = row.apart * stride, first = row.first * stride;
  const struct mpi_piece pieces[] = {
      {.offset = first, .times = full, .apart = apart, .count = (size_t)row.length, .type = inner},
      {.offset = first + (ptrdiff_t)full * apart, .times = row.blocks > 0, .count = last, .type = inner}};
  const struct mpi_piece all = {
      .offset = first, .times = (size_t)row.blocks, .apart = apart, .count = last, .type = inner};
  return row.length == row.last_length ? mpi_type_new(call, 1, &all, made) : mpi_type_new(call, 2, pieces, made);
}

/* rows: one for each dimension. */
static int part_of(const char* call, int dimensions, const int* sizes, const struct row* rows, int order,
                   MPI_Datatype old, MPI_Datatype* made) {
  ptrdiff_t stride = old->extent;
  MPI_Datatype inner = old;
  for (int i = 0; i < dimensions; ++i) {
    const int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
    MPI_Datatype outer = NULL;
    const int error = add_dimension(call, rows[d], stride, inner, &outer);
    if (inner != old) mpi_type_release(inner);
    MPI_TRY(error);
    inner = outer;
    stride *= sizes[d];
    inner->lower = 0;
    inner->extent = stride;
    inner->sticky_lower = inner->sticky_upper = 1;
    mpi_type_find_dense(inner);
  }
  *made = inner;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_create_subarray ---- */
int MPI_Type_create_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts, int order,
                             MPI_Datatype old, MPI_Datatype* made) {
  static const char call[] = "MPI_Type_create_subarray";
  MPI_TRY(check(call, dimensions, made, order, old));
  if (!sizes || !subsizes || !starts) return mpi_fail(call, MPI_ERR_ARG, "sizes or starts are a null pointer");
  for (int d = 0; d < dimensions; ++d)
    if (subsizes[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - subsizes[d])
      return mpi_fail(call, MPI_ERR_ARG, "in dimension %d %d from %d on do not lie within %d", d, subsizes[d],
                      starts[d], sizes[d]);
  struct row* rows = mpi_memory((size_t)dimensions * sizeof *rows);
  for (int d = 0; d < dimensions; ++d) rows[d] = (struct row){starts[d], 0, 1, subsizes[d], subsizes[d]};
  const int error = part_of(call, dimensions, sizes, rows, order, old, made);
  free(rows);
  MPI_TRY(error);
  mpi_contents_begin(*made, MPI_COMBINER_SUBARRAY);
  mpi_contents_integers(*made, 1, &dimensions);
  mpi_contents_integers(*made, dimensions, sizes);
  mpi_contents_integers(*made, dimensions, subsizes);
  mpi_contents_integers(*made, dimensions, starts);
  mpi_contents_integers(*made, 1, &order);
  mpi_contents_types(*made, 1, &old);
  return mpi_contents_end(call, made);
}

/* ---- MPI_Type_create_darray: blocks of `block` indices go to the processes in turn ---- */
static int block_of(int distribution, int argument, int size, int processes) {
  if (distribution == MPI_DISTRIBUTE_NONE) return size;
  if (argument != MPI_DISTRIBUTE_DFLT_DARG) return argument;
  return distribution == MPI_DISTRIBUTE_BLOCK ? (size + processes - 1) / processes : 1;
}

static struct row deal(int size, int block, int processes, int self) {
  const int64_t apart = (int64_t)block * processes, first = (int64_t)block * self;
  if (first >= size) return (struct row){0};
  const int64_t blocks = (size - first + apart - 1) / apart, rest = size - first - (blocks - 1) * apart;
  return (struct row){(int)first, (int)(apart < size ? apart : size), (int)blocks, block,
                      (int)(rest < block ? rest : block)};
}

static int check_dealing(const char* call, int d, int size, int distribution, int argument, int processes) {
  if (size < 1 || processes < 1)
    return mpi_fail(call, MPI_ERR_ARG, "in dimension %d size %d or %d processes are less than 1", d, size, processes);
  if (distribution == MPI_DISTRIBUTE_NONE) {
    if (processes != 1)
      return mpi_fail(call, MPI_ERR_ARG, "dimension %d is not distributed; it has 1 process, not %d", d, processes);
    return MPI_SUCCESS;
  }
  if (distribution != MPI_DISTRIBUTE_BLOCK && distribution != MPI_DISTRIBUTE_CYCLIC)
    return mpi_fail(call, MPI_ERR_ARG, "distribution %d of dimension %d is not known", distribution, d);
  if (argument != MPI_DISTRIBUTE_DFLT_DARG && argument < 1)
    return mpi_fail(call, MPI_ERR_ARG, "the blocks of dimension %d have %d indices; it must be 1 or more", d, argument);
  if (distribution == MPI_DISTRIBUTE_BLOCK &&
      (int64_t)block_of(distribution, argument, size, processes) * processes < size)
    return mpi_fail(call, MPI_ERR_ARG, "blocks of %d for %d processes do not cover the %d indices of dimension %d",
                    argument, processes, size, d);
  return MPI_SUCCESS;
}

int MPI_Type_create_darray(int size, int rank, int dimensions, const int* sizes, const int* distributions,
                           const int* arguments, const int* processes, int order, MPI_Datatype old,
                           MPI_Datatype* made) {
  static const char call[] = "MPI_Type_create_darray";
  MPI_TRY(check(call, dimensions, made, order, old));
  if (!sizes || !distributions || !arguments || !processes)
    return mpi_fail(call, MPI_ERR_ARG, "sizes, distributions or processes are a null pointer");
  int64_t all = 1;
  for (int d = 0; d < dimensions; ++d) {
    MPI_TRY(check_dealing(call, d, sizes[d], distributions[d], arguments[d], processes[d]));
    all *= processes[d];
  }
  if (all != size || rank < 0 || rank >= size)
    return mpi_fail(call, MPI_ERR_ARG, "rank %d of %d is not in a grid of %lld processes", rank, size, (long long)all);
  struct row* rows = mpi_memory((size_t)dimensions * sizeof *rows);
  int rest = rank; /* the grid of processes is always in C's order */
  for (int d = dimensions - 1; d >= 0; --d) {
    rows[d] = deal(sizes[d], block_of(distributions[d], arguments[d], sizes[d], processes[d]), processes[d],
                   rest % processes[d]);
    rest /= processes[d];
  }
  const int error = part_of(call, dimensions, sizes, rows, order, old, made);
  free(rows);
  MPI_TRY(error);
  mpi_contents_begin(*made, MPI_COMBINER_DARRAY);
  mpi_contents_integers(*made, 3, (int[]){size, rank, dimensions});
  mpi_contents_integers(*made, dimensions, sizes);
  mpi_contents_integers(*made, dimensions, distributions);
  mpi_contents_integers(*made, dimensions, arguments);
  mpi_contents_integers(*made, dimensions, processes);
  mpi_contents_integers(*made, 1, &order);
  mpi_contents_types(*made, 1, &old);
  return mpi_contents_end(call, made);
}
