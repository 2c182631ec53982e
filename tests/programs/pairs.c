/* Micro-benchmarks of several pairs at once, in both directions, and of nonblocking collective operations overlapped
 * with computing: options on the command line, aligned buffers, a table printed by rank 0, checked results. */
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { WINDOW = 32 };
static int size, iterations = 4, warm_up = 1, most_bytes = 1 << 16;
static char *out, *in;

static char* aligned(size_t bytes) {
  void* memory = NULL;
  CHECK(posix_memalign(&memory, (size_t)sysconf(_SC_PAGESIZE), bytes) == 0);
  memset(memory, 0, bytes);
  return memory;
}

static void options(int argc, char** argv) {
  static const struct option known[] = {{"iterations", required_argument, NULL, 'i'},
                                        {"warmup", required_argument, NULL, 'x'},
                                        {"message-size", required_argument, NULL, 'm'},
                                        {NULL, 0, NULL, 0}};
  int option;
  optind = 1;
  while ((option = getopt_long(argc, argv, "i:x:m:", known, NULL)) != -1) switch (option) {
      case 'i':
        iterations = atoi(optarg);
        break;
      case 'x':
        warm_up = atoi(optarg);
        break;
      case 'm':
        most_bytes = atoi(optarg);
        break;
      default:
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

/* ---- several pairs: the lower half sends windows of messages to the upper half ---- */
static void rates(void) {
  const int pairs = size / 2, sends = rank < pairs, peer = sends ? rank + pairs : rank - pairs;
  MPI_Request requests[2 * WINDOW];
  MPI_Comm those;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 * pairs, rank, &those);
  for (int bytes = 1; bytes <= most_bytes && rank < 2 * pairs; bytes *= 8)
    for (int both = 0; both < 2; ++both) {
      double start = 0, slowest = 0, own;
      char answer = 0;
      memset(out, rank + 1, bytes);
      MPI_Barrier(those);
      for (int i = -warm_up; i < iterations; ++i) {
        int count = 0;
        if (i == 0) start = MPI_Wtime();
        if (!sends || both)
          for (int w = 0; w < WINDOW; ++w) MPI_Irecv(in, bytes, MPI_CHAR, peer, 10, those, &requests[count++]);
        if (sends || both)
          for (int w = 0; w < WINDOW; ++w) MPI_Isend(out, bytes, MPI_CHAR, peer, 10, those, &requests[count++]);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        if (sends)
          MPI_Recv(&answer, 1, MPI_CHAR, peer, 101, those, MPI_STATUS_IGNORE);
        else
          MPI_Send(out, 1, MPI_CHAR, peer, 101, those);
      }
      own = MPI_Wtime() - start;
      if (!sends || both) CHECK(in[0] == (char)(peer + 1) && in[bytes - 1] == (char)(peer + 1));
      MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, those);
      const double messages = (double)pairs * iterations * WINDOW * (1 + both);
      if (rank == 0) {
        CHECK(slowest > 0);
        fprintf(stdout, "%-*d%*.*f%*.*f\n", 10, bytes, 18, 2, messages * bytes / slowest / 1e6, 18, 2,
                messages / slowest);
        fflush(stdout);
      }
    }
  MPI_Comm_free(&those);
}

/* ---- latency of all pairs at once ---- */
static void latency(void) {
  const int pairs = size / 2, lower = rank < pairs, peer = lower ? rank + pairs : rank - pairs;
  for (int bytes = 0; bytes <= 4096; bytes = bytes ? 4 * bytes : 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < iterations && rank < 2 * pairs; ++i) {
      if (lower) MPI_Send(out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
      MPI_Recv(in, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!lower) MPI_Send(out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
    double half = (MPI_Wtime() - start) * 1e6 / (2.0 * iterations), sum = 0;
    MPI_Reduce(&half, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && pairs > 0) CHECK(sum / size > 0.1 && sum / size < 1e5);
  }
}

/* ---- collective operations overlapped with computing that calls MPI_Test at intervals ---- */
static void compute(double seconds, MPI_Request* request) {
  const double end = MPI_Wtime() + seconds;
  int flag;
  while (MPI_Wtime() < end) {
    usleep(5);
    if (request) MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  }
}

enum { BARRIER, BCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, ALLTOALLV, GATHERV, OPERATIONS };
static const char* const names[] = {"ibarrier",  "ibcast",  "igather",    "iscatter",   "iallgather",
                                    "ialltoall", "ireduce", "iallreduce", "ialltoallv", "igatherv"};

static void begin(int operation, int words, int* counts, int* offsets, MPI_Request* request) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  switch (operation) {
    case BARRIER:
      MPI_Ibarrier(comm, request);
      break;
    case BCAST:
      MPI_Ibcast(rank == 0 ? out : in, words, MPI_INT, 0, comm, request);
      break;
    case GATHER:
      MPI_Igather(out, words, MPI_INT, in, words, MPI_INT, 0, comm, request);
      break;
    case SCATTER:
      MPI_Iscatter(out, words, MPI_INT, in, words, MPI_INT, 0, comm, request);
      break;
    case ALLGATHER:
      MPI_Iallgather(out, words, MPI_INT, in, words, MPI_INT, comm, request);
      break;
    case ALLTOALL:
      MPI_Ialltoall(out, words, MPI_INT, in, words, MPI_INT, comm, request);
      break;
    case REDUCE:
      MPI_Ireduce(out, in, words, MPI_INT, MPI_SUM, 0, comm, request);
      break;
    case ALLREDUCE:
      MPI_Iallreduce(out, in, words, MPI_INT, MPI_SUM, comm, request);
      break;
    case ALLTOALLV:
      MPI_Ialltoallv(out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT, comm, request);
      break;
    default:
      MPI_Igatherv(out, words, MPI_INT, in, counts, offsets, MPI_INT, 0, comm, request);
  }
}

/* Element k of block b depends on rank (times 10000), b (times 100) and k. */
static void result_is_right(int operation, int words) {
  const int* got = (const int*)in;
  const int everywhere = operation == ALLGATHER || operation == ALLTOALL || operation == ALLTOALLV;
  if (operation == BARRIER || (operation == BCAST && rank == 0)) return;
  if (operation == BCAST) CHECK(got[words - 1] == words - 1);
  if (operation == SCATTER) CHECK(got[words - 1] == rank * 100 + words - 1);
  if ((operation == REDUCE && rank == 0) || operation == ALLREDUCE)
    CHECK(got[words - 1] == size * (size - 1) / 2 * 10000 + size * (words - 1));
  if (everywhere || (rank == 0 && (operation == GATHER || operation == GATHERV)))
    for (int r = 0; r < size; ++r) {
      const int block = operation == ALLTOALL || operation == ALLTOALLV ? rank : 0;
      CHECK(got[r * words + words - 1] == r * 10000 + block * 100 + words - 1);
    }
}

static void behind_a_computation(void) {
  int *counts = malloc(size * sizeof(int)), *offsets = malloc(size * sizeof(int));
  MPI_Request request;
  for (int words = 1; words <= 64; words *= 8) {
    for (int r = 0; r < size; ++r) {
      counts[r] = words;
      offsets[r] = r * words;
      for (int k = 0; k < words; ++k) ((int*)out)[r * words + k] = rank * 10000 + r * 100 + k;
    }
    for (int operation = 0; operation < OPERATIONS; ++operation) {
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      begin(operation, words, counts, offsets, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      const double alone = MPI_Wtime() - start;
      memset(in, 0, (size_t)words * size * sizeof(int));
      MPI_Barrier(MPI_COMM_WORLD);
      start = MPI_Wtime();
      begin(operation, words, counts, offsets, &request);
      compute(alone + 50e-6, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      const double together = MPI_Wtime() - start;
      CHECK(together >= alone + 50e-6 && request == MPI_REQUEST_NULL);
      result_is_right(operation, words);
      if (rank == 0 && words == 64) printf("%-12s %10.2f %10.2f us\n", names[operation], alone * 1e6, together * 1e6);
    }
  }
  free(counts), free(offsets);
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv);
  out = aligned((size_t)most_bytes * 2);
  in = aligned((size_t)most_bytes * 2);
  rates();
  latency();
  behind_a_computation();
  free(out), free(in);
  if (rank == 0) printf("PASS pairs on %d ranks\n", size);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
