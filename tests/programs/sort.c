/* Bucket sort of integer keys, repeated: 65536 keys below 2048, ten times. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define KEYS (1 << 16)
#define LARGEST_KEY (1 << 11)
#define BUCKETS (1 << 9)
#define SHIFT 2 /* keys per bucket: LARGEST_KEY / BUCKETS */
#define ITERATIONS 10

static int rank, size;

/* A generator that gives each process a separate part of one sequence. */
static double next_random(unsigned long long* seed) {
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

/* Sorts the keys of all processes; returns this process's part, whose length is stored in `count`. */
static int* sort_once(const int* keys, int own, int* count) {
  int *local = calloc(BUCKETS, sizeof(int)), *all = calloc(BUCKETS, sizeof(int)),
      *owner = malloc(BUCKETS * sizeof(int));
  int *send_count = calloc(size, sizeof(int)), *send_at = calloc(size + 1, sizeof(int));
  int *receive_count = calloc(size, sizeof(int)), *receive_at = calloc(size + 1, sizeof(int));
  for (int i = 0; i < own; ++i) ++local[keys[i] >> SHIFT];
  MPI_Allreduce(local, all, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  long sum = 0, total = 0;
  for (int i = 0; i < BUCKETS; ++i) total += all[i];
  for (int i = 0; i < BUCKETS; sum += all[i++]) owner[i] = (int)(sum * size / (total + 1));
  for (int i = 0; i < BUCKETS; ++i) send_count[owner[i]] += local[i];
  MPI_Alltoall(send_count, 1, MPI_INT, receive_count, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    send_at[i + 1] = send_at[i] + send_count[i];
    receive_at[i + 1] = receive_at[i] + receive_count[i];
  }
  int *send = malloc((own + 1) * sizeof(int)), *next = malloc(size * sizeof(int));
  for (int i = 0; i < size; ++i) next[i] = send_at[i];
  for (int i = 0; i < own; ++i) send[next[owner[keys[i] >> SHIFT]]++] = keys[i];
  *count = receive_at[size];
  int* mine = malloc((*count + 1) * sizeof(int));
  MPI_Alltoallv(send, send_count, send_at, MPI_INT, mine, receive_count, receive_at, MPI_INT, MPI_COMM_WORLD);
  qsort(mine, *count, sizeof(int), compare);
  free(local), free(all), free(owner), free(send_count), free(send_at), free(receive_count), free(receive_at);
  free(send), free(next);
  return mine;
}

/* The part is sorted, not below the part of the previous process, and no key is lost. */
static int is_sorted(const int* mine, int count) {
  int wrong = 0, before = -1, last = count > 0 ? mine[count - 1] : -1, total;
  for (int i = 1; i < count; ++i) wrong += mine[i - 1] > mine[i];
  MPI_Exscan(&last, &before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank > 0 && count > 0) wrong += mine[0] < before;
  MPI_Reduce(&count, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) wrong += total != KEYS / size * size;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return wrong == 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int own = KEYS / size;
  int *keys = malloc(own * sizeof(int)), good = 1;
  unsigned long long seed = 314159265ull + (unsigned long long)rank * 271828183ull;
  for (int i = 0; i < own; ++i) {
    double x = 0;
    for (int k = 0; k < 4; ++k) x += next_random(&seed);
    keys[i] = (int)(x * LARGEST_KEY / 4);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 1; iteration <= ITERATIONS; ++iteration) {
    int count;
    keys[iteration % own] = iteration;
    int* mine = sort_once(keys, own, &count);
    good &= is_sorted(mine, count);
    free(mine);
  }
  double time = MPI_Wtime() - start, most;
  MPI_Reduce(&time, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d keys, %d times: %.3f ms\n%s\n", KEYS, ITERATIONS, most * 1e3, good ? "PASS" : "FAIL");
  MPI_Finalize();
  return !good;
}
