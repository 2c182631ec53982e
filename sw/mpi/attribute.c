/* Attributes: values that programs attach to communicators, under keys of their own; and those that MPI gives. */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/internal.h"

#define PREDEFINED_KEYS (MPI_LASTUSEDCODE + 1)

struct keyval {
  MPI_Copy_function* copy;
  MPI_Delete_function* release;
  void* extra;
  int freed; /* attributes that there are stay */
};

struct keyvals {
  struct keyval* at;
  int count;
};

static struct keyvals* keyvals(void) {
  static struct keyvals all;
  return &all;
}

static struct keyval* keyval_of(int keyval) {
  const int index = keyval - PREDEFINED_KEYS;
  return index >= 0 && index < keyvals()->count ? &keyvals()->at[index] : NULL;
}

static int check(const char* call, MPI_Comm comm, int keyval) {
  MPI_TRY(mpi_check_comm(call, comm));
  const struct keyval* known = keyval_of(keyval);
  if (keyval >= 0 && keyval < PREDEFINED_KEYS)
    return mpi_fail(call, MPI_ERR_KEYVAL, "key %d is predefined; it can be read only", keyval);
  if (!known || known->freed)
    return mpi_fail(call, MPI_ERR_KEYVAL, "there is no key %d; make it with MPI_Keyval_create", keyval);
  return MPI_SUCCESS;
}

/* ---- keys ---- */
int mpi_dup_value_(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)comm;
  (void)keyval;
  (void)extra;
  memcpy(copied, &value, sizeof value);
  *flag = 1;
  return MPI_SUCCESS;
}

static int create(const char* call, MPI_Copy_function* copy, MPI_Delete_function* release, int* keyval, void* extra) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, keyval));
  struct keyvals* all = keyvals();
  all->at = realloc(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  all->at[all->count] = (struct keyval){.copy = copy, .release = release, .extra = extra};
  *keyval = PREDEFINED_KEYS + all->count++;
  return MPI_SUCCESS;
}

static int free_key(const char* call, int* keyval) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, keyval));
  MPI_TRY(check(call, MPI_COMM_WORLD, *keyval));
  keyval_of(*keyval)->freed = 1;
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

/* ---- attributes ---- */
static struct mpi_attribute** find(MPI_Comm comm, int keyval) {
  struct mpi_attribute** link = &comm->attributes;
  while (*link && (*link)->keyval != keyval) link = &(*link)->next;
  return link;
}

static int release(MPI_Comm comm, const struct mpi_attribute* attribute) {
  const struct keyval key = *keyval_of(attribute->keyval);
  return key.release ? key.release(comm, attribute->keyval, attribute->value, key.extra) : MPI_SUCCESS;
}

static int put(const char* call, MPI_Comm comm, int keyval, void* value) {
  MPI_TRY(check(call, comm, keyval));
  struct mpi_attribute* attribute = *find(comm, keyval);
  if (attribute) {
    MPI_TRY(release(comm, attribute));
  } else {
    attribute = malloc(sizeof *attribute);
    *attribute = (struct mpi_attribute){.next = comm->attributes, .keyval = keyval};
    comm->attributes = attribute;
  }
  attribute->value = value;
  return MPI_SUCCESS;
}

/* Where a predefined value is; null: it is not set. */
static int* predefined(int keyval) {
  static int tag_most = MPI_TAG_UB_VALUE, no_host = MPI_PROC_NULL, any_rank = MPI_ANY_SOURCE, yes = 1,
             last_code = MPI_ERR_LASTCODE - 1, processes;
  processes = mpi_comm_world_.size;
  switch (keyval) {
    case MPI_TAG_UB:
      return &tag_most;
    case MPI_HOST:
      return &no_host;
    case MPI_IO:
      return &any_rank;
    case MPI_WTIME_IS_GLOBAL:
      return &yes;
    case MPI_UNIVERSE_SIZE:
      return &processes;
    case MPI_LASTUSEDCODE:
      return &last_code;
    default:
      return NULL;
  }
}

static int get(const char* call, MPI_Comm comm, int keyval, void* value, int* flag) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_result(call, value && flag ? value : NULL));
  void* found = NULL;
  if (keyval >= 0 && keyval < PREDEFINED_KEYS) {
    found = predefined(keyval);
    *flag = found != NULL;
  } else {
    MPI_TRY(check(call, comm, keyval));
    const struct mpi_attribute* attribute = *find(comm, keyval);
    *flag = attribute != NULL;
    if (attribute) found = attribute->value;
  }
  if (*flag) memcpy(value, &found, sizeof found);
  return MPI_SUCCESS;
}

static int delete_one(MPI_Comm comm, struct mpi_attribute** link) {
  struct mpi_attribute* attribute = *link;
  MPI_TRY(release(comm, attribute));
  *link = attribute->next;
  free(attribute);
  return MPI_SUCCESS;
}

static int delete_key(const char* call, MPI_Comm comm, int keyval) {
  MPI_TRY(check(call, comm, keyval));
  struct mpi_attribute** link = find(comm, keyval);
  if (!*link) return mpi_fail(call, MPI_ERR_KEYVAL, "the communicator has no attribute %d; put it first", keyval);
  return delete_one(comm, link);
}

int mpi_attributes_delete(MPI_Comm comm) {
  while (comm->attributes) MPI_TRY(delete_one(comm, &comm->attributes));
  return MPI_SUCCESS;
}

int mpi_attributes_copy(MPI_Comm from, MPI_Comm to) {
  for (const struct mpi_attribute* attribute = from->attributes; attribute; attribute = attribute->next) {
    const struct keyval key = *keyval_of(attribute->keyval);
    void* value = NULL;
    int flag = 0;
    if (key.copy) MPI_TRY(key.copy(from, attribute->keyval, key.extra, attribute->value, &value, &flag));
    if (!flag) continue;
    struct mpi_attribute* copy = malloc(sizeof *copy);
    *copy = (struct mpi_attribute){.next = to->attributes, .keyval = attribute->keyval, .value = value};
    to->attributes = copy;
  }
  return MPI_SUCCESS;
}

/* ---- the calls: MPI-1's names and MPI-2's ---- */
int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* release_function, int* keyval, void* extra) {
  return create("MPI_Keyval_create", copy, release_function, keyval, extra);
}
int MPI_Comm_create_keyval(MPI_Copy_function* copy, MPI_Delete_function* release_function, int* keyval, void* extra) {
  return create("MPI_Comm_create_keyval", copy, release_function, keyval, extra);
}
int MPI_Keyval_free(int* keyval) { return free_key("MPI_Keyval_free", keyval); }
int MPI_Comm_free_keyval(int* keyval) { return free_key("MPI_Comm_free_keyval", keyval); }
int MPI_Attr_put(MPI_Comm comm, int keyval, void* value) { return put("MPI_Attr_put", comm, keyval, value); }
int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) { return put("MPI_Comm_set_attr", comm, keyval, value); }
int MPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  return get("MPI_Attr_get", comm, keyval, value, flag);
}
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  return get("MPI_Comm_get_attr", comm, keyval, value, flag);
}
int MPI_Attr_delete(MPI_Comm comm, int keyval) { return delete_key("MPI_Attr_delete", comm, keyval); }
int MPI_Comm_delete_attr(MPI_Comm comm, int keyval) { return delete_key("MPI_Comm_delete_attr", comm, keyval); }
