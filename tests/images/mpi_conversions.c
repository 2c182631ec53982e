/* What programs of two languages share: every kind of handle to Fortran and back, statuses in all three forms; and the
 * calls about addresses, names of types, sizes of packed data that few programs make (MPI-3.1, 17.2, 4.1, 4.3, 8.2). */
#include "tests/images/mpi_check.h"

#define EXPECT_BACK(kind, handle)                                 \
  do {                                                            \
    const MPI_Fint number = MPI_##kind##_c2f(handle);             \
    EXPECT(MPI_##kind##_f2c(number) == (handle));                 \
    EXPECT(MPI_##kind##_c2f(MPI_##kind##_f2c(number)) == number); \
  } while (0)

static void handles(void) {
  MPI_Comm comm;
  MPI_Group group;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Info info;
  MPI_Errhandler handler;
  MPI_Request request;
  MPI_Win win;
  MPI_Message message;
  static int memory[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_group(comm, &group);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Op_create((MPI_User_function*)abort, 1, &op);
  MPI_Info_create(&info);
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, comm, &win);
  EXPECT_BACK(Comm, comm);
  EXPECT_BACK(Group, group);
  EXPECT_BACK(Type, type);
  EXPECT_BACK(Op, op);
  EXPECT_BACK(Info, info);
  EXPECT_BACK(Errhandler, handler);
  EXPECT_BACK(Win, win);
  int in = -1, flag = 0;
  MPI_Irecv(&in, 1, MPI_INT, left, 1, comm, &request);
  EXPECT_BACK(Request, request);
  MPI_Request same = MPI_Request_f2c(MPI_Request_c2f(request));
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  MPI_Wait(&same, MPI_STATUS_IGNORE);
  EXPECT(in == left);
  MPI_Send(&rank, 1, MPI_INT, right, 2, comm);
  do {
    MPI_Improbe(left, 2, comm, &flag, &message, MPI_STATUS_IGNORE);
  } while (!flag);
  EXPECT_BACK(Message, message);
  message = MPI_Message_f2c(MPI_Message_c2f(message));
  MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  EXPECT(in == left && message == MPI_MESSAGE_NULL);
  MPI_Win_free(&win);
  MPI_Errhandler_free(&handler);
  MPI_Info_free(&info);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
}

static void predefined_handles(void) {
  EXPECT_BACK(Comm, MPI_COMM_WORLD);
  EXPECT_BACK(Comm, MPI_COMM_SELF);
  EXPECT_BACK(Comm, MPI_COMM_NULL);
  EXPECT_BACK(Group, MPI_GROUP_EMPTY);
  EXPECT_BACK(Group, MPI_GROUP_NULL);
  EXPECT_BACK(Type, MPI_INT);
  EXPECT_BACK(Type, MPI_DOUBLE_INT);
  EXPECT_BACK(Type, MPI_DATATYPE_NULL);
  EXPECT_BACK(Op, MPI_SUM);
  EXPECT_BACK(Op, MPI_MAXLOC);
  EXPECT_BACK(Op, MPI_OP_NULL);
  EXPECT_BACK(Info, MPI_INFO_NULL);
  EXPECT_BACK(Errhandler, MPI_ERRORS_RETURN);
  EXPECT_BACK(Errhandler, MPI_ERRHANDLER_NULL);
  EXPECT_BACK(Request, MPI_REQUEST_NULL);
  EXPECT_BACK(Win, MPI_WIN_NULL);
  EXPECT_BACK(File, MPI_FILE_NULL);
  EXPECT_BACK(Message, MPI_MESSAGE_NULL);
  EXPECT_BACK(Message, MPI_MESSAGE_NO_PROC);
  EXPECT(MPI_Comm_c2f(MPI_COMM_WORLD) != MPI_Comm_c2f(MPI_COMM_SELF));
  EXPECT(MPI_Type_c2f(MPI_INT) != MPI_Type_c2f(MPI_FLOAT));
}

static void statuses(void) {
  int out[3] = {1, 2, 3}, in[3], cancelled = -1;
  MPI_Status status, back, again;
  MPI_Fint numbers[MPI_F_STATUS_SIZE], others[MPI_F_STATUS_SIZE];
  MPI_F08_status modern;
  MPI_Sendrecv(out, 3, MPI_INT, right, 9, in, 3, MPI_INT, left, 9, MPI_COMM_WORLD, &status);
  status.MPI_ERROR = MPI_ERR_OTHER;
  EXPECT(MPI_Status_c2f(&status, numbers) == MPI_SUCCESS && MPI_Status_f2c(numbers, &back) == MPI_SUCCESS);
  EXPECT(back.MPI_SOURCE == left && back.MPI_TAG == 9 && back.MPI_ERROR == MPI_ERR_OTHER);
  EXPECT(count_of(&back, MPI_INT) == 3);
  EXPECT(MPI_Status_c2f08(&status, &modern) == MPI_SUCCESS && MPI_Status_f082c(&modern, &again) == MPI_SUCCESS);
  EXPECT(again.MPI_SOURCE == left && count_of(&again, MPI_INT) == 3);
  EXPECT(MPI_Status_f082f(&modern, others) == MPI_SUCCESS && memcmp(numbers, others, sizeof numbers) == 0);
  EXPECT(MPI_Status_f2f08(others, &modern) == MPI_SUCCESS && MPI_Status_f082c(&modern, &back) == MPI_SUCCESS);
  EXPECT(back.MPI_TAG == 9);
  EXPECT(MPI_Status_set_cancelled(&status, 1) == MPI_SUCCESS);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT(cancelled);
  EXPECT(MPI_Status_set_elements(&status, MPI_INT, 7) == MPI_SUCCESS && count_of(&status, MPI_INT) == 7);
  EXPECT(MPI_Status_set_elements_x(&status, MPI_CHAR, (MPI_Count)5 << 32) == MPI_SUCCESS);
  MPI_Count elements = 0;
  EXPECT(MPI_Get_elements_x(&status, MPI_CHAR, &elements) == MPI_SUCCESS && elements == (MPI_Count)5 << 32);
  EXPECT(count_of(&status, MPI_CHAR) == MPI_UNDEFINED); /* beyond an int */
}

static void addresses(void) {
  int array[10];
  MPI_Aint first, fifth, old;
  MPI_Get_address(&array[0], &first);
  MPI_Get_address(&array[5], &fifth);
  EXPECT(MPI_Aint_diff(fifth, first) == 5 * (MPI_Aint)sizeof(int));
  EXPECT(MPI_Aint_add(first, 5 * (MPI_Aint)sizeof(int)) == fifth);
  EXPECT(MPI_Address(&array[5], &old) == MPI_SUCCESS && old == fifth);
  MPI_Datatype absolute;
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {fifth, first};
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  array[5] = 50 + rank;
  array[0] = rank;
  int got[2];
  MPI_Sendrecv(MPI_BOTTOM, 1, absolute, right, 4, got, 2, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(got[0] == 50 + left && got[1] == left);
  MPI_Type_free(&absolute);
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Datatype type, copy;
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  EXPECT(strcmp(name, "MPI_DOUBLE") == 0 && length == 10);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_get_name(type, name, &length);
  EXPECT(length == 0 && name[0] == '\0');
  EXPECT(MPI_Type_set_name(type, "a pair") == MPI_SUCCESS);
  MPI_Type_get_name(type, name, &length);
  EXPECT(strcmp(name, "a pair") == 0 && length == 6);
  MPI_Type_dup(type, &copy);
  MPI_Type_get_name(copy, name, &length);
  EXPECT(length == 0); /* a name is not copied */
  MPI_Type_free(&copy);
  MPI_Type_free(&type);
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  EXPECT(strcmp(name, "MPI_COMM_WORLD") == 0);
}

/* The standard's external form is big-endian, with sizes of its own. */
static void external(void) {
  const int values[2] = {0x01020304, -2};
  const double one = 1.0;
  unsigned char bytes[64];
  MPI_Aint size = 0, at = 0;
  EXPECT(MPI_Pack_external_size("external32", 2, MPI_INT, &size) == MPI_SUCCESS && size == 8);
  EXPECT(MPI_Pack_external_size("external32", 3, MPI_DOUBLE, &size) == MPI_SUCCESS && size == 24);
  EXPECT(MPI_Pack_external("external32", values, 2, MPI_INT, bytes, sizeof bytes, &at) == MPI_SUCCESS && at == 8);
  EXPECT(MPI_Pack_external("external32", &one, 1, MPI_DOUBLE, bytes, sizeof bytes, &at) == MPI_SUCCESS && at == 16);
  static const unsigned char expected[16] = {1, 2, 3, 4, 255, 255, 255, 254, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0};
  EXPECT(memcmp(bytes, expected, sizeof expected) == 0);
  int back[2];
  at = 0;
  EXPECT(MPI_Unpack_external("external32", bytes, 16, &at, back, 2, MPI_INT) == MPI_SUCCESS);
  EXPECT(back[0] == values[0] && back[1] == values[1] && at == 8);
}

static void matched_types(void) {
  MPI_Datatype type;
  int size = 0;
  for (int bytes = 1; bytes <= 8; bytes *= 2) {
    EXPECT(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, bytes, &type) == MPI_SUCCESS);
    MPI_Type_size(type, &size);
    EXPECT(size == bytes);
  }
  EXPECT(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type) == MPI_SUCCESS);
  EXPECT(MPI_Type_create_f90_real(15, 307, &type) == MPI_SUCCESS);
  MPI_Type_size(type, &size);
  EXPECT(size == 8);
  EXPECT(MPI_Type_create_f90_integer(9, &type) == MPI_SUCCESS);
  MPI_Type_size(type, &size);
  EXPECT(size == 4);
  EXPECT(MPI_Type_create_f90_complex(6, 37, &type) == MPI_SUCCESS);
  MPI_Type_size(type, &size);
  EXPECT(size == 8);
  int integers, addresses_count, types, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses_count, &types, &combiner);
  EXPECT(combiner == MPI_COMBINER_F90_COMPLEX && integers == 2 && types == 0);
}

static void environment(void) {
  int version = 0, subversion = 0, length = 0, flag = -1;
  char name[MPI_MAX_PROCESSOR_NAME], text[MPI_MAX_LIBRARY_VERSION_STRING];
  EXPECT(MPI_Get_version(&version, &subversion) == MPI_SUCCESS && version == 3 && subversion == 1);
  EXPECT(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  EXPECT(MPI_Get_library_version(text, &length) == MPI_SUCCESS && length == (int)strlen(text) && length > 0);
  EXPECT(MPI_Get_processor_name(name, &length) == MPI_SUCCESS && length == (int)strlen(name) && length > 0);
  EXPECT(MPI_Initialized(&flag) == MPI_SUCCESS && flag && MPI_Finalized(&flag) == MPI_SUCCESS && !flag);
  const double before = MPI_Wtime();
  hal_sleep_ps(3 * HAL_PS_PER_MS);
  const double slept = MPI_Wtime() - before;
  EXPECT(slept >= 3e-3 && slept < 3.1e-3 && MPI_Wtick() > 0 && MPI_Wtick() < 1e-3);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  handles();
  predefined_handles();
  statuses();
  addresses();
  names();
  external();
  matched_types();
  environment();
  return finish();
}
