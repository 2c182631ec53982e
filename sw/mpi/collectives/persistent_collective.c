/* Persistent collective operations: their life. The calls are in the files of the operations. */
#include "sw/mpi/collectives/persistent_collective.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/requests/section.h"

#define OF_LOCAL_MOST 8u /* switches to the local group in one operation: the longest, a reduction, has 3 */

/* ---- life ---- */
static const MPI_Datatype* held_types(const MPI_Datatype* types, int count) {
  if (!types || count < 1) return types;
  MPI_Datatype* copies = mpi_memory((size_t)count * sizeof *copies);
  memcpy(copies, types, (size_t)count * sizeof *copies);
  for (int i = 0; i < count; ++i) mpi_type_hold(copies[i]);
  return copies;
}

/* ---- checks: arguments that are not significant here may be anything ---- */
struct significant {
  int send, receive, op;
};

static struct significant significant_of(const struct mpi_persistent* of) {
  const int is_rooted = of->rooted != MPI_UNROOTED, is_inter = of->comm->local != NULL;
  const int is_root = is_inter ? of->root == MPI_ROOT : of->root == of->comm->rank;
  if (is_rooted && is_inter && of->root == MPI_PROC_NULL) return (struct significant){0, 0, 0};
  const int only_receives = of->rooted == MPI_TO_ROOT && is_inter && is_root;
  const int only_sends = of->rooted == MPI_FROM_ROOT && is_inter && is_root;
  return (struct significant){
      .send = of->send != MPI_IN_PLACE && !only_receives && (of->rooted != MPI_FROM_ROOT || is_root),
      .receive = of->receive != MPI_IN_PLACE && !only_sends && (of->rooted != MPI_TO_ROOT || is_root),
      .op = 1};
}

static int check_root(const struct mpi_persistent* of) {
  if (of->rooted == MPI_UNROOTED) return MPI_SUCCESS;
  if (of->comm->local && (of->root == MPI_ROOT || of->root == MPI_PROC_NULL)) return MPI_SUCCESS;
  return mpi_check_root(of->call, of->root, of->comm);
}

static int check_side(const struct mpi_persistent* of, const void* buffer, int count, const int* counts,
                      const int* offsets, MPI_Datatype type) {
  if (!type) return MPI_SUCCESS; /* several types, or none: a start checks them */
  if (of->among_neighbors && (counts || offsets)) return mpi_check_type(of->call, type);
  if (counts && offsets) return mpi_check_counts(of->call, of->comm, buffer, counts, offsets, type);
  return mpi_check_data(of->call, buffer, count, type);
}

/* What a start would report, as far as it does not depend on the data; a start checks again. */
static int check(const struct mpi_persistent* of) {
  const struct significant is = significant_of(of);
  MPI_TRY(check_root(of));
  if (is.send) MPI_TRY(check_side(of, of->send, of->send_count, of->send_counts, of->send_offsets, of->send_type));
  if (is.receive && !of->op)
    MPI_TRY(check_side(of, of->receive, of->receive_count, of->receive_counts, of->receive_offsets, of->receive_type));
  if (is.op && of->op) MPI_TRY(mpi_check_data(of->call, of->receive, of->receive_count, of->receive_type));
  return is.op && of->op ? mpi_check_op(of->call, of->op, of->receive_type) : MPI_SUCCESS;
}

static struct mpi_persistent* copy_of(const struct mpi_persistent* arguments) {
  struct mpi_persistent* operation = mpi_memory(sizeof *operation);
  const struct significant is = significant_of(arguments);
  *operation = *arguments;
  if (!is.send) operation->send_type = NULL;
  if (!is.receive) operation->receive_type = NULL;
  if (!is.op) operation->op = NULL;
  operation->send_types = held_types(arguments->send_types, arguments->send_types_count);
  operation->receive_types = held_types(arguments->receive_types, arguments->receive_types_count);
  if (operation->send_type) mpi_type_hold(operation->send_type);
  if (operation->receive_type) mpi_type_hold(operation->receive_type);
  if (operation->op) mpi_op_hold(operation->op);
  return operation;
}

int mpi_persistent_new(const struct mpi_persistent* arguments, MPI_Request* request) {
  const MPI_Comm comm = arguments->comm;
  MPI_TRY(mpi_check_comm(arguments->call, comm));
  MPI_TRY(mpi_check_result(arguments->call, request));
  MPI_TRY(check(arguments));
  struct mpi_persistent* operation = copy_of(arguments);
  const struct mpi_numbers numbers = mpi_numbers_of(comm);
  operation->number = numbers.of_comm;
  operation->local_number = numbers.of_local;
  mpi_set_numbers(comm, (struct mpi_numbers){numbers.of_comm + 1, numbers.of_local + OF_LOCAL_MOST});
  *request = mpi_request_new(arguments->call, comm, NULL);
  (*request)->persistent = 1;
  (*request)->message =
      (struct mpi_message){.what = COLLECTIVE, .buffer = operation, .peer = HAL_NO_RANK, .tag = HAL_NO_TAG};
  return MPI_SUCCESS;
}
