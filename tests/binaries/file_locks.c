/* Ranks lock files: the first argument says how. Each adds to a number in a file, which takes time; then they try locks
 * that others hold. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { rounds = 10 };
static int rank, ranks, wrong;

static void check(int good, const char* what) {
  if (good) return;
  ++wrong;
  printf("rank %d: wrong: %s (%s)\n", rank, what, strerror(errno));
}

static struct flock region(int type, int begin) {
  return (struct flock){.l_type = (short)type, .l_whence = SEEK_SET, .l_start = begin, .l_len = 8};
}

static int lock(const char* way, int file) {
  struct flock all = region(F_WRLCK, 0);
  if (!strcmp(way, "flock")) return flock(file, LOCK_EX);
  if (!strcmp(way, "fcntl")) return fcntl(file, F_SETLKW, &all);
  if (!strcmp(way, "open")) return fcntl(file, F_OFD_SETLKW, &all);
  if (!strcmp(way, "lockf")) return lseek(file, 0, SEEK_SET) == 0 ? lockf(file, F_LOCK, 8) : -1;
  return 0;
}

static int unlock(const char* way, int file) {
  struct flock all = region(F_UNLCK, 0);
  if (!strcmp(way, "flock")) return flock(file, LOCK_UN);
  if (!strcmp(way, "fcntl")) return fcntl(file, F_SETLK, &all);
  if (!strcmp(way, "open")) return fcntl(file, F_OFD_SETLK, &all);
  if (!strcmp(way, "lockf")) return lseek(file, 0, SEEK_SET) == 0 ? lockf(file, F_ULOCK, 8) : -1;
  return 0;
}

static void count(const char* way, int file) {
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    check(lock(way, file) == 0, "lock");
    check(pread(file, &sum, sizeof sum, 0) == sizeof sum, "read");
    usleep(5);
    ++sum;
    check(pwrite(file, &sum, sizeof sum, 0) == sizeof sum, "write");
    check(unlock(way, file) == 0, "unlock");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  check(pread(file, &sum, sizeof sum, 0) == sizeof sum, "read");
  if (rank == 0) printf("counted %ld of %d\n", sum, rounds * ranks);
}

/* Rank 0 has locks while the others try. */
static void try_parts(int file) {
  struct flock own = region(F_WRLCK, 8), shared = region(F_RDLCK, 16), other;
  if (rank == 0) check(fcntl(file, F_SETLK, &own) == 0 && fcntl(file, F_SETLK, &shared) == 0, "own locks");
  MPI_Barrier(MPI_COMM_WORLD);
  other = region(F_WRLCK, 8);
  const int done = fcntl(file, F_SETLK, &other);
  check(rank == 0 ? done == 0 : done == -1 && (errno == EAGAIN || errno == EACCES), "the lock of another rank");
  other = region(F_WRLCK, 0);
  other.l_len = 24;
  check(fcntl(file, F_GETLK, &other) == 0, "question");
  check(rank == 0 ? other.l_type == F_UNLCK : other.l_type == F_WRLCK && other.l_start == 8 && other.l_len == 8,
        "answer");
  MPI_Barrier(MPI_COMM_WORLD);
  other = region(F_RDLCK, 16);
  check(fcntl(file, F_SETLK, &other) == 0, "a lock that is shared");
  other = region(F_WRLCK, 64 + 8 * rank);
  check(fcntl(file, F_SETLK, &other) == 0, "a part of its own");
  lseek(file, 8, SEEK_SET);
  check((lockf(file, F_TEST, 8) == 0) == (rank == 0), "lockf's question");
  check((lockf(file, F_TLOCK, 8) == 0) == (rank == 0), "lockf's try");
  MPI_Barrier(MPI_COMM_WORLD);
  close(file); /* gives back all */
  MPI_Barrier(MPI_COMM_WORLD);
}

static void try_whole(const char* name) {
  const int file = open(name, O_RDWR), second = open(name, O_RDWR);
  if (rank == 0) check(flock(file, LOCK_SH) == 0, "shared");
  MPI_Barrier(MPI_COMM_WORLD);
  check(flock(second, LOCK_SH | LOCK_NB) == 0 && flock(second, LOCK_UN) == 0, "shared by all");
  MPI_Barrier(MPI_COMM_WORLD);
  check(flock(second, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK, "exclusive, while another has it");
  check(flock(second, 77) == -1 && errno == EINVAL, "no operation");
  check(flock(99, LOCK_SH) == -1 && errno == EBADF, "no file");
  MPI_Barrier(MPI_COMM_WORLD);
  struct flock part = region(F_WRLCK, 0);
  check(flock(STDOUT_FILENO, LOCK_EX) == 0 && flock(STDOUT_FILENO, LOCK_UN) == 0, "standard output");
  check(fcntl(99, F_SETLK, &part) == -1 && errno == EBADF, "no file for fcntl");
  part.l_type = 55;
  check(fcntl(second, F_SETLK, &part) == -1 && errno == EINVAL, "no type");
  check((fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR, "flags");
  close(file), close(second);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const name = argv[2];
  const int file = open(name, O_RDWR | O_CREAT, 0600);
  const long zero = 0;
  if (rank == 0) check(pwrite(file, &zero, sizeof zero, 0) == sizeof zero, "begin");
  MPI_Barrier(MPI_COMM_WORLD);
  count(argv[1], file);
  try_parts(file);
  try_whole(name);
  if (rank == 0) unlink(name);
  int all;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all != 0;
}
