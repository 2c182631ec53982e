// Memory of a node with 64 MiB: what counts is what has been written to. `memory touch` writes to all of it and more,
// `memory receive` has the card do so, `memory read` a system call.
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES = 20, MIB = 1 << 20, PIECE = 8 * MIB };

static char* pieces[PIECES];

static void touch(char* piece) { memset(piece, 1, PIECE); }

// Pages of the receiver that only its card has written to.
static void receive(char* piece) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static char sent[MIB];
  for (int at = 0; at < PIECE; at += MIB) {
    if (rank == 0) MPI_Send(sent, MIB, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(piece + at, MIB, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void read_random(char* piece) {
  const int file = open("/dev/urandom", O_RDONLY);
  if (read(file, piece, PIECE) != PIECE) printf("it read less\n");
  close(file);
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  if (malloc((size_t)100 * MIB) != NULL) printf("more than the node has is granted\n");
  for (int i = 0; i < PIECES; ++i)
    if ((pieces[i] = malloc(PIECE)) == NULL) printf("piece %d is refused\n", i);
  for (int i = 0; i < PIECES; ++i)  // one page each, also of what is read
    if (pieces[i][4096] != 0) printf("piece %d is not zero\n", i);
  for (int round = 0; round < 3; ++round) {  // given back and touched again: fits
    char* const piece = malloc(PIECE);
    touch(piece);
    free(piece);
  }
  for (int i = 0; i < PIECES; ++i) {
    if (strcmp(way, "touch") == 0) touch(pieces[i]);
    if (strcmp(way, "receive") == 0) receive(pieces[i]);
    if (strcmp(way, "read") == 0) read_random(pieces[i]);
  }
  MPI_Finalize();
  printf("the memory is right\n");
  return 0;
}
