/* Hints: those that act, and what MPI_File_get_info says of them. Others are accepted and ignored (MPI-3.1, 13.2.8). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/files/file.h"

#define BUFFER_BYTES (4 << 20) /* of an aggregator at a time, as elsewhere */

static int text_of(MPI_Info info, const char* key, char* text) {
  int flag = 0;
  if (info != MPI_INFO_NULL && MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, text, &flag) != MPI_SUCCESS) return 0;
  return flag;
}

/* A whole number from 1 on; other values are no hints. */
static int64_t number_of(MPI_Info info, const char* key, int64_t otherwise) {
  char text[MPI_MAX_INFO_VAL], *end = text;
  if (!text_of(info, key, text)) return otherwise;
  const long long value = strtoll(text, &end, 10);
  return *end == '\0' && end != text && value > 0 ? value : otherwise;
}

static void read_choice(MPI_Info info, const char* key, const char* yes, const char* no, int* choice) {
  char text[MPI_MAX_INFO_VAL];
  if (!text_of(info, key, text)) return;
  if (strcmp(text, yes) == 0) *choice = CB_ENABLE;
  if (strcmp(text, no) == 0) *choice = CB_DISABLE;
  if (strcmp(text, "automatic") == 0) *choice = CB_AUTOMATIC;
}

/* What one process says, all must: rank 0's counts. */
int mpi_hints_read(const char* call, MPI_File file, MPI_Info info) {
  struct mpi_hints* hints = &file->hints;
  if (info != MPI_INFO_NULL && info != MPI_INFO_ENV && ((const struct mpi_object*)info)->references == 0)
    return mpi_file_fail(file, call, MPI_ERR_INFO, "the info has been freed; use it before MPI_Info_free");
  if (hints->cb_buffer_size == 0) hints->cb_buffer_size = BUFFER_BYTES;
  int reading = hints->cb[HAL_FILE_READ], writing = hints->cb[HAL_FILE_WRITE], both = -1;
  hints->cb_nodes = (int)number_of(info, "cb_nodes", hints->cb_nodes);
  hints->cb_buffer_size = number_of(info, "cb_buffer_size", hints->cb_buffer_size);
  read_choice(info, "collective_buffering", "true", "false", &both);
  if (both >= 0) reading = writing = both;
  read_choice(info, "romio_cb_read", "enable", "disable", &reading);
  read_choice(info, "romio_cb_write", "enable", "disable", &writing);
  int64_t all[4] = {hints->cb_nodes, hints->cb_buffer_size, reading, writing};
  MPI_Bcast(all, 4, MPI_INT64_T, 0, file->comm);
  hints->cb_nodes = (int)all[0];
  hints->cb_buffer_size = all[1];
  hints->cb[HAL_FILE_READ] = (int)all[2];
  hints->cb[HAL_FILE_WRITE] = (int)all[3];
  return MPI_SUCCESS;
}

int MPI_File_set_info(MPI_File file, MPI_Info info) {
  MPI_TRY(mpi_check_file("MPI_File_set_info", file));
  return mpi_hints_read("MPI_File_set_info", file, info);
}

int MPI_File_get_info(MPI_File file, MPI_Info* info) {
  static const char* const choices[] = {"automatic", "enable", "disable"};
  static const char* const collective[] = {"automatic", "true", "false"};
  MPI_TRY(mpi_check_file("MPI_File_get_info", file));
  if (!info) return mpi_file_fail(file, "MPI_File_get_info", MPI_ERR_ARG, "the place for a result is a null pointer");
  const struct mpi_hints* hints = &file->hints;
  char text[32];
  MPI_TRY(MPI_Info_create(info));
  snprintf(text, sizeof text, "%d", hints->cb_nodes);
  if (hints->cb_nodes > 0) MPI_TRY(MPI_Info_set(*info, "cb_nodes", text));
  snprintf(text, sizeof text, "%lld", (long long)hints->cb_buffer_size);
  MPI_TRY(MPI_Info_set(*info, "cb_buffer_size", text));
  if (hints->cb[0] == hints->cb[1]) MPI_TRY(MPI_Info_set(*info, "collective_buffering", collective[hints->cb[0]]));
  MPI_TRY(MPI_Info_set(*info, "romio_cb_read", choices[hints->cb[HAL_FILE_READ]]));
  return MPI_Info_set(*info, "romio_cb_write", choices[hints->cb[HAL_FILE_WRITE]]);
}
