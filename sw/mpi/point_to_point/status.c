/* Queries of a status. */
#include <limits.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/datatypes/layout.h"

static int check(const char* call, const void* status, MPI_Datatype type, const void* count) {
  MPI_TRY(mpi_check_running(call));
  if (!status)
    return mpi_fail(call, MPI_ERR_ARG, "the status is MPI_STATUS_IGNORE; pass one that a call has filled in");
  MPI_TRY(mpi_check_type(call, type));
  return mpi_check_result(call, count);
}

/* ---- MPI_Get_count ---- */
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  MPI_TRY(check("MPI_Get_count", status, type, count));
  if (status->bytes_ == 0)
    *count = 0;
  else if (type->bytes == 0 || status->bytes_ % type->bytes != 0)
    *count = MPI_UNDEFINED;
  else
    *count = status->bytes_ / type->bytes > INT_MAX ? MPI_UNDEFINED : (int)(status->bytes_ / type->bytes);
  return MPI_SUCCESS;
}

/* ---- MPI_Get_elements, MPI_Get_elements_x: basic ones ---- */
static int get_elements(const char* call, const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  MPI_TRY(check(call, status, type, count));
  const size_t elements = mpi_elements_in(type, status->bytes_);
  *count = elements == SIZE_MAX ? MPI_UNDEFINED : (MPI_Count)elements;
  return MPI_SUCCESS;
}

int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count) {
  MPI_Count all = 0;
  MPI_TRY(get_elements("MPI_Get_elements", status, type, &all));
  MPI_TRY(mpi_check_result("MPI_Get_elements", count));
  *count = all > INT_MAX ? MPI_UNDEFINED : (int)all;
  return MPI_SUCCESS;
}

int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  return get_elements("MPI_Get_elements_x", status, type, count);
}

/* ---- MPI_Status_set_elements, MPI_Status_set_elements_x, MPI_Status_set_cancelled ---- */
static int set_elements(const char* call, MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  MPI_TRY(check(call, status, type, &count));
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %lld; it must be 0 or more", count);
  status->bytes_ = mpi_bytes_of(type, (size_t)count);
  return MPI_SUCCESS;
}

int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count) {
  return set_elements("MPI_Status_set_elements", status, type, count);
}

int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  return set_elements("MPI_Status_set_elements_x", status, type, count);
}

int MPI_Status_set_cancelled(MPI_Status* status, int flag) {
  MPI_TRY(mpi_check_result("MPI_Status_set_cancelled", status));
  status->cancelled_ = flag != 0;
  return MPI_SUCCESS;
}
