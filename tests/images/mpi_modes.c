/* Point-to-point communication, what other programs of these tests leave out: ready sends of all kinds, matched probes
 * by wildcards and in order, cancelled receives and sends, requests that are freed while active, mixed persistent
 * requests, Waitsome and Testsome with errors and nulls, generalized requests, buffered sends that fill their buffer
 * (MPI-3.1, chapter 3). */
#include "tests/images/mpi_check.h"

enum { LARGE = 60000 };

/* The receive is posted first; then the sender is told so. */
static void ready(void) {
  static unsigned char in[4][LARGE], out[4][LARGE];
  MPI_Request receives[4], sends[3];
  const int sizes[4] = {0, 100, 5000, LARGE};
  int go = -1;
  for (int i = 0; i < 4; ++i) MPI_Irecv(in[i], sizes[i], MPI_BYTE, left, i, MPI_COMM_WORLD, &receives[i]);
  MPI_Sendrecv(&rank, 1, MPI_INT, left, 99, &go, 1, MPI_INT, right, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; ++i) fill(out[i], LARGE, rank, i);
  EXPECT(MPI_Rsend(out[3], sizes[3], MPI_BYTE, right, 3, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(MPI_Irsend(out[2], sizes[2], MPI_BYTE, right, 2, MPI_COMM_WORLD, &sends[0]) == MPI_SUCCESS);
  EXPECT(MPI_Rsend_init(out[1], sizes[1], MPI_BYTE, right, 1, MPI_COMM_WORLD, &sends[1]) == MPI_SUCCESS);
  EXPECT(MPI_Start(&sends[1]) == MPI_SUCCESS);
  EXPECT(MPI_Irsend(out[0], sizes[0], MPI_BYTE, right, 0, MPI_COMM_WORLD, &sends[2]) == MPI_SUCCESS);
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
  MPI_Waitall(4, receives, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 4; ++i) EXPECT(is_filled(in[i], (size_t)sizes[i], left, i));
  MPI_Request_free(&sends[1]);
}

/* What a matched probe has taken, no receive and no other probe sees. */
static void matched(void) {
  MPI_Message first, second, none;
  MPI_Status status;
  int flag = 0, got = -1;
  for (int i = 0; i < 3; ++i) {
    const int value = rank * 10 + i;
    MPI_Send(&value, 1, MPI_INT, right, 5 + i % 2, MPI_COMM_WORLD); /* tags 5, 6, 5 */
  }
  EXPECT(MPI_Mprobe(left, 5, MPI_COMM_WORLD, &first, &status) == MPI_SUCCESS && count_of(&status, MPI_INT) == 1);
  EXPECT(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &second, &status) == MPI_SUCCESS);
  EXPECT(status.MPI_SOURCE == left && status.MPI_TAG == 6); /* the first one is taken */
  MPI_Recv(&got, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  EXPECT(got == left * 10 + 2 && status.MPI_TAG == 5);
  EXPECT(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &none, &status) == MPI_SUCCESS && !flag);
  EXPECT(MPI_Mrecv(&got, 1, MPI_INT, &second, &status) == MPI_SUCCESS && got == left * 10 + 1);
  MPI_Request request;
  EXPECT(MPI_Imrecv(&got, 1, MPI_INT, &first, &request) == MPI_SUCCESS && first == MPI_MESSAGE_NULL);
  MPI_Wait(&request, &status);
  EXPECT(got == left * 10 && status.MPI_SOURCE == left && status.MPI_TAG == 5);
  EXPECT(MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &none, &status) == MPI_SUCCESS);
  EXPECT(none == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  EXPECT(MPI_Mrecv(&got, 1, MPI_INT, &none, &status) == MPI_SUCCESS && none == MPI_MESSAGE_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void cancelled(void) {
  int in[3] = {-1, -1, -1}, flag = 0;
  MPI_Request requests[3];
  MPI_Status status;
  for (int i = 0; i < 3; ++i) MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &requests[i]);
  EXPECT(MPI_Cancel(&requests[1]) == MPI_SUCCESS);
  EXPECT(MPI_Wait(&requests[1], &status) == MPI_SUCCESS && requests[1] == MPI_REQUEST_NULL);
  MPI_Test_cancelled(&status, &flag);
  EXPECT(flag);
  MPI_Barrier(MPI_COMM_WORLD); /* no one has sent before */
  for (int i = 0; i < 2; ++i) {
    const int value = rank * 2 + i;
    MPI_Send(&value, 1, MPI_INT, right, 20, MPI_COMM_WORLD);
  }
  MPI_Wait(&requests[2], &status);
  MPI_Test_cancelled(&status, &flag);
  EXPECT(!flag);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  EXPECT(in[0] == left * 2 && in[1] == -1 && in[2] == left * 2 + 1); /* in the order of the receives that are left */
  MPI_Recv_init(&in[0], 1, MPI_INT, left, 21, MPI_COMM_WORLD, &requests[0]);
  MPI_Start(&requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status); /* a persistent one stays, inactive */
  EXPECT(requests[0] != MPI_REQUEST_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&requests[0]);
  MPI_Send(&rank, 1, MPI_INT, right, 21, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], &status);
  EXPECT(in[0] == left);
  MPI_Request_free(&requests[0]);
}

/* A request that is freed ends by itself. */
static void freed(void) {
  static unsigned char in[LARGE], out[LARGE];
  MPI_Request request;
  fill(out, LARGE, rank, 9);
  MPI_Isend(out, LARGE, MPI_BYTE, right, 30, MPI_COMM_WORLD, &request);
  EXPECT(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
  MPI_Recv(in, LARGE, MPI_BYTE, left, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(is_filled(in, LARGE, left, 9));
  MPI_Barrier(MPI_COMM_WORLD); /* `out` is read by then */
}

/* Some of many, until none is left; with nulls and inactive ones in between. */
static void some(void) {
  enum { MANY = 20 };
  MPI_Request requests[MANY], inactive;
  MPI_Status statuses[MANY];
  int in[MANY], indices[MANY], done = 0, count = 0, seen[MANY] = {0};
  EXPECT(MPI_Waitsome(0, requests, &count, indices, statuses) == MPI_SUCCESS && count == MPI_UNDEFINED);
  MPI_Send_init(&rank, 1, MPI_INT, right, 55, MPI_COMM_WORLD, &inactive);
  for (int i = 0; i < MANY; ++i) {
    in[i] = -1;
    requests[i] = i % 5 == 4 ? (i % 2 ? MPI_REQUEST_NULL : inactive) : MPI_REQUEST_NULL;
    if (i % 5 != 4) MPI_Irecv(&in[i], 1, MPI_INT, left, 40 + i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = MANY - 1; i >= 0; --i) {
    const int value = rank * 100 + i;
    if (i % 5 != 4) MPI_Send(&value, 1, MPI_INT, right, 40 + i, MPI_COMM_WORLD);
  }
  while (done < MANY / 5 * 4) {
    if (done % 2 == 0)
      EXPECT(MPI_Waitsome(MANY, requests, &count, indices, statuses) == MPI_SUCCESS && count > 0);
    else
      EXPECT(MPI_Testsome(MANY, requests, &count, indices, statuses) == MPI_SUCCESS && count >= 0);
    for (int i = 0; i < count; ++i) {
      const int at = indices[i];
      EXPECT(!seen[at]++ && in[at] == left * 100 + at && statuses[i].MPI_TAG == 40 + at);
      EXPECT(requests[at] == MPI_REQUEST_NULL);
    }
    done += count;
  }
  EXPECT(MPI_Testsome(MANY, requests, &count, indices, statuses) == MPI_SUCCESS && count == MPI_UNDEFINED);
  int flag = 0, index = 0;
  EXPECT(MPI_Testany(MANY, requests, &index, &flag, statuses) == MPI_SUCCESS && flag && index == MPI_UNDEFINED);
  EXPECT(MPI_Testall(MANY, requests, &flag, statuses) == MPI_SUCCESS && flag);
  MPI_Request_free(&inactive);
}

/* ---- generalized requests ---- */
static int queries, frees;
static int query(void* extra, MPI_Status* status) {
  ++queries;
  MPI_Status_set_elements(status, MPI_INT, *(int*)extra);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = 3;
  status->MPI_TAG = 4;
  return MPI_SUCCESS;
}
static int end(void* extra) {
  ++frees;
  EXPECT(*(int*)extra == 17);
  return MPI_SUCCESS;
}
static int cancel(void* extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}
static void generalized(void) {
  MPI_Request both[2];
  MPI_Status status;
  int extra = 17, index = -1, flag = -1, in = -1;
  EXPECT(MPI_Grequest_start(query, end, cancel, &extra, &both[0]) == MPI_SUCCESS);
  MPI_Irecv(&in, 1, MPI_INT, left, 60, MPI_COMM_WORLD, &both[1]);
  EXPECT(MPI_Test(&both[0], &flag, &status) == MPI_SUCCESS && !flag);
  MPI_Send(&rank, 1, MPI_INT, right, 60, MPI_COMM_WORLD);
  MPI_Waitany(2, both, &index, &status);
  EXPECT(index == 1 && in == left && frees == 0);
  EXPECT(MPI_Grequest_complete(both[0]) == MPI_SUCCESS);
  MPI_Waitany(2, both, &index, &status);
  EXPECT(index == 0 && queries >= 1 && frees == 1 && both[0] == MPI_REQUEST_NULL);
  EXPECT(status.MPI_SOURCE == 3 && status.MPI_TAG == 4 && count_of(&status, MPI_INT) == 17);
}

/* Room for just two messages of 100 bytes: a third must wait until one is delivered, or fail; after the detach there is
 * none. */
static void buffered(void) {
  const int size = 2 * (100 + MPI_BSEND_OVERHEAD);
  char* memory = malloc((size_t)size);
  char message[100], in[100];
  void* back = NULL;
  int back_size = 0;
  EXPECT(MPI_Buffer_attach(memory, size) == MPI_SUCCESS);
  for (int round = 0; round < 3; ++round) { /* what is delivered gives its room back */
    for (int i = 0; i < 2; ++i) {
      fill(message, sizeof message, rank, 10 * round + i);
      EXPECT(MPI_Bsend(message, 100, MPI_BYTE, right, 70, MPI_COMM_WORLD) == MPI_SUCCESS);
      memset(message, 0, sizeof message); /* at once the sender's again */
    }
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(in, 100, MPI_BYTE, left, 70, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(is_filled(in, 100, left, 10 * round + i));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  EXPECT(MPI_Buffer_detach(&back, &back_size) == MPI_SUCCESS && back == memory && back_size == size);
  free(memory);
}

/* A synchronous send ends no earlier than its receive begins. */
static void synchronous(void) {
  if (rank > 1 || ranks < 2) return;
  double begun = 0;
  if (rank == 0) {
    MPI_Ssend(NULL, 0, MPI_BYTE, 1, 80, MPI_COMM_WORLD);
    const double ended = MPI_Wtime();
    MPI_Recv(&begun, 1, MPI_DOUBLE, 1, 81, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(ended > begun);
  } else {
    hal_sleep_ps(HAL_PS_PER_MS);
    begun = MPI_Wtime();
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 80, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&begun, 1, MPI_DOUBLE, 0, 81, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  ready();
  matched();
  cancelled();
  freed();
  some();
  generalized();
  buffered();
  synchronous();
  return finish();
}
