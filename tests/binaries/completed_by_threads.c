/* A thread completes operations of MPI_Grequest_start that another one waits for, alone and beside messages and
 * accesses of a file, with each call that waits. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define LATER_US 200
#define ROUNDS 3

static int rank, right, wrong, freed;
static MPI_File file;

static void expect(int good) { wrong += !good; }

static int query(void* extra, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, *(int*)extra);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = *(int*)extra;
  return MPI_SUCCESS;
}
static int release(void* extra) {
  (void)extra;
  ++freed;
  return MPI_SUCCESS;
}
static int cancel(void* extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}

static void* complete_later(void* request) {
  usleep(LATER_US);
  MPI_Grequest_complete(*(MPI_Request*)request);
  return NULL;
}
static void* send_later(void* unused) {
  usleep(LATER_US);
  MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
  return unused;
}

static MPI_Request begun(int* value) {
  MPI_Request request;
  MPI_Grequest_start(query, release, cancel, value, &request);
  return request;
}

static void alone(void) {
  int value = 5, index, done, which;
  MPI_Status status;
  for (int way = 0; way < 4; ++way) {
    MPI_Request request = begun(&value);
    const MPI_Request copy = request;
    pthread_t thread;
    pthread_create(&thread, NULL, complete_later, (void*)&copy);
    if (way == 0) MPI_Wait(&request, &status);
    if (way == 1) MPI_Waitall(1, &request, &status);
    if (way == 2) MPI_Waitany(1, &request, &index, &status);
    if (way == 3) MPI_Waitsome(1, &request, &done, &which, &status);
    expect(request == MPI_REQUEST_NULL && status.MPI_TAG == 5 && freed == way + 1);
    pthread_join(thread, NULL);
  }
}

/* Threads end one of two, and then the other one. The ranks begin together, so that no message comes too early. */
static void beside_a_message(int message_first) {
  int value = 7, got = -1, index;
  MPI_Status status;
  pthread_t threads[2];
  MPI_Request requests[2];
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[1]);
  const MPI_Request copy = requests[0] = begun(&value);
  for (int i = 0; i < 2; ++i) {
    const int message = i != message_first;
    if (message) MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&threads[i], NULL, message ? send_later : complete_later, (void*)&copy);
    MPI_Waitany(2, requests, &index, &status);
    expect(index == message);
    expect(status.MPI_SOURCE == (message ? got : 7));
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void beside_a_file(void) {
  int value = 9, in = rank, indices[2], done = 0;
  MPI_Status statuses[2];
  MPI_Request requests[2] = {begun(&value)};
  const MPI_Request copy = requests[0];
  pthread_t thread;
  MPI_File_iwrite_at(file, 4 * (MPI_Offset)rank, &in, 1, MPI_INT, &requests[1]);
  pthread_create(&thread, NULL, complete_later, (void*)&copy);
  for (int left = 2; left > 0; left -= done) MPI_Waitsome(2, requests, &done, indices, statuses);
  expect(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  int level, ranks, all = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  MPI_File_open(MPI_COMM_WORLD, "completed", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  alone();
  for (int round = 0; round < ROUNDS; ++round) {
    beside_a_message(0);
    beside_a_message(1);
    beside_a_file();
  }
  MPI_File_close(&file);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong with completions by threads: %d\n", level == MPI_THREAD_MULTIPLE, all);
  return MPI_Finalize();
}
