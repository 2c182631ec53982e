/* A token goes around a ring of processes and is incremented by each. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(NULL, NULL);
  (void)argc;
  (void)argv;
  int rank, size, token = -1;
  char name[MPI_MAX_PROCESSOR_NAME];
  int name_length;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_processor_name(name, &name_length);
  if (rank != 0) {
    MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("Process %d on %s received token %d from process %d\n", rank, name, token, rank - 1);
    ++token;
  } else {
    token = 100;
  }
  if (size > 1) MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    if (size > 1) MPI_Recv(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (token != 100 + size - 1) MPI_Abort(MPI_COMM_WORLD, 1);
    printf("PASS\n");
  }
  MPI_Finalize();
  return 0;
}
