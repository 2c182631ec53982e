/* Info: pairs of key and value that programs keep and pass on. No call here acts on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"

struct entry {
  struct entry* next;
  char* value;
  char key[MPI_MAX_INFO_KEY];
};

/* Keys are in the order in which they were set. */
struct MPI_info_ {
  struct mpi_object object;
  struct entry* entries;
};

struct MPI_info_ MPI_info_env_ = {.object = {1}}; /* empty: how the job was started is not known */

/* ---- checks ---- */
static int check_info(const char* call, MPI_Info info) {
  MPI_TRY(mpi_check_running(call));
  if (info == MPI_INFO_NULL) return mpi_fail(call, MPI_ERR_INFO, "the info is MPI_INFO_NULL");
  if (info->object.references == 0)
    return mpi_fail(call, MPI_ERR_INFO, "the info has been freed; use it before MPI_Info_free");
  return MPI_SUCCESS;
}

/* most: includes the terminating null, as the constants do in C. */
static int check_text(const char* call, const char* text, size_t least, size_t most, int error, const char* what) {
  if (!text) return mpi_fail(call, error, "the %s is a null pointer", what);
  const size_t length = strlen(text);
  if (length < least || length >= most)
    return mpi_fail(call, error, "the %s has %zu characters; %zu to %zu can be", what, length, least, most - 1);
  return MPI_SUCCESS;
}

static int check_key(const char* call, MPI_Info info, const char* key) {
  MPI_TRY(check_info(call, info));
  return check_text(call, key, 1, MPI_MAX_INFO_KEY, MPI_ERR_INFO_KEY, "key");
}

/* The link to an entry; to null if none exists. */
static struct entry** find(MPI_Info info, const char* key) {
  struct entry** link = &info->entries;
  while (*link && strcmp((*link)->key, key) != 0) link = &(*link)->next;
  return link;
}

static int no_memory(const char* call) {
  return mpi_fail(call, MPI_ERR_NO_MEM, "no memory for an info; set host.memory");
}

static int set(const char* call, MPI_Info info, const char* key, const char* value) {
  struct entry** link = find(info, key);
  char* copy = strdup(value);
  struct entry* entry = *link || !copy ? *link : calloc(1, sizeof *entry);
  if (!copy || !entry) {
    free(copy);
    return no_memory(call);
  }
  strcpy(entry->key, key);
  free(entry->value);
  entry->value = copy;
  *link = entry;
  return MPI_SUCCESS;
}

static void remove_entry(struct entry** link) {
  struct entry* entry = *link;
  *link = entry->next;
  free(entry->value);
  free(entry);
}

/* ---- life: a freed one stays in memory, so that its use is detected ---- */
int MPI_Info_create(MPI_Info* info) {
  MPI_TRY(mpi_check_running("MPI_Info_create"));
  MPI_TRY(mpi_check_result("MPI_Info_create", info));
  *info = calloc(1, sizeof **info);
  if (!*info) return no_memory("MPI_Info_create");
  (*info)->object.references = 1;
  return MPI_SUCCESS;
}

int MPI_Info_dup(MPI_Info info, MPI_Info* made) {
  MPI_TRY(check_info("MPI_Info_dup", info));
  MPI_TRY(MPI_Info_create(made));
  for (const struct entry* entry = info->entries; entry; entry = entry->next)
    MPI_TRY(set("MPI_Info_dup", *made, entry->key, entry->value));
  return MPI_SUCCESS;
}

/* As MPI_INFO_ENV: how the job was started is not known. Also before MPI_Init and after MPI_Finalize. */
int MPI_Info_create_env(int argc, char* argv[], MPI_Info* info) {
  (void)argc;
  (void)argv;
  if (!info) return MPI_ERR_ARG;
  *info = calloc(1, sizeof **info);
  if (!*info) return MPI_ERR_NO_MEM;
  (*info)->object.references = 1;
  return MPI_SUCCESS;
}

int MPI_Info_free(MPI_Info* info) {
  MPI_TRY(mpi_check_result("MPI_Info_free", info));
  MPI_TRY(check_info("MPI_Info_free", *info));
  if (*info == MPI_INFO_ENV)
    return mpi_fail("MPI_Info_free", MPI_ERR_INFO, "MPI_INFO_ENV is predefined; free only what you made");
  while ((*info)->entries) remove_entry(&(*info)->entries);
  (*info)->object.references = 0;
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

/* ---- entries ---- */
int MPI_Info_set(MPI_Info info, const char* key, const char* value) {
  MPI_TRY(check_key("MPI_Info_set", info, key));
  MPI_TRY(check_text("MPI_Info_set", value, 0, MPI_MAX_INFO_VAL, MPI_ERR_INFO_VALUE, "value"));
  return set("MPI_Info_set", info, key, value);
}

int MPI_Info_delete(MPI_Info info, const char* key) {
  MPI_TRY(check_key("MPI_Info_delete", info, key));
  struct entry** link = find(info, key);
  if (!*link) return mpi_fail("MPI_Info_delete", MPI_ERR_INFO_NOKEY, "there is no key '%s'; set it first", key);
  remove_entry(link);
  return MPI_SUCCESS;
}

int MPI_Info_get(MPI_Info info, const char* key, int room, char* value, int* flag) {
  MPI_TRY(check_key("MPI_Info_get", info, key));
  MPI_TRY(mpi_check_result("MPI_Info_get", value && flag ? value : NULL));
  if (room < 0) return mpi_fail("MPI_Info_get", MPI_ERR_ARG, "there is room for %d characters", room);
  const struct entry* entry = *find(info, key);
  *flag = entry != NULL;
  if (!entry) return MPI_SUCCESS;
  value[0] = '\0'; /* `room` does not count the end of the text */
  strncat(value, entry->value, (size_t)room);
  return MPI_SUCCESS;
}

/* `room`, and the length that the call returns, count the end of the text. */
int MPI_Info_get_string(MPI_Info info, const char* key, int* room, char* value, int* flag) {
  static const char call[] = "MPI_Info_get_string";
  MPI_TRY(check_key(call, info, key));
  MPI_TRY(mpi_check_result(call, room && flag ? room : NULL));
  if (*room < 0) return mpi_fail(call, MPI_ERR_ARG, "there is room for %d characters", *room);
  if (*room > 0) MPI_TRY(mpi_check_result(call, value));
  const struct entry* entry = *find(info, key);
  *flag = entry != NULL;
  if (!entry) return MPI_SUCCESS;
  if (*room > 0) snprintf(value, (size_t)*room, "%s", entry->value);
  *room = (int)strlen(entry->value) + 1;
  return MPI_SUCCESS;
}

int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* flag) {
  MPI_TRY(check_key("MPI_Info_get_valuelen", info, key));
  MPI_TRY(mpi_check_result("MPI_Info_get_valuelen", length && flag ? length : NULL));
  const struct entry* entry = *find(info, key);
  *flag = entry != NULL;
  if (entry) *length = (int)strlen(entry->value);
  return MPI_SUCCESS;
}

/* ---- all of them ---- */
static int count(MPI_Info info) {
  int keys = 0;
  for (const struct entry* entry = info->entries; entry; entry = entry->next) ++keys;
  return keys;
}

int MPI_Info_get_nkeys(MPI_Info info, int* keys) {
  MPI_TRY(check_info("MPI_Info_get_nkeys", info));
  MPI_TRY(mpi_check_result("MPI_Info_get_nkeys", keys));
  *keys = count(info);
  return MPI_SUCCESS;
}

int MPI_Info_get_nthkey(MPI_Info info, int index, char* key) {
  MPI_TRY(check_info("MPI_Info_get_nthkey", info));
  MPI_TRY(mpi_check_result("MPI_Info_get_nthkey", key));
  if (index < 0 || index >= count(info))
    return mpi_fail("MPI_Info_get_nthkey", MPI_ERR_ARG, "there is no key %d; the info has %d, from 0 on", index,
                    count(info));
  const struct entry* entry = info->entries;
  while (index-- > 0) entry = entry->next;
  strcpy(key, entry->key);
  return MPI_SUCCESS;
}
