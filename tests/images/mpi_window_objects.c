/* What is asked of MPI's windows, and set: attributes, names, groups, hints; errors and their handlers. */
#include "tests/images/mpi_check.h"

static MPI_Win made(void* base, size_t bytes, int unit) {
  MPI_Win window = MPI_WIN_NULL;
  EXPECT(MPI_Win_create(base, (MPI_Aint)bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &window) == MPI_SUCCESS);
  EXPECT(window != MPI_WIN_NULL);
  return window;
}

static void freed(MPI_Win window) {
  EXPECT(MPI_Win_free(&window) == MPI_SUCCESS);
  EXPECT(window == MPI_WIN_NULL);
}

/* ---- what is asked of windows ---- */
static int deleted;

static int on_delete(MPI_Win window, int key, void* value, void* extra) {
  (void)window;
  (void)key;
  EXPECT(value == &deleted && extra == &rank);
  ++deleted;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int memory[5], flag = 0, *unit = NULL, *flavor = NULL, *model = NULL, key = MPI_KEYVAL_INVALID;
  MPI_Aint* bytes = NULL;
  void* base = NULL;
  MPI_Win window = made(memory, sizeof memory, sizeof(int));
  MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
  EXPECT(flag && base == memory);
  MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &flag);
  EXPECT(flag && *bytes == sizeof memory);
  MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, &unit, &flag);
  EXPECT(flag && *unit == sizeof(int));
  MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  EXPECT(flag && *flavor == MPI_WIN_FLAVOR_CREATE);
  MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &flag);
  EXPECT(flag && *model == MPI_WIN_UNIFIED);
  void* value = NULL;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, &rank);
  MPI_Win_get_attr(window, key, &value, &flag);
  EXPECT(!flag);
  MPI_Win_set_attr(window, key, &deleted);
  MPI_Win_get_attr(window, key, &value, &flag);
  EXPECT(flag && value == &deleted);
  deleted = 0;
  MPI_Win_delete_attr(window, key);
  EXPECT(deleted == 1);
  MPI_Win_set_attr(window, key, &deleted);
  MPI_Win_free_keyval(&key);
  EXPECT(key == MPI_KEYVAL_INVALID);
  freed(window);
  EXPECT(deleted == 2);
}

static void names_groups_hints(void) {
  int memory = 0, length = -1, same = -1, flag = 0;
  char name[MPI_MAX_OBJECT_NAME], value[MPI_MAX_INFO_VAL];
  MPI_Info info, found;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(&memory, sizeof memory, 1, info, MPI_COMM_WORLD, &window);
  MPI_Win_get_info(window, &found);
  MPI_Info_get(found, "no_locks", MPI_MAX_INFO_VAL - 1, value, &flag);
  EXPECT(flag && strcmp(value, "true") == 0);
  MPI_Info_free(&found);
  MPI_Info_free(&info);
  MPI_Win_get_name(window, name, &length);
  EXPECT(length == 0 && name[0] == '\0');
  MPI_Win_set_name(window, "halo");
  MPI_Win_get_name(window, name, &length);
  EXPECT(length == 4 && strcmp(name, "halo") == 0);
  MPI_Group of_window, of_world;
  MPI_Win_get_group(window, &of_window);
  MPI_Comm_group(MPI_COMM_WORLD, &of_world);
  MPI_Group_compare(of_window, of_world, &same);
  EXPECT(same == MPI_IDENT);
  MPI_Group_free(&of_window);
  MPI_Group_free(&of_world);
  EXPECT(MPI_Win_f2c(MPI_Win_c2f(window)) == window && MPI_Win_c2f(MPI_WIN_NULL) == 0);
  freed(window);
}

/* ---- errors ---- */
static int handled, handled_code;
static MPI_Win handled_window;

static void on_error(MPI_Win* window, int* code, ...) {
  ++handled;
  handled_code = *code;
  handled_window = *window;
}

static void errors(void) {
  int memory[4] = {0}, value = 1, found = 0;
  MPI_Win window = made(memory, sizeof memory, sizeof(int));
  MPI_Errhandler handler;
  MPI_Win_get_errhandler(window, &handler);
  EXPECT(handler == MPI_ERRORS_ARE_FATAL);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  EXPECT(MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_complete(window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_wait(window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_unlock(0, window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_unlock_all(window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_flush(0, window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_lock(77, 0, 0, window) == MPI_ERR_LOCKTYPE);
  EXPECT(MPI_Win_lock(MPI_LOCK_SHARED, 0, 77, window) == MPI_ERR_ASSERT);
  EXPECT(MPI_Win_fence(1024, window) == MPI_ERR_ASSERT);
  EXPECT(MPI_Win_attach(window, memory, 4) == MPI_ERR_RMA_FLAVOR);
  EXPECT(MPI_Win_shared_query(window, 0, &(MPI_Aint){0}, &found, &found) == MPI_ERR_RMA_FLAVOR);
  MPI_Win_lock_all(0, window);
  EXPECT(MPI_Put(&value, 1, MPI_INT, right, -1, 1, MPI_INT, window) == MPI_ERR_DISP);
  EXPECT(MPI_Put(&value, 1, MPI_INT, right, 4, 1, MPI_INT, window) == MPI_ERR_RMA_RANGE);
  EXPECT(MPI_Put(&value, 1, MPI_INT, ranks, 0, 1, MPI_INT, window) == MPI_ERR_RANK);
  EXPECT(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window) == MPI_SUCCESS);
  EXPECT(MPI_Put(&value, 1, MPI_INT, right, 0, 2, MPI_INT, window) == MPI_ERR_TRUNCATE);
  EXPECT(MPI_Accumulate(&value, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_OP_NULL, window) == MPI_ERR_OP);
  EXPECT(MPI_Accumulate(&value, 1, MPI_INT, right, 0, 1, MPI_FLOAT, MPI_SUM, window) == MPI_ERR_TYPE);
  EXPECT(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_fence(0, window) == MPI_ERR_RMA_SYNC);
  EXPECT(MPI_Win_free(&window) == MPI_ERR_RMA_SYNC && window != MPI_WIN_NULL);
  MPI_Win_unlock_all(window);
  MPI_Win_create_errhandler(on_error, &handler);
  MPI_Win_set_errhandler(window, handler);
  handled = 0;
  EXPECT(MPI_Win_flush_all(window) == MPI_ERR_RMA_SYNC);
  EXPECT(handled == 1 && handled_code == MPI_ERR_RMA_SYNC && handled_window == window);
  MPI_Win_call_errhandler(window, MPI_ERR_OTHER);
  EXPECT(handled == 2 && handled_code == MPI_ERR_OTHER);
  MPI_Errhandler_free(&handler);
  freed(window);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  attributes();
  names_groups_hints();
  errors();
  return finish();
}
