/* Types and counts of messages that do not match. */
#include "tests/mistakes/mistakes.h"

static void one_way(const void* from, int send_count, MPI_Datatype send, void* to, int receive_count,
                    MPI_Datatype receive) {
  if (rank == 0) MPI_Send(from, send_count, send, 1, 1, W);
  if (rank == 1) MPI_Recv(to, receive_count, receive, 0, 1, W, NO);
}
CASE type_of_message(int wrong) {
  int v[2] = {1, 2};
  if (rank == 0) MPI_Send(v, 2, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(v, 2, wrong ? MPI_FLOAT : MPI_INT, 0, 1, W, NO);
}
CASE type_of_nonblocking(int wrong) {
  double v[4] = {0};
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(v, 4, wrong ? MPI_LONG : MPI_DOUBLE, 1, 1, W, &r);
  if (rank == 1) MPI_Irecv(v, 4, MPI_DOUBLE, 0, 1, W, &r);
  MPI_Wait(&r, NO);
}
CASE type_of_persistent(int wrong) {
  int v = 1;
  MPI_Request r;
  if (rank > 1) return;
  if (rank == 0) MPI_Send_init(&v, 1, MPI_INT, 1, 1, W, &r);
  if (rank == 1) MPI_Recv_init(&v, 1, wrong ? MPI_UNSIGNED : MPI_INT, 0, 1, W, &r);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&r);
    MPI_Wait(&r, NO);
  }
  MPI_Request_free(&r);
}
CASE type_of_exchange(int wrong) {
  int a = 1, b = 2;
  if (!in_pair()) return;
  MPI_Sendrecv(&a, 1, MPI_INT, other, 1, &b, 1, wrong && even() ? MPI_FLOAT : MPI_INT, other, 1, W, NO);
}
CASE type_of_matched(int wrong) {
  int v = 1;
  MPI_Message m;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank != 1) return;
  MPI_Mprobe(0, 1, W, &m, NO);
  MPI_Mrecv(&v, 1, wrong ? MPI_FLOAT : MPI_INT, &m, NO);
}
CASE type_by_any_source(int wrong) {
  int v = 1;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, wrong ? MPI_FLOAT : MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, NO);
}
static inline __attribute__((always_inline)) void send_int_and_double(void) { /* the tags in falling order */
  static int v;
  static double d;
  MPI_Request r;
  MPI_Isend(&v, 1, MPI_INT, 1, 5, W, &r);
  MPI_Send(&d, 1, MPI_DOUBLE, 1, 3, W);
  MPI_Wait(&r, NO);
}
CASE tag_not_asked_for(int wrong) {
  int v;
  double d;
  if (rank == 0) send_int_and_double();
  if (rank != 1) return;
  MPI_Recv(&v, 1, MPI_INT, 0, MPI_ANY_TAG, W, NO);
  MPI_Recv(&d, 1, wrong ? MPI_LONG : MPI_DOUBLE, 0, MPI_ANY_TAG, W, NO);
}
CASE matched_not_asked_for(int wrong) {
  int v;
  double d;
  MPI_Message m;
  if (rank == 0) send_int_and_double();
  if (rank != 1) return;
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &m, NO);
  MPI_Mrecv(&v, 1, MPI_INT, &m, NO);
  MPI_Mprobe(0, MPI_ANY_TAG, W, &m, NO);
  MPI_Mrecv(&d, 1, wrong ? MPI_LONG : MPI_DOUBLE, &m, NO);
}
CASE type_with_braces(int wrong) {
  int v[2] = {0};
  MPI_Datatype two;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_set_name(two, "{x}");
  MPI_Type_commit(&two);
  if (rank == 0) MPI_Send(v, 1, two, 1, 1, W);
  if (rank == 1) MPI_Recv(v, 2, wrong ? MPI_FLOAT : MPI_INT, 0, 1, W, NO);
  MPI_Type_free(&two);
}
CASE order_in_struct(int wrong) {
  struct {
    double d;
    int i, j;
  } v = {1, 2, 3};
  const int blocks[2] = {1, 2};
  const MPI_Aint at[2] = {0, sizeof(double)};
  const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, swapped[2] = {MPI_INT, MPI_DOUBLE};
  const int swapped_blocks[2] = {2, 1};
  MPI_Datatype one;
  if (wrong && rank == 1)
    MPI_Type_create_struct(2, swapped_blocks, at, swapped, &one);
  else
    MPI_Type_create_struct(2, blocks, at, types, &one);
  MPI_Type_commit(&one);
  if (rank == 0) MPI_Send(&v, 1, one, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, one, 0, 1, W, NO);
  MPI_Type_free(&one);
}
CASE elements_of_derived(int wrong) { /* a vector is received as its elements: right */
  int v[8] = {0};
  MPI_Datatype every_second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  one_way(v, 1, every_second, v, 4, MPI_INT);
  if (rank == 0) MPI_Send(v, 1, every_second, 1, 1, W);
  if (rank == 1) MPI_Recv(v, 4, wrong ? MPI_FLOAT : MPI_INT, 0, 1, W, NO);
  MPI_Type_free(&every_second);
}
CASE bytes_for_doubles(int wrong) {
  double v = 1;
  if (rank == 0) MPI_Send(&v, 1, MPI_DOUBLE, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, wrong ? 8 : 1, wrong ? MPI_BYTE : MPI_DOUBLE, 0, 1, W, NO);
}
CASE names_of_types(int wrong) {
  long v = 1;
  if (rank == 0) MPI_Send(&v, 1, MPI_LONG, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, wrong ? MPI_INT64_T : MPI_LONG, 0, 1, W, NO);
}
CASE too_long(int wrong) {
  int v[4] = {0};
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  if (rank == 0) MPI_Send(v, 4, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(v, wrong ? 3 : 4, MPI_INT, 0, 1, W, NO);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE never_received(int wrong) {
  static int v = 1;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 7, W);
  if (rank == 1 && !wrong) MPI_Recv(&v, 1, MPI_INT, 0, 7, W, NO);
}
CASE probed_only(int wrong) {
  int v = 1;
  MPI_Message message;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 17, W);
  if (rank == 1) MPI_Mprobe(0, 17, W, &message, NO);
  if (rank == 1 && !wrong) MPI_Mrecv(&v, 1, MPI_INT, &message, NO);
}
CASE other_tag(int wrong) {
  static int v = 1;
  MPI_Request r;
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 8, W);
  if (rank != 1) return;
  MPI_Irecv(&v, 1, MPI_INT, 0, wrong ? 9 : 8, W, &r);
  if (wrong) MPI_Cancel(&r);
  MPI_Wait(&r, NO);
}
CASE ready_too_early(int wrong) {
  int v = 1;
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 1 && !wrong) MPI_Irecv(&v, 1, MPI_INT, 0, 1, W, &r);
  meet();
  if (rank == 0) MPI_Rsend(&v, 1, MPI_INT, 1, 1, W);
  meet();
  if (rank == 1 && wrong) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
  MPI_Wait(&r, NO);
}
CASE race_of_messages(int wrong) {
  int v = 1;
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 1 || rank == 2) MPI_Isend(&v, 1, MPI_INT, 0, 1, W, &r);
  meet();
  if (rank == 0) {
    MPI_Recv(&v, 1, MPI_INT, wrong ? MPI_ANY_SOURCE : 1, 1, W, NO);
    MPI_Recv(&v, 1, MPI_INT, wrong ? MPI_ANY_SOURCE : 2, 1, W, NO);
  }
  MPI_Wait(&r, NO);
}

const struct mistake types_of_messages[] = {
    GOES_ON(type_of_message),     GOES_ON(type_of_nonblocking),
    GOES_ON(type_of_persistent),  GOES_ON(type_of_exchange),
    GOES_ON(type_of_matched),     GOES_ON(type_by_any_source),
    GOES_ON(tag_not_asked_for),   GOES_ON(matched_not_asked_for),
    GOES_ON(type_with_braces),    GOES_ON(order_in_struct),
    GOES_ON(elements_of_derived), GOES_ON(bytes_for_doubles),
    GOES_ON(names_of_types),      GOES_ON(too_long),
    GOES_ON(never_received),      GOES_ON(probed_only),
    GOES_ON(other_tag),           GOES_ON(ready_too_early),
    GOES_ON(race_of_messages),    {NULL, NULL, 0},
};
