/* A star-shaped stencil of radius 2 on a square, distributed in two dimensions: repeatedly out += W * in, in += 1. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define R 2
#define SIDE 64
#define ITERATIONS 4
#define IN(i, j) in[((i) + R) * (wide + 2 * R) + (j) + R]

static void factor(int ranks, int* x, int* y) {
  for (*x = (int)sqrt(ranks + 1.0); *x > 1; --*x)
    if (ranks % *x == 0) break;
  *y = ranks / *x;
}

int main(int argc, char** argv) {
  int rank, ranks, nx, ny;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  factor(ranks, &nx, &ny);
  const int x = rank % nx, y = rank / nx;
  const int i0 = SIDE * y / ny, i1 = SIDE * (y + 1) / ny, j0 = SIDE * x / nx, j1 = SIDE * (x + 1) / nx;
  const int high = i1 - i0, wide = j1 - j0;
  double weight[2 * R + 1] = {0}, *in = calloc((size_t)(high + 2 * R) * (wide + 2 * R), sizeof *in);
  double *out = calloc((size_t)high * wide, sizeof *out), *columns = calloc((size_t)8 * R * high, sizeof *columns);
  for (int k = 1; k <= R; ++k) weight[R + k] = 1.0 / (2.0 * k * R), weight[R - k] = -weight[R + k];
  for (int i = 0; i < high; ++i)
    for (int j = 0; j < wide; ++j) IN(i, j) = (double)(i0 + i) + (double)(j0 + j);
  const int up = y + 1 < ny ? rank + nx : MPI_PROC_NULL, down = y > 0 ? rank - nx : MPI_PROC_NULL;
  const int right = x + 1 < nx ? rank + 1 : MPI_PROC_NULL, left = x > 0 ? rank - 1 : MPI_PROC_NULL;
  double *to_right = columns, *to_left = columns + R * high, *from_right = columns + 2 * R * high,
         *from_left = columns + 3 * R * high;
  MPI_Datatype rows;
  MPI_Type_vector(R, wide, wide + 2 * R, MPI_DOUBLE, &rows);
  MPI_Type_commit(&rows);
  for (int iteration = 0; iteration <= ITERATIONS; ++iteration) {
    MPI_Request request[8];
    MPI_Irecv(&IN(high, 0), 1, rows, up, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&IN(-R, 0), 1, rows, down, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(from_right, R * high, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &request[2]);
    MPI_Irecv(from_left, R * high, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &request[3]);
    for (int i = 0; i < high; ++i)
      for (int k = 0; k < R; ++k) to_right[i * R + k] = IN(i, wide - R + k), to_left[i * R + k] = IN(i, k);
    MPI_Isend(&IN(0, 0), 1, rows, down, 1, MPI_COMM_WORLD, &request[4]);
    MPI_Isend(&IN(high - R, 0), 1, rows, up, 2, MPI_COMM_WORLD, &request[5]);
    MPI_Isend(to_left, R * high, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &request[6]);
    MPI_Isend(to_right, R * high, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, &request[7]);
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < high; ++i)
      for (int k = 0; k < R; ++k) IN(i, wide + k) = from_right[i * R + k], IN(i, k - R) = from_left[i * R + k];
    for (int i = 0; i < high; ++i)
      for (int j = 0; j < wide; ++j) {
        if (i0 + i < R || i0 + i >= SIDE - R || j0 + j < R || j0 + j >= SIDE - R) continue;
        for (int k = -R; k <= R; ++k) out[i * wide + j] += weight[R + k] * (IN(i + k, j) + IN(i, j + k));
      }
    for (int i = 0; i < high; ++i)
      for (int j = 0; j < wide; ++j) IN(i, j) += 1.0;
  }
  double sum = 0, norm = 0;
  for (int i = 0; i < high * wide; ++i) sum += fabs(out[i]);
  MPI_Reduce(&sum, &norm, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  norm /= (double)(SIDE - 2 * R) * (SIDE - 2 * R);
  const double expected = (ITERATIONS + 1) * 2.0; /* the field rises by 1 per cell in both directions */
  const int good = rank != 0 || fabs(norm - expected) < 1e-8;
  if (rank == 0) printf("norm %.12f, expected %.1f\n%s\n", norm, expected, good ? "PASS" : "FAIL");
  MPI_Type_free(&rows);
  MPI_Finalize();
  return !good;
}
