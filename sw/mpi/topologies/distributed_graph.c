/* Graphs of which each process gives its own edges, or any part of all edges (MPI-2.2, 7.5.4). Ranks are not reordered.
 */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/process_topology.h"
#include "sw/mpi/requests/schedule.h"
#include "sw/mpi/topologies/topology.h"

int MPI_unweighted_[1], MPI_weights_empty_[1];

static int check_ranks(const char* call, MPI_Comm comm, int count, const int* ranks) {
  if (count < 0) return mpi_fail(call, MPI_ERR_ARG, "there are %d neighbours; it must be 0 or more", count);
  if (count > 0 && !ranks) return mpi_fail(call, MPI_ERR_ARG, "the neighbours are a null pointer; pass %d", count);
  for (int i = 0; i < count; ++i) MPI_TRY(mpi_check_rank(call, ranks[i], comm));
  return MPI_SUCCESS;
}

static int check_weights(const char* call, int count, const int* weights) {
  if (count > 0 && (!weights || weights == MPI_WEIGHTS_EMPTY))
    return mpi_fail(call, MPI_ERR_ARG, "there are no weights for %d neighbours; pass them or MPI_UNWEIGHTED", count);
  return MPI_SUCCESS;
}

/* Takes ownership of the lists. Collective. */
static int make(const char* call, MPI_Comm comm, struct mpi_neighbors neighbors, MPI_Comm* made) {
  MPI_TRY(mpi_comm_first(call, comm, comm->size, made));
  struct mpi_topology* graph = (*made)->topology = mpi_zeroed_memory(sizeof *graph);
  graph->kind = MPI_DIST_GRAPH;
  graph->neighbors = neighbors;
  return MPI_SUCCESS;
}

/* ---- MPI_Dist_graph_create_adjacent ---- */
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int* from, const int* from_weights, int out,
                                   const int* to, const int* to_weights, MPI_Info info, int reorder, MPI_Comm* made) {
  static const char call[] = "MPI_Dist_graph_create_adjacent";
  (void)info;
  (void)reorder;
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  MPI_TRY(check_ranks(call, comm, in, from));
  MPI_TRY(check_ranks(call, comm, out, to));
  MPI_TRY(check_weights(call, in, from_weights));
  MPI_TRY(check_weights(call, out, to_weights));
  const int weighted = from_weights != MPI_UNWEIGHTED && to_weights != MPI_UNWEIGHTED;
  return make(call, comm,
              (struct mpi_neighbors){.in = in,
                                     .out = out,
                                     .weighted = weighted,
                                     .from = mpi_copy_integers(from, in),
                                     .to = mpi_copy_integers(to, out),
                                     .from_weights = mpi_copy_integers(weighted && in > 0 ? from_weights : NULL, in),
                                     .to_weights = mpi_copy_integers(weighted && out > 0 ? to_weights : NULL, out)},
              made);
}

/* ---- MPI_Dist_graph_create: a process that knows an edge sends it to both of its ends ---- */
struct edge {
  int from, to, weight;
};

/* One process's message to another. */
struct part {
  int edges, weighted;
};

static struct mpi_neighbors neighbors_of(const struct edge* edges, int count, int rank, int weighted) {
  struct mpi_neighbors own = {.weighted = weighted};
  int** const lists[] = {&own.from, &own.to, &own.from_weights, &own.to_weights};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) *lists[i] = mpi_copy_integers(NULL, count);
  for (int i = 0; i < count; ++i) {
    if (edges[i].to == rank) {
      own.from_weights[own.in] = edges[i].weight;
      own.from[own.in++] = edges[i].from;
    }
    if (edges[i].from == rank) {
      own.to_weights[own.out] = edges[i].weight;
      own.to[own.out++] = edges[i].to;
    }
  }
  return own;
}

/* All messages, in the order of their ranks: `all` edges; those of rank i begin at `at[i]`. */
struct said {
  struct part* parts;
  struct edge* edges;
  int *at, all;
};

static struct said said_by(int ranks) {
  return (struct said){.parts = mpi_zeroed_memory((size_t)ranks * sizeof(struct part)),
                       .at = mpi_memory((size_t)ranks * sizeof(int))};
}

/* Allocates space for the edges that the parts announce. */
static void make_room(struct said* said, int ranks) {
  for (int i = 0; i < ranks; said->all += said->parts[i++].edges) said->at[i] = said->all;
  said->edges = mpi_memory((size_t)said->all * sizeof *said->edges);
}

static void forget(struct said* said) {
  free(said->parts);
  free(said->edges);
  free(said->at);
}

/* Each edge goes to both of its ends. */
static struct said sort_by_ends(MPI_Comm comm, const struct edge* edges, int count, int weighted) {
  struct said out = said_by(comm->size);
  for (int i = 0; i < comm->size; ++i) out.parts[i].weighted = weighted;
  for (int i = 0; i < count; ++i) {
    ++out.parts[edges[i].from].edges;
    if (edges[i].to != edges[i].from) ++out.parts[edges[i].to].edges;
  }
  make_room(&out, comm->size);
  int* next = mpi_copy_integers(out.at, comm->size);
  for (int i = 0; i < count; ++i) {
    out.edges[next[edges[i].from]++] = edges[i];
    if (edges[i].to != edges[i].from) out.edges[next[edges[i].to]++] = edges[i];
  }
  free(next);
  return out;
}

static int exchange(const char* call, MPI_Comm comm, const struct said* out, struct said* in) {
  MPI_TRY(MPI_Alltoall(out->parts, sizeof *out->parts, MPI_BYTE, in->parts, sizeof *in->parts, MPI_BYTE, comm));
  make_room(in, comm->size);
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const size_t bytes = sizeof *in->edges;
  for (int i = 0; i < comm->size; ++i)
    if (in->parts[i].edges > 0 && i != comm->rank)
      mpi_add_receive(schedule, i, &in->edges[in->at[i]], (size_t)in->parts[i].edges * bytes);
  for (int i = 0; i < comm->size; ++i)
    if (out->parts[i].edges > 0 && i != comm->rank)
      mpi_add_send(schedule, i, &out->edges[out->at[i]], (size_t)out->parts[i].edges * bytes);
  mpi_add_copy(schedule, &out->edges[out->at[comm->rank]], &in->edges[in->at[comm->rank]],
               (size_t)in->parts[comm->rank].edges * bytes);
  return mpi_schedule_make(schedule);
}

static int find_neighbors(const char* call, MPI_Comm comm, const struct edge* edges, int count, int weighted,
                          struct mpi_neighbors* found) {
  struct said out = sort_by_ends(comm, edges, count, weighted), in = said_by(comm->size);
  const int error = exchange(call, comm, &out, &in);
  for (int i = 0; i < comm->size; ++i) weighted |= in.parts[i].weighted;
  if (error == MPI_SUCCESS) *found = neighbors_of(in.edges, in.all, comm->rank, weighted);
  forget(&out);
  forget(&in);
  return error;
}

int MPI_Dist_graph_create(MPI_Comm comm, int count, const int* from, const int* degrees, const int* to,
                          const int* weights, MPI_Info info, int reorder, MPI_Comm* made) {
  static const char call[] = "MPI_Dist_graph_create";
  (void)info;
  (void)reorder;
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  MPI_TRY(check_ranks(call, comm, count, from));
  if (count > 0) MPI_TRY(mpi_check_result(call, degrees));
  int all = 0;
  for (int i = 0; i < count; ++i) {
    if (degrees[i] < 0) return mpi_fail(call, MPI_ERR_ARG, "degree %d is %d; it must be 0 or more", i, degrees[i]);
    all += degrees[i];
  }
  MPI_TRY(check_ranks(call, comm, all, to));
  MPI_TRY(check_weights(call, all, weights));
  const int weighted = weights != MPI_UNWEIGHTED; /* a null pointer is what a process without edges may pass */
  struct edge* edges = mpi_memory((size_t)all * sizeof *edges);
  for (int i = 0, at = 0; i < count; ++i)
    for (int j = 0; j < degrees[i]; ++j, ++at) edges[at] = (struct edge){from[i], to[at], weighted ? weights[at] : 1};
  struct mpi_neighbors found = {0};
  const int error = find_neighbors(call, comm, edges, all, weighted, &found);
  free(edges);
  return error == MPI_SUCCESS ? make(call, comm, found, made) : error;
}

/* ---- MPI_Dist_graph_neighbors_count, MPI_Dist_graph_neighbors ---- */
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* in, int* out, int* weighted) {
  static const char call[] = "MPI_Dist_graph_neighbors_count";
  MPI_TRY(mpi_check_topology(call, comm, MPI_DIST_GRAPH));
  MPI_TRY(mpi_check_result(call, in && out ? weighted : NULL));
  *in = comm->topology->neighbors.in;
  *out = comm->topology->neighbors.out;
  *weighted = comm->topology->neighbors.weighted;
  return MPI_SUCCESS;
}

static int list(const char* call, int count, int most, const int* ranks, const int* weights, int weighted,
                int* ranks_out, int* weights_out) {
  const int listed = count < most ? count : most;
  if (listed < 1) return MPI_SUCCESS;
  MPI_TRY(mpi_check_result(call, ranks_out));
  memcpy(ranks_out, ranks, (size_t)listed * sizeof *ranks);
  if (!weighted || weights_out == MPI_UNWEIGHTED || weights_out == MPI_WEIGHTS_EMPTY) return MPI_SUCCESS;
  MPI_TRY(mpi_check_result(call, weights_out));
  memcpy(weights_out, weights, (size_t)listed * sizeof *weights);
  return MPI_SUCCESS;
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int in_most, int* from, int* from_weights, int out_most, int* to,
                             int* to_weights) {
  static const char call[] = "MPI_Dist_graph_neighbors";
  MPI_TRY(mpi_check_topology(call, comm, MPI_DIST_GRAPH));
  const struct mpi_neighbors* of = &comm->topology->neighbors;
  MPI_TRY(list(call, of->in, in_most, of->from, of->from_weights, of->weighted, from, from_weights));
  return list(call, of->out, out_most, of->to, of->to_weights, of->weighted, to, to_weights);
}
