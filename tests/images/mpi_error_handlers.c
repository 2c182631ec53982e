/* Errors: handlers of communicators, windows and files, which is called and with what; those that are inherited; those
 * that are freed while in use; classes, codes and texts of the program (MPI-3.1, 8.3 to 8.5). */
#include <unistd.h>

#include "tests/images/mpi_check.h"

static int calls, last_code;
static MPI_Comm last_comm;
static MPI_Win last_win;
static MPI_File last_file;

static void on_comm(MPI_Comm* comm, int* code, ...) { ++calls, last_comm = *comm, last_code = *code; }
static void on_other_comm(MPI_Comm* comm, int* code, ...) { calls += 100, last_comm = *comm, last_code = *code; }
static void on_win(MPI_Win* win, int* code, ...) { ++calls, last_win = *win, last_code = *code; }
static void on_file(MPI_File* file, int* code, ...) { ++calls, last_file = *file, last_code = *code; }

static int class_of(int code) {
  int its_class = -1;
  MPI_Error_class(code, &its_class);
  return its_class;
}

/* A mistake on the communicator: its class, by the handler and by the call's answer. */
static void expect_mistake(MPI_Comm comm, int called) {
  int value = 0;
  calls = 0;
  const int code = MPI_Send(&value, 1, MPI_INT, 9999, 0, comm);
  EXPECT(class_of(code) == MPI_ERR_RANK && calls == called);
  if (called > 0) EXPECT(last_comm == comm && last_code == code);
}

static void of_communicators(void) {
  MPI_Errhandler handler, other, got;
  MPI_Comm comm, copy, part;
  MPI_Comm_create_errhandler(on_comm, &handler);
  MPI_Comm_create_errhandler(on_other_comm, &other);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, handler);
  EXPECT(MPI_Comm_get_errhandler(comm, &got) == MPI_SUCCESS && got == handler);
  MPI_Errhandler_free(&got);
  expect_mistake(comm, 1);
  MPI_Comm_dup(comm, &copy); /* inherits */
  expect_mistake(copy, 1);
  MPI_Comm_split(comm, rank, 0, &part);
  expect_mistake(part, 1);
  MPI_Comm_set_errhandler(copy, other);
  expect_mistake(copy, 100);
  expect_mistake(comm, 1);
  MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
  expect_mistake(part, 0);
  MPI_Errhandler_free(&handler);
  EXPECT(handler == MPI_ERRHANDLER_NULL);
  MPI_Errhandler_free(&other);
  expect_mistake(comm, 1); /* freed, and still in use */
  expect_mistake(copy, 100);
  calls = 0;
  EXPECT(MPI_Comm_call_errhandler(copy, MPI_ERR_TAG) == MPI_SUCCESS);
  EXPECT(calls == 100 && last_comm == copy && class_of(last_code) == MPI_ERR_TAG);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

/* What each mistake is called, by MPI_ERRORS_RETURN. */
static void classes_of_mistakes(void) {
  int value = 0, dims[1] = {ranks + 1};
  MPI_Comm comm, none = MPI_COMM_NULL;
  MPI_Group group;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Status status;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* of calls without a communicator, too */
  EXPECT(class_of(MPI_Send(&value, -1, MPI_INT, 0, 0, comm)) == MPI_ERR_COUNT);
  EXPECT(class_of(MPI_Send(&value, 1, type, 0, 0, comm)) == MPI_ERR_TYPE);
  EXPECT(class_of(MPI_Send(&value, 1, MPI_INT, 0, -5, comm)) == MPI_ERR_TAG);
  EXPECT(class_of(MPI_Send(&value, 1, MPI_INT, ranks, 0, comm)) == MPI_ERR_RANK);
  EXPECT(class_of(MPI_Send(&value, 1, MPI_INT, 0, 0, none)) == MPI_ERR_COMM);
  EXPECT(class_of(MPI_Bcast(&value, 1, MPI_INT, ranks, comm)) == MPI_ERR_ROOT);
  EXPECT(class_of(MPI_Reduce(&value, &dims, 1, MPI_INT, MPI_OP_NULL, 0, comm)) == MPI_ERR_OP);
  EXPECT(class_of(MPI_Group_size(MPI_GROUP_NULL, &value)) == MPI_ERR_GROUP);
  MPI_Comm_group(comm, &group);
  EXPECT(class_of(MPI_Group_incl(group, 1, &ranks, &(MPI_Group){MPI_GROUP_NULL})) == MPI_ERR_RANK);
  MPI_Group_free(&group);
  EXPECT(class_of(MPI_Cart_create(comm, 1, dims, dims, 0, &none)) != MPI_SUCCESS);
  EXPECT(class_of(MPI_Cart_coords(comm, 0, 1, dims)) == MPI_ERR_TOPOLOGY);
  EXPECT(class_of(MPI_Comm_free_keyval(&(int){MPI_KEYVAL_INVALID})) == MPI_ERR_KEYVAL);
  EXPECT(class_of(MPI_Info_set(MPI_INFO_NULL, "a", "b")) == MPI_ERR_INFO);
  if (rank == 0) {
    MPI_Request request;
    int two[2] = {1, 2};
    MPI_Isend(two, 2, MPI_INT, 0, 1, comm, &request);
    EXPECT(class_of(MPI_Recv(&value, 1, MPI_INT, 0, 1, comm, &status)) == MPI_ERR_TRUNCATE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Of several requests each has its own. */
    MPI_Request both[2];
    MPI_Status statuses[2];
    MPI_Irecv(&value, 1, MPI_INT, 0, 2, comm, &both[0]);
    MPI_Irecv(two, 2, MPI_INT, 0, 3, comm, &both[1]);
    MPI_Send(two, 2, MPI_INT, 0, 2, comm);
    MPI_Send(two, 2, MPI_INT, 0, 3, comm);
    EXPECT(class_of(MPI_Waitall(2, both, statuses)) == MPI_ERR_IN_STATUS);
    EXPECT(class_of(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE && statuses[1].MPI_ERROR == MPI_SUCCESS);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

static void of_windows(void) {
  static int memory[4];
  MPI_Errhandler handler, got;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_errhandler(win, &got);
  EXPECT(got == MPI_ERRORS_ARE_FATAL);
  MPI_Win_create_errhandler(on_win, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Errhandler_free(&handler);
  MPI_Win_fence(0, win);
  calls = 0;
  const int code = MPI_Put(memory, 1, MPI_INT, ranks + 3, 0, 1, MPI_INT, win);
  EXPECT(class_of(code) == MPI_ERR_RANK && calls == 1 && last_win == win && last_code == code);
  EXPECT(MPI_Win_call_errhandler(win, MPI_ERR_DISP) == MPI_SUCCESS && calls == 2);
  EXPECT(class_of(last_code) == MPI_ERR_DISP);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

/* MPI_FILE_NULL's is that of files to be opened. */
static void of_files(void) {
  MPI_Errhandler handler, got;
  MPI_File file;
  EXPECT(MPI_File_get_errhandler(MPI_FILE_NULL, &got) == MPI_SUCCESS && got == MPI_ERRORS_RETURN);
  EXPECT(class_of(MPI_File_open(MPI_COMM_SELF, "no such folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file)) ==
         MPI_ERR_NO_SUCH_FILE);
  MPI_File_create_errhandler(on_file, &handler);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  calls = 0;
  EXPECT(MPI_File_open(MPI_COMM_SELF, "no such folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS);
  EXPECT(calls == 1 && last_file == MPI_FILE_NULL && class_of(last_code) == MPI_ERR_NO_SUCH_FILE);
  char name[64];
  snprintf(name, sizeof name, "error_handlers.%d", rank);
  EXPECT(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file) == MPI_SUCCESS);
  int value = 0;
  calls = 0;
  EXPECT(class_of(MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ACCESS); /* inherits */
  EXPECT(calls == 1 && last_file == file);
  EXPECT(MPI_File_call_errhandler(file, MPI_ERR_QUOTA) == MPI_SUCCESS && class_of(last_code) == MPI_ERR_QUOTA);
  MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
  EXPECT(MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS && calls == 2);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  MPI_File_close(&file);
  unlink(name);
}

static void of_the_program(void) {
  char text[MPI_MAX_ERROR_STRING];
  int own, other, code, length = -1, *most = NULL, flag = 0;
  EXPECT(MPI_Add_error_class(&own) == MPI_SUCCESS && own > MPI_ERR_LASTCODE);
  EXPECT(MPI_Add_error_class(&other) == MPI_SUCCESS && other != own);
  EXPECT(MPI_Add_error_code(own, &code) == MPI_SUCCESS && class_of(code) == own && class_of(own) == own);
  EXPECT(MPI_Error_string(code, text, &length) == MPI_SUCCESS && length == 0);
  EXPECT(MPI_Add_error_string(code, "the tea is cold") == MPI_SUCCESS);
  EXPECT(MPI_Error_string(code, text, &length) == MPI_SUCCESS && length == 15);
  EXPECT(strcmp(text, "the tea is cold") == 0);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &most, &flag);
  EXPECT(flag && *most >= code);
  for (int known = MPI_SUCCESS; known <= MPI_ERR_RMA_FLAVOR; ++known) { /* each class has its text */
    EXPECT(MPI_Error_string(known, text, &length) == MPI_SUCCESS);
    EXPECT(length > 0 && length < MPI_MAX_ERROR_STRING && strlen(text) == (size_t)length);
  }
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_errhandler(on_comm, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  calls = 0;
  EXPECT(MPI_Comm_call_errhandler(comm, code) == MPI_SUCCESS && calls == 1 && last_code == code);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  of_communicators();
  classes_of_mistakes();
  of_windows();
  of_files();
  of_the_program();
  return finish();
}
