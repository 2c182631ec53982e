/* Info objects: order of keys, values of any length, copies, hints of communicators, windows and files, the
 * environment (MPI-3.1, chapter 9). */
#include <unistd.h>

#include "tests/images/mpi_check.h"

static const char* value_of(MPI_Info info, const char* key) {
  static char value[MPI_MAX_INFO_VAL + 1];
  int flag = 0;
  EXPECT(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag) == MPI_SUCCESS);
  return flag ? value : NULL;
}
static int has(MPI_Info info, const char* key, const char* value) {
  const char* got = value_of(info, key);
  return got && strcmp(got, value) == 0;
}
static int keys_of(MPI_Info info) {
  int count = -1;
  EXPECT(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS);
  return count;
}
static void expect_key(MPI_Info info, int n, const char* expected) {
  char key[MPI_MAX_INFO_KEY + 1];
  EXPECT(MPI_Info_get_nthkey(info, n, key) == MPI_SUCCESS && strcmp(key, expected) == 0);
}

/* The order is that of first insertion, and stays where one is set again. */
static void order(void) {
  MPI_Info info, copy;
  EXPECT(MPI_Info_create(&info) == MPI_SUCCESS && keys_of(info) == 0);
  MPI_Info_set(info, "wind", "north");
  MPI_Info_set(info, "sea", "calm");
  MPI_Info_set(info, "moon", "full");
  MPI_Info_set(info, "wind", "south");
  EXPECT(keys_of(info) == 3 && has(info, "wind", "south"));
  expect_key(info, 0, "wind");
  expect_key(info, 1, "sea");
  expect_key(info, 2, "moon");
  EXPECT(MPI_Info_dup(info, &copy) == MPI_SUCCESS);
  EXPECT(MPI_Info_delete(info, "sea") == MPI_SUCCESS && keys_of(info) == 2);
  expect_key(info, 0, "wind");
  expect_key(info, 1, "moon");
  EXPECT(keys_of(copy) == 3 && has(copy, "sea", "calm")); /* its own */
  expect_key(copy, 1, "sea");
  MPI_Info_set(info, "sea", "rough");
  expect_key(info, 2, "sea");
  EXPECT(!value_of(info, "Wind")); /* case counts */
  MPI_Info_free(&info);
  EXPECT(info == MPI_INFO_NULL && has(copy, "moon", "full"));
  MPI_Info_free(&copy);
}

static void lengths(void) {
  char longest_key[MPI_MAX_INFO_KEY + 1], longest_value[MPI_MAX_INFO_VAL + 1], got[8];
  MPI_Info info;
  int length = -1, flag = -1;
  MPI_Info_create(&info);
  memset(longest_key, 'k', sizeof longest_key);
  memset(longest_value, 'v', sizeof longest_value);
  longest_key[MPI_MAX_INFO_KEY - 1] = longest_value[MPI_MAX_INFO_VAL - 1] = '\0';
  EXPECT(MPI_Info_set(info, longest_key, longest_value) == MPI_SUCCESS && has(info, longest_key, longest_value));
  EXPECT(MPI_Info_get_valuelen(info, longest_key, &length, &flag) == MPI_SUCCESS);
  EXPECT(flag && length == MPI_MAX_INFO_VAL - 1);
  MPI_Info_set(info, "short", "0123456789");
  memset(got, '#', sizeof got);
  EXPECT(MPI_Info_get(info, "short", 4, got, &flag) == MPI_SUCCESS && flag);
  EXPECT(memcmp(got, "0123\0###", 8) == 0); /* cut, with its end */
  EXPECT(MPI_Info_get_valuelen(info, "none", &length, &flag) == MPI_SUCCESS && !flag);
  int bytes = sizeof got;
  EXPECT(MPI_Info_get_string(info, "short", &bytes, got, &flag) == MPI_SUCCESS && flag && bytes == 11);
  EXPECT(memcmp(got, "0123456\0", 8) == 0);
  bytes = 0; /* asks for the length alone */
  EXPECT(MPI_Info_get_string(info, "short", &bytes, NULL, &flag) == MPI_SUCCESS && flag && bytes == 11);
  MPI_Info_free(&info);
}

static void mistakes(void) {
  MPI_Info info;
  char key[MPI_MAX_INFO_KEY + 1];
  int its_class = 0;
  MPI_Info_create(&info);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Info_delete(info, "nothing"), &its_class);
  EXPECT(its_class == MPI_ERR_INFO_NOKEY);
  EXPECT(MPI_Info_get_nthkey(info, 0, key) != MPI_SUCCESS);
  char long_key[MPI_MAX_INFO_KEY + 2];
  memset(long_key, 'k', sizeof long_key);
  long_key[MPI_MAX_INFO_KEY + 1] = '\0';
  MPI_Error_class(MPI_Info_set(info, long_key, "v"), &its_class);
  EXPECT(its_class == MPI_ERR_INFO_KEY);
  MPI_Error_class(MPI_Info_set(info, "", "v"), &its_class);
  EXPECT(its_class == MPI_ERR_INFO_KEY);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Info_free(&info);
}

/* Hints that the library does not know may be kept or dropped; what it answers is always a new object. */
static void of_objects(void) {
  static int memory[4];
  MPI_Info info, used;
  MPI_Comm comm;
  MPI_Win win;
  MPI_File file;
  char name[64];
  MPI_Info_create(&info);
  MPI_Info_set(info, "mine", "yes");
  EXPECT(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm) == MPI_SUCCESS);
  EXPECT(MPI_Comm_set_info(comm, info) == MPI_SUCCESS && MPI_Comm_get_info(comm, &used) == MPI_SUCCESS);
  EXPECT(used != info && keys_of(used) >= 0);
  MPI_Info_free(&used);
  MPI_Comm_free(&comm);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Info_set(info, "accumulate_ordering", "none");
  EXPECT(MPI_Win_create(memory, sizeof memory, sizeof *memory, info, MPI_COMM_WORLD, &win) == MPI_SUCCESS);
  EXPECT(MPI_Win_set_info(win, info) == MPI_SUCCESS && MPI_Win_get_info(win, &used) == MPI_SUCCESS);
  MPI_Info_free(&used);
  int value = rank; /* it works on */
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  EXPECT(memory[1] == left);
  MPI_Win_free(&win);
  snprintf(name, sizeof name, "infos.%d", rank);
  MPI_Info_set(info, "cb_buffer_size", "65536");
  EXPECT(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file) == MPI_SUCCESS);
  EXPECT(MPI_File_get_info(file, &used) == MPI_SUCCESS && has(used, "cb_buffer_size", "65536"));
  MPI_Info_free(&used);
  EXPECT(MPI_File_set_info(file, info) == MPI_SUCCESS);
  MPI_File_close(&file);
  EXPECT(MPI_File_delete(name, info) == MPI_SUCCESS && access(name, F_OK) != 0);
  void* allocated = NULL;
  EXPECT(MPI_Alloc_mem(100, info, &allocated) == MPI_SUCCESS && allocated);
  fill(allocated, 100, rank, 1);
  EXPECT(is_filled(allocated, 100, rank, 1) && MPI_Free_mem(allocated) == MPI_SUCCESS);
  MPI_Info_free(&info);
}

static void environment(void) {
  const char* most = value_of(MPI_INFO_ENV, "maxprocs");
  EXPECT(!most || atoi(most) == ranks);
  const char* level = value_of(MPI_INFO_ENV, "thread_level");
  EXPECT(!level || strncmp(level, "MPI_THREAD_", 11) == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  order();
  lengths();
  mistakes();
  of_objects();
  environment();
  return finish();
}
