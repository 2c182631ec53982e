/* Files of MPI call by call, as the standard's chapter on them says: opening and sizes, accesses by offsets and at the
 * own pointer, errors and hints. */
#include "tests/images/mpi_file_check.h"

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
  errors();
  hints();
  mixed_requests();
  return finish_files();
}
