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

/* ---- file types within each other, with data that overlap ---- */
enum { BYTES = 4096 };

static void fill_file(void) {
  char all[BYTES];
  MPI_File file = open_new(MPI_MODE_RDWR);
  for (int i = 0; i < BYTES; ++i) all[i] = (char)(i * 7 + i / 251);
  if (rank == 0) OK(MPI_File_write_at(file, 0, all, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
  close_file(&file);
}

/* What a view of this type shows: `bytes` of them at these places of each tile. By both kinds of reads, and all ways of
 * a collective one. */
static void shows(MPI_Datatype type, const int* places, int bytes, const char* collectively) {
  enum { TILES = 3, AT = 5 };
  char got[BYTES];
  MPI_Aint lower = 0, extent = 0;
  MPI_File file;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_cb_read", collectively);
  MPI_Info_set(info, "cb_buffer_size", "4096");
  MPI_Type_commit(&type);
  MPI_Type_get_extent(type, &lower, &extent);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDONLY, info, &file));
  OK(MPI_File_set_view(file, AT + rank, MPI_BYTE, type, "native", info));
  for (int first = 0; first < bytes; first += bytes / 2) {
    const int count = TILES * bytes - first;
    MPI_Status status;
    for (int all = 0; all < 2; ++all) {
      memset(got, 0, sizeof got);
      OK((all ? MPI_File_read_at_all : MPI_File_read_at)(file, first, got, count, MPI_BYTE, &status));
      EXPECT(count_of(&status, MPI_BYTE) == count);
      for (int i = 0; i < count; ++i) {
        const int n = first + i, at = AT + rank + n / bytes * (int)extent + places[n % bytes];
        EXPECT(got[i] == (char)(at * 7 + at / 251));
      }
    }
    MPI_Offset offset = 0;
    OK(MPI_File_get_byte_offset(file, first, &offset));
    EXPECT(offset == AT + rank + places[first]);
  }
  close_file(&file);
  MPI_Info_free(&info);
}

static void overlapping(void) {
  MPI_Datatype type, inner;
  MPI_File file;
  fill_file();
  MPI_Type_create_hindexed(3, (const int[]){4, 4, 2}, (const MPI_Aint[]){0, 2, 300}, MPI_SHORT, &type);
  MPI_Type_commit(&type);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
  close_file(&file);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL)); /* 6 and then 2 */
  close_file(&file);
  MPI_Type_free(&type);
  MPI_Type_create_hindexed(3, (const int[]){1, 1, 1}, (const MPI_Aint[]){0, 2, 300}, MPI_INT, &type);
  const int ints[] = {0, 1, 2, 3, 2, 3, 4, 5, 300, 301, 302, 303};
  MPI_Type_commit(&type);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
  close_file(&file);
  shows(type, ints, 12, "enable");
  shows(type, ints, 12, "disable");
  MPI_Type_create_resized(type, 0, 302, &inner); /* tiles that overlap */
  shows(inner, ints, 12, "enable");
  shows(inner, ints, 12, "disable");
  MPI_Type_free(&inner);
  MPI_Type_free(&type);
  MPI_Type_vector(2, 1, 2, MPI_SHORT, &inner); /* shorts at 0 and 4, in blocks 10 apart, twice */
  MPI_Type_create_hvector(2, 1, 10, inner, &type);
  MPI_Type_free(&inner);
  MPI_Type_create_struct(2, (const int[]){1, 1}, (const MPI_Aint[]){1, 40}, (const MPI_Datatype[]){type, MPI_INT},
                         &inner);
  const int nested[] = {1, 2, 5, 6, 11, 12, 15, 16, 40, 41, 42, 43};
  shows(inner, nested, 12, "enable");
  shows(inner, nested, 12, "disable");
  MPI_Type_free(&inner);
  MPI_Type_free(&type);
}

/* As many blocks as there may be: the view is what the type's constructor was told. */
static void very_many_blocks(void) {
  MPI_Datatype type;
  MPI_File file;
  MPI_Offset offset = 0;
  int got[3] = {0};
  fill_file();
  MPI_Type_vector(1 << 30, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  OK(MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL));
  OK(MPI_File_read_at(file, 7, got, 3, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = 0; i < 12; ++i) {
    const int at = 12 * (7 + i / 4) + i % 4;
    EXPECT(((char*)got)[i] == (char)(at * 7 + at / 251));
  }
  OK(MPI_File_seek(file, 0, MPI_SEEK_END)); /* 4096 bytes: 341 blocks and the 4 bytes after them */
  OK(MPI_File_get_position(file, &offset));
  EXPECT(offset == 342);
  OK(MPI_File_get_byte_offset(file, (1 << 30) - 1, &offset));
  EXPECT(offset == 12ll * ((1 << 30) - 1));
  close_file(&file);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  views();
  external32();
  own_representation();
  overlapping();
  very_many_blocks();
  return finish_files();
}
