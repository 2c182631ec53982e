/* Checkpoint: all ranks write one file, wait until it is on the disk, and read it back. Each rank has a share of it, in
 * one piece or in blocks that are dealt to the ranks in turn. Files take time on machines with [host.disk] or [io].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define NAME "files.data"

struct plan {
  size_t bytes, block; /* of a rank; of the pieces of its share */
  int collective;
};

static int rank, ranks;

static void check(int error, const char* what) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING], line[MPI_MAX_ERROR_STRING + 64];
  int length = 0;
  MPI_Error_string(error, text, &length);
  snprintf(line, sizeof line, "files: %s: %s", what, text);
  hal_abort(line);
}

/* The rank's share as a view. */
static void set_view(MPI_File file, const struct plan* plan) {
  const int count = (int)(plan->bytes / plan->block);
  MPI_Datatype blocks;
  MPI_Type_vector(count, (int)plan->block, (int)plan->block * ranks, MPI_BYTE, &blocks);
  MPI_Type_commit(&blocks);
  check(MPI_File_set_view(file, (MPI_Offset)rank * (MPI_Offset)plan->block, MPI_BYTE, blocks, "native", MPI_INFO_NULL),
        "its view");
  MPI_Type_free(&blocks);
}

/* Returns seconds until all ranks are done. */
static double write_share(MPI_File file, const struct plan* plan, const char* data) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const int bytes = (int)plan->bytes;
  check(plan->collective ? MPI_File_write_at_all(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                         : MPI_File_write_at(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE),
        "writing");
  check(MPI_File_sync(file), "sync");
  return MPI_Wtime() - start;
}

static double read_share(MPI_File file, const struct plan* plan, char* data) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const int bytes = (int)plan->bytes;
  check(plan->collective ? MPI_File_read_at_all(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                         : MPI_File_read_at(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE),
        "reading");
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - start;
}

static char byte_of(size_t i) { return (char)(i * 7 + i / 251 + (size_t)rank * 37); }

static int is_right(const char* data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    if (data[i] != byte_of(i)) return 0;
  return 1;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  struct plan plan = {.bytes = options_size(&options, "bytes", "1M", "that each rank writes and reads")};
  plan.block = options_size(&options, "block", "0", "bytes dealt to a rank at a time; 0: its share is one piece");
  plan.collective =
      strcmp(options_choice(&options, "access", "collective", "collective|independent"), "collective") == 0;
  options_check(&options);
  if (plan.block == 0) plan.block = plan.bytes;
  if (plan.bytes < 1 || plan.bytes > 1u << 30 || plan.bytes % plan.block != 0)
    hal_abort("files wants --bytes of 1 to 1G, a multiple of --block");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* const data = malloc(plan.bytes);
  if (!data) hal_abort("files: no memory for its data; give --bytes less, or set host.memory");
  for (size_t i = 0; i < plan.bytes; ++i) data[i] = byte_of(i);
  MPI_File file;
  check(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file),
        "opening " NAME);
  set_view(file, &plan);
  double seconds[2] = {write_share(file, &plan, data), 0};
  memset(data, 0, plan.bytes);
  seconds[1] = read_share(file, &plan, data);
  int right = is_right(data, plan.bytes);
  check(MPI_File_close(&file), "closing");
  MPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) {
    const double MB = (double)plan.bytes * ranks / 1e6, write = MB / seconds[0], read = MB / seconds[1];
    printf("files: %d ranks, %zu bytes each, write %.3f ms, %.2f MB/s; read %.3f ms, %.2f MB/s\n", ranks, plan.bytes,
           seconds[0] * 1e3, write, seconds[1] * 1e3, read);
    hal_metric("write_MBps", write, "MB/s");
    hal_metric("read_MBps", read, "MB/s");
    printf(right ? "PASS\n" : "FAIL: what was read is not what was written\n");
  }
  return right ? 0 : 1;
}
