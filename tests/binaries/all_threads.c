// OpenMP in each rank, MPI calls from all threads at once: messages by tag, collectives on a communicator of each
// thread, one-sided updates, probes.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 8, LONG = 3000 };

int main(int argc, char** argv) {
  int provided, rank, ranks, wrong = 0;
  MPI_Comm of_thread[THREADS];
  MPI_Win window;
  long* counters;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[i]);
  MPI_Win_allocate(THREADS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &window);
  for (int i = 0; i < THREADS; ++i) counters[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
  {
    const int thread = omp_get_thread_num(), right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    int* const sent = malloc(LONG * sizeof *sent);
    int* const got = malloc(LONG * sizeof *got);
    for (int round = 0; round < ROUNDS; ++round) {
      const int count = round % 2 == 0 ? 5 : LONG;
      for (int i = 0; i < count; ++i) sent[i] = rank * 1000 + thread * 10 + round + i;
      MPI_Request requests[2];
      MPI_Status status;
      MPI_Irecv(got, LONG, MPI_INT, left, thread, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(sent, count, MPI_INT, right, thread, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      for (int i = 0; i < count; ++i) wrong += got[i] != left * 1000 + thread * 10 + round + i;
      int sum = 0;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, of_thread[thread]);
      wrong += sum != ranks * (ranks - 1) / 2;
      MPI_Bcast(sent, 3, MPI_INT, round % ranks, of_thread[thread]);
      wrong += sent[2] != round % ranks * 1000 + thread * 10 + round + 2;
      const long one = 1;
      long before;
      MPI_Fetch_and_op(&one, &before, MPI_LONG, right, thread, MPI_SUM, window);
      MPI_Win_flush(right, window);
      wrong += before != round;
      MPI_Isend(&round, 1, MPI_INT, right, 100 + thread, MPI_COMM_WORLD, &requests[0]);
      MPI_Probe(left, 100 + thread, MPI_COMM_WORLD, &status);
      int value = -1;
      MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      wrong += value != round;
    }
    free(sent);
    free(got);
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < THREADS; ++i) wrong += counters[i] != ROUNDS;
  MPI_Win_free(&window);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_free(&of_thread[i]);
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong with all threads: %d\n", provided == MPI_THREAD_MULTIPLE, all);
  MPI_Finalize();
  return 0;
}
