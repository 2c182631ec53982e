/* Shared by the test programs of MPI's files: one file, and what POSIX sees of it. */
#ifndef SANVP_MPI_FILE_CHECK_H
#define SANVP_MPI_FILE_CHECK_H

#include <fcntl.h>
#include <unistd.h>

#include "tests/images/mpi_check.h"

#define NAME "mpi_files.data"
#define OK(call) EXPECT((call) == MPI_SUCCESS)

static inline int class_of(int code) {
  int class = -1;
  OK(MPI_Error_class(code, &class));
  return class;
}
#define FAILS(error, call) EXPECT(class_of(call) == (error))

static inline MPI_File open_new(int mode) {
  MPI_File file;
  if (rank == 0) unlink(NAME);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, mode | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
  return file;
}

/* All of the file, as POSIX sees it. */
static inline size_t contents(char* to, size_t most) {
  const int file = open(NAME, O_RDONLY);
  EXPECT(file >= 0);
  size_t bytes = 0;
  for (ssize_t now = 1; now > 0; bytes += (size_t)now) {
    now = read(file, to + bytes, most - bytes);
    EXPECT(now >= 0);
  }
  close(file);
  return bytes;
}

static inline void close_file(MPI_File* file) {
  OK(MPI_File_close(file));
  EXPECT(*file == MPI_FILE_NULL);
}

/* The end of a test program. */
static inline int finish_files(void) {
  if (rank == 0) unlink(NAME);
  return finish();
}

#endif
