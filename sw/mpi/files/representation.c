/* Representations of data in files (MPI-3.1, 13.5): "native" and "internal", which are memory's here, as all nodes of a
 * machine are alike; "external32", the standard's; and those that the program registers. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/datatypes/type_map.h"
#include "sw/mpi/files/file.h"

/* ---- native ---- */
static int native_bytes(const struct mpi_representation* self, MPI_Datatype type, size_t* bytes) {
  (void)self;
  *bytes = type->bytes;
  return MPI_SUCCESS;
}

static int native_to_file(const struct mpi_representation* self, const void* from, size_t count, MPI_Datatype type,
                          void* to) {
  (void)self;
  mpi_pack(from, count, type, to);
  return MPI_SUCCESS;
}

static int native_from_file(const struct mpi_representation* self, const void* from, size_t bytes, void* to,
                            MPI_Datatype type) {
  (void)self;
  mpi_unpack_bytes(from, bytes, to, type);
  return MPI_SUCCESS;
}

/* ---- external32: conversions report to the communicator's handler, but here the file's gets their errors ---- */
#define QUIETLY(call)                                                          \
  struct MPI_errhandler_* const before = MPI_COMM_WORLD->handler;              \
  mpi_check_running("MPI_File"); /* from now on errors are MPI_COMM_WORLD's */ \
  MPI_COMM_WORLD->handler = MPI_ERRORS_RETURN;                                 \
  const int error = call;                                                      \
  MPI_COMM_WORLD->handler = before;                                            \
  return error

static int external_bytes(const struct mpi_representation* self, MPI_Datatype type, size_t* bytes) {
  MPI_Aint size = 0;
  MPI_TRY(MPI_Pack_external_size(self->name, 1, type, &size));
  *bytes = (size_t)size;
  return MPI_SUCCESS;
}

static int external_to_file(const struct mpi_representation* self, const void* from, size_t count, MPI_Datatype type,
                            void* to) {
  MPI_Aint position = 0, room = 0;
  MPI_TRY(MPI_Pack_external_size(self->name, (int)count, type, &room));
  QUIETLY(MPI_Pack_external(self->name, from, (int)count, type, to, room, &position));
}

/* Whole elements: what follows them is of no type. */
static int external_from_file(const struct mpi_representation* self, const void* from, size_t bytes, void* to,
                              MPI_Datatype type) {
  size_t each = 0;
  MPI_Aint position = 0;
  MPI_TRY(external_bytes(self, type, &each));
  if (each == 0) return MPI_SUCCESS;
  QUIETLY(MPI_Unpack_external(self->name, from, (MPI_Aint)bytes, &position, to, (int)(bytes / each), type));
}

/* ---- the program's ---- */
struct mpi_own_representation {
  struct mpi_representation common;
  struct mpi_own_representation* next;
  MPI_Datarep_conversion_function *read, *write;
  MPI_Datarep_extent_function* extent;
  void* extra;
};

static struct mpi_own_representation** registered(void) {
  static struct mpi_own_representation* list;
  return &list;
}

static int own_bytes(const struct mpi_representation* self, MPI_Datatype type, size_t* bytes) {
  const MPI_Datatype basic = type->basic;
  MPI_Aint extent = 0;
  if (!basic) return MPI_ERR_UNSUPPORTED_OPERATION;
  MPI_TRY(self->own->extent(basic, &extent, self->own->extra));
  *bytes = type->bytes / basic->bytes * (size_t)extent;
  return MPI_SUCCESS;
}

static int own_to_file(const struct mpi_representation* self, const void* from, size_t count, MPI_Datatype type,
                       void* to) {
  const struct mpi_own_representation* own = self->own;
  if (!own->write) return native_to_file(self, from, count, type, to);
  return own->write((void*)from, type, (int)count, to, 0, own->extra);
}

static int own_from_file(const struct mpi_representation* self, const void* from, size_t bytes, void* to,
                         MPI_Datatype type) {
  const struct mpi_own_representation* own = self->own;
  size_t each = 0;
  if (!own->read) return native_from_file(self, from, bytes, to, type);
  MPI_TRY(own_bytes(self, type, &each));
  if (each == 0 || bytes < each) return MPI_SUCCESS;
  return own->read(to, type, (int)(bytes / each), (void*)from, 0, own->extra);
}

/* ---- by name ---- */
static const struct mpi_representation known[] = {
    {"native", native_bytes, native_to_file, native_from_file, 1, NULL},
    {"internal", native_bytes, native_to_file, native_from_file, 1, NULL},
    {"external32", external_bytes, external_to_file, external_from_file, 0, NULL}};

const struct mpi_representation* mpi_native_representation(void) { return &known[0]; }

const struct mpi_representation* mpi_representation_named(const char* name) {
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strcmp(known[i].name, name) == 0) return &known[i];
  for (const struct mpi_own_representation* own = *registered(); own; own = own->next)
    if (strcmp(own->common.name, name) == 0) return &own->common;
  return NULL;
}

int MPI_Register_datarep(const char* representation, MPI_Datarep_conversion_function* read,
                         MPI_Datarep_conversion_function* write, MPI_Datarep_extent_function* extent, void* extra) {
  static const char call[] = "MPI_Register_datarep";
  MPI_TRY(mpi_check_running(call));
  if (!representation || !extent) return mpi_file_fail(NULL, call, MPI_ERR_ARG, "an argument is a null pointer");
  if (strlen(representation) >= MPI_MAX_DATAREP_STRING)
    return mpi_file_fail(NULL, call, MPI_ERR_ARG, "the name has %zu characters; at most %d can be",
                         strlen(representation), MPI_MAX_DATAREP_STRING - 1);
  if (mpi_representation_named(representation))
    return mpi_file_fail(NULL, call, MPI_ERR_DUP_DATAREP, "there is a representation '%s' already", representation);
  struct mpi_own_representation* own = mpi_memory(sizeof *own);
  char* const name = mpi_memory(MPI_MAX_DATAREP_STRING);
  strcpy(name, representation);
  *own = (struct mpi_own_representation){.common = {name, own_bytes, own_to_file, own_from_file, !read && !write, own},
                                         .next = *registered(),
                                         .read = read,
                                         .write = write,
                                         .extent = extent,
                                         .extra = extra};
  *registered() = own;
  return MPI_SUCCESS;
}

/* ---- displacements ---- */
static size_t common_divisor(size_t a, size_t b) { return b == 0 ? a : common_divisor(b, a % b); }

int mpi_representation_ratio(const struct mpi_representation* representation, MPI_Datatype type,
                             struct mpi_ratio* ratio) {
  *ratio = (struct mpi_ratio){1, 1};
  if (representation->is_native || type->bytes == 0) return MPI_SUCCESS;
  size_t bytes = 0;
  MPI_TRY(representation->bytes(representation, type, &bytes));
  if (bytes == type->bytes) return MPI_SUCCESS; /* no element grows in external32: each keeps its size */
  if (!type->dense && type->map->shape.element == 0)
    return MPI_ERR_UNSUPPORTED_OPERATION; /* elements of several kinds */
  const size_t common = common_divisor(bytes, type->bytes);
  *ratio = (struct mpi_ratio){bytes / common, type->bytes / common};
  return MPI_SUCCESS;
}
