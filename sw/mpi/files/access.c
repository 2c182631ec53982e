/* Accesses: elements in memory, spans of the file. The contents are moved at once; so each access is atomic, whatever
 * MPI_File_set_atomicity has set. Then the process waits until its requests have been served. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/files/file.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/requests/request.h"

/* ---- checks ---- */
static int check_data(const struct mpi_access* access) {
  const MPI_Datatype type = access->type;
  MPI_File file = access->file;
  if (access->count < 0)
    return mpi_file_fail(file, access->call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", access->count);
  if (!type || type->references == 0)
    return mpi_file_fail(file, access->call, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL or has been freed");
  if (!type->committed)
    return mpi_file_fail(file, access->call, MPI_ERR_TYPE,
                         "the datatype has not been committed; call MPI_Type_commit first");
  if (!access->buffer && access->count > 0 && type->predefined && type->bytes > 0)
    return mpi_file_fail(file, access->call, MPI_ERR_BUFFER, "the buffer is a null pointer");
  return MPI_SUCCESS;
}

static int check_mode(const struct mpi_access* access) {
  if (access->way == HAL_FILE_WRITE && (access->file->mode & MPI_MODE_RDONLY) != 0)
    return mpi_file_fail(access->file, access->call, MPI_ERR_READ_ONLY, "the file is open with MPI_MODE_RDONLY");
  if (access->way == HAL_FILE_READ && (access->file->mode & MPI_MODE_WRONLY) != 0)
    return mpi_file_fail(access->file, access->call, MPI_ERR_ACCESS, "the file is open with MPI_MODE_WRONLY");
  return MPI_SUCCESS;
}

static int find_bytes(struct mpi_access* access) {
  const struct mpi_view* view = &access->file->view;
  size_t each = 0;
  if (view->representation->bytes(view->representation, access->type, &each) != MPI_SUCCESS)
    return mpi_file_fail(access->file, access->call, MPI_ERR_CONVERSION,
                         "representation '%s' has no conversion of this datatype", view->representation->name);
  access->bytes = each * (uint64_t)access->count;
  if (access->bytes % view->etype_bytes != 0)
    return mpi_file_fail(access->file, access->call, MPI_ERR_IO,
                         "%llu bytes are no multiple of the view's etype, which has %zu",
                         (unsigned long long)access->bytes, view->etype_bytes);
  if (access->bytes > 0 && view->bytes == 0)
    return mpi_file_fail(access->file, access->call, MPI_ERR_IO, "the view's file type has no data");
  return MPI_SUCCESS;
}

int mpi_access_check(struct mpi_access* access) {
  MPI_TRY(mpi_check_file(access->call, access->file));
  MPI_TRY(check_data(access));
  MPI_TRY(check_mode(access));
  return find_bytes(access);
}

int mpi_access_place(struct mpi_access* access, MPI_Offset offset) {
  if ((access->file->mode & MPI_MODE_SEQUENTIAL) != 0)
    return mpi_file_fail(access->file, access->call, MPI_ERR_UNSUPPORTED_OPERATION,
                         "the file is open with MPI_MODE_SEQUENTIAL; only calls with the shared pointer are permitted");
  if (offset < 0)
    return mpi_file_fail(access->file, access->call, MPI_ERR_ARG, "the offset is %lld; it must be 0 or more", offset);
  access->position = (uint64_t)offset * access->file->view.etype_bytes;
  return MPI_SUCCESS;
}

/* ---- memory ---- */
static int is_in_place(const struct mpi_access* access) {
  return access->file->view.representation->is_native && mpi_is_dense(access->type);
}

static int fail_conversion(const struct mpi_access* access, int error) {
  return mpi_file_fail(access->file, access->call, MPI_ERR_CONVERSION, "conversion to or from '%s' failed (%s)",
                       access->file->view.representation->name, mpi_error_name(error));
}

char* mpi_access_staging(const struct mpi_access* access, int* error) {
  *error = MPI_SUCCESS;
  if (is_in_place(access)) return access->buffer;
  char* const staging = mpi_memory(access->bytes);
  if (access->way == HAL_FILE_READ) return staging;
  const struct mpi_representation* form = access->file->view.representation;
  const int failed = form->to_file(form, access->buffer, (size_t)access->count, access->type, staging);
  if (failed == MPI_SUCCESS) return staging;
  *error = fail_conversion(access, failed);
  free(staging);
  return NULL;
}

/* Bytes of memory for those of the file. */
static size_t in_memory(const struct mpi_access* access, uint64_t bytes) {
  const uint64_t all = (uint64_t)access->count * access->type->bytes;
  if (access->bytes == 0 || access->bytes == all) return bytes;
  const uint64_t each = access->bytes / (uint64_t)access->count; /* only whole elements are converted */
  return each > 0 ? bytes / each * access->type->bytes : 0;
}

struct mpi_moved mpi_access_finish(const struct mpi_access* access, char* staging, uint64_t bytes) {
  struct mpi_moved moved = {.bytes = in_memory(access, bytes)};
  if (is_in_place(access)) return moved;
  const struct mpi_representation* form = access->file->view.representation;
  if (access->way == HAL_FILE_READ) {
    const int failed = form->from_file(form, staging, bytes, access->buffer, access->type);
    if (failed != MPI_SUCCESS) moved.error = fail_conversion(access, failed);
  }
  free(staging);
  return moved;
}

/* ---- the file ---- */
int64_t mpi_file_move(MPI_File file, enum hal_file_way way, char* data, const struct hal_file_span* spans, size_t count,
                      uint64_t* end_ps) {
  const int64_t moved = hal_file_move(file->descriptor, way, data, spans, count);
  uint64_t left = moved > 0 ? (uint64_t)moved : 0;
  for (size_t i = 0; left > 0; ++i) {
    const uint64_t bytes = spans[i].bytes < left ? spans[i].bytes : left;
    const uint64_t end = hal_file_begin(file->descriptor, way, spans[i].begin, bytes);
    if (end > *end_ps) *end_ps = end;
    left -= bytes;
  }
  return moved;
}

struct mpi_moved mpi_access_move(const struct mpi_access* access) {
  int error = MPI_SUCCESS;
  uint64_t end_ps = 0;
  char* const staging = mpi_access_staging(access, &error);
  if (error != MPI_SUCCESS) return (struct mpi_moved){.error = error};
  struct mpi_spans spans = mpi_view_spans(&access->file->view, access->position, access->bytes);
  const int64_t done = mpi_file_move(access->file, access->way, staging, spans.all, spans.count, &end_ps);
  free(spans.all);
  struct mpi_moved moved = mpi_access_finish(access, staging, done > 0 ? (uint64_t)done : 0);
  if (done < 0 && moved.error == MPI_SUCCESS)
    moved.error = mpi_file_fail_errno(access->file, access->call, (int)-done, access->file->name);
  moved.end_ps = end_ps;
  return moved;
}

int mpi_access_make(const struct mpi_access* access, MPI_Status* status) {
  const struct mpi_moved moved = mpi_access_move(access);
  hal_file_wait(moved.end_ps);
  mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, moved.bytes);
  return moved.error;
}

int mpi_access_start(const struct mpi_access* access, MPI_Request* request) {
  if (!request)
    return mpi_file_fail(access->file, access->call, MPI_ERR_ARG, "the place of the request is a null pointer");
  const struct mpi_moved moved = mpi_access_move(access);
  if (moved.error != MPI_SUCCESS) return moved.error;
  *request = mpi_request_until(access->call, moved.end_ps, moved.bytes);
  return MPI_SUCCESS;
}
