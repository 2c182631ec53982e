/* Attributes: keys, and the values that objects have under them. */
#include "sw/mpi/base/attribute.h"

#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/type.h"

#define PREDEFINED_KEYS (MPI_LASTUSEDCODE + 1)

struct keyval {
  enum mpi_key_kind kind;
  struct mpi_key_functions functions;
  void* extra;
  int freed;      /* existing attributes stay, and can still be read and deleted with it */
  unsigned users; /* existing attributes: a key with some still exists, and may be freed again */
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

static int check(const char* call, enum mpi_key_kind kind, int keyval, int in_use) {
  const struct keyval* known = keyval_of(keyval);
  if (keyval >= 0 && keyval < PREDEFINED_KEYS)
    return mpi_fail(call, MPI_ERR_KEYVAL, "key %d is predefined; it can be read only", keyval);
  if (!known || (known->freed && !in_use))
    return mpi_fail(call, MPI_ERR_KEYVAL, "there is no key %d; make it with MPI_Keyval_create or its kin", keyval);
  if (known->kind != kind)
    return mpi_fail(call, MPI_ERR_KEYVAL,
                    "key %d is for objects of another kind; make one with the _create_keyval of this kind", keyval);
  return MPI_SUCCESS;
}

/* ---- keys ---- */
int mpi_key_create(const char* call, enum mpi_key_kind kind, struct mpi_key_functions functions, int* keyval,
                   void* extra) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, keyval));
  struct keyvals* all = keyvals();
  all->at = mpi_larger_memory(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  all->at[all->count] = (struct keyval){.kind = kind, .functions = functions, .extra = extra};
  *keyval = PREDEFINED_KEYS + all->count++;
  return MPI_SUCCESS;
}

int mpi_key_free(const char* call, enum mpi_key_kind kind, int* keyval) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, keyval));
  const struct keyval* known = keyval_of(*keyval);
  MPI_TRY(check(call, kind, *keyval, known && known->users > 0));
  keyval_of(*keyval)->freed = 1;
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

/* ---- the program's functions: `call` fails as they do ---- */
static int answered(const char* call, struct mpi_owner owner, int keyval, int error, const char* what) {
  if (error == MPI_SUCCESS) return error;
  return mpi_fail_on(owner.kind == MPI_KEY_COMM ? owner.comm : MPI_COMM_WORLD, call, error,
                     "the program's function that %s attribute %d says error %d", what, keyval, error);
}

static int copy(const char* call, struct mpi_owner owner, const struct mpi_attribute* attribute, void* value,
                int* flag) {
  const struct keyval key = *keyval_of(attribute->keyval);
  const struct mpi_key_functions* of = &key.functions;
  const int keyval = attribute->keyval;
  int error = MPI_SUCCESS;
  *flag = 0;
  if (of->copy_comm) error = of->copy_comm(owner.comm, keyval, key.extra, attribute->value, value, flag);
  if (of->copy_type) error = of->copy_type(owner.type, keyval, key.extra, attribute->value, value, flag);
  return answered(call, owner, keyval, error, "copies");
}

static int release(const char* call, struct mpi_owner owner, const struct mpi_attribute* attribute) {
  const struct keyval key = *keyval_of(attribute->keyval);
  const struct mpi_key_functions* of = &key.functions;
  const int keyval = attribute->keyval; /* the function may delete it itself */
  int error = MPI_SUCCESS;
  if (of->delete_comm) error = of->delete_comm(owner.comm, keyval, attribute->value, key.extra);
  if (of->delete_type) error = of->delete_type(owner.type, keyval, attribute->value, key.extra);
  return answered(call, owner, keyval, error, "deletes");
}

/* ---- attributes: the last that was set is the first of the list, and the first to be deleted ---- */
static struct mpi_attribute** list_of(struct mpi_owner owner) {
  return owner.kind == MPI_KEY_COMM ? &owner.comm->attributes : &owner.type->attributes;
}

static struct mpi_attribute** find(struct mpi_owner owner, int keyval) {
  struct mpi_attribute** link = list_of(owner);
  while (*link && (*link)->keyval != keyval) link = &(*link)->next;
  return link;
}

static void add(struct mpi_owner owner, int keyval, void* value) {
  struct mpi_attribute* attribute = mpi_memory(sizeof *attribute);
  *attribute = (struct mpi_attribute){.next = *list_of(owner), .keyval = keyval, .value = value};
  *list_of(owner) = attribute;
  ++keyval_of(keyval)->users;
}

/* The program's function may set and delete other attributes meanwhile. */
static int delete_one(const char* call, struct mpi_owner owner, int keyval) {
  MPI_TRY(release(call, owner, *find(owner, keyval)));
  struct mpi_attribute** link = find(owner, keyval);
  struct mpi_attribute* attribute = *link;
  if (!attribute) return MPI_SUCCESS;
  *link = attribute->next;
  free(attribute);
  --keyval_of(keyval)->users;
  return MPI_SUCCESS;
}

int mpi_attribute_set(const char* call, struct mpi_owner owner, int keyval, void* value) {
  MPI_TRY(check(call, owner.kind, keyval, *find(owner, keyval) != NULL));
  struct mpi_attribute* attribute = *find(owner, keyval);
  if (attribute) MPI_TRY(release(call, owner, attribute));
  attribute = *find(owner, keyval); /* the program's function may have deleted it meanwhile */
  if (attribute)
    attribute->value = value;
  else
    add(owner, keyval, value);
  return MPI_SUCCESS;
}

/* Address of a predefined value; null: it is not set. */
static int* predefined(int keyval) {
  static int tag_most = MPI_TAG_UB_VALUE, no_host = MPI_PROC_NULL, any_rank = MPI_ANY_SOURCE, yes = 1, first = 0,
             last_code, processes;
  processes = MPI_comm_world_.size;
  last_code = mpi_last_error_code();
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
    case MPI_APPNUM: /* all ranks run the same program */
      return &first;
    case MPI_LASTUSEDCODE:
      return &last_code;
    default:
      return NULL;
  }
}

int mpi_attribute_get(const char* call, struct mpi_owner owner, int keyval, void* value, int* flag) {
  MPI_TRY(mpi_check_result(call, value && flag ? value : NULL));
  void* found = NULL;
  if (owner.kind == MPI_KEY_COMM && keyval >= 0 && keyval < PREDEFINED_KEYS) {
    found = predefined(keyval);
    *flag = found != NULL;
  } else {
    MPI_TRY(check(call, owner.kind, keyval, *find(owner, keyval) != NULL));
    const struct mpi_attribute* attribute = *find(owner, keyval);
    *flag = attribute != NULL;
    if (attribute) found = attribute->value;
  }
  if (*flag) memcpy(value, &found, sizeof found);
  return MPI_SUCCESS;
}

int mpi_attribute_delete(const char* call, struct mpi_owner owner, int keyval) {
  MPI_TRY(check(call, owner.kind, keyval, *find(owner, keyval) != NULL));
  if (!*find(owner, keyval)) return mpi_fail(call, MPI_ERR_KEYVAL, "there is no attribute %d; set it first", keyval);
  return delete_one(call, owner, keyval);
}

int mpi_attributes_delete(const char* call, struct mpi_owner owner) {
  while (*list_of(owner)) MPI_TRY(delete_one(call, owner, (*list_of(owner))->keyval));
  return MPI_SUCCESS;
}

int mpi_attributes_copy(const char* call, struct mpi_owner from, struct mpi_owner to) {
  for (const struct mpi_attribute* attribute = *list_of(from); attribute; attribute = attribute->next) {
    void* value = NULL;
    int flag = 0;
    MPI_TRY(copy(call, from, attribute, &value, &flag));
    if (flag) add(to, attribute->keyval, value);
  }
  return MPI_SUCCESS;
}
