/* Grids: ranks in row-major order, the last coordinate varies fastest. Ranks are not reordered. */
#include <stdlib.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/process_topology.h"
#include "sw/mpi/topologies/topology.h"

static int check_grid(const char* call, int dimensions, const int* sizes, const int* periods, int* nodes) {
  if (dimensions < 0) return mpi_fail(call, MPI_ERR_DIMS, "there are %d dimensions; it must be 0 or more", dimensions);
  if (dimensions > 0 && (!sizes || !periods))
    return mpi_fail(call, MPI_ERR_ARG, "the sizes or the periods are a null pointer; pass %d of each", dimensions);
  int64_t product = 1;
  for (int d = 0; d < dimensions; ++d) {
    if (sizes[d] < 1) return mpi_fail(call, MPI_ERR_DIMS, "size %d of dimension %d is not 1 or more", sizes[d], d);
    product *= sizes[d];
    if (product > INT32_MAX) product = INT32_MAX;
  }
  *nodes = (int)product;
  return MPI_SUCCESS;
}

static void coordinates_of(const struct mpi_topology* grid, int rank, int* coordinates) {
  for (int d = grid->dimensions - 1; d >= 0; --d) {
    coordinates[d] = rank % grid->sizes[d];
    rank /= grid->sizes[d];
  }
}

/* The rank at these coordinates; MPI_PROC_NULL beyond the end of a dimension that is not periodic. */
static int rank_of(const struct mpi_topology* grid, const int* coordinates) {
  int rank = 0;
  for (int d = 0; d < grid->dimensions; ++d) {
    const int size = grid->sizes[d];
    int at = coordinates[d];
    if ((at < 0 || at >= size) && !grid->periods[d]) return MPI_PROC_NULL;
    at = (at % size + size) % size;
    rank = rank * size + at;
  }
  return rank;
}

static struct mpi_topology* grid_of(int dimensions, const int* sizes, const int* periods, int rank) {
  struct mpi_topology* grid = mpi_zeroed_memory(sizeof *grid);
  grid->kind = MPI_CART;
  grid->dimensions = dimensions;
  grid->sizes = mpi_copy_integers(sizes, dimensions);
  grid->periods = mpi_copy_integers(periods, dimensions);
  for (int d = 0; d < dimensions; ++d) grid->periods[d] = grid->periods[d] != 0;
  grid->coordinates = mpi_copy_integers(NULL, dimensions);
  coordinates_of(grid, rank, grid->coordinates);
  return grid;
}

/* ---- MPI_Cart_create ---- */
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int* sizes, const int* periods, int reorder, MPI_Comm* made) {
  (void)reorder;
  int nodes = 0;
  MPI_TRY(mpi_check_intra("MPI_Cart_create", comm));
  MPI_TRY(mpi_check_result("MPI_Cart_create", made));
  MPI_TRY(check_grid("MPI_Cart_create", dimensions, sizes, periods, &nodes));
  MPI_TRY(mpi_comm_first("MPI_Cart_create", comm, nodes, made));
  if (*made != MPI_COMM_NULL) (*made)->topology = grid_of(dimensions, sizes, periods, (*made)->rank);
  return MPI_SUCCESS;
}

/* ---- MPI_Cart_map ---- */
int MPI_Cart_map(MPI_Comm comm, int dimensions, const int* sizes, const int* periods, int* rank) {
  int nodes = 0;
  MPI_TRY(mpi_check_intra("MPI_Cart_map", comm));
  MPI_TRY(mpi_check_result("MPI_Cart_map", rank));
  MPI_TRY(check_grid("MPI_Cart_map", dimensions, sizes, periods, &nodes));
  if (nodes > comm->size)
    return mpi_fail("MPI_Cart_map", MPI_ERR_DIMS, "the grid has %d nodes, the communicator %d ranks", nodes,
                    comm->size);
  *rank = comm->rank < nodes ? comm->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* ---- MPI_Cartdim_get, MPI_Cart_get ---- */
int MPI_Cartdim_get(MPI_Comm comm, int* dimensions) {
  MPI_TRY(mpi_check_topology("MPI_Cartdim_get", comm, MPI_CART));
  MPI_TRY(mpi_check_result("MPI_Cartdim_get", dimensions));
  *dimensions = comm->topology->dimensions;
  return MPI_SUCCESS;
}

int MPI_Cart_get(MPI_Comm comm, int most, int* sizes, int* periods, int* coordinates) {
  MPI_TRY(mpi_check_topology("MPI_Cart_get", comm, MPI_CART));
  const struct mpi_topology* grid = comm->topology;
  if (grid->dimensions > 0) MPI_TRY(mpi_check_result("MPI_Cart_get", sizes && periods && coordinates ? sizes : NULL));
  for (int d = 0; d < grid->dimensions && d < most; ++d) {
    sizes[d] = grid->sizes[d];
    periods[d] = grid->periods[d];
    coordinates[d] = grid->coordinates[d];
  }
  return MPI_SUCCESS;
}

/* ---- MPI_Cart_rank, MPI_Cart_coords ---- */
int MPI_Cart_rank(MPI_Comm comm, const int* coordinates, int* rank) {
  MPI_TRY(mpi_check_topology("MPI_Cart_rank", comm, MPI_CART));
  MPI_TRY(mpi_check_result("MPI_Cart_rank", rank));
  if (comm->topology->dimensions > 0) MPI_TRY(mpi_check_result("MPI_Cart_rank", coordinates));
  *rank = rank_of(comm->topology, coordinates);
  if (*rank != MPI_PROC_NULL) return MPI_SUCCESS;
  return mpi_fail(
      "MPI_Cart_rank", MPI_ERR_ARG,
      "the coordinates are outside the grid in a dimension that is not periodic; MPI_Cart_shift may be meant");
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int* coordinates) {
  MPI_TRY(mpi_check_topology("MPI_Cart_coords", comm, MPI_CART));
  MPI_TRY(mpi_check_rank("MPI_Cart_coords", rank, comm));
  const struct mpi_topology* grid = comm->topology;
  if (most < grid->dimensions)
    return mpi_fail("MPI_Cart_coords", MPI_ERR_ARG, "there is room for %d coordinates; the grid has %d", most,
                    grid->dimensions);
  if (grid->dimensions > 0) MPI_TRY(mpi_check_result("MPI_Cart_coords", coordinates));
  coordinates_of(grid, rank, coordinates);
  return MPI_SUCCESS;
}

/* ---- MPI_Cart_shift ---- */
int MPI_Cart_shift(MPI_Comm comm, int dimension, int distance, int* lower, int* upper) {
  MPI_TRY(mpi_check_topology("MPI_Cart_shift", comm, MPI_CART));
  MPI_TRY(mpi_check_result("MPI_Cart_shift", lower && upper ? lower : NULL));
  const struct mpi_topology* grid = comm->topology;
  if (dimension < 0 || dimension >= grid->dimensions)
    return mpi_fail("MPI_Cart_shift", MPI_ERR_DIMS, "there is no dimension %d; the grid has 0..%d", dimension,
                    grid->dimensions - 1);
  int* at = mpi_copy_integers(grid->coordinates, grid->dimensions);
  at[dimension] = grid->coordinates[dimension] - distance;
  *lower = rank_of(grid, at);
  at[dimension] = grid->coordinates[dimension] + distance;
  *upper = rank_of(grid, at);
  free(at);
  return MPI_SUCCESS;
}

/* ---- MPI_Cart_sub: grids of the dimensions that are kept, one for each place in the others ---- */
int MPI_Cart_sub(MPI_Comm comm, const int* keeps, MPI_Comm* made) {
  MPI_TRY(mpi_check_topology("MPI_Cart_sub", comm, MPI_CART));
  MPI_TRY(mpi_check_result("MPI_Cart_sub", made));
  const struct mpi_topology* grid = comm->topology;
  if (grid->dimensions > 0) MPI_TRY(mpi_check_result("MPI_Cart_sub", keeps));
  int *sizes = mpi_copy_integers(NULL, grid->dimensions), *periods = mpi_copy_integers(NULL, grid->dimensions);
  int color = 0, key = 0, kept = 0;
  for (int d = 0; d < grid->dimensions; ++d) {
    if (!keeps[d]) {
      color = color * grid->sizes[d] + grid->coordinates[d];
      continue;
    }
    key = key * grid->sizes[d] + grid->coordinates[d];
    sizes[kept] = grid->sizes[d];
    periods[kept++] = grid->periods[d];
  }
  const int error = MPI_Comm_split(comm, color, key, made);
  if (error == MPI_SUCCESS) (*made)->topology = grid_of(kept, sizes, periods, (*made)->rank);
  free(sizes);
  free(periods);
  return error;
}
