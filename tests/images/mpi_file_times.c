/* How long accesses of files by MPI take. Usage: overlap | cyclic BLOCK COUNT true|false | stream BYTES read|write */
#include <unistd.h>

#include "tests/images/mpi_check.h"

#define NAME "mpi_file_times.data"
#define OK(call) EXPECT((call) == MPI_SUCCESS)

static MPI_File file;

/* A write of 1 MB goes on while the process computes for as long as the argument says. */
static void overlap(double compute_ms) {
  enum { BYTES = 1000000 };
  char* const buffer = calloc(1, BYTES);
  MPI_Request request;
  MPI_Status status;
  int flag = 1;
  const uint64_t begin = hal_time_ps();
  OK(MPI_File_iwrite_at(file, (MPI_Offset)rank * BYTES, buffer, BYTES, MPI_BYTE, &request));
  OK(MPI_Test(&request, &flag, &status));
  hal_metric("done_at_once", flag, "");
  if (!flag) {
    hal_compute_ps((uint64_t)(compute_ms * HAL_PS_PER_MS));
    OK(MPI_Wait(&request, &status));
  }
  EXPECT(count_of(&status, MPI_BYTE) == BYTES);
  hal_metric("elapsed_ns", (double)(hal_time_ps() - begin) / HAL_PS_PER_NS, "ns");
  free(buffer);
}

/* Blocks dealt to the ranks like cards. */
static void cyclic(int block, int count, const char* collective_buffering) {
  char* const buffer = calloc((size_t)count, (size_t)block);
  MPI_Datatype blocks, type;
  MPI_Info info;
  MPI_Status status;
  MPI_Info_create(&info);
  MPI_Info_set(info, "collective_buffering", collective_buffering);
  MPI_Type_vector(count, block, block * ranks, MPI_BYTE, &blocks);
  MPI_Type_create_resized(blocks, 0, (MPI_Aint)block * ranks * count, &type);
  MPI_Type_commit(&type);
  OK(MPI_File_set_view(file, (MPI_Offset)rank * block, MPI_BYTE, type, "native", info));
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t begin = hal_time_ps();
  OK(MPI_File_write_all(file, buffer, block * count, MPI_BYTE, &status));
  MPI_Barrier(MPI_COMM_WORLD);
  hal_metric("elapsed_ns", (double)(hal_time_ps() - begin) / HAL_PS_PER_NS, "ns");
  MPI_Type_free(&blocks);
  MPI_Type_free(&type);
  MPI_Info_free(&info);
  free(buffer);
}

/* Each rank its own part. */
static void stream(int bytes, int writes) {
  char* const buffer = calloc(1, (size_t)bytes);
  MPI_Status status;
  OK(MPI_File_set_size(file, (MPI_Offset)bytes * ranks));
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t begin = hal_time_ps();
  if (writes)
    OK(MPI_File_write_at(file, (MPI_Offset)rank * bytes, buffer, bytes, MPI_BYTE, &status));
  else
    OK(MPI_File_read_at(file, (MPI_Offset)rank * bytes, buffer, bytes, MPI_BYTE, &status));
  hal_metric("elapsed_ns", (double)(hal_time_ps() - begin) / HAL_PS_PER_NS, "ns");
  EXPECT(count_of(&status, MPI_BYTE) == bytes);
  free(buffer);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  EXPECT(argc > 2);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                   &file));
  if (strcmp(argv[1], "overlap") == 0) overlap(atof(argv[2]));
  if (strcmp(argv[1], "cyclic") == 0) cyclic(atoi(argv[2]), atoi(argv[3]), argv[4]);
  if (strcmp(argv[1], "stream") == 0) stream(atoi(argv[2]), strcmp(argv[3], "write") == 0);
  OK(MPI_File_close(&file));
  return finish();
}
