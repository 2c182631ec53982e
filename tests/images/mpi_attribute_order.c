/* Attributes of communicators, types and windows: which functions are called, with what, in which order; attributes
 * of those that are copied and those that are not; keys that are freed while in use; attributes of MPI_COMM_SELF at
 * the end (MPI-3.1, 6.7 and 8.7.1). */
#include "tests/images/mpi_check.h"

enum { MOST = 64 };
static int log_keys[MOST], log_values[MOST], logged; /* of calls, in their order */

static void note(int key, void* value) {
  EXPECT(logged < MOST);
  log_keys[logged] = key;
  log_values[logged++] = *(int*)value;
}
#define EXPECT_CALLS(count, keys, values) expect_calls(count, keys, values, __func__, __LINE__)
static void expect_calls(int count, const int* keys, const int* values, const char* where, int line) {
  expect(logged == count, "as many calls as that", where, line);
  for (int i = 0; i < count; ++i) {
    expect(log_keys[i] == keys[i], "this key", where, line);
    expect(log_values[i] == values[i], "this value", where, line);
  }
  logged = 0;
}

static int copies[MOST], copy_count; /* what copying makes: ten times the value */

static int copy_comm(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  EXPECT(extra == &logged && comm != MPI_COMM_NULL);
  note(key, in);
  copies[copy_count] = *(int*)in * 10;
  *(void**)out = &copies[copy_count++];
  *flag = 1;
  return MPI_SUCCESS;
}
static int leave_comm(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)extra, (void)out;
  note(key, in);
  *flag = 0;
  return MPI_SUCCESS;
}
static int delete_comm(MPI_Comm comm, int key, void* value, void* extra) {
  EXPECT(extra == &logged && comm != MPI_COMM_NULL);
  note(key, value);
  return MPI_SUCCESS;
}

static int value_of(MPI_Comm comm, int key) {
  int* value = NULL;
  int flag = 0;
  EXPECT(MPI_Comm_get_attr(comm, key, &value, &flag) == MPI_SUCCESS);
  return flag ? *value : -1;
}

/* ---- communicators ---- */

static void of_communicators(void) {
  int key[4], one = 1, two = 2, three = 3, four = 4;
  MPI_Comm comm, copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(copy_comm, delete_comm, &key[0], &logged);
  MPI_Comm_create_keyval(leave_comm, delete_comm, &key[1], &logged);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_comm, &key[2], &logged);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key[3], NULL);
  EXPECT(value_of(comm, key[0]) == -1);
  MPI_Comm_set_attr(comm, key[0], &one);
  MPI_Comm_set_attr(comm, key[1], &two);
  MPI_Comm_set_attr(comm, key[2], &three);
  MPI_Comm_set_attr(comm, key[3], &four);
  EXPECT(logged == 0);
  MPI_Comm_set_attr(comm, key[0], &four); /* replaces: the old value is deleted */
  EXPECT_CALLS(1, key, &one);
  EXPECT(MPI_Comm_dup(comm, &copy) == MPI_SUCCESS);
  EXPECT(logged == 2); /* the other two have no function of ours */
  const int first = log_keys[0] == key[0] ? 0 : 1;
  EXPECT(log_keys[first] == key[0] && log_values[first] == 4 && log_keys[!first] == key[1]);
  EXPECT(log_values[!first] == 2);
  logged = 0;
  EXPECT(value_of(copy, key[0]) == 40 && value_of(copy, key[1]) == -1);
  EXPECT(value_of(copy, key[2]) == 3 && value_of(copy, key[3]) == -1);
  EXPECT(MPI_Comm_delete_attr(copy, key[0]) == MPI_SUCCESS);
  const int forty = 40;
  EXPECT_CALLS(1, key, &forty);
  EXPECT(value_of(copy, key[0]) == -1);
  int freed = key[2];
  EXPECT(MPI_Comm_free_keyval(&freed) == MPI_SUCCESS && freed == MPI_KEYVAL_INVALID);
  MPI_Comm_free(&copy); /* the key lives as long as attributes of it */
  EXPECT_CALLS(1, &key[2], &three);
  MPI_Comm_free(&comm);
  EXPECT(logged == 3);
  int sum = 0;
  for (int i = 0; i < logged; ++i) sum += log_values[i];
  EXPECT(sum == 4 + 2 + 3);
  logged = 0;
  MPI_Comm_free_keyval(&key[0]);
  MPI_Comm_free_keyval(&key[1]);
  MPI_Comm_free_keyval(&key[3]);
}

/* Only MPI_Comm_dup copies: not create, split, or a grid. */
static void copied_by_duplication_alone(void) {
  int key, one = 1;
  MPI_Comm comm, made, idup;
  MPI_Group group;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(comm, key, &one);
  MPI_Comm_split(comm, 0, rank, &made);
  EXPECT(value_of(made, key) == -1);
  MPI_Comm_free(&made);
  MPI_Comm_group(comm, &group);
  MPI_Comm_create(comm, group, &made);
  EXPECT(value_of(made, key) == -1);
  MPI_Comm_free(&made);
  MPI_Group_free(&group);
  MPI_Cart_create(comm, 1, &ranks, &(int){1}, 0, &made);
  EXPECT(value_of(made, key) == -1);
  MPI_Comm_free(&made);
  MPI_Comm_idup(comm, &idup, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(value_of(idup, key) == 1);
  MPI_Comm_free(&idup);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
}

/* A copy function that fails: the duplication fails, and there is no communicator. */
static int refuse(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra, (void)in, (void)out, (void)flag;
  return MPI_ERR_OTHER;
}
static int refuse_delete(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value;
  return ++*(int*)extra == 1 ? MPI_ERR_OTHER : MPI_SUCCESS;
}
static void that_fail(void) {
  int key, deletions = 0, one = 1;
  MPI_Comm comm, copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(refuse, refuse_delete, &key, &deletions);
  MPI_Comm_set_attr(comm, key, &one);
  EXPECT(MPI_Comm_dup(comm, &copy) != MPI_SUCCESS);
  EXPECT(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS && value_of(comm, key) == 1); /* it stays */
  EXPECT(MPI_Comm_delete_attr(comm, key) == MPI_SUCCESS && value_of(comm, key) == -1);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&comm);
}

/* ---- predefined ones ---- */
static void predefined(void) {
  int *value = NULL, flag = 0;
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag) == MPI_SUCCESS && flag && *value >= 32767);
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag) == MPI_SUCCESS);
  EXPECT(!flag || *value == 0 || *value == 1);
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag) == MPI_SUCCESS && flag);
  EXPECT(*value == MPI_PROC_NULL || (*value >= 0 && *value < ranks));
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag) == MPI_SUCCESS && flag);
  EXPECT(*value == MPI_ANY_SOURCE || *value == rank);
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag) == MPI_SUCCESS && (!flag || *value >= 0));
  EXPECT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag) == MPI_SUCCESS);
  EXPECT(!flag || *value >= ranks);
}

/* ---- types ---- */
static int copy_type(MPI_Datatype type, int key, void* extra, void* in, void* out, int* flag) {
  (void)type, (void)extra;
  note(key, in);
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
static int delete_type(MPI_Datatype type, int key, void* value, void* extra) {
  (void)type, (void)extra;
  note(key, value);
  return MPI_SUCCESS;
}
static void of_types(void) {
  int key, seven = 7, flag = 0, *value = NULL;
  MPI_Datatype type, copy, derived;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_create_keyval(copy_type, delete_type, &key, NULL);
  MPI_Type_set_attr(type, key, &seven);
  MPI_Type_dup(type, &copy);
  EXPECT_CALLS(1, &key, &seven);
  MPI_Type_get_attr(copy, key, &value, &flag);
  EXPECT(flag && *value == 7);
  MPI_Type_contiguous(2, type, &derived); /* has none */
  MPI_Type_get_attr(derived, key, &value, &flag);
  EXPECT(!flag && logged == 0);
  EXPECT(MPI_Type_delete_attr(copy, key) == MPI_SUCCESS);
  EXPECT_CALLS(1, &key, &seven);
  MPI_Type_free(&copy);
  EXPECT(logged == 0);
  MPI_Type_free(&derived);
  MPI_Type_free(&type);
  EXPECT_CALLS(1, &key, &seven);
  MPI_Type_free_keyval(&key);
  EXPECT(key == MPI_KEYVAL_INVALID);
}

/* ---- windows ---- */
static int delete_window(MPI_Win win, int key, void* value, void* extra) {
  EXPECT(win != MPI_WIN_NULL && extra == &logged);
  note(key, value);
  return MPI_SUCCESS;
}
static void of_windows(void) {
  static int memory[8];
  int key, five = 5, six = 6, flag = 0, *value = NULL;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_window, &key, &logged);
  MPI_Win_set_attr(win, key, &five);
  MPI_Win_set_attr(win, key, &six);
  EXPECT_CALLS(1, &key, &five);
  EXPECT(MPI_Win_get_attr(win, key, &value, &flag) == MPI_SUCCESS && flag && *value == 6);
  EXPECT(MPI_Win_delete_attr(win, key) == MPI_SUCCESS);
  EXPECT_CALLS(1, &key, &six);
  MPI_Win_set_attr(win, key, &five);
  MPI_Win_free(&win);
  EXPECT_CALLS(1, &key, &five);
  MPI_Win_free_keyval(&key);
}

/* ---- the names of MPI-1 ---- */
static int copy_old(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  return copy_comm(comm, key, extra, in, out, flag);
}
static int delete_old(MPI_Comm comm, int key, void* value, void* extra) { return delete_comm(comm, key, value, extra); }
static void old_names(void) {
  int key, eight = 8, flag = 0, *value = NULL;
  MPI_Comm comm, copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  EXPECT(MPI_Keyval_create(copy_old, delete_old, &key, &logged) == MPI_SUCCESS);
  MPI_Attr_put(comm, key, &eight);
  MPI_Comm_dup(comm, &copy);
  EXPECT_CALLS(1, &key, &eight);
  EXPECT(MPI_Attr_get(copy, key, &value, &flag) == MPI_SUCCESS && flag && *value == 80);
  EXPECT(MPI_Attr_delete(copy, key) == MPI_SUCCESS);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  const int both_keys[] = {key, key}, both_values[] = {80, 8};
  EXPECT_CALLS(2, both_keys, both_values);
  EXPECT(MPI_Keyval_free(&key) == MPI_SUCCESS && key == MPI_KEYVAL_INVALID);
}

/* ---- at the end: those of MPI_COMM_SELF first, in reverse order, while MPI still works ---- */
static int at_end(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)extra;
  static int expected = 3, size = 0;
  EXPECT(comm == MPI_COMM_SELF && *(int*)value == expected--);
  EXPECT(MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS && size == ranks);
  if (expected == 0 && rank == 0) printf("the three are gone\n");
  return MPI_SUCCESS;
}
static void until_the_end(void) {
  static int values[3] = {1, 2, 3};
  for (int i = 0; i < 3; ++i) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &values[i]);
    MPI_Comm_free_keyval(&key);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  of_communicators();
  copied_by_duplication_alone();
  that_fail();
  predefined();
  of_types();
  of_windows();
  old_names();
  until_the_end();
  return finish();
}
