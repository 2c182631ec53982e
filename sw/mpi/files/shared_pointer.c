/* The shared pointer: 8 bytes of a hidden file next to the file, as in other libraries. Its first user makes it; it is
 * read and written at one instant, so that no lock is needed, and costs the time of both accesses. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/mpi/files/file.h"

static int open_hidden(const char* call, MPI_File file, int flags) {
  if (file->shared < 0) file->shared = open(file->shared_name, O_RDWR | O_CLOEXEC | flags, 0600);
  return file->shared >= 0 ? MPI_SUCCESS : mpi_file_fail_errno(file, call, errno, file->shared_name);
}

static void wait_for(MPI_File file, enum hal_file_way way) {
  hal_file_wait(hal_file_begin(file->shared, way, 0, sizeof(uint64_t)));
}

int mpi_shared_add(const char* call, MPI_File file, uint64_t bytes, uint64_t* before) {
  MPI_TRY(open_hidden(call, file, O_CREAT));
  const int failed = hal_file_add(file->shared, file->first, bytes, before);
  if (failed != 0) return mpi_file_fail_errno(file, call, -failed, file->shared_name);
  wait_for(file, HAL_FILE_READ);
  if (bytes > 0) wait_for(file, HAL_FILE_WRITE);
  return MPI_SUCCESS;
}

int mpi_shared_set(const char* call, MPI_File file, uint64_t position) {
  static const struct hal_file_span all = {0, sizeof position};
  MPI_TRY(open_hidden(call, file, O_CREAT));
  const int64_t bytes = hal_file_move(file->shared, HAL_FILE_WRITE, &position, &all, 1);
  if (bytes < 0) return mpi_file_fail_errno(file, call, (int)-bytes, file->shared_name);
  wait_for(file, HAL_FILE_WRITE);
  return MPI_SUCCESS;
}

int mpi_shared_reset(const char* call, MPI_File file) {
  return file->shared >= 0 || access(file->shared_name, F_OK) == 0 ? mpi_shared_set(call, file, 0) : MPI_SUCCESS;
}

/* The same calls whether there is such a file or not, so that they take the same time. Where it can be neither written
 * nor made, the first user of the pointer reports that. */
void mpi_shared_forget(MPI_File file) {
  const int descriptor = open(file->shared_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  close(descriptor);
  unlink(file->shared_name);
}

void mpi_shared_close(MPI_File file) {
  if (file->shared >= 0) close(file->shared);
  file->shared = -1;
  MPI_Barrier(file->comm);
  if (file->comm->rank == 0) unlink(file->shared_name);
}

/* ---- in the order of ranks: rank 0 moves the pointer for all ---- */
int mpi_shared_order(struct mpi_access* access) {
  MPI_File file = access->file;
  const int last = file->comm->size - 1;
  uint64_t through = 0, sum = 0;
  struct {
    uint64_t begin, error;
  } base = {0, MPI_SUCCESS};
  MPI_Scan(&access->bytes, &through, 1, MPI_UINT64_T, MPI_SUM, file->comm);
  sum = through;
  MPI_Bcast(&sum, 1, MPI_UINT64_T, last, file->comm);
  if (file->comm->rank == 0) base.error = (uint64_t)mpi_shared_add(access->call, file, sum, &base.begin);
  MPI_Bcast(&base, 2, MPI_UINT64_T, 0, file->comm);
  access->position = base.begin + through - access->bytes;
  return (int)base.error;
}
