/* Every word in transit is checked: a ring of messages of all sizes, an exchange among all, a reduction. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS_MOST 8192
#define ROUNDS 4

static unsigned word(int from, int to, int round, int i) {
  return (unsigned)from * 2654435761u + (unsigned)to * 40503u + (unsigned)round * 69069u + (unsigned)i;
}

static void fill(unsigned* words, int count, int from, int to, int round) {
  for (int i = 0; i < count; ++i) words[i] = word(from, to, round, i);
}

static long wrong_words(const unsigned* words, int count, int from, int to, int round) {
  long wrong = 0;
  for (int i = 0; i < count; ++i) wrong += words[i] != word(from, to, round, i);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int most = argc > 1 ? atoi(argv[1]) : WORDS_MOST;
  unsigned* out = malloc(sizeof *out * (size_t)most);
  unsigned* in = malloc(sizeof *in * (size_t)most);
  long wrong = 0, all = 0;
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int round = 0; round < ROUNDS; ++round)
    for (int count = 1; count <= most; count *= 8) {
      fill(out, count, rank, next, round);
      MPI_Sendrecv(out, count, MPI_UNSIGNED, next, round, in, count, MPI_UNSIGNED, before, round, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      wrong += wrong_words(in, count, before, rank, round);
    }

  const int block = most / size;
  for (int to = 0; to < size; ++to) fill(out + to * block, block, rank, to, ROUNDS);
  MPI_Alltoall(out, block, MPI_UNSIGNED, in, block, MPI_UNSIGNED, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from) wrong += wrong_words(in + from * block, block, from, rank, ROUNDS);

  MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (wrong > 0) fprintf(stderr, "rank %d: %ld wrong words\n", rank, wrong);
  if (rank == 0 && all == 0) printf("PASS\n");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
