/* Matched probes: a message that has been probed so is for its own receive, whatever else is received meanwhile. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

/* Each rank sends to the next: small, large, empty; of a type with gaps; synchronous. */
enum { LARGE = 20000, MESSAGES = 5 };
static int words(int message) { return message == 0 ? 3 : message == 1 ? LARGE : message == 2 ? 0 : 50; }

static void start_sends(int* data, MPI_Datatype gaps, MPI_Request* requests) {
  const int right = (rank + 1) % size;
  for (int i = 0; i < 2 * LARGE; ++i) data[i] = rank * 7 + i;
  for (int m = 0; m < 3; ++m) MPI_Isend(data, words(m), MPI_INT, right, 10 + m, MPI_COMM_WORLD, &requests[m]);
  MPI_Isend(data, words(3), gaps, right, 13, MPI_COMM_WORLD, &requests[3]);
  MPI_Issend(data, words(4), MPI_INT, right, 14, MPI_COMM_WORLD, &requests[4]);
}

static void all_kinds(void) {
  const int left = (rank + size - 1) % size;
  int *out = malloc(2 * LARGE * sizeof(int)), *in = malloc(2 * LARGE * sizeof(int)), count, flag;
  MPI_Datatype gaps;
  MPI_Request sends[MESSAGES], receive;
  MPI_Message messages[MESSAGES];
  MPI_Status status;
  MPI_Type_vector(1, 1, 1, MPI_INT, &gaps);
  MPI_Type_create_resized(gaps, 0, 8, &gaps);
  MPI_Type_commit(&gaps);
  start_sends(out, gaps, sends);
  for (int m = 0; m < MESSAGES; ++m) { /* all before any is received */
    if (m % 2) {
      for (flag = 0; !flag;) MPI_Improbe(left, 10 + m, MPI_COMM_WORLD, &flag, &messages[m], &status);
    } else {
      MPI_Mprobe(m == 0 ? left : MPI_ANY_SOURCE, 10 + m, MPI_COMM_WORLD, &messages[m], &status);
    }
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 10 + m && count == words(m));
    MPI_Iprobe(left, 10 + m, MPI_COMM_WORLD, &flag, &status);
    CHECK(!flag);
  }
  for (int m = MESSAGES; m-- > 0;) {
    for (int i = 0; i < 2 * LARGE; ++i) in[i] = -1;
    if (m % 2) {
      MPI_Imrecv(in, words(m), m == 3 ? gaps : MPI_INT, &messages[m], &receive);
      MPI_Wait(&receive, &status);
    } else {
      MPI_Mrecv(in, words(m) + (m == 0), MPI_INT, &messages[m], &status);
    }
    CHECK(messages[m] == MPI_MESSAGE_NULL && status.MPI_SOURCE == left && status.MPI_TAG == 10 + m);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == words(m));
    for (int i = 0; i < words(m); ++i) {
      const int at = m == 3 ? 2 * i : i;
      CHECK(in[at] == left * 7 + at && (m != 3 || in[at + 1] == -1));
    }
  }
  MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
  MPI_Type_free(&gaps);
  free(out), free(in);
}

/* Three with the same tag: the first is probed, receives that come later get the second and the third. */
static void in_order(void) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  int in[3], out[] = {100, 101, 102};
  MPI_Request sends[3];
  MPI_Message message;
  MPI_Status status;
  for (int i = 0; i < 3; ++i) MPI_Isend(&out[i], 1, MPI_INT, right, 7, MPI_COMM_WORLD, &sends[i]);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  MPI_Recv(&in[1], 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&in[2], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Mrecv(&in[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK(in[0] == 100 && in[1] == 101 && in[2] == 102);
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
}

/* MPI_PROC_NULL; too small a buffer; a used handle; the communicator freed between. */
static void corners(void) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  int flag, class, two[2] = {rank, rank}, one = -1;
  MPI_Comm copy;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Request request;
  MPI_Status status;
  MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK(flag && message == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Mrecv(&one, 1, MPI_INT, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG &&
        one == -1);
  MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status);
  MPI_Imrecv(&one, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);

  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Isend(two, 2, MPI_INT, right, 1, copy, &request);
  MPI_Mprobe(left, 1, copy, &message, &status);
  MPI_Comm_free(&copy);
  MPI_Error_class(MPI_Mrecv(&one, 1, MPI_INT, &message, &status), &class);
  CHECK(class == MPI_ERR_TRUNCATE && one == left);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Error_class(MPI_Mrecv(&one, 1, MPI_INT, &message, &status), &class);
  CHECK(class == MPI_ERR_REQUEST);
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK(!flag);
  CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
}

/* ---- generalized requests ---- */
struct operation {
  int queries, frees, cancels, tag;
};
static int query(void* extra, MPI_Status* status) {
  struct operation* operation = extra;
  ++operation->queries;
  MPI_Status_set_elements(status, MPI_INT, 9);
  MPI_Status_set_cancelled(status, operation->cancels);
  status->MPI_SOURCE = 5;
  status->MPI_TAG = operation->tag;
  return MPI_SUCCESS;
}
static int release(void* extra) {
  ++((struct operation*)extra)->frees;
  return MPI_SUCCESS;
}
static int cancel(void* extra, int complete) {
  ((struct operation*)extra)->cancels += !complete;
  return MPI_SUCCESS;
}

static int fails_to_query(void* extra, MPI_Status* status) { return query(extra, status), MPI_ERR_ARG; }
static int fails_to_release(void* extra) { return release(extra), MPI_ERR_OTHER; }

/* Of two functions that fail, the code of the last one. */
static void failing_operations(void) {
  struct operation operation = {.tag = 44};
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(fails_to_query, release, cancel, &operation, &request);
  MPI_Grequest_complete(request);
  CHECK(MPI_Wait(&request, &status) == MPI_ERR_ARG);
  MPI_Grequest_start(fails_to_query, fails_to_release, cancel, &operation, &request);
  MPI_Grequest_complete(request);
  CHECK(MPI_Wait(&request, &status) == MPI_ERR_OTHER && operation.queries == 2 && operation.frees == 2);
}

static void own_operations(void) {
  struct operation operations[4] = {{.tag = 40}, {.tag = 41}, {.tag = 42}, {.tag = 43}};
  MPI_Request requests[5];
  MPI_Status status, statuses[5];
  int flag, count, index, word = -1;
  for (int i = 0; i < 4; ++i) MPI_Grequest_start(query, release, cancel, &operations[i], &requests[i]);
  MPI_Testany(4, requests, &index, &flag, &status);
  CHECK(!flag && operations[0].queries == 0);
  MPI_Grequest_complete(requests[2]);
  MPI_Request_get_status(requests[2], &flag, &status);
  CHECK(flag && status.MPI_TAG == 42 && operations[2].queries == 1 && operations[2].frees == 0);
  MPI_Waitany(4, requests, &index, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(index == 2 && requests[2] == MPI_REQUEST_NULL && status.MPI_SOURCE == 5 && count == 9);
  CHECK(operations[2].queries == 2 && operations[2].frees == 1);
  MPI_Cancel(&requests[1]);
  MPI_Grequest_complete(requests[1]);
  MPI_Wait(&requests[1], &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag && operations[1].cancels == 1 && operations[1].frees == 1);
  MPI_Request_free(&requests[3]);
  CHECK(requests[3] == MPI_REQUEST_NULL && operations[3].frees == 0);
  /* Along with a message. */
  requests[1] = MPI_REQUEST_NULL;
  MPI_Irecv(&word, 1, MPI_INT, (rank + size - 1) % size, 77, MPI_COMM_WORLD, &requests[3]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 77, MPI_COMM_WORLD, &requests[4]);
  MPI_Grequest_complete(requests[0]);
  MPI_Waitall(5, requests, statuses);
  CHECK(word == (rank + size - 1) % size && statuses[0].MPI_TAG == 40 && statuses[3].MPI_TAG == 77);
  MPI_Grequest_start(query, release, cancel, &operations[3], &requests[0]);
  MPI_Request second = requests[0];
  MPI_Request_free(&requests[0]);
  CHECK(operations[3].frees == 0);
  MPI_Grequest_complete(second);
  CHECK(operations[3].frees == 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  all_kinds();
  MPI_Barrier(MPI_COMM_WORLD);
  in_order();
  MPI_Barrier(MPI_COMM_WORLD);
  own_operations();
  failing_operations();
  corners();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS matched on %d ranks\n", size);
  return MPI_Finalize();
}
