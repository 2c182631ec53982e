/* Requests and objects that are left. */
#include "tests/mistakes/mistakes.h"

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
CASE broadcast_freed(int wrong) {
  static int v;
  MPI_Request r;
  MPI_Ibcast(&v, 1, MPI_INT, 0, W, &r);
  wrong ? MPI_Request_free(&r) : MPI_Wait(&r, NO);
}
CASE broadcast_cancelled(int wrong) {
  static int v;
  MPI_Request r;
  MPI_Ibcast(&v, 1, MPI_INT, 0, W, &r);
  if (wrong) MPI_Cancel(&r);
  MPI_Wait(&r, NO);
}
CASE access_freed(int wrong) {
  static int v;
  MPI_Request r;
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
  MPI_Rget(&v, 1, MPI_INT, right, 20, 1, MPI_INT, window, &r);
  wrong ? MPI_Request_free(&r) : MPI_Wait(&r, NO);
  MPI_Win_unlock(right, window);
}
CASE read_not_waited_for(int wrong) {
  static int v;
  MPI_Request r;
  MPI_File file;
  MPI_File_open(W, "mistakes.data", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_iread(file, &v, 1, MPI_INT, &r);
  if (!wrong) MPI_Wait(&r, NO);
  MPI_File_close(&file);
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

const struct mistake leaks[] = {
    GOES_ON(send_not_waited_for),
    GOES_ON(request_overwritten),
    GOES_ON(barrier_not_waited_for),
    GOES_ON(prepared_not_freed),
    GOES_ON(receive_freed),
    GOES_ON(communicator_left),
    GOES_ON(broadcast_freed),
    GOES_ON(broadcast_cancelled),
    GOES_ON(access_freed),
    GOES_ON(read_not_waited_for),
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
    {NULL, NULL, 0},
};
