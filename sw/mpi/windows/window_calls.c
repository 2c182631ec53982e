/* The calls that access windows, and those of them that return a request. */
#include "sw/mpi/base/checks.h"
#include "sw/mpi/windows/windows.h"

static struct window_access access_of(const char* call, const void* buffer, int count, MPI_Datatype type, int rank,
                                      MPI_Aint displacement, int remote_count, MPI_Datatype remote_type,
                                      MPI_Win window) {
  return (struct window_access){.call = call,
                                .window = window,
                                .buffer = buffer,
                                .count = count,
                                .type = type,
                                .rank = rank,
                                .displacement = displacement,
                                .remote_count = remote_count,
                                .remote_type = remote_type};
}

/* ---- MPI_Put, MPI_Get ---- */
int MPI_Put(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
            MPI_Datatype remote_type, MPI_Win window) {
  const struct window_access access =
      access_of("MPI_Put", buffer, count, type, to, offset, remote_count, remote_type, window);
  WINDOW_CALL("MPI_Put", window, window_put(&access, 0));
}

int MPI_Get(void* buffer, int count, MPI_Datatype type, int from, MPI_Aint offset, int remote_count,
            MPI_Datatype remote_type, MPI_Win window) {
  const struct window_access access =
      access_of("MPI_Get", buffer, count, type, from, offset, remote_count, remote_type, window);
  WINDOW_CALL("MPI_Get", window, window_get(&access, 0));
}

/* ---- MPI_Accumulate, MPI_Get_accumulate, MPI_Fetch_and_op ---- */
int MPI_Accumulate(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
                   MPI_Datatype remote_type, MPI_Op op, MPI_Win window) {
  const struct window_accumulation accumulation = {
      .access = access_of("MPI_Accumulate", buffer, count, type, to, offset, remote_count, remote_type, window),
      .op = op};
  WINDOW_CALL("MPI_Accumulate", window, window_accumulate(&accumulation, 0));
}

static int fetch(const struct window_accumulation* accumulation, int request_based) {
  MPI_TRY(mpi_check_data(accumulation->access.call, accumulation->result, accumulation->result_count,
                         accumulation->result_type));
  return window_accumulate(accumulation, request_based);
}

int MPI_Get_accumulate(const void* buffer, int count, MPI_Datatype type, void* result, int result_count,
                       MPI_Datatype result_type, int to, MPI_Aint offset, int remote_count, MPI_Datatype remote_type,
                       MPI_Op op, MPI_Win window) {
  const struct window_accumulation accumulation = {
      .access = access_of("MPI_Get_accumulate", buffer, count, type, to, offset, remote_count, remote_type, window),
      .result = result,
      .result_count = result_count,
      .result_type = result_type,
      .op = op};
  WINDOW_CALL("MPI_Get_accumulate", window, fetch(&accumulation, 0));
}

static int fetch_one(const struct window_accumulation* accumulation) {
  MPI_TRY(mpi_check_type(accumulation->access.call, accumulation->result_type));
  if (!accumulation->result_type->predefined)
    return mpi_fail(accumulation->access.call, MPI_ERR_TYPE, "the datatype is not predefined; use MPI_Get_accumulate");
  return fetch(accumulation, 0);
}

int MPI_Fetch_and_op(const void* buffer, void* result, MPI_Datatype type, int to, MPI_Aint offset, MPI_Op op,
                     MPI_Win window) {
  const struct window_accumulation accumulation = {
      .access = access_of("MPI_Fetch_and_op", buffer, 1, type, to, offset, 1, type, window),
      .result = result,
      .result_count = 1,
      .result_type = type,
      .op = op};
  WINDOW_CALL("MPI_Fetch_and_op", window, fetch_one(&accumulation));
}

/* ---- those that return a request ---- */
static int check_request(const char* call, const MPI_Request* request) { return mpi_check_result(call, request); }

static int put_with_request(const struct window_access* access, MPI_Request* request) {
  const uint64_t before = access->window->begun;
  MPI_TRY(check_request(access->call, request));
  MPI_TRY(window_put(access, 1));
  return window_request(access->call, access->window, before, request);
}

static int get_with_request(const struct window_access* access, MPI_Request* request) {
  const uint64_t before = access->window->begun;
  MPI_TRY(check_request(access->call, request));
  MPI_TRY(window_get(access, 1));
  return window_request(access->call, access->window, before, request);
}

static int accumulate_with_request(const struct window_accumulation* accumulation, MPI_Request* request) {
  const struct window_access* access = &accumulation->access;
  const uint64_t before = access->window->begun;
  MPI_TRY(check_request(access->call, request));
  MPI_TRY(accumulation->result_type ? fetch(accumulation, 1) : window_accumulate(accumulation, 1));
  return window_request(access->call, access->window, before, request);
}

int MPI_Rput(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
             MPI_Datatype remote_type, MPI_Win window, MPI_Request* request) {
  const struct window_access access =
      access_of("MPI_Rput", buffer, count, type, to, offset, remote_count, remote_type, window);
  WINDOW_CALL("MPI_Rput", window, put_with_request(&access, request));
}

int MPI_Rget(void* buffer, int count, MPI_Datatype type, int from, MPI_Aint offset, int remote_count,
             MPI_Datatype remote_type, MPI_Win window, MPI_Request* request) {
  const struct window_access access =
      access_of("MPI_Rget", buffer, count, type, from, offset, remote_count, remote_type, window);
  WINDOW_CALL("MPI_Rget", window, get_with_request(&access, request));
}

int MPI_Raccumulate(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
                    MPI_Datatype remote_type, MPI_Op op, MPI_Win window, MPI_Request* request) {
  const struct window_accumulation accumulation = {
      .access = access_of("MPI_Raccumulate", buffer, count, type, to, offset, remote_count, remote_type, window),
      .op = op};
  WINDOW_CALL("MPI_Raccumulate", window, accumulate_with_request(&accumulation, request));
}

int MPI_Rget_accumulate(const void* buffer, int count, MPI_Datatype type, void* result, int result_count,
                        MPI_Datatype result_type, int to, MPI_Aint offset, int remote_count, MPI_Datatype remote_type,
                        MPI_Op op, MPI_Win window, MPI_Request* request) {
  const struct window_accumulation accumulation = {
      .access = access_of("MPI_Rget_accumulate", buffer, count, type, to, offset, remote_count, remote_type, window),
      .result = result,
      .result_count = result_count,
      .result_type = result_type,
      .op = op};
  WINDOW_CALL("MPI_Rget_accumulate", window, accumulate_with_request(&accumulation, request));
}
