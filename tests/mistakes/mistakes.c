/* Mistakes in the use of MPI, each with its right twin: for `sanvp run --check-mpi`. Each case is a function, by whose
 * name a finding tells which one it is.
 *
 * usage: mistakes (right | wrong) CASE...     a case, or "all": those after which the program can go on */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE __attribute__((noinline)) static void
#define W MPI_COMM_WORLD
#define NO MPI_STATUS_IGNORE

static int rank, ranks, left, right, other; /* other: the partner of a pair */
static const int big = 1 << 20;             /* no machine buffers so much */

static int even(void) { return rank % 2 == 0; }
static int in_pair(void) { return other < ranks; }

/* Without messages of MPI's own to wait for: both have come to this place. */
static void meet(void) { MPI_Barrier(W); }

/* ---- types of messages ---- */
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

/* ---- buffers ---- */
CASE send_changed(int wrong) {
  static int v[1000];
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(v, 1000, MPI_INT, 1, 1, W, &r);
  if (wrong) v[500] = 1;
  if (rank == 1) MPI_Irecv(v, 1000, MPI_INT, 0, 1, W, &r);
  MPI_Wait(&r, NO);
  v[500] = 0;
}
CASE started_send_changed(int wrong) {
  int v = 1;
  MPI_Request r;
  if (rank > 1) return;
  if (rank == 0) MPI_Ssend_init(&v, 1, MPI_INT, 1, 1, W, &r);
  if (rank == 1) MPI_Recv_init(&v, 1, MPI_INT, 0, 1, W, &r);
  MPI_Start(&r);
  if (wrong && rank == 0) v = 2;
  MPI_Wait(&r, NO);
  MPI_Request_free(&r);
}
CASE receive_written(int wrong) {
  static int v[16];
  MPI_Request r = MPI_REQUEST_NULL;
  int there = 0;
  if (rank == 0) MPI_Isend(v, 16, MPI_INT, 1, 1, W, &r);
  if (rank == 1) MPI_Irecv(v, 16, MPI_INT, 0, 1, W, &r);
  if (rank == 1)
    while (!there) MPI_Request_get_status(r, &there, NO);
  if (rank == 1 && wrong) v[3] = 77;
  MPI_Wait(&r, NO);
  v[3] = 0;
}
CASE two_receives(int wrong) {
  int v[2];
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 1) MPI_Irecv(&v[0], 1, MPI_INT, 0, 1, W, &r[0]);
  if (rank == 1) MPI_Irecv(wrong ? &v[0] : &v[1], 1, MPI_INT, 0, 2, W, &r[1]);
  for (int tag = 1; tag <= 2 && rank == 0; ++tag) v[0] = tag, MPI_Send(v, 1, MPI_INT, 1, tag, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE receives_at_one_line(int wrong) { /* equal ones are a warning, others an error */
  int v[6] = {0};
  MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int i = 0; i < 3 && rank == 1; ++i) MPI_Irecv(&v[wrong ? i / 2 : 2 * i], 2, MPI_INT, 0, 1, W, &r[i]);
  for (int i = 0; i < 3 && rank == 0; ++i) MPI_Send(v, 2, MPI_INT, 1, 1, W);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}
CASE parts_of_receives(int wrong) {
  int v[20];
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 1) MPI_Irecv(&v[0], 10, MPI_INT, 0, 1, W, &r[0]);
  if (rank == 1) MPI_Irecv(&v[wrong ? 9 : 10], 10, MPI_INT, 0, 2, W, &r[1]);
  memset(v, 0, rank == 0 ? sizeof v : 0);
  for (int tag = 1; tag <= 2 && rank == 0; ++tag) MPI_Send(v, 10, MPI_INT, 1, tag, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE columns(int wrong) { /* interleaved ones do not overlap */
  int v[16] = {0};
  MPI_Datatype column;
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 1) MPI_Irecv(&v[0], 1, column, 0, 1, W, &r[0]);
  if (rank == 1) MPI_Irecv(&v[wrong ? 4 : 1], wrong ? 1 : 1, wrong ? MPI_INT : column, 0, 2, W, &r[1]);
  if (rank == 0) MPI_Send(v, 4, MPI_INT, 1, 1, W);
  if (rank == 0) MPI_Send(v, wrong ? 1 : 4, MPI_INT, 1, 2, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
}
CASE receive_over_send(int wrong) {
  int v[2] = {1, 2};
  MPI_Request r;
  if (!in_pair()) return;
  MPI_Isend(&v[0], 1, MPI_INT, other, 1, W, &r);
  MPI_Recv(wrong ? &v[0] : &v[1], 1, MPI_INT, other, 1, W, NO);
  v[0] = 1;
  MPI_Wait(&r, NO);
}
CASE send_of_receive(int wrong) {
  int v[2] = {1, 2};
  MPI_Request r;
  if (!in_pair()) return;
  MPI_Irecv(&v[0], 1, MPI_INT, other, 1, W, &r);
  MPI_Send(wrong ? &v[0] : &v[1], 1, MPI_INT, other, 1, W);
  MPI_Wait(&r, NO);
}
CASE exchange_in_place(int wrong) {
  int v[4] = {0};
  if (in_pair()) MPI_Sendrecv(&v[0], 2, MPI_INT, other, 1, &v[wrong ? 1 : 2], 2, MPI_INT, other, 1, W, NO);
}
CASE overlapping_type(int wrong) {
  int v[4] = {0};
  const int blocks[2] = {2, 2}, at[2] = {0, wrong ? 1 : 2};
  MPI_Datatype pieces;
  MPI_Type_indexed(2, blocks, at, MPI_INT, &pieces);
  MPI_Type_commit(&pieces);
  if (rank == 0) MPI_Send(v, 4, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(v, 1, pieces, 0, 1, W, NO);
  MPI_Type_free(&pieces);
}
CASE aliased_reduction(int wrong) {
  int v[2] = {1, 2};
  MPI_Allreduce(&v[0], wrong ? &v[0] : &v[1], 1, MPI_INT, MPI_SUM, W);
}
CASE aliased_gathering(int wrong) {
  int v[64] = {0}, own = rank;
  MPI_Allgather(wrong ? &v[rank] : &own, 1, MPI_INT, v, 1, MPI_INT, W);
}
CASE gathered_over_each_other(int wrong) {
  int v[64] = {0}, own = rank, counts[16], at[16];
  for (int i = 0; i < ranks; ++i) counts[i] = 1, at[i] = wrong ? 0 : i;
  MPI_Gatherv(&own, 1, MPI_INT, v, counts, at, MPI_INT, 0, W);
}
CASE broadcast_in_use(int wrong) {
  int v = 1, w = 2;
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Ibcast(&v, 1, MPI_INT, 0, W, &r[0]);
  if (rank == 1) MPI_Irecv(wrong ? &v : &w, 1, MPI_INT, 0, 1, W, &r[1]);
  if (rank == 0) MPI_Send(&w, 1, MPI_INT, 1, 1, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE contribution_changed(int wrong) {
  int v = 1, sum;
  MPI_Request r;
  MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, W, &r);
  if (wrong) v = 2;
  MPI_Wait(&r, NO);
}

/* ---- calls that return an error ---- */
CASE send_without_type(int wrong) {
  int v = 1;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  if (wrong) MPI_Send(&v, 1, MPI_DATATYPE_NULL, left, 1, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE handle_of_another_kind(int wrong) {
  int size;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  MPI_Type_size(wrong ? (MPI_Datatype)W : MPI_INT, &size);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE root_of_none(int wrong) {
  int v = 1, sum;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  MPI_Reduce(&v, &sum, 1, MPI_INT, MPI_SUM, wrong ? 77 : 0, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}
CASE broadcast_again(int wrong) { /* with right arguments, by the rank that was refused */
  int v = 1;
  MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
  if (wrong && rank == 1) MPI_Bcast(wrong ? NULL : &v, 1, MPI_INT, 0, W);
  MPI_Bcast(&v, 1, MPI_INT, 0, W);
  MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
}

/* ---- requests and objects that are left ---- */
CASE send_not_waited_for(int wrong) {
  static int v;
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(&v, 1, MPI_INT, 1, 1, W, &r);
  if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
  if (!wrong) MPI_Wait(&r, NO);
}
CASE request_overwritten(int wrong) {
  static int v[2];
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int i = 0; i < 2 && rank == 1; ++i) MPI_Irecv(&v[i], 1, MPI_INT, 0, 1, W, &r[wrong ? 0 : i]);
  for (int i = 0; i < 2 && rank == 0; ++i) MPI_Send(&v[i], 1, MPI_INT, 1, 1, W);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
CASE barrier_not_waited_for(int wrong) {
  MPI_Request r;
  MPI_Ibarrier(W, &r);
  if (!wrong) MPI_Wait(&r, NO);
}
CASE prepared_not_freed(int wrong) {
  static int v;
  MPI_Request r;
  MPI_Recv_init(&v, 1, MPI_INT, left, 1, W, &r);
  if (!wrong) MPI_Request_free(&r);
}
CASE receive_freed(int wrong) {
  static int v;
  MPI_Request r = MPI_REQUEST_NULL;
  if (rank == 1) MPI_Irecv(&v, 1, MPI_INT, 0, 1, W, &r);
  if (rank == 1 && wrong) MPI_Request_free(&r);
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  MPI_Wait(&r, NO);
}
CASE communicator_left(int wrong) {
  MPI_Comm c;
  MPI_Comm_dup(W, &c);
  if (!wrong) MPI_Comm_free(&c);
}
CASE split_left(int wrong) {
  MPI_Comm c;
  MPI_Comm_split(W, rank % 2, 0, &c);
  if (!wrong || rank % 2) MPI_Comm_free(&c);
}
CASE grid_left(int wrong) {
  MPI_Comm c;
  const int periods = 0;
  MPI_Cart_create(W, 1, &ranks, &periods, 0, &c);
  if (!wrong) MPI_Comm_free(&c);
}
CASE type_left(int wrong) {
  MPI_Datatype t;
  MPI_Type_contiguous(3, MPI_INT, &t);
  MPI_Type_commit(&t);
  if (!wrong) MPI_Type_free(&t);
}
CASE group_left(int wrong) {
  MPI_Group g;
  MPI_Comm_group(W, &g);
  if (!wrong) MPI_Group_free(&g);
}
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((const int*)in)[i];
}
CASE operation_left(int wrong) {
  MPI_Op op;
  int v = 1, sum;
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(&v, &sum, 1, MPI_INT, op, W);
  if (!wrong) MPI_Op_free(&op);
}
CASE key_left(int wrong) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  if (!wrong) MPI_Comm_free_keyval(&key);
}
static void handle(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }
CASE key_of_types_left(int wrong) {
  int key;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Type_set_attr(MPI_INT, key, NULL);
  MPI_Type_delete_attr(MPI_INT, key);
  if (!wrong) MPI_Type_free_keyval(&key);
}
CASE key_of_windows_left(int wrong) {
  int key;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
  if (!wrong) MPI_Win_free_keyval(&key);
}
CASE handler_left(int wrong) {
  MPI_Errhandler h;
  MPI_Comm_create_errhandler(handle, &h);
  if (!wrong) MPI_Errhandler_free(&h);
}
CASE info_left(int wrong) {
  MPI_Info i;
  MPI_Info_create(&i);
  if (!wrong) MPI_Info_free(&i);
}
CASE window_left(int wrong) {
  static int v[4];
  MPI_Win w;
  MPI_Win_create(v, sizeof v, 4, MPI_INFO_NULL, W, &w);
  if (!wrong) MPI_Win_free(&w);
}

/* ---- collective operations ---- */
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

/* ---- what only buffering lets go on ---- */
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

/* ---- windows ---- */
static MPI_Win window;
static int memory[64];
CASE two_puts(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank < 2) MPI_Put(&v, 1, MPI_INT, 2, wrong ? 0 : rank, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE put_and_get(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 3, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 1) MPI_Get(&v, 1, MPI_INT, 2, 3, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE put_and_accumulate(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 4, 1, MPI_INT, window);
  if (rank == 1) MPI_Accumulate(&v, 1, MPI_INT, 2, wrong ? 4 : 5, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
}
CASE other_accumulations(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  MPI_Accumulate(&v, 1, MPI_INT, 2, 6, 1, MPI_INT, wrong && rank == 1 ? MPI_MAX : MPI_SUM, window);
  MPI_Win_fence(0, window);
}
CASE put_changed(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 7, 1, MPI_INT, window);
  if (wrong) v = 99;
  MPI_Win_fence(0, window);
}
CASE gets_into_one(int wrong) {
  int v[2];
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Get(&v[0], 1, MPI_INT, 1, 8, 1, MPI_INT, window);
  if (rank == 0) MPI_Get(&v[wrong ? 0 : 1], 1, MPI_INT, 2, 8, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE get_not_over(int wrong) {
  int v = 0;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Get(&v, 1, MPI_INT, 1, 9, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
  MPI_Win_fence(0, window);
}
CASE stored_and_put(int wrong) {
  int v = 5;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 10, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 2 && wrong)
    for (volatile int* at = &memory[10]; *at != 5;) MPI_Win_sync(window);
  if (rank == 2) memory[10] = 6;
  MPI_Win_fence(0, window);
  memory[10] = 0;
  MPI_Win_fence(0, window);
}
CASE types_of_put(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 11, 1, wrong ? MPI_FLOAT : MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE puts_in_shared_locks(int wrong) {
  int v = rank;
  if (rank < 2) {
    MPI_Win_lock(wrong ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 2, 0, window);
    MPI_Put(&v, 1, MPI_INT, 2, 12, 1, MPI_INT, window);
    MPI_Win_unlock(2, window);
  }
  meet();
}
CASE puts_without_flush(int wrong) {
  int v[2] = {1, 2};
  MPI_Win_lock_all(0, window);
  if (rank == 0) MPI_Put(&v[0], 1, MPI_INT, 2, 13, 1, MPI_INT, window);
  if (!wrong) MPI_Win_flush(2, window);
  if (rank == 0) MPI_Put(&v[1], 1, MPI_INT, 2, 13, 1, MPI_INT, window);
  MPI_Win_unlock_all(window);
  meet();
}
CASE puts_of_groups(int wrong) {
  int v = rank;
  MPI_Group all, group;
  const int sources[2] = {0, 1}, target = 2;
  MPI_Comm_group(W, &all);
  MPI_Group_incl(all, rank == 2 ? 2 : 1, rank == 2 ? sources : &target, &group);
  if (rank == 2) MPI_Win_post(group, 0, window);
  if (rank < 2) {
    MPI_Win_start(group, 0, window);
    MPI_Put(&v, 1, MPI_INT, 2, wrong ? 14 : 14 + rank, 1, MPI_INT, window);
    MPI_Win_complete(window);
  }
  if (rank == 2) MPI_Win_wait(window);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}

/* ---- after which there is no going on ---- */
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

static const struct {
  const char* name;
  void (*make)(int wrong);
  int ends; /* the program cannot go on */
} cases[] = {
#define GOES_ON(name) \
  { #name, name, 0 }
#define ENDS(name) \
  { #name, name, 1 }
    GOES_ON(type_of_message),
    GOES_ON(type_of_nonblocking),
    GOES_ON(type_of_persistent),
    GOES_ON(type_of_exchange),
    GOES_ON(type_of_matched),
    GOES_ON(type_by_any_source),
    GOES_ON(tag_not_asked_for),
    GOES_ON(matched_not_asked_for),
    GOES_ON(type_with_braces),
    GOES_ON(order_in_struct),
    GOES_ON(elements_of_derived),
    GOES_ON(bytes_for_doubles),
    GOES_ON(names_of_types),
    GOES_ON(too_long),
    GOES_ON(never_received),
    GOES_ON(other_tag),
    GOES_ON(ready_too_early),
    GOES_ON(race_of_messages),
    GOES_ON(send_changed),
    GOES_ON(started_send_changed),
    GOES_ON(receive_written),
    GOES_ON(two_receives),
    GOES_ON(receives_at_one_line),
    GOES_ON(parts_of_receives),
    GOES_ON(columns),
    GOES_ON(receive_over_send),
    GOES_ON(send_of_receive),
    GOES_ON(exchange_in_place),
    GOES_ON(overlapping_type),
    GOES_ON(aliased_reduction),
    GOES_ON(aliased_gathering),
    GOES_ON(gathered_over_each_other),
    GOES_ON(broadcast_in_use),
    GOES_ON(contribution_changed),
    GOES_ON(send_without_type),
    GOES_ON(handle_of_another_kind),
    GOES_ON(root_of_none),
    GOES_ON(broadcast_again),
    GOES_ON(send_not_waited_for),
    GOES_ON(request_overwritten),
    GOES_ON(barrier_not_waited_for),
    GOES_ON(prepared_not_freed),
    GOES_ON(receive_freed),
    GOES_ON(communicator_left),
    GOES_ON(split_left),
    GOES_ON(grid_left),
    GOES_ON(type_left),
    GOES_ON(group_left),
    GOES_ON(operation_left),
    GOES_ON(key_left),
    GOES_ON(key_of_types_left),
    GOES_ON(key_of_windows_left),
    GOES_ON(handler_left),
    GOES_ON(info_left),
    GOES_ON(window_left),
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
    GOES_ON(both_send_first),
    GOES_ON(all_send_right),
    GOES_ON(send_to_self),
    GOES_ON(send_before_barrier),
    GOES_ON(nonblocking_in_a_ring),
    GOES_ON(synchronous_large),
    GOES_ON(two_puts),
    GOES_ON(put_and_get),
    GOES_ON(put_and_accumulate),
    GOES_ON(other_accumulations),
    GOES_ON(put_changed),
    GOES_ON(gets_into_one),
    GOES_ON(get_not_over),
    GOES_ON(stored_and_put),
    GOES_ON(types_of_put),
    GOES_ON(puts_in_shared_locks),
    GOES_ON(puts_without_flush),
    GOES_ON(puts_of_groups),
    ENDS(broadcast_before_send),
    ENDS(both_receive_first),
    ENDS(both_send_synchronously),
    ENDS(both_send_much),
    ENDS(ring_of_receives),
    ENDS(both_wait),
    ENDS(wrong_tag),
    ENDS(wrong_communicator),
    ENDS(receive_from_none),
    ENDS(probe_for_none),
    ENDS(barrier_left_out),
    ENDS(other_collectives),
    ENDS(other_order),
    ENDS(other_roots),
    ENDS(order_on_communicators),
    ENDS(blocking_and_not),
    ENDS(order_of_nonblocking),
    ENDS(barrier_and_receive),
    ENDS(split_and_copy),
    ENDS(fence_left_out),
    ENDS(no_finalize),
    ENDS(after_finalize),
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  other = rank ^ 1;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, W, &window);
  const int wrong = argc > 1 && strcmp(argv[1], "wrong") == 0;
  for (int i = 2; i < argc; ++i)
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
      const int all = strcmp(argv[i], "all") == 0 && !(cases[k].ends && wrong);
      if (!all && strcmp(argv[i], cases[k].name) != 0) continue;
      cases[k].make(wrong);
      meet();
    }
  MPI_Win_free(&window);
  MPI_Finalize();
  if (rank == 0) printf("END\n");
  return 0;
}
