/* What is asked of windows: group, name, hints, handlers of errors; their numbers for Fortran. */
#include <stdio.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/windows/windows.h"

/* ---- errors ---- */
/* A handler's function gets the window, so checks are silent where there is one, and the call reports by itself. */
void window_set_handler(MPI_Win window, MPI_Errhandler handler) {
  window->handler = handler;
  window->comm->handler = handler->function ? MPI_ERRORS_RETURN : handler;
}

int window_check(const char* call, MPI_Win window) {
  MPI_TRY(mpi_check_running(call));
  if (window == MPI_WIN_NULL) return mpi_fail(call, MPI_ERR_WIN, "the window is MPI_WIN_NULL");
  if (window->object.references == 0)
    return mpi_fail(call, MPI_ERR_WIN, "the window has been freed; use it before MPI_Win_free");
  return mpi_check_comm(call, window->comm);
}

int window_result(MPI_Win window, int error) {
  if (error == MPI_SUCCESS || !window->handler->function) return error;
  ((MPI_Win_errhandler_function*)(void (*)(void))window->handler->function)(&window, &error);
  return error;
}

int window_check_rank(const char* call, MPI_Win window, int rank) {
  if (rank >= 0 && rank < window->comm->size) return MPI_SUCCESS;
  return mpi_fail(call, MPI_ERR_RANK, "there is no rank %d; the window has ranks 0..%d", rank, window->comm->size - 1);
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handler) {
  static const char call[] = "MPI_Win_create_errhandler";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, handler));
  if (!function) return mpi_fail(call, MPI_ERR_ARG, "the function is a null pointer");
  *handler = mpi_memory(sizeof **handler);
  **handler = (struct MPI_errhandler_){.object = {1}, .function = (MPI_Handler_function*)(void (*)(void))function};
  return MPI_SUCCESS;
}

static int set_handler(MPI_Win window, MPI_Errhandler handler) {
  if (!handler)
    return mpi_fail("MPI_Win_set_errhandler", MPI_ERR_ARG,
                    "the handler is MPI_ERRHANDLER_NULL; take MPI_ERRORS_RETURN");
  window_set_handler(window, handler);
  return MPI_SUCCESS;
}

int MPI_Win_set_errhandler(MPI_Win window, MPI_Errhandler handler) {
  WINDOW_CALL("MPI_Win_set_errhandler", window, set_handler(window, handler));
}

static int get_handler(MPI_Win window, MPI_Errhandler* handler) {
  MPI_TRY(mpi_check_result("MPI_Win_get_errhandler", handler));
  *handler = window->handler;
  return MPI_SUCCESS;
}

int MPI_Win_get_errhandler(MPI_Win window, MPI_Errhandler* handler) {
  WINDOW_CALL("MPI_Win_get_errhandler", window, get_handler(window, handler));
}

int MPI_Win_call_errhandler(MPI_Win window, int code) {
  static const char call[] = "MPI_Win_call_errhandler";
  MPI_TRY(window_check(call, window));
  window_result(window, mpi_fail(call, code, "the program reports an error"));
  return MPI_SUCCESS;
}

/* ---- group, name ---- */
static int get_group(MPI_Win window, MPI_Group* group) {
  MPI_TRY(mpi_check_result("MPI_Win_get_group", group));
  return MPI_Comm_group(window->comm, group);
}

int MPI_Win_get_group(MPI_Win window, MPI_Group* group) {
  WINDOW_CALL("MPI_Win_get_group", window, get_group(window, group));
}

static int set_name(MPI_Win window, const char* name) {
  MPI_TRY(mpi_check_result("MPI_Win_set_name", name));
  snprintf(window->name, sizeof window->name, "%s", name);
  return MPI_SUCCESS;
}

int MPI_Win_set_name(MPI_Win window, const char* name) {
  WINDOW_CALL("MPI_Win_set_name", window, set_name(window, name));
}

static int get_name(MPI_Win window, char* name, int* length) {
  MPI_TRY(mpi_check_result("MPI_Win_get_name", name && length ? name : NULL));
  memcpy(name, window->name, sizeof window->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

int MPI_Win_get_name(MPI_Win window, char* name, int* length) {
  WINDOW_CALL("MPI_Win_get_name", window, get_name(window, name, length));
}

/* ---- hints: those that the program has given ---- */
static int add_info(MPI_Win window, MPI_Info info) {
  int count = 0;
  MPI_TRY(info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_nkeys(info, &count));
  for (int i = 0; i < count; ++i) {
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
    int flag = 0;
    MPI_TRY(MPI_Info_get_nthkey(info, i, key));
    MPI_TRY(MPI_Info_get(info, key, sizeof value - 1, value, &flag));
    MPI_TRY(MPI_Info_set(window->info, key, value));
  }
  return MPI_SUCCESS;
}

int MPI_Win_set_info(MPI_Win window, MPI_Info info) { WINDOW_CALL("MPI_Win_set_info", window, add_info(window, info)); }

static int get_info(MPI_Win window, MPI_Info* info) {
  MPI_TRY(mpi_check_result("MPI_Win_get_info", info));
  return MPI_Info_dup(window->info, info);
}

int MPI_Win_get_info(MPI_Win window, MPI_Info* info) {
  WINDOW_CALL("MPI_Win_get_info", window, get_info(window, info));
}

/* ---- numbers: places in a list of all windows that were converted, from 1 on ---- */
struct numbers {
  MPI_Win* windows;
  int count;
};

static struct numbers* numbers(void) {
  static struct numbers list;
  return &list;
}

MPI_Fint MPI_Win_c2f(MPI_Win window) {
  struct numbers* list = numbers();
  if (!window) return 0;
  for (int i = 0; i < list->count; ++i)
    if (list->windows[i] == window) return i + 1;
  list->windows = mpi_larger_memory(list->windows, ((size_t)list->count + 1) * sizeof *list->windows);
  list->windows[list->count] = window;
  return ++list->count;
}

MPI_Win MPI_Win_f2c(MPI_Fint number) {
  const struct numbers* list = numbers();
  return number < 1 || number > list->count ? MPI_WIN_NULL : list->windows[number - 1];
}
