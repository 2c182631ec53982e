/* Files of MPI call by call: views and representations, with contents compared by plain POSIX calls. */
#include "tests/images/mpi_file_check.h"

/* Ranks' columns of a matrix: a filetype with gaps; memory with gaps. */
static void views(void) {
  enum { ROWS = 6, WIDTH = 3 };
  int own[ROWS * WIDTH], got[2 * ROWS * WIDTH];
  char all[4096];
  MPI_Datatype columns, gaps, etype, filetype;
  MPI_Offset displacement = -1;
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_Status status;
  MPI_File file = open_new(MPI_MODE_RDWR);
  const int sizes[] = {ROWS, ranks * WIDTH}, parts[] = {ROWS, WIDTH}, begins[] = {0, rank * WIDTH};
  MPI_Type_create_subarray(2, sizes, parts, begins, MPI_ORDER_C, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  MPI_Type_vector(ROWS * WIDTH, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  for (int i = 0; i < ROWS * WIDTH; ++i) own[i] = i / WIDTH * 100 + rank * WIDTH + i % WIDTH;
  OK(MPI_File_set_view(file, 4, MPI_INT, columns, "internal", MPI_INFO_NULL));
  OK(MPI_File_get_view(file, &displacement, &etype, &filetype, representation));
  EXPECT(displacement == 4 && etype == MPI_INT && filetype != MPI_INT && strcmp(representation, "internal") == 0);
  MPI_Type_free(&filetype);
  OK(MPI_File_write_all(file, own, ROWS * WIDTH, MPI_INT, &status));
  EXPECT(count_of(&status, MPI_INT) == ROWS * WIDTH);
  OK(MPI_File_sync(file));
  const size_t bytes = contents(all, sizeof all);
  EXPECT(bytes == 4 + (size_t)(ROWS * ranks * WIDTH) * sizeof(int));
  for (int i = 0; i < ROWS * ranks * WIDTH; ++i) {
    int value = -1;
    memcpy(&value, all + 4 + (size_t)i * sizeof value, sizeof value);
    EXPECT(value == i / (ranks * WIDTH) * 100 + i % (ranks * WIDTH));
  }
  memset(got, 0, sizeof got);
  OK(MPI_File_read_at_all(file, 0, got, 1, gaps, &status));
  EXPECT(count_of(&status, gaps) == 1);
  for (int i = 0; i < ROWS * WIDTH; ++i) EXPECT(got[2 * i] == own[i] && got[2 * i + 1] == 0);
  OK(MPI_File_read_at(file, 4, got, 2, MPI_INT, &status)); /* across a gap of the view */
  EXPECT(got[0] == own[4] && got[1] == own[5]);
  OK(MPI_File_get_byte_offset(file, WIDTH, &displacement)); /* the second row */
  EXPECT(displacement == 4 + (ranks * WIDTH + rank * WIDTH) * (MPI_Offset)sizeof(int));
  OK(MPI_File_seek(file, 0, MPI_SEEK_END));
  OK(MPI_File_get_position(file, &displacement));
  EXPECT(displacement == ROWS * WIDTH);
  FAILS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_INT, MPI_BYTE, "native", MPI_INFO_NULL));
  FAILS(MPI_ERR_ARG, MPI_File_set_view(file, -1, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  FAILS(MPI_ERR_UNSUPPORTED_DATAREP, MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "no such", MPI_INFO_NULL));
  FAILS(MPI_ERR_IO, MPI_File_write_at(file, 0, own, 1, MPI_BYTE, &status)); /* no whole etype */
  MPI_Type_free(&columns);
  MPI_Type_free(&gaps);
  close_file(&file);
}

/* ---- representations ---- */
static void external32(void) {
  const struct {
    int number;
    long word;
  } own[2] = {{0x01020304, -2}, {-1, 7}};
  int numbers[2] = {0x01020304, -1}, got_numbers[2] = {0};
  long words[2] = {-2, 7}, got_words[2] = {0}, large = 1l << 40;
  unsigned char all[64];
  MPI_Status status;
  MPI_Aint extent = 0;
  (void)own;
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
  if (rank == 0) OK(MPI_File_write_at(file, 0, numbers, 2, MPI_INT, &status));
  OK(MPI_File_set_view(file, 8, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL));
  OK(MPI_File_get_type_extent(file, MPI_LONG, &extent));
  EXPECT(extent == 4);
  if (rank == 0) {
    OK(MPI_File_write_at(file, 0, words, 2, MPI_LONG, &status));
    EXPECT(count_of(&status, MPI_LONG) == 2);
    FAILS(MPI_ERR_CONVERSION, MPI_File_write_at(file, 2, &large, 1, MPI_LONG, &status));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  static const unsigned char wanted[] = {1, 2, 3, 4, 255, 255, 255, 255, 255, 255, 255, 254, 0, 0, 0, 7};
  EXPECT(contents((char*)all, sizeof all) == sizeof wanted && memcmp(all, wanted, sizeof wanted) == 0);
  OK(MPI_File_read_at(file, 0, got_words, 2, MPI_LONG, &status));
  EXPECT(got_words[0] == -2 && got_words[1] == 7 && count_of(&status, MPI_LONG) == 2);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
  OK(MPI_File_read_at_all(file, 0, got_numbers, 2, MPI_INT, &status));
  EXPECT(got_numbers[0] == numbers[0] && got_numbers[1] == -1);
  OK(MPI_File_get_type_extent(file, MPI_INT, &extent));
  EXPECT(extent == 4);
  close_file(&file);
}

static int calls_of_mine;
static int my_extent(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  ++calls_of_mine;
  EXPECT(extra == &calls_of_mine && type == MPI_INT);
  *extent = 2;
  return MPI_SUCCESS;
}
static int my_write(void* user, MPI_Datatype type, int count, void* data, MPI_Offset position, void* extra) {
  EXPECT(type == MPI_INT && position == 0 && extra == &calls_of_mine);
  for (int i = 0; i < count; ++i) ((unsigned short*)data)[i] = (unsigned short)((int*)user)[i];
  return MPI_SUCCESS;
}
static int my_read(void* user, MPI_Datatype type, int count, void* data, MPI_Offset position, void* extra) {
  EXPECT(type == MPI_INT && position == 0 && extra == &calls_of_mine);
  for (int i = 0; i < count; ++i) ((int*)user)[i] = ((unsigned short*)data)[i];
  return MPI_SUCCESS;
}

static void own_representation(void) {
  int own[4] = {rank, 1, 2, 3}, got[4] = {0};
  MPI_Status status;
  MPI_Offset size = 0;
  OK(MPI_Register_datarep("half", my_read, my_write, my_extent, &calls_of_mine));
  FAILS(MPI_ERR_DUP_DATAREP, MPI_Register_datarep("half", my_read, my_write, my_extent, NULL));
  FAILS(MPI_ERR_DUP_DATAREP, MPI_Register_datarep("native", my_read, my_write, my_extent, NULL));
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "half", MPI_INFO_NULL));
  OK(MPI_File_write_at_all(file, 4 * rank, own, 4, MPI_INT, &status));
  EXPECT(count_of(&status, MPI_INT) == 4);
  OK(MPI_File_sync(file));
  OK(MPI_File_get_size(file, &size));
  EXPECT(size == 8 * ranks);
  OK(MPI_File_read_at_all(file, 4 * left, got, 4, MPI_INT, &status));
  EXPECT(got[0] == left && got[3] == 3);
  close_file(&file);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  views();
  external32();
  own_representation();
  return finish_files();
}
