/* Attributes of windows: the predefined ones, and the program's under keys of their own. */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/windows/windows.h"

#define FIRST_KEY (1 << 24) /* of windows: no key of another kind of object is as large */

struct window_key {
  MPI_Win_delete_attr_function* release; /* no call copies a window */
  void* extra;
  int freed, users;
};

struct window_attribute {
  struct window_attribute* next;
  int keyval;
  void* value;
};

struct keys {
  struct window_key* at;
  int count;
};

static struct keys* keys(void) {
  static struct keys all;
  return &all;
}

static struct window_key* key_of(int keyval) {
  const int i = keyval - FIRST_KEY;
  return i >= 0 && i < keys()->count ? &keys()->at[i] : NULL;
}

static int check_key(const char* call, int keyval) {
  const struct window_key* key = key_of(keyval);
  if (keyval >= 0 && keyval <= MPI_LASTUSEDCODE)
    return mpi_fail(call, MPI_ERR_KEYVAL, "key %d is predefined; it can be read only", keyval);
  if (!key || (key->freed && key->users == 0))
    return mpi_fail(call, MPI_ERR_KEYVAL, "there is no key %d for windows; make it with MPI_Win_create_keyval", keyval);
  return MPI_SUCCESS;
}

/* ---- keys ---- */
int MPI_Win_create_keyval(MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* release, int* keyval,
                          void* extra) {
  static const char call[] = "MPI_Win_create_keyval";
  (void)copy;
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, keyval));
  struct keys* all = keys();
  all->at = mpi_larger_memory(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  all->at[all->count] = (struct window_key){.release = release, .extra = extra};
  *keyval = FIRST_KEY + all->count++;
  return MPI_SUCCESS;
}

int MPI_Win_free_keyval(int* keyval) {
  static const char call[] = "MPI_Win_free_keyval";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, keyval));
  MPI_TRY(check_key(call, *keyval));
  key_of(*keyval)->freed = 1;
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

/* ---- values ---- */
static struct window_attribute** find(MPI_Win window, int keyval) {
  struct window_attribute** link = &window->attributes;
  while (*link && (*link)->keyval != keyval) link = &(*link)->next;
  return link;
}

static int release(const char* call, MPI_Win window, int keyval, void* value) {
  const struct window_key key = *key_of(keyval);
  const int error = key.release ? key.release(window, keyval, value, key.extra) : MPI_SUCCESS;
  if (error == MPI_SUCCESS) return MPI_SUCCESS;
  return mpi_fail_on(window->comm, call, error, "the program's function that deletes attribute %d says error %d",
                     keyval, error);
}

static int remove_one(const char* call, MPI_Win window, int keyval) {
  MPI_TRY(release(call, window, keyval, (*find(window, keyval))->value));
  struct window_attribute** link = find(window, keyval);
  struct window_attribute* attribute = *link;
  if (!attribute) return MPI_SUCCESS; /* the function has deleted it itself */
  *link = attribute->next;
  free(attribute);
  --key_of(keyval)->users;
  return MPI_SUCCESS;
}

static int set(const char* call, MPI_Win window, int keyval, void* value) {
  MPI_TRY(check_key(call, keyval));
  if (*find(window, keyval)) MPI_TRY(remove_one(call, window, keyval));
  struct window_attribute* attribute = mpi_memory(sizeof *attribute);
  *attribute = (struct window_attribute){.next = window->attributes, .keyval = keyval, .value = value};
  window->attributes = attribute;
  ++key_of(keyval)->users;
  return MPI_SUCCESS;
}

static int delete_one(const char* call, MPI_Win window, int keyval) {
  MPI_TRY(check_key(call, keyval));
  if (*find(window, keyval)) return remove_one(call, window, keyval);
  return mpi_fail(call, MPI_ERR_KEYVAL, "there is no attribute %d; set it first", keyval);
}

int window_attributes_delete(const char* call, MPI_Win window) {
  while (window->attributes) MPI_TRY(remove_one(call, window, window->attributes->keyval));
  return MPI_SUCCESS;
}

/* Null: it is no predefined key. */
static void* predefined(MPI_Win window, int keyval) {
  switch (keyval) {
    case MPI_WIN_BASE:
      return window->base;
    case MPI_WIN_SIZE:
      return &window->bytes;
    case MPI_WIN_DISP_UNIT:
      return &window->unit;
    case MPI_WIN_CREATE_FLAVOR:
      return &window->flavor;
    case MPI_WIN_MODEL:
      return &window->model;
    default:
      return NULL;
  }
}

static int get(const char* call, MPI_Win window, int keyval, void* value, int* flag) {
  MPI_TRY(mpi_check_result(call, value && flag ? value : NULL));
  void* found = predefined(window, keyval);
  *flag = found != NULL || keyval == MPI_WIN_BASE;
  if (!*flag) {
    MPI_TRY(check_key(call, keyval));
    const struct window_attribute* attribute = *find(window, keyval);
    *flag = attribute != NULL;
    if (attribute) found = attribute->value;
  }
  if (*flag) memcpy(value, &found, sizeof found);
  return MPI_SUCCESS;
}

int MPI_Win_set_attr(MPI_Win window, int keyval, void* value) {
  WINDOW_CALL("MPI_Win_set_attr", window, set("MPI_Win_set_attr", window, keyval, value));
}

int MPI_Win_get_attr(MPI_Win window, int keyval, void* value, int* flag) {
  WINDOW_CALL("MPI_Win_get_attr", window, get("MPI_Win_get_attr", window, keyval, value, flag));
}

int MPI_Win_delete_attr(MPI_Win window, int keyval) {
  WINDOW_CALL("MPI_Win_delete_attr", window, delete_one("MPI_Win_delete_attr", window, keyval));
}
