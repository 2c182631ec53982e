/* Latency, bandwidth in windows, in both directions, and collectives, by size. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 64
#define LARGEST (1 << 17)
#define SKIP 2
#define LOOPS 6

static char *out, *in;
static int rank, size;

static double latency(int bytes) {
  MPI_Status status;
  double start = 0;
  for (int i = 0; i < LOOPS + SKIP; ++i) {
    if (i == SKIP) start = MPI_Wtime();
    if (rank == 0) {
      MPI_Send(out, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(in, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &status);
    } else if (rank == 1) {
      MPI_Recv(in, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &status);
      MPI_Send(out, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
  }
  return (MPI_Wtime() - start) * 1e6 / (2.0 * LOOPS);
}

/* Each window is answered by 4 bytes. */
static double bandwidth(int bytes, int both_ways) {
  MPI_Request requests[2 * WINDOW];
  const int other = 1 - rank;
  double start = 0;
  for (int i = 0; i < LOOPS + SKIP && rank < 2; ++i) {
    int used = 0;
    if (i == SKIP) start = MPI_Wtime();
    for (int j = 0; j < WINDOW && (rank == 1 || both_ways); ++j)
      MPI_Irecv(in, bytes, MPI_CHAR, other, 10, MPI_COMM_WORLD, &requests[used++]);
    for (int j = 0; j < WINDOW && (rank == 0 || both_ways); ++j)
      MPI_Isend(out, bytes, MPI_CHAR, other, 10, MPI_COMM_WORLD, &requests[used++]);
    MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
      MPI_Recv(in, 4, MPI_CHAR, 1, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(out, 4, MPI_CHAR, 0, 101, MPI_COMM_WORLD);
  }
  return (both_ways ? 2.0 : 1.0) * bytes * LOOPS * WINDOW / (MPI_Wtime() - start) / 1e6;
}

static double allreduce(int count) {
  float *values = malloc((size_t)count * sizeof *values), *sums = malloc((size_t)count * sizeof *sums);
  double total = 0, mean;
  for (int i = 0; i < count; ++i) values[i] = 1.0f;
  for (int i = 0; i < LOOPS; ++i) {
    const double start = MPI_Wtime();
    MPI_Allreduce(values, sums, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    total += MPI_Wtime() - start;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < count; ++i)
    if (sums[i] != (float)size) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Reduce(&total, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  free(values);
  free(sums);
  return mean * 1e6 / (LOOPS * (double)size);
}

static double alltoall(int bytes) {
  char *send = malloc((size_t)bytes * size), *receive = malloc((size_t)bytes * size);
  memset(send, rank + 1, (size_t)bytes * size);
  const double start = MPI_Wtime();
  for (int i = 0; i < LOOPS; ++i) MPI_Alltoall(send, bytes, MPI_CHAR, receive, bytes, MPI_CHAR, MPI_COMM_WORLD);
  const double time = MPI_Wtime() - start;
  for (int i = 0; i < size * bytes; ++i)
    if (receive[i] != (char)(i / bytes + 1)) MPI_Abort(MPI_COMM_WORLD, 3);
  free(send);
  free(receive);
  return time * 1e6 / LOOPS;
}

int main(int argc, char* argv[]) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    fprintf(stderr, "This test requires at least two processes\n");
    MPI_Finalize();
    return EXIT_FAILURE;
  }
  if (posix_memalign((void**)&out, 4096, LARGEST) || posix_memalign((void**)&in, 4096, LARGEST)) return EXIT_FAILURE;
  memset(out, 'a', LARGEST);
  memset(in, 'b', LARGEST);
  double last = 0;
  for (int bytes = 0; bytes <= LARGEST; bytes = bytes ? bytes * 4 : 1) {
    const double us = latency(bytes);
    for (int i = 0; rank < 2 && i < bytes; ++i)
      if (in[i] != 'a') MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0) printf("%-10d%10.2f\n", bytes, us);
    if (rank == 0 && (us <= 0 || (bytes > 4096 && us < last))) MPI_Abort(MPI_COMM_WORLD, 4);
    last = us;
  }
  for (int bytes = 4; bytes <= LARGEST; bytes *= 32) {
    const double one = bandwidth(bytes, 0), two = bandwidth(bytes, 1);
    if (rank == 0) printf("%-10d%10.2f%10.2f MB/s\n", bytes, one, two);
  }
  for (int count = 1; count <= 4096; count *= 16) {
    const double us = allreduce(count), all = alltoall(count);
    if (rank == 0) printf("%-10d%10.2f%10.2f\n", count, us, all);
  }
  free(out);
  free(in);
  MPI_Finalize();
  if (rank == 0) printf("PASS\n");
  return 0;
}
