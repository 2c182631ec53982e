/* Messages by both ways at once, through the node's memory and through the card: every rank sends to every rank, itself
 * too, and the receivers use wildcards, early and late. What each sender sent comes in order, whole and once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"

enum { COUNT = 24, MOST = 70000, TAGS = 2 };

static int rank, ranks;

static void expect(int good, const char* what) {
  if (good) return;
  char text[128];
  snprintf(text, sizeof text, "rank %d of %d: not so: %s", rank, ranks, what);
  hal_abort(text);
}

static size_t size_of(int from, int to, int number) {
  static const size_t sizes[] = {8, 3000, 288, 8, 64, 5000, MOST, 8, 289, 16};
  return sizes[(unsigned)(from * 7 + to * 3 + number) % (sizeof sizes / sizeof *sizes)];
}

static void fill(unsigned char* data, int from, int to, int number) {
  const size_t size = size_of(from, to, number);
  for (size_t i = 0; i < size; ++i) data[i] = (unsigned char)(i * 5 + (size_t)(from * 31 + to * 17 + number));
  memcpy(data, &number, sizeof number);
}

static void check(const unsigned char* data, int bytes, int from, int* next) {
  static unsigned char wanted[MOST];
  int number = -1;
  memcpy(&number, data, sizeof number);
  expect(number == *next, "the messages of one sender with one tag come in the order in which they were sent");
  expect((size_t)bytes == size_of(from, rank, number), "a message has its size");
  fill(wanted, from, rank, number);
  expect(memcmp(data, wanted, (size_t)bytes) == 0, "a message has its bytes");
  *next += TAGS;
}

/* Messages with an even number have tag 0, the others 1. `how`: any source and tag; any source; neither. */
static void all_to_all(int how, int receivers_late) {
  unsigned char* out = malloc((size_t)ranks * COUNT * MOST);
  unsigned char* in = malloc(MOST);
  MPI_Request* sends = malloc((size_t)ranks * COUNT * sizeof(MPI_Request));
  int(*next)[TAGS] = malloc((size_t)ranks * sizeof *next);
  for (int from = 0; from < ranks; ++from) next[from][0] = 0, next[from][1] = 1;
  int sent = 0;
  for (int number = 0; number < COUNT; ++number)
    for (int to = 0; to < ranks; ++to, ++sent) {
      fill(out + (size_t)sent * MOST, rank, to, number);
      MPI_Isend(out + (size_t)sent * MOST, (int)size_of(rank, to, number), MPI_CHAR, to, number % TAGS, MPI_COMM_WORLD,
                &sends[sent]);
    }
  if (receivers_late) hal_sleep_ps(300000000);
  for (int i = 0; i < ranks * COUNT; ++i) {
    MPI_Status status;
    int bytes = 0;
    const int from = how < 2 ? MPI_ANY_SOURCE : i % ranks, tag = how < 1 ? MPI_ANY_TAG : i / ranks % TAGS;
    MPI_Recv(in, MOST, MPI_CHAR, from, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &bytes);
    check(in, bytes, status.MPI_SOURCE, &next[status.MPI_SOURCE][status.MPI_TAG]);
  }
  MPI_Waitall(sent, sends, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    expect(next[from][0] == COUNT && next[from][1] == COUNT + 1, "every message comes once");
  free(out);
  free(in);
  free(sends);
  free(next);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Receives posted before anything comes: a wildcard first takes the first message, from wherever it is; the named ones
 * behind it take what it leaves. */
static void posted_in_order(void) {
  int first = -1, named[64];
  MPI_Status status;
  MPI_Request any, rest[64];
  if (rank == 0) {
    MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &any);
    for (int i = 1; i < ranks; ++i) MPI_Irecv(&named[i], 1, MPI_INT, i, 7, MPI_COMM_WORLD, &rest[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 0)
    for (int i = 0; i < 2; ++i) {
      const int value = 10 * rank + i;
      MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
  if (rank == 0 && ranks > 1) {
    MPI_Wait(&any, &status);
    expect(first == 10 * status.MPI_SOURCE, "the wildcard takes a first message");
    for (int i = 1; i < ranks; ++i) {
      MPI_Wait(&rest[i], MPI_STATUS_IGNORE);
      expect(named[i] == 10 * i + (i == status.MPI_SOURCE), "a named receive takes the next message of its sender");
    }
    for (int i = 1; i < ranks; ++i)
      if (i != status.MPI_SOURCE) {
        MPI_Recv(&first, 1, MPI_INT, i, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(first == 10 * i + 1, "and leaves the one after it");
      }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A process in a barrier still takes what its neighbours send, of any size. */
static void progress_in_a_barrier(void) {
  enum { LARGE = 300000 };
  static char data[LARGE];
  const int peer = rank ^ 1;
  MPI_Request request;
  if (peer < ranks && rank % 2 == 0) MPI_Irecv(data, LARGE, MPI_CHAR, peer, 9, MPI_COMM_WORLD, &request);
  if (peer < ranks && rank % 2 == 1) {
    memset(data, 'p', LARGE);
    MPI_Send(data, LARGE, MPI_CHAR, peer, 9, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (peer < ranks && rank % 2 == 0) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(data[0] == 'p' && data[LARGE - 1] == 'p', "a large message came meanwhile");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A probe and a cancel of what may come either way. */
static void probes(void) {
  if (rank == 0)
    for (int i = 1; i < ranks; ++i) {
      MPI_Status status;
      int value = 0;
      MPI_Probe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &status);
      MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect(value == status.MPI_SOURCE, "a probe names the sender");
    }
  if (rank > 0) MPI_Ssend(&rank, 1, MPI_INT, 0, 11, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int how = 0; how < 3; ++how)
    for (int late = 0; late < 2; ++late) all_to_all(how, late);
  posted_in_order();
  progress_in_a_barrier();
  probes();
  MPI_Finalize();
  if (rank == 0) printf("PASS\n");
  return 0;
}
