/* An ordinary program that only uses the C library and MPI: files, environment, memory, sorting, random numbers, time,
 * all kinds of printing. Each rank must find its private globals, including those of the C library. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, counter;
int global = 3;

static void expect(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void at_end(void) { printf("the end, %d", counter); }

static void files(void) {
  char name[64];
  snprintf(name, sizeof name, "posix-%d.txt", rank);
  FILE* file = fopen(name, "w");
  expect(file != NULL, "a file is made");
  fprintf(file, "line %d\nsecond\n", rank);
  fclose(file);
  file = fopen(name, "r");
  char* line = NULL;
  size_t room = 0;
  int lines = 0, number = -1;
  while (getline(&line, &room, file) > 0)
    if (lines++ == 0) sscanf(line, "line %d", &number);
  expect(lines == 2 && number == rank, "it has what was written");
  free(line);
  fclose(file);
  struct stat status;
  expect(stat(name, &status) == 0 && status.st_size > 0, "it has a size");
  unlink(name);
  expect(open(name, O_RDONLY) < 0 && errno == ENOENT, "it is gone");
}

static void memory(void) {
  int values[100];
  for (int i = 0; i < 100; ++i) values[i] = (i * 37 + rank) % 100;
  qsort(values, 100, sizeof *values, compare);
  for (int i = 0; i < 100; ++i) expect(values[i] == i, "sorting");
  char* piece = malloc(40);
  strcpy(piece, "kept");
  piece = realloc(piece, 100000);
  expect(strcmp(piece, "kept") == 0, "realloc keeps what was there");
  free(piece);
  char* built = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&built, &size);
  fprintf(stream, "%d", rank);
  fclose(stream);
  expect(size > 0 && atoi(built) == rank, "a stream in memory");
  free(built);
}

/* State that the C library keeps for a program, with other ranks running between the calls. */
static void library_globals(void) {
  srand((unsigned)rank + 1);
  srand48(rank + 1);
  const int first = rand();
  const double first48 = drand48();
  char text[] = "one two";
  expect(strcmp(strtok(text, " "), "one") == 0, "a first word");
  MPI_Barrier(MPI_COMM_WORLD);
  expect(strcmp(strtok(NULL, " "), "two") == 0, "strtok goes on where this rank was");
  const int second = rand();
  const double second48 = drand48();
  MPI_Barrier(MPI_COMM_WORLD);
  srand((unsigned)rank + 1);
  srand48(rank + 1);
  expect(rand() == first && rand() == second, "the random numbers of a seed are this rank's alone");
  expect(drand48() == first48 && drand48() == second48, "those of drand48, too");
}

static void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

int main(int argc, char** argv) {
  atexit(at_end);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  counter += rank;
  expect(global++ == 3, "globals are each rank's own");
  expect(getenv("HOME") != NULL && getenv("POSIX_TEST_NOT_SET") == NULL, "the environment");
  files();
  memory();
  library_globals();
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < argc; ++i) printf("%s%s", i > 0 ? argv[i] : "arguments:", i + 1 < argc ? "|" : "\n");
  printf("a line ");
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  print("in %s\n", "parts");
  puts("puts");
  fputs("fputs\n", stdout);
  putchar('c');
  putchar('\n');
  if (write(STDOUT_FILENO, "write\n", 6) != 6) return 1;
  if (rank == 1) fputs("to stderr\n", stderr);
  MPI_Finalize();
  return 0;
}
