/* Threads of a rank take messages of any source and tag as they come (MPI_THREAD_MULTIPLE), each in a way of its own:
 * MPI_Mprobe, MPI_Improbe, MPI_Recv. Each message is taken once, whole, and as its probe has told. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 6
#define MESSAGES 60                 /* from each rank to each, the rank itself as well */
#define LARGEST (MESSAGES * 97 + 1) /* bytes: some travel at once, some wait for their receives */

static int rank, ranks, ways;
static int taken[THREADS], wrong[THREADS];
static int seen[64][MESSAGES];
static unsigned char ends[1]; /* of the threads */

static int size_of(int tag) { return tag * 97 % LARGEST; }
static unsigned char content(int from, int tag, int i) { return (unsigned char)(from * 5 + tag * 3 + i); }

static int check(int me, const unsigned char* data, const MPI_Status* status) {
  const int tag = status->MPI_TAG;
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (tag == MESSAGES) return 0;
  ++taken[me];
  ++seen[status->MPI_SOURCE][tag];
  wrong[me] += bytes != size_of(tag);
  for (int i = 0; i < bytes; ++i) wrong[me] += data[i] != content(status->MPI_SOURCE, tag, i);
  return 1;
}

static int take(int me, unsigned char* data) {
  MPI_Status status, probed;
  MPI_Message message;
  int bytes, flag = 0;
  const int way = (ways + me) % 3;
  if (way == 0) {
    MPI_Recv(data, LARGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    return check(me, data, &status);
  }
  if (way == 1)
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &probed);
  else
    while (!flag) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &probed);
  MPI_Get_count(&probed, MPI_BYTE, &bytes);
  MPI_Mrecv(data, bytes, MPI_BYTE, &message, &status);
  wrong[me] += probed.MPI_SOURCE != status.MPI_SOURCE || probed.MPI_TAG != status.MPI_TAG;
  return check(me, data, &status);
}

static void* work(void* argument) {
  const int me = *(const int*)argument;
  unsigned char* data = malloc(LARGEST);
  while (take(me, data)) continue;
  free(data);
  return NULL;
}

/* What a slower thread would take next is of another size. All have been taken when the last one, tag 0, has. */
static void send_all(void) {
  unsigned char data[LARGEST];
  for (int tag = MESSAGES - 1; tag >= 0; --tag)
    for (int to = 0; to < ranks; ++to) {
      for (int i = 0; i < size_of(tag); ++i) data[i] = content(rank, tag, i);
      (tag > 0 ? MPI_Send : MPI_Ssend)(data, size_of(tag), MPI_BYTE, to, tag, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  ways = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  send_all();
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < THREADS; ++i) MPI_Send(ends, 1, MPI_BYTE, rank, MESSAGES, MPI_COMM_WORLD);
  int all = 0, bad = 0;
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    all += taken[i];
    bad += wrong[i];
  }
  for (int from = 0; from < ranks; ++from)
    for (int tag = 0; tag < MESSAGES; ++tag) bad += seen[from][tag] != 1;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d messages were not taken once, wrong: %d\n", ranks * ranks * MESSAGES - all, bad);
  MPI_Finalize();
  return 0;
}
