/* The shared pointer: 8 bytes of a hidden file next to the file, as in other libraries. All processes open it with the
 * file, and it has no name from then on, so that no run leaves it. It is read and written at one instant, so that no
 * lock is needed, and costs the time of both accesses. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/files/file.h"

static void open_by_name(MPI_File file, int flags) {
  file->shared = open(file->shared_name, O_RDWR | O_CLOEXEC | flags, 0600);
}

/* If it could not be made with the file, its first user tries again, and tells why. */
static int open_hidden(const char* call, MPI_File file) {
  if (file->shared < 0) open_by_name(file, O_CREAT);
  return file->shared >= 0 ? MPI_SUCCESS : mpi_file_fail_errno(file, call, errno, file->shared_name);
}

static void wait_for(MPI_File file, enum hal_file_way way) {
  hal_file_wait(hal_file_begin(file->shared, way, 0, sizeof(uint64_t)));
}

int mpi_shared_add(const char* call, MPI_File file, uint64_t bytes, uint64_t* before) {
  MPI_TRY(open_hidden(call, file));
  const int failed = hal_file_add(file->shared, file->first, bytes, before);
  if (failed != 0) return mpi_file_fail_errno(file, call, -failed, file->shared_name);
  wait_for(file, HAL_FILE_READ);
  if (bytes > 0) wait_for(file, HAL_FILE_WRITE);
  return MPI_SUCCESS;
}

int mpi_shared_set(const char* call, MPI_File file, uint64_t position) {
  static const struct hal_file_span all = {0, sizeof position};
  MPI_TRY(open_hidden(call, file));
  const int64_t bytes = hal_file_move(file->shared, HAL_FILE_WRITE, &position, &all, 1);
  if (bytes < 0) return mpi_file_fail_errno(file, call, (int)-bytes, file->shared_name);
  wait_for(file, HAL_FILE_WRITE);
  return MPI_SUCCESS;
}

int mpi_shared_reset(const char* call, MPI_File file) {
  struct stat status;
  const int is_known = (file->shared >= 0 ? fstat(file->shared, &status) : stat(file->shared_name, &status)) == 0;
  return is_known && status.st_size > 0 ? mpi_shared_set(call, file, 0) : MPI_SUCCESS;
}

/* A run that was stopped before all had opened it may have left one of this name. */
void mpi_shared_make(MPI_File file) { open_by_name(file, O_CREAT | O_TRUNC); }

void mpi_shared_open(MPI_File file) {
  if (file->comm->rank != 0) open_by_name(file, 0);
  MPI_Barrier(file->comm);
  if (file->comm->rank == 0 && file->shared >= 0) unlink(file->shared_name);
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
