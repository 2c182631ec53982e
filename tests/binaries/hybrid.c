/* OpenMP in each rank, MPI between them: pi by the midpoint rule. Only the main thread calls MPI. */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#define STEPS 400000

int main(int argc, char** argv) {
  int provided, rank, ranks, threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double sum = 0, all = 0;
  const double begin = MPI_Wtime();
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for schedule(static)
    for (int i = rank; i < STEPS; i += ranks) {
      const double x = (i + 0.5) / STEPS;
      sum += 4 / (1 + x * x) / STEPS;
    }
  }
  const double took = MPI_Wtime() - begin;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks of %d threads, level %d, pi %.9f, %.6f s\n", ranks, threads, provided == MPI_THREAD_FUNNELED, all,
           took);
    if (fabs(all - acos(-1.0)) < 1e-9) puts("the hybrid is right");
  }
  MPI_Finalize();
  return 0;
}
