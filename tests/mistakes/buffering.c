/* Deadlocks that only buffering hides. */
#include "tests/mistakes/mistakes.h"

CASE both_send_first(int wrong) {
  int v = 1, w;
  if (!in_pair()) return;
  if (wrong || even()) MPI_Send(&v, 1, MPI_INT, other, 1, W);
  MPI_Recv(&w, 1, MPI_INT, other, 1, W, NO);
  if (!wrong && !even()) MPI_Send(&v, 1, MPI_INT, other, 1, W);
}
CASE all_send_right(int wrong) {
  int v = 1, w;
  MPI_Request r;
  if (!wrong) MPI_Irecv(&w, 1, MPI_INT, left, 1, W, &r);
  MPI_Send(&v, 1, MPI_INT, right, 1, W);
  if (wrong) MPI_Recv(&w, 1, MPI_INT, left, 1, W, NO);
  if (!wrong) MPI_Wait(&r, NO);
}
CASE send_to_self(int wrong) {
  int v = 1, w;
  MPI_Request r;
  if (!wrong) MPI_Irecv(&w, 1, MPI_INT, rank, 1, W, &r);
  MPI_Send(&v, 1, MPI_INT, rank, 1, W);
  if (wrong) MPI_Recv(&w, 1, MPI_INT, rank, 1, W, NO);
  if (!wrong) MPI_Wait(&r, NO);
}
CASE send_before_barrier(int wrong) {
  int v = 1;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank == 1 && !wrong) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
  MPI_Barrier(W);
  if (rank == 1 && wrong) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
}
CASE broadcast_before_send(int wrong) { /* a broadcast may wait for all */
  int v = 1, w = 2;
  if (rank == 0 || !wrong) MPI_Bcast(&v, 1, MPI_INT, 0, W);
  if (rank == 0) MPI_Send(&w, 1, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(&w, 1, MPI_INT, 0, 1, W, NO);
  if (rank != 0 && wrong) MPI_Bcast(&v, 1, MPI_INT, 0, W);
}
CASE nonblocking_in_a_ring(int wrong) {
  int v = 1, w;
  MPI_Request r[2];
  MPI_Isend(&v, 1, MPI_INT, right, 1, W, &r[0]);
  if (wrong) MPI_Wait(&r[0], NO);
  MPI_Irecv(&w, 1, MPI_INT, left, 1, W, &r[1]);
  MPI_Waitall(wrong ? 1 : 2, wrong ? &r[1] : r, MPI_STATUSES_IGNORE);
}
CASE synchronous_large(int wrong) { /* buffered by the program: right */
  char room[64 + MPI_BSEND_OVERHEAD];
  int v = 1, w;
  void* at;
  int bytes;
  if (!in_pair()) return;
  MPI_Buffer_attach(room, sizeof room);
  (wrong ? MPI_Send : MPI_Bsend)(&v, 1, MPI_INT, other, 1, W);
  MPI_Recv(&w, 1, MPI_INT, other, 1, W, NO);
  MPI_Buffer_detach(&at, &bytes);
}

const struct mistake hidden_by_buffering[] = {
    GOES_ON(both_send_first),       GOES_ON(all_send_right),
    GOES_ON(send_to_self),          GOES_ON(send_before_barrier),
    GOES_ON(nonblocking_in_a_ring), GOES_ON(synchronous_large),
    ENDS(broadcast_before_send),    {NULL, NULL, 0},
};
