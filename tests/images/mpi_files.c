/* Files of MPI call by call, as the standard's chapter on them says, with contents compared by plain POSIX calls. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/images/mpi_check.h"

#define NAME "mpi_files.data"
#define OK(call) EXPECT((call) == MPI_SUCCESS)

static int class_of(int code) {
  int class = -1;
  OK(MPI_Error_class(code, &class));
  return class;
}
#define FAILS(error, call) EXPECT(class_of(call) == (error))

static MPI_File open_new(int mode) {
  MPI_File file;
  if (rank == 0) unlink(NAME);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_open(MPI_COMM_WORLD, NAME, mode | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
  return file;
}

/* All of the file, as POSIX sees it. */
static size_t contents(char* to, size_t most) {
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

static void close_file(MPI_File* file) {
  OK(MPI_File_close(file));
  EXPECT(*file == MPI_FILE_NULL);
}

static void opening(void) {
  MPI_File file;
  MPI_Group group, world;
  int mode = 0, same = 0;
  if (rank == 0) unlink(NAME);
  MPI_Barrier(MPI_COMM_WORLD);
  FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file));
  if (ranks > 1)
    FAILS(MPI_ERR_NOT_SAME,
          MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR | MPI_MODE_CREATE | (rank == 1 ? MPI_MODE_APPEND : 0),
                        MPI_INFO_NULL, &file));
  file = open_new(MPI_MODE_RDWR | MPI_MODE_EXCL);
  OK(MPI_File_get_amode(file, &mode));
  EXPECT(mode == (MPI_MODE_RDWR | MPI_MODE_EXCL | MPI_MODE_CREATE));
  OK(MPI_File_get_group(file, &group));
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &same);
  EXPECT(same == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  EXPECT(MPI_File_f2c(MPI_File_c2f(file)) == file);
  MPI_File stale = file;
  close_file(&file);
  FAILS(MPI_ERR_FILE, MPI_File_get_amode(stale, &mode));
  FAILS(MPI_ERR_FILE, MPI_File_get_amode(MPI_FILE_NULL, &mode));
  FAILS(MPI_ERR_FILE_EXISTS,
        MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL, &file));
  FAILS(MPI_ERR_BAD_FILE, MPI_File_open(MPI_COMM_WORLD, NAME "/below", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) OK(MPI_File_delete(NAME, MPI_INFO_NULL));
  if (rank == 0) FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(NAME, MPI_INFO_NULL));
  file = open_new(MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
  EXPECT(access(NAME, F_OK) == 0);
  close_file(&file);
  EXPECT(access(NAME, F_OK) != 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void sizes(void) {
  MPI_Offset size = -1;
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_get_size(file, &size));
  EXPECT(size == 0);
  OK(MPI_File_set_size(file, 1000));
  OK(MPI_File_get_size(file, &size));
  EXPECT(size == 1000);
  OK(MPI_File_preallocate(file, 400)); /* is larger already */
  OK(MPI_File_get_size(file, &size));
  EXPECT(size == 1000);
  OK(MPI_File_preallocate(file, 4000));
  OK(MPI_File_get_size(file, &size));
  EXPECT(size == 4000);
  FAILS(MPI_ERR_ARG, MPI_File_set_size(file, -1));
  if (ranks > 1) FAILS(MPI_ERR_NOT_SAME, MPI_File_set_size(file, rank == 0 ? 1 : 2));
  close_file(&file);
}

/* Each rank its part, at an offset, at its pointer, and read by others. */
static void offsets(void) {
  enum { PART = 300 };
  char own[PART], got[PART];
  MPI_Status status;
  MPI_Request request;
  MPI_File file = open_new(MPI_MODE_RDWR);
  fill(own, PART, rank, 1);
  OK(MPI_File_write_at(file, rank * PART, own, PART, MPI_BYTE, &status));
  EXPECT(count_of(&status, MPI_BYTE) == PART);
  OK(MPI_File_sync(file));
  OK(MPI_File_read_at(file, right * PART, got, PART, MPI_BYTE, &status));
  EXPECT(count_of(&status, MPI_BYTE) == PART && is_filled(got, PART, right, 1));
  OK(MPI_File_read_at(file, ranks * PART - 10, got, PART, MPI_BYTE, &status)); /* the end of the file */
  EXPECT(count_of(&status, MPI_BYTE) == 10);
  OK(MPI_File_read_at(file, ranks * PART + 10, got, PART, MPI_BYTE, &status));
  EXPECT(count_of(&status, MPI_BYTE) == 0);
  OK(MPI_File_iread_at(file, left * PART, got, PART, MPI_BYTE, &request));
  OK(MPI_Wait(&request, &status));
  EXPECT(request == MPI_REQUEST_NULL && count_of(&status, MPI_BYTE) == PART && is_filled(got, PART, left, 1));
  MPI_Barrier(MPI_COMM_WORLD);
  fill(own, PART, rank, 2);
  OK(MPI_File_iwrite_at_all(file, left * PART, own, PART, MPI_BYTE, &request));
  for (int done = 0; !done;) OK(MPI_Test(&request, &done, &status));
  EXPECT(count_of(&status, MPI_BYTE) == PART);
  OK(MPI_File_sync(file));
  OK(MPI_File_read_at_all(file, left * PART, got, PART, MPI_BYTE, &status));
  EXPECT(is_filled(got, PART, rank, 2));
  OK(MPI_File_iread_at_all(file, rank * PART, got, PART, MPI_BYTE, &request));
  OK(MPI_Waitall(1, &request, &status));
  EXPECT(count_of(&status, MPI_BYTE) == PART && is_filled(got, PART, right, 2));
  FAILS(MPI_ERR_ARG, MPI_File_read_at(file, -1, got, 1, MPI_BYTE, &status));
  FAILS(MPI_ERR_COUNT, MPI_File_read_at(file, 0, got, -1, MPI_BYTE, &status));
  FAILS(MPI_ERR_TYPE, MPI_File_read_at(file, 0, got, 1, MPI_DATATYPE_NULL, &status));
  close_file(&file);
}

static void pointers(void) {
  enum { PART = 50 };
  int own[PART], got[PART];
  MPI_Status status;
  MPI_Request request;
  MPI_Offset offset = -1, bytes = -1;
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int i = 0; i < PART; ++i) own[i] = rank * 1000 + i;
  OK(MPI_File_seek(file, rank * PART, MPI_SEEK_SET));
  OK(MPI_File_write(file, own, 20, MPI_INT, &status));
  OK(MPI_File_get_position(file, &offset));
  EXPECT(offset == rank * PART + 20);
  OK(MPI_File_iwrite(file, own + 20, 10, MPI_INT, &request));
  OK(MPI_File_get_position(file, &offset));
  EXPECT(offset == rank * PART + 30);
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  OK(MPI_File_write_all(file, own + 30, PART - 30, MPI_INT, &status));
  EXPECT(count_of(&status, MPI_INT) == PART - 30);
  OK(MPI_File_get_byte_offset(file, 3, &bytes));
  EXPECT(bytes == 8 + 3 * (MPI_Offset)sizeof(int));
  OK(MPI_File_sync(file));
  OK(MPI_File_seek(file, -PART * (ranks - left), MPI_SEEK_END));
  OK(MPI_File_get_position(file, &offset));
  EXPECT(offset == left * PART);
  OK(MPI_File_read(file, got, 5, MPI_INT, &status));
  OK(MPI_File_seek(file, 5, MPI_SEEK_CUR));
  OK(MPI_File_iread(file, got + 10, 5, MPI_INT, &request));
  OK(MPI_Wait(&request, &status));
  EXPECT(count_of(&status, MPI_INT) == 5);
  OK(MPI_File_iread_all(file, got + 15, 5, MPI_INT, &request));
  OK(MPI_Wait(&request, &status));
  OK(MPI_File_read_all(file, got + 20, PART - 20, MPI_INT, &status));
  for (int i = 0; i < PART; ++i)
    if (i < 5 || i >= 10) EXPECT(got[i] == left * 1000 + i);
  FAILS(MPI_ERR_ARG, MPI_File_seek(file, -1, MPI_SEEK_SET));
  FAILS(MPI_ERR_ARG, MPI_File_seek(file, 0, 77));
  close_file(&file);
}

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

/* ---- errors, hints ---- */
static MPI_File failed_file;
static int failed_code;
static void handler(MPI_File* file, int* code, ...) {
  failed_file = *file;
  failed_code = *code;
}

static void errors(void) {
  MPI_Errhandler made, got;
  char byte = 0;
  MPI_File file = open_new(MPI_MODE_WRONLY);
  OK(MPI_File_get_errhandler(file, &got));
  EXPECT(got == MPI_ERRORS_RETURN);
  OK(MPI_File_create_errhandler(handler, &made));
  OK(MPI_File_set_errhandler(file, made));
  OK(MPI_File_get_errhandler(file, &got));
  EXPECT(got == made);
  FAILS(MPI_ERR_ACCESS, MPI_File_read_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT(failed_file == file && failed_code == MPI_ERR_ACCESS);
  OK(MPI_File_call_errhandler(file, MPI_ERR_QUOTA));
  EXPECT(failed_code == MPI_ERR_QUOTA);
  close_file(&file);
  OK(MPI_File_set_errhandler(MPI_FILE_NULL, made));
  failed_code = 0;
  FAILS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, "no/such", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  EXPECT(failed_code == MPI_ERR_NO_SUCH_FILE && failed_file == MPI_FILE_NULL);
  file = open_new(MPI_MODE_WRONLY);
  OK(MPI_File_get_errhandler(file, &got));
  EXPECT(got == made); /* that of MPI_FILE_NULL */
  close_file(&file);
  OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
  OK(MPI_Errhandler_free(&made));
}

static void hints(void) {
  char text[MPI_MAX_INFO_VAL];
  int flag = 0;
  MPI_Info info;
  MPI_File file = open_new(MPI_MODE_RDWR);
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "2");
  MPI_Info_set(info, "cb_buffer_size", "8192");
  MPI_Info_set(info, "collective_buffering", "true");
  MPI_Info_set(info, "access_style", "read_mostly");
  OK(MPI_File_set_info(file, info));
  MPI_Info_free(&info);
  OK(MPI_File_get_info(file, &info));
  MPI_Info_get(info, "cb_nodes", sizeof text - 1, text, &flag);
  EXPECT(flag && strcmp(text, "2") == 0);
  MPI_Info_get(info, "cb_buffer_size", sizeof text - 1, text, &flag);
  EXPECT(flag && strcmp(text, "8192") == 0);
  MPI_Info_get(info, "romio_cb_write", sizeof text - 1, text, &flag);
  EXPECT(flag && strcmp(text, "enable") == 0);
  MPI_Info_free(&info);
  OK(MPI_File_set_atomicity(file, 1));
  OK(MPI_File_get_atomicity(file, &flag));
  EXPECT(flag == 1);
  if (ranks > 1) FAILS(MPI_ERR_NOT_SAME, MPI_File_set_atomicity(file, rank == 0));
  close_file(&file);
}

/* Requests of files and of messages in one call. */
static void mixed_requests(void) {
  int own = rank, got = -1, index = -1, from = -1;
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_File file = open_new(MPI_MODE_RDWR);
  OK(MPI_File_iwrite_at(file, rank * (MPI_Offset)sizeof own, &own, 1, MPI_INT, &requests[0]));
  MPI_Irecv(&from, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&own, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[2]);
  for (int i = 0; i < 3; ++i) {
    OK(MPI_Waitany(3, requests, &index, statuses));
    EXPECT(index >= 0 && index < 3 && requests[index] == MPI_REQUEST_NULL);
  }
  EXPECT(from == left);
  OK(MPI_File_iread_at(file, rank * (MPI_Offset)sizeof own, &got, 1, MPI_INT, &requests[0]));
  OK(MPI_Request_free(&requests[0]));
  EXPECT(got == rank);
  close_file(&file);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  opening();
  sizes();
  offsets();
  pointers();
  views();
  shared_pointer();
  sequential();
  split_collectives();
  external32();
  own_representation();
  errors();
  hints();
  mixed_requests();
  if (rank == 0) unlink(NAME);
  return finish();
}
