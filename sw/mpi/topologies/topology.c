/* What all topologies share: a check, a communicator of the first ranks, and MPI_Dims_create. */
#include "sw/mpi/topologies/topology.h"

#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/process_topology.h"
#include "sw/mpi/communicators/communicator_create.h"

int mpi_check_topology(const char* call, MPI_Comm comm, int kind) {
  MPI_TRY(mpi_check_comm(call, comm));
  static const char* const names[] = {
      [MPI_CART] = "grid", [MPI_GRAPH] = "graph", [MPI_DIST_GRAPH] = "distributed graph"};
  static const char* const calls[] = {[MPI_CART] = "Cart", [MPI_GRAPH] = "Graph", [MPI_DIST_GRAPH] = "Dist_graph"};
  if (!comm->topology || comm->topology->kind != kind)
    return mpi_fail(call, MPI_ERR_TOPOLOGY, "the communicator is not a %s; make one with MPI_%s_create", names[kind],
                    calls[kind]);
  return MPI_SUCCESS;
}

/* The first `size` ranks, in the same order: the first ranks of a group are close to each other in all machines. */
int mpi_comm_first(const char* call, MPI_Comm comm, int size, MPI_Comm* made) {
  if (size > comm->size)
    return mpi_fail(call, MPI_ERR_ARG, "%d processes are asked for, the communicator has %d; make it smaller", size,
                    comm->size);
  uint32_t context = 0;
  MPI_TRY(mpi_agree_context(comm, &context));
  *made = MPI_COMM_NULL;
  if (comm->rank >= size) return MPI_SUCCESS;
  unsigned* processes = mpi_memory((size_t)size * sizeof *processes);
  for (int i = 0; i < size; ++i) processes[i] = mpi_process(comm, i);
  *made = mpi_comm_new(comm, context, comm->rank, size, processes);
  return MPI_SUCCESS;
}

/* ---- MPI_Topo_test ---- */
int MPI_Topo_test(MPI_Comm comm, int* kind) {
  MPI_TRY(mpi_check_comm("MPI_Topo_test", comm));
  MPI_TRY(mpi_check_result("MPI_Topo_test", kind));
  *kind = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* ---- MPI_Dims_create ---- */
/* The factors of a product that are closest to each other: the smallest difference between the first, which is the
 * largest, and the last one; if several have that, the smallest first factor, then the smallest second one. */
struct closest {
  int dimensions;
  int *divisors, divisors_count; /* of the product, in ascending order */
  int *tried, *found;
  int spread; /* of those found */
};

static int64_t power(int64_t base, int exponent, int64_t most) {
  int64_t product = 1;
  for (int i = 0; i < exponent && product <= most; ++i) product *= base;
  return product;
}

static void find_divisors(struct closest* closest, int product) {
  int below = 0;
  for (int64_t i = 1; i * i <= product; ++i) below += product % i == 0;
  closest->divisors = mpi_memory(2 * (size_t)below * sizeof(int));
  for (int64_t i = 1; i * i <= product; ++i)
    if (product % i == 0) closest->divisors[closest->divisors_count++] = (int)i;
  for (int i = below - 1; i >= 0; --i) {
    const int small = closest->divisors[i], large = product / small;
    if (large != small) closest->divisors[closest->divisors_count++] = large;
  }
}

/* Factors below this one would not be closer than those found. */
static int least_factor(const struct closest* closest) {
  const int least = closest->tried[0] - closest->spread + 1;
  return least > 1 ? least : 1;
}

/* Tries all factors from `at` on whose product is `rest`. */
static void try_factors(struct closest* closest, int at, int rest) {
  const int left = closest->dimensions - at, most = closest->tried[at - 1];
  if (left == 0 && rest == 1) {
    closest->spread = closest->tried[0] - most;
    memcpy(closest->found, closest->tried, (size_t)closest->dimensions * sizeof(int));
  }
  for (int i = 0; i < closest->divisors_count && left > 0; ++i) {
    const int factor = closest->divisors[i], least = least_factor(closest);
    if (factor > most || factor > rest || power(least, left, rest) > rest) return;
    if (factor < least || rest % factor != 0 || power(factor, left, rest) < rest) continue;
    closest->tried[at] = factor;
    try_factors(closest, at + 1, rest / factor);
  }
}

static void find_closest(int product, int dimensions, int* found) {
  struct closest closest = {
      .dimensions = dimensions, .tried = mpi_copy_integers(NULL, dimensions), .found = found, .spread = product};
  find_divisors(&closest, product);
  for (int i = 0; i < closest.divisors_count && dimensions > 0; ++i) {
    closest.tried[0] = closest.divisors[i];
    if (power(least_factor(&closest), dimensions, product) > product) break;
    if (power(closest.tried[0], dimensions, product) >= product) try_factors(&closest, 1, product / closest.tried[0]);
  }
  free(closest.divisors);
  free(closest.tried);
}

int MPI_Dims_create(int nodes, int dimensions, int* sizes) {
  static const char call[] = "MPI_Dims_create";
  MPI_TRY(mpi_check_running(call));
  if (nodes < 1 || dimensions < 0 || (dimensions > 0 && !sizes))
    return mpi_fail(call, MPI_ERR_DIMS, "%d nodes in %d dimensions cannot be; both must be 1 or more", nodes,
                    dimensions);
  int rest = nodes, open = 0;
  for (int d = 0; d < dimensions; ++d) {
    if (sizes[d] < 0) return mpi_fail(call, MPI_ERR_DIMS, "size %d of dimension %d is negative", sizes[d], d);
    if (sizes[d] == 0)
      ++open;
    else if (rest % sizes[d] != 0)
      return mpi_fail(call, MPI_ERR_DIMS, "%d nodes cannot be divided by the sizes that are given; set some to 0",
                      nodes);
    else
      rest /= sizes[d];
  }
  if (open == 0 && rest != 1)
    return mpi_fail(call, MPI_ERR_DIMS, "the sizes that are given do not make %d nodes; set some to 0", nodes);
  int* found = mpi_copy_integers(NULL, open);
  find_closest(rest, open, found);
  for (int d = 0, next = 0; d < dimensions; ++d)
    if (sizes[d] == 0) sizes[d] = found[next++];
  free(found);
  return MPI_SUCCESS;
}
