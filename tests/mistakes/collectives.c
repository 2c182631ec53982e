/* Collective operations that differ between ranks. */
#include "tests/mistakes/mistakes.h"

CASE counts_of_broadcast(int wrong) {
  int v[4] = {0};
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  MPI_Bcast(v, wrong && rank == 0 ? 2 : 4, MPI_INT, 0, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE types_of_broadcast(int wrong) {
  int v[4] = {0};
  MPI_Bcast(v, 4, wrong && rank == 0 ? MPI_FLOAT : MPI_INT, 0, W);
}
CASE layouts_of_broadcast(int wrong) { /* the same elements by another type: right */
  int v[4] = {0};
  MPI_Datatype four;
  MPI_Type_contiguous(4, wrong ? MPI_FLOAT : MPI_INT, &four);
  MPI_Type_commit(&four);
  MPI_Bcast(v, rank == 0 ? 1 : 4, rank == 0 ? four : MPI_INT, 0, W);
  MPI_Type_free(&four);
}
CASE operations_of_reduction(int wrong) {
  int v = 1, w;
  MPI_Allreduce(&v, &w, 1, MPI_INT, wrong && rank == 0 ? MPI_MAX : MPI_SUM, W);
}
CASE types_of_reduction(int wrong) {
  int v = 1, w;
  MPI_Reduce(&v, &w, 1, wrong && rank == 1 ? MPI_FLOAT : MPI_INT, MPI_SUM, 0, W);
}
CASE types_of_gathering(int wrong) {
  int v[64], own = rank;
  MPI_Gather(&own, 1, wrong && rank == 1 ? MPI_FLOAT : MPI_INT, v, 1, MPI_INT, 0, W);
}
CASE types_of_scattering(int wrong) {
  int v[64] = {0}, own;
  MPI_Scatter(v, 1, MPI_INT, &own, 1, wrong && rank == 1 ? MPI_FLOAT : MPI_INT, 0, W);
}
CASE counts_of_gathering(int wrong) {
  int v[64], own[2] = {0}, counts[16], at[16];
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  for (int i = 0; i < ranks; ++i) counts[i] = wrong && i == 1 ? 2 : 1, at[i] = 2 * i;
  MPI_Gatherv(own, 1, MPI_INT, v, counts, at, MPI_INT, 0, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE types_of_all_to_all(int wrong) {
  int v[64] = {0}, w[64];
  MPI_Alltoall(v, 1, wrong && rank == 1 ? MPI_FLOAT : MPI_INT, w, 1, MPI_INT, W);
}
CASE types_by_rank(int wrong) {
  int v[64] = {0}, w[64], ones[16], at[16];
  MPI_Datatype types[16], sent[16];
  for (int i = 0; i < ranks; ++i) ones[i] = 1, at[i] = 4 * i, sent[i] = types[i] = MPI_INT;
  if (wrong && rank == 1) sent[0] = MPI_FLOAT;
  MPI_Alltoallw(v, ones, at, sent, w, ones, at, types, W);
}
CASE types_of_nonblocking_reduction(int wrong) {
  int v = 1, w;
  MPI_Request r;
  MPI_Iallreduce(&v, &w, 1, wrong && rank == 1 ? MPI_UNSIGNED : MPI_INT, MPI_SUM, W, &r);
  MPI_Wait(&r, NO);
}
CASE operations_of_scan(int wrong) {
  int v = 1, w;
  MPI_Scan(&v, &w, 1, MPI_INT, wrong && rank == 1 ? MPI_PROD : MPI_SUM, W);
}
CASE operations_of_prepared(int wrong) {
  int v = 1, w;
  MPI_Request r;
  MPI_Allreduce_init(&v, &w, 1, MPI_INT, wrong && rank == 0 ? MPI_MAX : MPI_SUM, W, MPI_INFO_NULL, &r);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&r);
    MPI_Wait(&r, NO);
  }
  MPI_Request_free(&r);
}
CASE characters_added(int wrong) {
  signed char v = 1, w;
  MPI_Allreduce(&v, &w, 1, wrong ? MPI_CHAR : MPI_SIGNED_CHAR, MPI_SUM, W);
}
CASE sizes_of_grid(int wrong) {
  const int sizes[2] = {wrong && rank == 1 ? 1 : ranks, wrong && rank == 1 ? ranks : 1}, periods[2] = {0, 0};
  MPI_Comm grid;
  MPI_Cart_create(W, 2, sizes, periods, 0, &grid);
  MPI_Comm_free(&grid);
}
CASE edges_of_graph(int wrong) {
  const int index[2] = {1, 2}, edges[2] = {wrong && rank == 1 ? 0 : 1, 0};
  MPI_Comm graph;
  MPI_Graph_create(W, 2, index, edges, 0, &graph);
  if (graph != MPI_COMM_NULL) MPI_Comm_free(&graph);
}

const struct mistake collectives[] = {
    GOES_ON(counts_of_broadcast),
    GOES_ON(types_of_broadcast),
    GOES_ON(layouts_of_broadcast),
    GOES_ON(operations_of_reduction),
    GOES_ON(types_of_reduction),
    GOES_ON(types_of_gathering),
    GOES_ON(types_of_scattering),
    GOES_ON(counts_of_gathering),
    GOES_ON(types_of_all_to_all),
    GOES_ON(types_by_rank),
    GOES_ON(types_of_nonblocking_reduction),
    GOES_ON(operations_of_scan),
    GOES_ON(operations_of_prepared),
    GOES_ON(characters_added),
    GOES_ON(sizes_of_grid),
    GOES_ON(edges_of_graph),
    {NULL, NULL, 0},
};
