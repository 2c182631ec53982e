/* Errors as test suites provoke them: the error class of each call, handlers of communicators, errors in statuses. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

#define CLASS(call, wanted) class_is((call), (wanted), #call, __LINE__)
static void class_is(int code, int wanted, const char* call, int line) {
  int class;
  MPI_Error_class(code, &class);
  if (class == wanted) return;
  fprintf(stderr, "rank %d, line %d: class %d, not %d, of %s\n", rank, line, class, wanted, call);
  MPI_Abort(MPI_COMM_WORLD, line);
}

/* ---- wrong arguments ---- */
static void arguments(void) {
  int word = 0, two[2], flag, class;
  MPI_Request request;
  MPI_Status status;
  MPI_Datatype type = MPI_INT;
  MPI_Comm comm;
  MPI_Group group, other;
  CLASS(MPI_Send(&word, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  CLASS(MPI_Send(&word, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  CLASS(MPI_Send(&word, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CLASS(MPI_Send(&word, 1, MPI_INT, -5, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CLASS(MPI_Send(&word, 1, MPI_INT, 0, -2, MPI_COMM_WORLD), MPI_ERR_TAG);
  CLASS(MPI_Send(&word, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
  CLASS(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CLASS(MPI_Recv(&word, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &status), MPI_ERR_RANK);
  CLASS(MPI_Irecv(&word, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request), MPI_ERR_COUNT);
  CLASS(MPI_Probe(size, 0, MPI_COMM_WORLD, &status), MPI_ERR_RANK);
  CLASS(MPI_Bcast(&word, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
  CLASS(MPI_Bcast(&word, 1, MPI_INT, -1, MPI_COMM_WORLD), MPI_ERR_ROOT);
  CLASS(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CLASS(MPI_Reduce(&word, two, 1, MPI_INT, MPI_OP_NULL, 0, MPI_COMM_WORLD), MPI_ERR_OP);
  CLASS(MPI_Allreduce(&word, two, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
  CLASS(MPI_Allreduce(&word, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CLASS(MPI_Allreduce(&word, two, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD), MPI_ERR_OP);
  CLASS(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
  CLASS(MPI_Type_free(&type), MPI_ERR_TYPE); /* it is MPI_INT still */
  CLASS(MPI_Comm_rank(MPI_COMM_NULL, &word), MPI_ERR_COMM);
  CLASS(MPI_Comm_free(&(MPI_Comm){MPI_COMM_WORLD}), MPI_ERR_COMM);
  CLASS(MPI_Comm_size(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
  CLASS(MPI_Group_size(MPI_GROUP_NULL, &word), MPI_ERR_GROUP);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  two[0] = two[1] = 0;
  CLASS(MPI_Group_incl(group, 2, two, &other), MPI_ERR_RANK);
  two[0] = size;
  CLASS(MPI_Group_incl(group, 1, two, &other), MPI_ERR_RANK);
  CLASS(MPI_Group_range_incl(group, 1, NULL, &other), MPI_ERR_ARG);
  CLASS(MPI_Group_range_excl(group, 1, NULL, &other), MPI_ERR_ARG);
  MPI_Group_free(&group);
  CLASS(MPI_Wait(NULL, &status), MPI_ERR_REQUEST);
  CLASS(MPI_Start(&(MPI_Request){MPI_REQUEST_NULL}), MPI_ERR_REQUEST);
  CLASS(MPI_Op_free(&(MPI_Op){MPI_SUM}), MPI_ERR_OP);
  CLASS(MPI_Cart_coords(MPI_COMM_WORLD, 0, 1, two), MPI_ERR_TOPOLOGY);
  CLASS(MPI_Graphdims_get(MPI_COMM_WORLD, &word, &word), MPI_ERR_TOPOLOGY);
  two[0] = two[1] = 2;
  CLASS(MPI_Dims_create(7, 2, two), MPI_ERR_DIMS);
  CLASS(MPI_Errhandler_free(&(MPI_Errhandler){MPI_ERRHANDLER_NULL}), MPI_ERR_ARG);
  CLASS(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm), MPI_ERR_COMM);
  CLASS(MPI_Comm_remote_size(MPI_COMM_WORLD, &word), MPI_ERR_COMM);
  CLASS(MPI_Bsend(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  CLASS(MPI_Attr_put(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, NULL), MPI_ERR_KEYVAL);
  CLASS(MPI_Attr_put(MPI_COMM_WORLD, MPI_TAG_UB, NULL), MPI_ERR_KEYVAL);
  CLASS(MPI_Attr_get(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, two, &flag), MPI_ERR_KEYVAL);
  CLASS(MPI_Error_class(MPI_ERR_LASTCODE + 100, &class), MPI_ERR_ARG);
  word = 7; /* messages still arrive after errors */
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &word, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               &status);
  CHECK(word == (rank + size - 1) % size);
}

/* ---- nothing to wait for: arrays of no elements may be null, and a status says that it is empty ---- */
static void nothing(void) {
  MPI_Request none = MPI_REQUEST_NULL;
  int done = 7, index, flag;
  CLASS(MPI_Testsome(0, NULL, &done, NULL, NULL), MPI_SUCCESS);
  CHECK(done == MPI_UNDEFINED);
  CLASS(MPI_Waitsome(0, NULL, &done, NULL, NULL), MPI_SUCCESS);
  CHECK(done == MPI_UNDEFINED);
  CLASS(MPI_Waitsome(1, &none, &done, NULL, NULL), MPI_ERR_ARG);
  for (int call = 0; call < 5; ++call) {
    MPI_Status status = {.MPI_SOURCE = 77, .MPI_TAG = 77, .MPI_ERROR = 77};
    if (call == 0) MPI_Wait(&none, &status);
    if (call == 1) MPI_Test(&none, &flag, &status);
    if (call == 2) MPI_Waitany(1, &none, &index, &status);
    if (call == 3) MPI_Testany(0, NULL, &index, &flag, &status);
    if (call == 4) MPI_Request_get_status(none, &flag, &status);
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && status.MPI_ERROR == MPI_SUCCESS);
  }
  MPI_Status status = {.MPI_ERROR = 77}; /* for a single message it does not change */
  MPI_Recv(&done, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_ERROR == 77);
}

/* ---- collective calls whose own part does not fit: the bytes after its place do not change ---- */
static void own_parts(void) {
  MPI_Comm self;
  int out[10], in[10];
  MPI_Comm_dup(MPI_COMM_SELF, &self);
  MPI_Errhandler_set(self, MPI_ERRORS_RETURN);
  for (int call = 0; call < 6; ++call) {
    for (int i = 0; i < 10; ++i) out[i] = i, in[i] = -1;
    int error = MPI_SUCCESS;
    if (call == 0) error = MPI_Gather(out, 10, MPI_INT, in, 1, MPI_INT, 0, self);
    if (call == 1) error = MPI_Gatherv(out, 10, MPI_INT, in, (int[]){1}, (int[]){0}, MPI_INT, 0, self);
    if (call == 2) error = MPI_Scatter(out, 10, MPI_INT, in, 1, MPI_INT, 0, self);
    if (call == 3) error = MPI_Scatterv(out, (int[]){10}, (int[]){0}, MPI_INT, in, 1, MPI_INT, 0, self);
    if (call == 4) error = MPI_Allgather(out, 10, MPI_INT, in, 1, MPI_INT, self);
    if (call == 5) error = MPI_Alltoall(out, 10, MPI_INT, in, 1, MPI_INT, self);
    CLASS(error, MPI_ERR_TRUNCATE);
    CHECK(in[0] == 0);
    for (int i = 1; i < 10; ++i) CHECK(in[i] == -1);
  }
  MPI_Comm_free(&self);
  for (int i = 0; i < 10; ++i) out[i] = i, in[i] = -1;
  int* all = malloc((size_t)size * 10 * sizeof *all);
  for (int i = 0; i < size * 10; ++i) all[i] = -1;
  const int error = MPI_Gather(out, 10, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CLASS(error, rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
  for (int i = size; i < size * 10; ++i) CHECK(all[i] == -1);
  free(all);
}

/* ---- truncation: of receives, in statuses, in collective calls on one rank ---- */
static void truncation(void) {
  int out[3] = {1, 2, 3}, in[2] = {0, 0}, count, whole[3], index, done, indices[3];
  MPI_Request requests[3];
  MPI_Status status, statuses[3];
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Isend(out, 3, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]);
  CLASS(MPI_Recv(in, 2, MPI_INT, left, 0, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
  CHECK(in[0] == 1 && in[1] == 2 && status.MPI_SOURCE == left);
  MPI_Wait(&requests[0], &status);
  for (int way = 0; way < 3; ++way) {
    MPI_Irecv(whole, 3, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    MPI_Send(out, 3, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Send(out, 3, MPI_INT, right, 2, MPI_COMM_WORLD);
    if (way == 0) {
      CLASS(MPI_Waitall(3, requests, statuses), MPI_ERR_IN_STATUS);
      CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[2].MPI_ERROR == MPI_SUCCESS);
      CLASS(statuses[1].MPI_ERROR, MPI_ERR_TRUNCATE);
      MPI_Get_count(&statuses[0], MPI_INT, &count);
      CHECK(count == 3 && requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    } else if (way == 1) {
      for (int left_over = 2; left_over > 0; --left_over) {
        const int error = MPI_Waitany(3, requests, &index, &status);
        CLASS(error, index == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
      }
    } else {
      for (int left_over = 2; left_over > 0; left_over -= done) {
        const int error = MPI_Waitsome(3, requests, &done, indices, statuses);
        int wrong = 0;
        for (int i = 0; i < done; ++i) wrong |= indices[i] == 1;
        CLASS(error, wrong ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
        for (int i = 0; i < done && wrong; ++i)
          CLASS(statuses[i].MPI_ERROR, indices[i] == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
      }
    }
  }
}

/* ---- handlers of the program: one for each communicator and its duplicates ---- */
static int calls[2], last_code;
static MPI_Comm last_comm;
static void first_handler(MPI_Comm* comm, int* code, ...) {
  ++calls[0];
  last_comm = *comm;
  last_code = *code;
}
static void second_handler(MPI_Comm* comm, int* code, ...) {
  ++calls[1];
  last_comm = *comm;
  last_code = *code;
}

static void handlers(void) {
  MPI_Errhandler first, second, got;
  MPI_Comm comm, copy, half;
  int word, class, code;
  MPI_Comm_create_errhandler(first_handler, &first);
  MPI_Errhandler_create(second_handler, &second);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_get_errhandler(comm, &got);
  CHECK(got == MPI_ERRORS_RETURN); /* the world's */
  MPI_Comm_set_errhandler(comm, first);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_split(comm, rank % 2, 0, &half);
  MPI_Errhandler_set(copy, second);
  MPI_Errhandler_free(&first); /* two communicators use it */
  CHECK(first == MPI_ERRHANDLER_NULL);
  CLASS(MPI_Send(&word, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
  CHECK(calls[0] == 1 && last_comm == comm);
  CLASS(MPI_Send(&word, 1, MPI_INT, 0, -3, copy), MPI_ERR_TAG);
  CHECK(calls[1] == 1 && last_comm == copy);
  CLASS(MPI_Recv(&word, -1, MPI_INT, 0, 0, half, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
  CHECK(calls[0] == 2 && last_comm == half);
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  CHECK(MPI_Comm_call_errhandler(copy, code) == MPI_SUCCESS && calls[1] == 2 && last_code == code);
  MPI_Errhandler_get(copy, &got);
  CHECK(got == second);
  MPI_Errhandler_free(&got); /* a separate handle for each query: the program's own is still valid */
  MPI_Errhandler_set(half, second);
  MPI_Errhandler_free(&second);
  MPI_Send(&word, 1, MPI_INT, -9, 0, half);
  CHECK(calls[1] == 3 && last_comm == half);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
}

/* ---- the program's functions for attributes: if they fail, the call fails and the handler is called ---- */
static int fails_to_copy(MPI_Comm comm, int key, void* extra, void* value, void* copied, int* flag) {
  (void)comm, (void)key, (void)extra, (void)value, (void)copied;
  *flag = 0;
  return MPI_ERR_OTHER;
}
static int fails_to_delete(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value;
  return *(int*)extra;
}

static void attributes(void) {
  MPI_Errhandler handler;
  MPI_Comm comm, copy;
  int key, deleting = MPI_ERR_ARG;
  const int before = calls[0];
  MPI_Comm_create_errhandler(first_handler, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_create_keyval(fails_to_copy, fails_to_delete, &key, &deleting);
  MPI_Comm_set_attr(comm, key, &key);
  CLASS(MPI_Comm_dup(comm, &copy), MPI_ERR_OTHER);
  CHECK(copy == MPI_COMM_NULL && calls[0] == before + 1 && last_comm == comm && last_code == MPI_ERR_OTHER);
  CLASS(MPI_Comm_set_attr(comm, key, &comm), MPI_ERR_ARG);
  CLASS(MPI_Comm_delete_attr(comm, key), MPI_ERR_ARG);
  CLASS(MPI_Comm_free(&comm), MPI_ERR_ARG);
  CHECK(calls[0] == before + 4 && last_comm == comm && last_code == MPI_ERR_ARG);
  deleting = MPI_SUCCESS;
  CLASS(MPI_Comm_free(&comm), MPI_SUCCESS);
  CHECK(calls[0] == before + 4 && comm == MPI_COMM_NULL);
  MPI_Comm_free_keyval(&key);
  MPI_Errhandler_free(&handler);
}

/* ---- the texts ---- */
static void texts(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length, class, own, code;
  for (int error = MPI_SUCCESS; error <= MPI_ERR_LASTCODE; ++error) {
    MPI_Error_string(error, text, &length);
    CHECK(length == (int)strlen(text) && length > 0 && length < MPI_MAX_ERROR_STRING);
    MPI_Error_class(error, &class);
    CHECK(class == error);
  }
  MPI_Add_error_class(&own);
  MPI_Error_string(own, text, &length);
  CHECK(length == 0);
  MPI_Add_error_string(own, "a class of mine");
  MPI_Add_error_code(own, &code);
  MPI_Add_error_string(code, "a code of mine");
  MPI_Error_string(own, text, &length);
  CHECK(strcmp(text, "a class of mine") == 0 && code > MPI_ERR_LASTCODE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  arguments();
  nothing();
  own_parts();
  truncation();
  handlers();
  attributes();
  texts();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS handlers on %d ranks\n", size);
  return MPI_Finalize();
}
