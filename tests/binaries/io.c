// Files by streams and by POSIX, in each rank and, with `threads`, in several threads at once; prints what a write
// takes.
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 1 << 20, THREADS = 3 };

static int wrong;

static void expect(int is_so, const char* what) {
  if (is_so) return;
  ++wrong;
  printf("not so: %s\n", what);
}

static void stream(const char* name) {
  FILE* const file = fopen(name, "w+");
  int last = 0;
  for (int i = 0; i < 20000; ++i) fprintf(file, "%d\n", i);
  rewind(file);
  while (fscanf(file, "%d", &last) == 1) continue;
  expect(last == 19999 && feof(file), "a stream reads what it has written");
  fclose(file);
  unlink(name);
}

// Returns the seconds of the write.
static double posix(const char* name) {
  char *data = malloc(BYTES), *back = calloc(1, BYTES);
  memset(data, name[0], BYTES);
  const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  const double start = MPI_Wtime();
  expect(write(file, data, BYTES) == BYTES, "all bytes are written");
  const double took = MPI_Wtime() - start;
  expect(pread(file, back, BYTES, 0) == BYTES && memcmp(data, back, BYTES) == 0, "pread reads them");
  expect(fsync(file) == 0 && close(file) == 0 && unlink(name) == 0, "fsync, close, unlink");
  free(data);
  free(back);
  return took;
}

static void* in_thread(void* name) {
  stream(name);
  posix(name);
  return NULL;
}

static void in_threads(const char* name) {
  char names[THREADS][40];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    snprintf(names[i], sizeof names[i], "%s.%d", name, i);
    pthread_create(&threads[i], NULL, in_thread, names[i]);
  }
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  int rank, provided;
  char name[32];
  strcpy(name, "before.XXXXXX");
  close(mkstemp(name));
  stream(name); /* I/O nodes are there before MPI_Init */
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "file.%d", rank);
  const double took = posix(name);
  stream(name);
  if (argc > 1) in_threads(name);
  if (rank == 0) printf("took %.0f ns\n", took * 1e9);
  MPI_Finalize();
  printf("wrong with files: %d\n", wrong);
  return wrong;
}
