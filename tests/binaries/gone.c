// Memory that is given back while a message is under way to it or from it. `gone receive`, `gone send`: rank 0 does so;
// `gone both`: and maps other memory there, which it writes to.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 48 << 10, ROUNDS = 4 };

static char* mapped(void* at) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at != NULL ? MAP_FIXED : 0);
  char* const memory = mmap(at, BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  memset(memory, 1, BYTES);
  return memory;
}

static void give_back(char* memory, int again) {
  munmap(memory, BYTES);
  if (again) mapped(memory);
}

int main(int argc, char** argv) {
  static char here[BYTES];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int sends = strcmp(argv[1], "send") == 0, again = strcmp(argv[1], "both") == 0;
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank == 0) {
      char* const memory = mapped(NULL);
      if (sends)
        MPI_Isend(memory, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
      else
        MPI_Irecv(memory, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
      give_back(memory, again);
      MPI_Send(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (sends)
        MPI_Recv(here, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else
        MPI_Send(here, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  printf("over\n");
  return 0;
}
