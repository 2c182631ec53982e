/* Features that the standard allows and few programs use. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

/* ---- 2x2 matrices, whose product does not commute ---- */
static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) {
    long *a = (long*)in + 4 * i, *b = (long*)inout + 4 * i, c[4];
    for (int k = 0; k < 4; ++k) c[k] = (a[k / 2 * 2] * b[k % 2] + a[k / 2 * 2 + 1] * b[2 + k % 2]) % 10007;
    memcpy(b, c, sizeof c);
  }
}

static void operations(void) {
  MPI_Op op;
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_LONG, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &op);
  long own[8], all[8], expected[8], left[8];
  for (int r = 0; r < size; ++r) {
    long m[8] = {r + 1, 1, 2, r, 1, r, r % 3, 5};
    if (r == rank) memcpy(own, m, sizeof m);
    if (r == 0) memcpy(expected, m, sizeof m);
    int two = 2;
    if (r > 0) memcpy(left, expected, sizeof left), multiply(left, m, &two, &matrix), memcpy(expected, m, sizeof m);
    if (r == rank) memcpy(left, expected, sizeof left);
    if (r == rank) memcpy(all, expected, sizeof all);
  }
  long prefix[8], result[8];
  memcpy(prefix, all, sizeof all);
  MPI_Scan(own, result, 2, matrix, op, MPI_COMM_WORLD);
  CHECK(memcmp(result, prefix, sizeof result) == 0);
  MPI_Allreduce(own, result, 2, matrix, op, MPI_COMM_WORLD);
  CHECK(memcmp(result, expected, sizeof result) == 0);
  memcpy(result, own, sizeof own);
  MPI_Reduce(rank == size - 1 ? MPI_IN_PLACE : own, result, 2, matrix, op, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) CHECK(memcmp(result, expected, sizeof result) == 0);
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  MPI_Type_free(&matrix);
  struct {
    double v;
    int i;
  } at = {(rank * 7) % 5, rank}, most;
  MPI_Allreduce(&at, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  int best = 0;
  for (int r = 0; r < size; ++r)
    if ((r * 7) % 5 > (best * 7) % 5) best = r;
  CHECK(most.i == best);
}

static void in_place(void) {
  int* all = malloc(((size_t)size + 1) * size * sizeof(int));
  for (int i = 0; i < size; ++i) all[i] = i == rank ? rank * 3 : -1;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(all[i] == i * 3);
  for (int i = 0; i < size; ++i) all[i] = rank * 100 + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(all[i] == i * 100 + rank);
  int own = rank;
  if (rank == 0) all[0] = 0;
  if (rank == 0)
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Gather(&own, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  for (int i = 0; i < size && rank == 0; ++i) CHECK(all[i] == i);
  if (rank == 0)
    MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  else
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, &own, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(own == rank);
  MPI_Scan(MPI_IN_PLACE, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(own == rank * (rank + 1) / 2);
  int* ones = malloc(size * sizeof(int));
  for (int i = 0; i < size; ++i) ones[i] = 1, all[i] = rank + i;
  MPI_Reduce_scatter(MPI_IN_PLACE, all, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(all[0] == size * (size - 1) / 2 + size * rank);
  free(ones);
  free(all);
}

static void nothing(void) {
  int flag = 0, count = -1, index;
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL, none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Bcast(NULL, 0, MPI_INT, size - 1, MPI_COMM_WORLD);
  MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Sendrecv(NULL, 0, MPI_INT, (rank + 1) % size, 0, NULL, 0, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  CHECK(count == 0 && status.MPI_SOURCE == (rank + size - 1) % size);
  MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Wait(&request, &status);
  MPI_Test(&request, &flag, &status);
  CHECK(flag);
  MPI_Waitany(2, none, &index, &status);
  CHECK(index == MPI_UNDEFINED);
  MPI_Waitsome(2, none, &count, &index, MPI_STATUSES_IGNORE);
  CHECK(count == MPI_UNDEFINED);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
}

static void buffered(void) {
  enum { MESSAGES = 5, BYTES = 1000 };
  int room = MESSAGES * (BYTES + MPI_BSEND_OVERHEAD), got;
  void *buffer = malloc(room), *back;
  char data[BYTES], in[BYTES];
  MPI_Buffer_attach(buffer, room);
  memset(data, rank, sizeof data);
  for (int i = 0; i < MESSAGES; ++i) MPI_Bsend(data, BYTES, MPI_CHAR, (rank + 1) % size, i, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int error = MPI_Bsend(data, BYTES, MPI_CHAR, (rank + 1) % size, 99, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  CHECK(error == MPI_SUCCESS || error == MPI_ERR_BUFFER);
  for (int i = MESSAGES; i-- > 0;) {
    MPI_Recv(in, BYTES, MPI_CHAR, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[BYTES - 1] == (char)((rank + size - 1) % size));
  }
  MPI_Status status;
  int flag;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &status);
  if (flag) MPI_Recv(in, BYTES, MPI_CHAR, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &status);
  MPI_Buffer_detach(&back, &got);
  CHECK(back == buffer && got == room);
  free(buffer);
}

/* ---- attributes ---- */
static int copies, deletions;
static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key;
  ++copies;
  *(void**)out = (char*)in + *(int*)extra;
  *flag = 1;
  return MPI_SUCCESS;
}
static int discard(MPI_Comm comm, int key, void* in, void* extra) {
  (void)comm, (void)key, (void)in, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

static void attributes(void) {
  static int extra = 8;
  static char place[16];
  int key, flag, *top;
  void* value;
  MPI_Comm twice;
  MPI_Comm_create_keyval(copy, discard, &key, &extra);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, place);
  MPI_Comm_dup(MPI_COMM_SELF, &twice);
  MPI_Comm_get_attr(twice, key, &value, &flag);
  CHECK(flag && value == place + 8 && copies == 1);
  MPI_Comm_free(&twice);
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  CHECK(deletions == 2);
  MPI_Comm_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &top, &flag);
  CHECK(flag && *top >= 32767);
  MPI_Comm none;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 1, -rank, &none);
  CHECK((none == MPI_COMM_NULL) == (rank % 2 == 1));
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
}

static void requests(void) {
  enum { MANY = 300 };
  int in[MANY], out[MANY], done, indices[MANY], sum = 0, flag;
  MPI_Request receive[MANY], send[MANY], cancelled;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < MANY; ++i) {
    out[i] = i * i;
    MPI_Recv_init(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &receive[i]);
    MPI_Send_init(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &send[i]);
  }
  for (int round = 0; round < 2; ++round) {
    memset(in, -1, sizeof in);
    MPI_Startall(MANY, receive);
    MPI_Startall(MANY, send);
    for (int left_over = MANY; left_over > 0; left_over -= done)
      MPI_Waitsome(MANY, receive, &done, indices, MPI_STATUSES_IGNORE);
    MPI_Waitall(MANY, send, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; ++i) CHECK(in[i] == i * i);
  }
  for (int i = 0; i < MANY; ++i) MPI_Request_free(&receive[i]), MPI_Request_free(&send[i]);
  MPI_Status status;
  MPI_Irecv(&sum, 1, MPI_INT, MPI_ANY_SOURCE, 777, MPI_COMM_WORLD, &cancelled);
  MPI_Cancel(&cancelled);
  MPI_Wait(&cancelled, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag);
  /* More collective operations in flight than wake a process. */
  MPI_Request many[MANY];
  int sums[MANY], one = 1;
  for (int i = 0; i < MANY; ++i) MPI_Iallreduce(&one, &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &many[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = MANY; i-- > 0;) MPI_Wait(&many[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < MANY; ++i) CHECK(sums[i] == size);
}

/* 64 KiB in both directions at once, by calls for which the standard guarantees completion. */
static void exchanges(void) {
  enum { BYTES = 1 << 16 };
  char *out = malloc(BYTES), *in = malloc(BYTES), *buffer = malloc(BYTES + MPI_BSEND_OVERHEAD);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request request;
  memset(out, rank + 1, BYTES);
  for (int way = 0; way < 4; ++way) {
    memset(in, 0, BYTES);
    if (way == 0)
      MPI_Sendrecv(out, BYTES, MPI_CHAR, right, 5, in, BYTES, MPI_CHAR, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (way == 1) MPI_Isend(out, BYTES, MPI_CHAR, right, 5, MPI_COMM_WORLD, &request);
    if (way == 2) MPI_Irecv(in, BYTES, MPI_CHAR, left, 5, MPI_COMM_WORLD, &request);
    if (way == 2) MPI_Send(out, BYTES, MPI_CHAR, right, 5, MPI_COMM_WORLD);
    if (way == 3) MPI_Buffer_attach(buffer, BYTES + MPI_BSEND_OVERHEAD);
    if (way == 3) MPI_Bsend(out, BYTES, MPI_CHAR, right, 5, MPI_COMM_WORLD);
    if (way == 1 || way == 3) MPI_Recv(in, BYTES, MPI_CHAR, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (way == 1 || way == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
    int room;
    void* back;
    if (way == 3) MPI_Buffer_detach(&back, &room);
    CHECK(in[0] == (char)(left + 1) && in[BYTES - 1] == (char)(left + 1));
  }
  memcpy(in, out, BYTES);
  MPI_Sendrecv_replace(in, BYTES, MPI_CHAR, right, 6, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[BYTES / 2] == (char)(left + 1));
  free(out), free(in), free(buffer);
}

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  operations();
  in_place();
  nothing();
  buffered();
  attributes();
  requests();
  exchanges();
  MPI_Finalize();
  if (rank == 0) printf("PASS\n");
  return 0;
}
