/* Datatypes of parts of arrays: a subarray, and a process's part of a distributed array. Both are made dimension by
 * dimension, the fastest-varying first. */
#include <stdlib.h>

#include "sw/mpi/type_contents.h"

/* Along one dimension: elements of the type made so far, at these indices. */
struct row {
  int count;
  int* indices;
};

static int check(const char* call, int dimensions, const void* made, int order, MPI_Datatype old) {
  MPI_TRY(mpi_check_lone_type(call, old));
  MPI_TRY(mpi_check_result(call, made));
  if (dimensions < 1) return mpi_fail(call, MPI_ERR_ARG, "there are %d dimensions; it must be 1 or more", dimensions);
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    return mpi_fail(call, MPI_ERR_ARG, "the order is %d; it is MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
  return MPI_SUCCESS;
}

static int no_memory(const char* call, const char* what) {
  return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for the %s; make the array smaller, or set host.memory", what);
}

static void free_rows(struct row* rows, int dimensions) {
  for (int d = 0; d < dimensions; ++d) free(rows[d].indices);
  free(rows);
}

/* Rows with space for `most` indices each; null: no memory. */
static struct row* rows_for(int dimensions, const int* most) {
  struct row* rows = calloc((size_t)dimensions, sizeof *rows);
  for (int d = 0; rows && d < dimensions; ++d) {
    rows[d].indices = malloc((size_t)most[d] * sizeof(int));
    if (rows[d].indices) continue;
    free_rows(rows, d);
    return NULL;
  }
  return rows;
}

static int add_dimension(const char* call, struct row row, ptrdiff_t stride, MPI_Datatype inner, MPI_Datatype* made) {
  struct mpi_piece* pieces = malloc(((size_t)row.count + 1) * sizeof *pieces);
  if (!pieces) return no_memory(call, "pieces of a dimension");
  for (int i = 0; i < row.count; ++i)
    pieces[i] = (struct mpi_piece){.offset = row.indices[i] * stride, .count = 1, .type = inner};
  const int error = mpi_type_new(call, (size_t)row.count, pieces, made);
  free(pieces);
  return error;
}

/* rows: one for each dimension; this call frees them. */
static int part_of(const char* call, int dimensions, const int* sizes, struct row* rows, int order, MPI_Datatype old,
                   MPI_Datatype* made) {
  ptrdiff_t stride = old->extent;
  MPI_Datatype inner = old;
  int error = MPI_SUCCESS;
  for (int i = 0; i < dimensions && error == MPI_SUCCESS; ++i) {
    const int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
    MPI_Datatype outer = inner;
    error = add_dimension(call, rows[d], stride, inner, &outer);
    if (inner != old) mpi_type_release(inner);
    inner = outer;
    stride *= sizes[d];
  }
  free_rows(rows, dimensions);
  MPI_TRY(error);
  inner->lower = 0;
  inner->extent = stride;
  inner->sticky_lower = inner->sticky_upper = 1;
  inner->dense = inner->no_walk = inner->dense && stride == (ptrdiff_t)inner->bytes;
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
  struct row* rows = rows_for(dimensions, subsizes);
  if (!rows) return no_memory(call, "indices");
  for (int d = 0; d < dimensions; ++d)
    while (rows[d].count < subsizes[d]) {
      rows[d].indices[rows[d].count] = starts[d] + rows[d].count;
      ++rows[d].count;
    }
  MPI_TRY(part_of(call, dimensions, sizes, rows, order, old, made));
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

static void deal(struct row* row, int size, int block, int processes, int self) {
  for (int i = 0; i < size; ++i)
    if (i / block % processes == self) row->indices[row->count++] = i;
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
  struct row* rows = rows_for(dimensions, sizes);
  if (!rows) return no_memory(call, "indices");
  int rest = rank; /* the grid of processes is always in C's order */
  for (int d = dimensions - 1; d >= 0; --d) {
    deal(&rows[d], sizes[d], block_of(distributions[d], arguments[d], sizes[d], processes[d]), processes[d],
         rest % processes[d]);
    rest /= processes[d];
  }
  MPI_TRY(part_of(call, dimensions, sizes, rows, order, old, made));
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
