/* Mistakes after which the program cannot go on. */
#include "tests/mistakes/mistakes.h"

#include <stdlib.h>

CASE both_receive_first(int wrong) {
  int v = 1, w;
  if (!in_pair()) return;
  if (!wrong && even()) MPI_Send(&v, 1, MPI_INT, other, 1, W);
  MPI_Recv(&w, 1, MPI_INT, other, 1, W, NO);
  if (wrong || !even()) MPI_Send(&v, 1, MPI_INT, other, 1, W);
}
CASE both_send_synchronously(int wrong) {
  int v = 1, w;
  if (!in_pair()) return;
  if (wrong || even()) MPI_Ssend(&v, 1, MPI_INT, other, 1, W);
  MPI_Recv(&w, 1, MPI_INT, other, 1, W, NO);
  if (!wrong && !even()) MPI_Ssend(&v, 1, MPI_INT, other, 1, W);
}
CASE both_send_much(int wrong) {
  char *v = calloc(1, big), *w = malloc(big);
  if (in_pair() && (wrong || even())) MPI_Send(v, big, MPI_CHAR, other, 1, W);
  if (in_pair()) MPI_Recv(w, big, MPI_CHAR, other, 1, W, NO);
  if (in_pair() && !wrong && !even()) MPI_Send(v, big, MPI_CHAR, other, 1, W);
  free(v);
  free(w);
}
CASE ring_of_receives(int wrong) {
  int v = 1, w;
  if (!wrong && rank == 0) MPI_Send(&v, 1, MPI_INT, right, 1, W);
  MPI_Recv(&w, 1, MPI_INT, left, 1, W, NO);
  if (wrong || rank != 0) MPI_Send(&v, 1, MPI_INT, right, 1, W);
}
CASE both_wait(int wrong) {
  int v = 1, w;
  MPI_Request r;
  if (!in_pair()) return;
  MPI_Irecv(&w, 1, MPI_INT, other, 1, W, &r);
  if (wrong) MPI_Wait(&r, NO);
  MPI_Send(&v, 1, MPI_INT, other, 1, W);
  if (!wrong) MPI_Wait(&r, NO);
}
CASE wrong_tag(int wrong) {
  int v = 1;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, wrong ? 2 : 1, W, NO);
}
CASE wrong_communicator(int wrong) {
  int v = 1;
  MPI_Comm c;
  MPI_Comm_dup(W, &c);
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, 1, wrong ? c : W, NO);
  MPI_Comm_free(&c);
}
CASE receive_from_none(int wrong) {
  int v = 1;
  if (rank == 1 && wrong) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
}
CASE probe_for_none(int wrong) {
  if (rank == 1 && wrong) MPI_Probe(0, 1, W, NO);
}
CASE barrier_left_out(int wrong) {
  if (!wrong || rank != 0) MPI_Barrier(W);
}
CASE other_collectives(int wrong) {
  int v = 1, w;
  if (wrong && rank == 0)
    MPI_Allreduce(&v, &w, 1, MPI_INT, MPI_SUM, W);
  else if (wrong)
    MPI_Bcast(&v, 1, MPI_INT, 0, W);
}
CASE other_order(int wrong) {
  int v = 1, w;
  if (wrong && rank == 0) MPI_Barrier(W);
  MPI_Allreduce(&v, &w, 1, MPI_INT, MPI_SUM, W);
  if (!wrong || rank != 0) MPI_Barrier(W);
}
CASE other_roots(int wrong) {
  int v = 1, w;
  MPI_Reduce(&v, &w, 1, MPI_INT, MPI_SUM, wrong && rank == 1 ? 1 : 0, W);
}
CASE order_on_communicators(int wrong) {
  MPI_Comm c;
  MPI_Comm_dup(W, &c);
  MPI_Barrier(wrong && rank == 0 ? c : W);
  MPI_Barrier(wrong && rank == 0 ? W : c);
  MPI_Comm_free(&c);
}
CASE blocking_and_not(int wrong) {
  MPI_Request r;
  if (wrong && rank == 0) {
    MPI_Barrier(W);
    return;
  }
  MPI_Ibarrier(W, &r);
  MPI_Wait(&r, NO);
}
CASE order_of_nonblocking(int wrong) {
  int v = 1;
  MPI_Request r[2];
  if (wrong && rank == 0) {
    MPI_Ibcast(&v, 1, MPI_INT, 0, W, &r[1]);
    MPI_Ibarrier(W, &r[0]);
  } else {
    MPI_Ibarrier(W, &r[0]);
    MPI_Ibcast(&v, 1, MPI_INT, 0, W, &r[1]);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE barrier_and_receive(int wrong) {
  int v = 1;
  if (rank == 1 && !wrong) MPI_Barrier(W);
  if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
  if (rank != 1 || wrong) MPI_Barrier(W);
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
}
CASE split_and_copy(int wrong) {
  MPI_Comm c;
  if (wrong && rank == 0)
    MPI_Comm_dup(W, &c);
  else
    MPI_Comm_split(W, 0, 0, &c);
  MPI_Comm_free(&c);
}
CASE fence_left_out(int wrong) {
  if (!wrong || rank != 0) MPI_Win_fence(0, window);
}
CASE no_finalize(int wrong) {
  if (!wrong) return;
  MPI_Barrier(W);
  exit(0);
}
CASE after_finalize(int wrong) {
  if (!wrong) return;
  MPI_Win_free(&window);
  MPI_Finalize();
  MPI_Comm_rank(W, &rank);
  exit(0);
}

const struct mistake endings[] = {
    ENDS(both_receive_first),  ENDS(both_send_synchronously),
    ENDS(both_send_much),      ENDS(ring_of_receives),
    ENDS(both_wait),           ENDS(wrong_tag),
    ENDS(wrong_communicator),  ENDS(receive_from_none),
    ENDS(probe_for_none),      ENDS(barrier_left_out),
    ENDS(other_collectives),   ENDS(other_order),
    ENDS(other_roots),         ENDS(order_on_communicators),
    ENDS(blocking_and_not),    ENDS(order_of_nonblocking),
    ENDS(barrier_and_receive), ENDS(split_and_copy),
    ENDS(fence_left_out),      ENDS(no_finalize),
    ENDS(after_finalize),      {NULL, NULL, 0},
};
