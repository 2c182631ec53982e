/* Handles of another kind. */
#include "sw/mpi/check/kinds.h"

#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/datatypes/op.h"

#define MARK 0x4d504900u /* "MPI", and the kind: no context is as large */

/* Without pointers: relocated data would move the variables of other libraries. */
static const struct {
  char name[16];
  int error;
} kinds[] = {[MPI_HANDLE_COMM] = {"communicator", MPI_ERR_COMM},
             [MPI_HANDLE_DATATYPE] = {"datatype", MPI_ERR_TYPE},
             [MPI_HANDLE_GROUP] = {"group", MPI_ERR_GROUP},
             [MPI_HANDLE_OP] = {"operation", MPI_ERR_OP},
             [MPI_HANDLE_ERRHANDLER] = {"error handler", MPI_ERR_ARG},
             [MPI_HANDLE_INFO] = {"info", MPI_ERR_INFO},
             [MPI_HANDLE_WIN] = {"window", MPI_ERR_WIN},
             [MPI_HANDLE_FILE] = {"file", MPI_ERR_FILE},
             [MPI_HANDLE_REQUEST] = {"request", MPI_ERR_REQUEST},
             [MPI_HANDLE_MESSAGE] = {"message", MPI_ERR_REQUEST}};
#define KINDS (sizeof kinds / sizeof *kinds)

static uint32_t word_at(const void* handle, size_t index) {
  uint32_t word;
  memcpy(&word, (const char*)handle + index * sizeof word, sizeof word);
  return word;
}
static uint32_t word_of(const void* handle) { return word_at(handle, 1); }

/* Its second word is its size; padding is the fourth, where a communicator has its size. */
enum { WORD_OF_GROUP = 3 };
static int is_marked_group(const void* handle) { return word_at(handle, WORD_OF_GROUP) == MARK + MPI_HANDLE_GROUP; }
static int is_group(const void* handle) {
  if (is_marked_group(handle)) return 1;
  return word_of(handle) - MARK >= KINDS && word_at(handle, WORD_OF_GROUP) == 0;
}

static int is_communicator(const void* handle, uint32_t word) {
  if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF) return 1;
  return word != 0 && word - MARK >= KINDS && !is_marked_group(handle);
}

/* Predefined ones, and those that a profiling tool has made by PMPI calls, have no mark. */
static int looks_like_datatype(const struct MPI_datatype_* type) {
  return type->kind <= MPI_KIND_2DOUBLE && (unsigned)type->predefined <= 1 && (unsigned)type->committed <= 1 &&
         (!type->predefined || type->bytes <= 2 * sizeof(long double _Complex));
}
static int looks_like_operation(const struct MPI_op_* op) {
  const uintptr_t least = 4096; /* no name is at a smaller address */
  return (uintptr_t)op->name >= least && (unsigned)op->commutes <= 1;
}

int mpi_is_kind(enum mpi_kind_of_handle kind, const void* handle) {
  const uintptr_t least = 4096;
  if ((uintptr_t)handle < least || (uintptr_t)handle % sizeof(uint32_t) != 0) return 0; /* an integer, a null page */
  const uint32_t word = word_of(handle);
  if (kind == MPI_HANDLE_COMM) return is_communicator(handle, word);
  if (kind == MPI_HANDLE_GROUP) return is_group(handle);
  if (word == MARK + kind) return 1;
  if (word != 0 || is_communicator(handle, word)) return 0;
  if (kind == MPI_HANDLE_DATATYPE) return looks_like_datatype(handle);
  if (kind == MPI_HANDLE_OP) return looks_like_operation(handle);
  return 1;
}

static const char* name_of(const void* handle) {
  const uintptr_t least = 4096;
  if ((uintptr_t)handle < least || (uintptr_t)handle % sizeof(uint32_t) != 0) return "no handle";
  const uint32_t word = word_of(handle);
  if (word - MARK < KINDS) return kinds[word - MARK].name;
  if (is_marked_group(handle)) return kinds[MPI_HANDLE_GROUP].name;
  if (is_communicator(handle, word)) return kinds[MPI_HANDLE_COMM].name;
  if (word == 0 && looks_like_datatype(handle)) return kinds[MPI_HANDLE_DATATYPE].name;
  return "a handle of another kind";
}

int mpi_fail_kind(const char* call, enum mpi_kind_of_handle kind, const void* handle) {
  MPI_TRY(mpi_check_running(call));
  const char* is = name_of(handle);
  const char* article = strchr(is, ' ') && strcmp(is, "error handler") != 0 ? "" : strchr("aeio", *is) ? "an " : "a ";
  return mpi_fail(call, kinds[kind].error, "the %s is %s%s; pass a %s", kinds[kind].name, article, is,
                  kinds[kind].name);
}

void mpi_mark(enum mpi_kind_of_handle kind, void* handle) {
  if (kind == MPI_HANDLE_COMM) return;
  const uint32_t mark = MARK + kind;
  const size_t word = kind == MPI_HANDLE_GROUP ? WORD_OF_GROUP : 1;
  memcpy((char*)handle + word * sizeof mark, &mark, sizeof mark);
}
