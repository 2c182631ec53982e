/* Persistent collective operations: their life. The calls are in the files of the operations. */
#include "sw/mpi/persistent_collective.h"

#include <stdlib.h>
#include <string.h>

#include "sw/mpi/datatype.h"

static int* only_checks(void) {
  static int flag;
  return &flag;
}

int mpi_only_checks(void) { return *only_checks(); }

/* ---- numbers ----
 * Operations are matched by the order of their MPI_..._init, whatever the order of the starts: these calls take the
 * numbers that a schedule takes, and each start takes them again. */
struct numbers {
  uint32_t of_comm, of_local;
};

static struct numbers numbers_of(MPI_Comm comm) {
  return (struct numbers){comm->collectives, comm->local ? comm->local->collectives : 0};
}

static void set_numbers(MPI_Comm comm, struct numbers numbers) {
  comm->collectives = numbers.of_comm;
  if (comm->local) comm->local->collectives = numbers.of_local;
}

/* ---- life ---- */
static const MPI_Datatype* held_types(const MPI_Datatype* types, int count) {
  if (!types || count < 1) return types;
  MPI_Datatype* copies = mpi_memory((size_t)count * sizeof *copies);
  memcpy(copies, types, (size_t)count * sizeof *copies);
  for (int i = 0; i < count; ++i) mpi_type_hold(copies[i]);
  return copies;
}

static void release_types(const MPI_Datatype* types, int count) {
  if (!types || count < 1) return;
  for (int i = 0; i < count; ++i) mpi_type_release(types[i]);
  free((void*)types);
}

/* Handles that are not significant here may be anything. */
static void drop_insignificant(struct mpi_persistent* operation) {
  const MPI_Comm comm = operation->comm;
  const int root = operation->root, is_rooted = operation->rooted != MPI_UNROOTED;
  const int is_root = comm->local ? root == MPI_ROOT : root == comm->rank;
  const int idle = is_rooted && comm->local && root == MPI_PROC_NULL, other = comm->local && is_root;
  const int sends =
      !idle && (operation->rooted == MPI_FROM_ROOT ? is_root : !(operation->rooted == MPI_TO_ROOT && other));
  const int receives =
      !idle && (operation->rooted == MPI_TO_ROOT ? is_root : !(operation->rooted == MPI_FROM_ROOT && other));
  if (!sends || operation->send == MPI_IN_PLACE) operation->send_type = NULL;
  if (!receives || operation->receive == MPI_IN_PLACE) operation->receive_type = NULL;
  if (idle) operation->op = NULL;
}

static struct mpi_persistent* copy_of(const struct mpi_persistent* arguments) {
  struct mpi_persistent* operation = mpi_memory(sizeof *operation);
  *operation = *arguments;
  drop_insignificant(operation);
  operation->send_types = held_types(arguments->send_types, arguments->send_types_count);
  operation->receive_types = held_types(arguments->receive_types, arguments->receive_types_count);
  if (operation->send_type) mpi_type_hold(operation->send_type);
  if (operation->receive_type) mpi_type_hold(operation->receive_type);
  if (operation->op) mpi_op_hold(operation->op);
  return operation;
}

void mpi_persistent_free(struct mpi_persistent* operation) {
  release_types(operation->send_types, operation->send_types_count);
  release_types(operation->receive_types, operation->receive_types_count);
  if (operation->send_type) mpi_type_release(operation->send_type);
  if (operation->receive_type) mpi_type_release(operation->receive_type);
  if (operation->op) mpi_op_release(operation->op);
  free(operation);
}

static int check(const struct mpi_persistent* arguments) {
  struct mpi_schedule* schedule = NULL;
  *only_checks() = 1;
  const int error = arguments->open(arguments, &schedule);
  *only_checks() = 0;
  MPI_TRY(error);
  return mpi_schedule_free(schedule);
}

int mpi_persistent_new(const struct mpi_persistent* arguments, MPI_Request* request) {
  MPI_TRY(mpi_check_comm(arguments->call, arguments->comm));
  MPI_TRY(mpi_check_result(arguments->call, request));
  const struct numbers numbers = numbers_of(arguments->comm);
  MPI_TRY(check(arguments));
  *request = mpi_request_new(arguments->call, arguments->comm, NULL);
  (*request)->persistent = 1;
  (*request)->collective = copy_of(arguments);
  (*request)->collective->number = numbers.of_comm;
  (*request)->collective->local_number = numbers.of_local;
  return MPI_SUCCESS;
}

int mpi_persistent_start(MPI_Request request) {
  const struct mpi_persistent* operation = request->collective;
  const struct numbers now = numbers_of(operation->comm);
  set_numbers(operation->comm, (struct numbers){operation->number, operation->local_number});
  struct mpi_schedule* schedule = NULL;
  const int error = operation->open(operation, &schedule);
  set_numbers(operation->comm, now);
  MPI_TRY(error);
  request->schedule = schedule;
  request->active = 1;
  mpi_schedule_begin(schedule);
  return MPI_SUCCESS;
}
