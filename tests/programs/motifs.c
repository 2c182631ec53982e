/* Communication motifs: faces of a 3D grid sent to six neighbours, then sweeps over a 2D grid from its four corners. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FIELDS 3
#define PLANES 6 /* of a sweep, in blocks */

static int rank, ranks, wrong;

static int value(int of, int what, int i) { return of * 1000 + what * 100 + i % 97; }

/* ---- halo ---- */
static void halo(int repeats, int cells) {
  int dims[3] = {0, 0, 0}, periods[3] = {0, 1, 0}, peers[6];
  MPI_Comm grid;
  MPI_Dims_create(ranks, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
  for (int d = 0; d < 3; ++d) MPI_Cart_shift(grid, d, 1, &peers[2 * d], &peers[2 * d + 1]);
  const int count = cells * cells * FIELDS;
  int *out[6], *in[6];
  for (int face = 0; face < 6; ++face) {
    out[face] = malloc((size_t)count * sizeof(int));
    in[face] = malloc((size_t)count * sizeof(int));
    for (int i = 0; i < count; ++i) out[face][i] = value(rank, face, i);
  }
  for (int repeat = 0; repeat < repeats; ++repeat) {
    MPI_Request requests[12];
    int used = 0;
    usleep(5); /* stands for computing */
    for (int face = 0; face < 6; ++face)
      if (peers[face] != MPI_PROC_NULL) MPI_Irecv(in[face], count, MPI_INT, peers[face], face, grid, &requests[used++]);
    for (int face = 0; face < 6; ++face)
      if (peers[face] != MPI_PROC_NULL)
        MPI_Isend(out[face], count, MPI_INT, peers[face], face ^ 1, grid, &requests[used++]);
    MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
    for (int face = 0; face < 6; ++face)
      for (int i = 0; i < count && peers[face] != MPI_PROC_NULL; ++i)
        wrong += in[face][i] != value(peers[face], face ^ 1, i);
  }
  for (int face = 0; face < 6; ++face) free(out[face]), free(in[face]);
  MPI_Comm_free(&grid);
}

/* ---- sweep: each adds its inputs in x and in y, and forwards the sum ---- */
static int ways(int x, int y) { /* paths of unit steps, small */
  static int table[64][64];
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) table[i][j] = i == 0 || j == 0 ? 1 : (table[i - 1][j] + table[i][j - 1]) % 1000003;
  return table[x][y];
}

static void sweep(int count) {
  int px = 1;
  while ((px + 1) * (px + 1) <= ranks) ++px;
  while (ranks % px) --px;
  const int py = ranks / px, x = rank % px, y = rank / px;
  int *in_x = calloc(count, sizeof(int)), *in_y = calloc(count, sizeof(int)),
      *sum = malloc((size_t)count * sizeof(int));
  for (int corner = 0; corner < 4; ++corner) {
    const int dx = corner & 1 ? -1 : 1, dy = corner & 2 ? -1 : 1;
    const int left = dx > 0 ? x : px - 1 - x, below = dy > 0 ? y : py - 1 - y;
    for (int plane = 0; plane < PLANES; ++plane) {
      if (left > 0) MPI_Recv(in_x, count, MPI_INT, rank - dx, 1000 + corner, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (below > 0) MPI_Recv(in_y, count, MPI_INT, rank - dy * px, 2000 + corner, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < count; ++i) sum[i] = left == 0 || below == 0 ? 1 : (in_x[i] + in_y[i]) % 1000003;
      wrong += sum[count - 1] != ways(left, below);
      if (left < px - 1) MPI_Send(sum, count, MPI_INT, rank + dx, 1000 + corner, MPI_COMM_WORLD);
      if (below < py - 1) MPI_Send(sum, count, MPI_INT, rank + dy * px, 2000 + corner, MPI_COMM_WORLD);
    }
  }
  free(in_x), free(in_y), free(sum);
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  halo(4, 5);
  halo(2, 40);
  sweep(10);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%s\n", wrong ? "FAIL" : "PASS");
  MPI_Finalize();
  return wrong != 0;
}
