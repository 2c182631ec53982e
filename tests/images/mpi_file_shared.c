/* Files of MPI call by call: the shared pointer, sequential files, split collective accesses. */
#include "tests/images/mpi_file_check.h"

static void shared_pointer(void) {
  enum { PART = 4, TIMES = 5 };
  int own[PART], all[1024] = {0};
  char seen[1024] = {0};
  MPI_Status status;
  MPI_Request request;
  MPI_Offset offset = -1;
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int i = 0; i < TIMES; ++i) {
    for (int j = 0; j < PART; ++j) own[j] = (rank * TIMES + i) * PART + j;
    if (i % 2 == 0) {
      OK(MPI_File_write_shared(file, own, PART, MPI_INT, &status));
      EXPECT(count_of(&status, MPI_INT) == PART);
    } else {
      OK(MPI_File_iwrite_shared(file, own, PART, MPI_INT, &request));
      OK(MPI_Wait(&request, &status));
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_get_position_shared(file, &offset));
  EXPECT(offset == ranks * TIMES * PART);
  for (int i = 0; i < ranks * TIMES; ++i) { /* whole parts, each once, in any order */
    OK(MPI_File_read_at(file, i * PART, all, PART, MPI_INT, &status));
    EXPECT(all[0] % PART == 0 && !seen[all[0] / PART]);
    seen[all[0] / PART] = 1;
    for (int j = 1; j < PART; ++j) EXPECT(all[j] == all[0] + j);
  }
  OK(MPI_File_seek_shared(file, 2, MPI_SEEK_SET));
  OK(MPI_File_get_position_shared(file, &offset));
  EXPECT(offset == 2);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_seek_shared(file, -2, MPI_SEEK_CUR));
  const int count = rank + 1; /* in the order of ranks */
  for (int j = 0; j < count; ++j) all[j] = rank * 100 + j;
  OK(MPI_File_write_ordered(file, all, count, MPI_INT, &status));
  OK(MPI_File_get_position_shared(file, &offset));
  EXPECT(offset == ranks * (ranks + 1) / 2);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  memset(all, 0, sizeof all);
  OK(MPI_File_read_ordered(file, all, count, MPI_INT, &status));
  EXPECT(count_of(&status, MPI_INT) == count);
  for (int j = 0; j < count; ++j) EXPECT(all[j] == rank * 100 + j);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_read_shared(file, all, 1, MPI_INT, &status));
  OK(MPI_File_iread_shared(file, all, 1, MPI_INT, &request));
  OK(MPI_Wait(&request, &status));
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_get_position_shared(file, &offset));
  EXPECT(offset == 2 * ranks);
  if (ranks > 1) FAILS(MPI_ERR_NOT_SAME, MPI_File_seek_shared(file, rank, MPI_SEEK_SET));
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL)); /* resets the pointers */
  OK(MPI_File_get_position_shared(file, &offset));
  EXPECT(offset == 0);
  close_file(&file);
}

static void sequential(void) {
  char byte = (char)('a' + rank), got[2] = "";
  MPI_Offset offset;
  MPI_Status status;
  MPI_File file = open_new(MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write_at(file, 0, &byte, 1, MPI_BYTE, &status));
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write(file, &byte, 1, MPI_BYTE, &status));
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek(file, 0, MPI_SEEK_SET));
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_get_position(file, &offset));
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_get_byte_offset(file, 0, &offset));
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  FAILS(MPI_ERR_ACCESS, MPI_File_read_shared(file, got, 1, MPI_BYTE, &status));
  OK(MPI_File_write_ordered(file, &byte, 1, MPI_BYTE, &status));
  OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  OK(MPI_File_write_ordered(file, &byte, 1, MPI_BYTE, &status));
  close_file(&file);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_READ_ONLY, MPI_File_write_at(file, 0, &byte, 1, MPI_BYTE, &status));
  FAILS(MPI_ERR_READ_ONLY, MPI_File_set_size(file, 0));
  OK(MPI_File_read_at(file, rank, got, 1, MPI_BYTE, &status));
  OK(MPI_File_read_at(file, ranks + rank, got + 1, 1, MPI_BYTE, &status));
  EXPECT(got[0] == byte && got[1] == byte);
  close_file(&file);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &file));
  OK(MPI_File_get_position(file, &offset));
  EXPECT(offset == 2 * ranks);
  OK(MPI_File_get_position_shared(file, &offset));
  EXPECT(offset == 2 * ranks);
  close_file(&file);
}

static void split_collectives(void) {
  int own[3] = {rank, rank + 1, rank + 2}, got[3] = {0};
  MPI_Status status;
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  OK(MPI_File_write_at_all_begin(file, 3 * rank, own, 3, MPI_INT));
  FAILS(MPI_ERR_OTHER, MPI_File_write_at_all_begin(file, 3 * rank, own, 3, MPI_INT));
  FAILS(MPI_ERR_OTHER, MPI_File_read_at_all_end(file, got, &status));
  OK(MPI_File_write_at_all_end(file, own, &status));
  EXPECT(count_of(&status, MPI_INT) == 3);
  OK(MPI_File_read_at_all_begin(file, 3 * right, got, 3, MPI_INT));
  OK(MPI_File_read_at_all_end(file, got, &status));
  EXPECT(got[0] == right && got[2] == right + 2);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_seek(file, 3 * left, MPI_SEEK_SET));
  OK(MPI_File_write_all_begin(file, own, 3, MPI_INT));
  OK(MPI_File_write_all_end(file, own, &status));
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_seek(file, 3 * rank, MPI_SEEK_SET));
  OK(MPI_File_read_all_begin(file, got, 3, MPI_INT));
  OK(MPI_File_read_all_end(file, got, &status));
  EXPECT(got[0] == right && got[2] == right + 2);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_write_ordered_begin(file, own, 3, MPI_INT));
  OK(MPI_File_write_ordered_end(file, own, &status));
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_read_ordered_begin(file, got, 3, MPI_INT));
  OK(MPI_File_read_ordered_end(file, got, &status));
  EXPECT(got[0] == rank && got[2] == rank + 2 && count_of(&status, MPI_INT) == 3);
  close_file(&file);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  shared_pointer();
  sequential();
  split_collectives();
  return finish_files();
}
