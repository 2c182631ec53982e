/* MPI_Isendrecv and MPI_Isendrecv_replace (MPI-4): small and large data, with gaps, to no process, completed by each
 * kind of wait; calls with no elements, no process and no type; messages that a matched probe has taken and that are
 * cancelled too late. */
#include "tests/images/mpi_check.h"

enum { LARGE = 100000 };

static void along_the_ring(int ints) {
  int *out = malloc((size_t)ints * sizeof(int)), *in = malloc((size_t)ints * sizeof(int));
  MPI_Request request;
  MPI_Status status;
  fill(out, (size_t)ints * sizeof(int), rank, 1);
  EXPECT(MPI_Isendrecv(out, ints, MPI_INT, right, 3, in, ints, MPI_INT, left, 3, MPI_COMM_WORLD, &request) == 0);
  EXPECT(MPI_Wait(&request, &status) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
  EXPECT(status.MPI_SOURCE == left && status.MPI_TAG == 3 && count_of(&status, MPI_INT) == ints);
  EXPECT(is_filled(in, (size_t)ints * sizeof(int), left, 1));
  EXPECT(MPI_Isendrecv_replace(in, ints, MPI_INT, right, 4, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &request) == 0);
  for (int done = 0; !done;) MPI_Test(&request, &done, &status);
  EXPECT(request == MPI_REQUEST_NULL && status.MPI_SOURCE == left);
  EXPECT(is_filled(in, (size_t)ints * sizeof(int), (rank + 2 * ranks - 2) % ranks, 1));
  free(out);
  free(in);
}

/* Every second integer goes around. */
static void with_gaps(void) {
  MPI_Datatype gaps;
  MPI_Request request;
  int data[8], done = -1;
  MPI_Type_vector(4, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  for (int i = 0; i < 8; ++i) data[i] = 100 * rank + i;
  EXPECT(MPI_Isendrecv_replace(data, 1, gaps, left, 5, right, 5, MPI_COMM_WORLD, &request) == 0);
  MPI_Type_free(&gaps);
  EXPECT(MPI_Waitany(1, &request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0);
  for (int i = 0; i < 8; ++i) EXPECT(data[i] == 100 * (i % 2 ? rank : right) + i);
  for (int i = 0; i < 8; ++i) data[i] = 100 * rank + i;
  MPI_Type_vector(4, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  EXPECT(MPI_Sendrecv_replace(data, 1, gaps, left, 5, right, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == 0);
  for (int i = 0; i < 8; ++i) EXPECT(data[i] == 100 * (i % 2 ? rank : right) + i);
  MPI_Type_free(&gaps);
}

/* Ends of a line: no process on one side. Its request is done only when the send is, too: then the buffer is free. */
static void open_line(void) {
  const int to = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, from = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int in[2] = {-1, -1};
  EXPECT(MPI_Isendrecv(&rank, 1, MPI_INT, to, 6, &in[0], 1, MPI_INT, from, 6, MPI_COMM_WORLD, &requests[0]) == 0);
  EXPECT(MPI_Isendrecv(&ranks, 1, MPI_INT, to, 7, &in[1], 1, MPI_INT, from, 7, MPI_COMM_WORLD, &requests[1]) == 0);
  EXPECT(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS);
  EXPECT(statuses[0].MPI_SOURCE == from && count_of(&statuses[0], MPI_INT) == (from >= 0));
  EXPECT(from < 0 ? in[0] == -1 && in[1] == -1 : in[0] == rank - 1 && in[1] == ranks);
  char* large = calloc(LARGE, 1);
  if (rank == 0 && ranks > 1) { /* a send that needs its receive keeps the request; one may be done before that */
    int done = 0;
    fill(large, LARGE, 0, 8);
    MPI_Isendrecv(large, LARGE, MPI_BYTE, 1, 8, NULL, 0, MPI_BYTE, MPI_PROC_NULL, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Test(&requests[0], &done, &statuses[0]);
    if (done) memset(large, 0, LARGE);
    MPI_Send(NULL, 0, MPI_BYTE, 1, 9, MPI_COMM_WORLD);
    if (!done) EXPECT(MPI_Wait(&requests[0], &statuses[0]) == MPI_SUCCESS);
    memset(large, 0, LARGE);
    EXPECT(requests[0] == MPI_REQUEST_NULL && statuses[0].MPI_SOURCE == MPI_PROC_NULL);
  }
  if (rank == 1) {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(large, LARGE, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(is_filled(large, LARGE, 0, 8));
  }
  free(large);
}

static void nothing(void) {
  MPI_Request requests[2];
  MPI_Status status;
  EXPECT(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  EXPECT(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count_of(&status, MPI_BYTE) == 0);
  EXPECT(MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                      &status) == MPI_SUCCESS);
  int came = -1;
  EXPECT(MPI_Sendrecv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, &came, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
                      &status) == MPI_SUCCESS);
  EXPECT(came == left);
  EXPECT(MPI_Isend(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
  EXPECT(MPI_Recv_init(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
  EXPECT(MPI_Start(&requests[1]) == MPI_SUCCESS && MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  EXPECT(MPI_Request_free(&requests[1]) == MPI_SUCCESS);
}

/* A message that a matched probe has taken is received: neither its send nor the receive can be cancelled. */
static void matched(void) {
  MPI_Message message;
  MPI_Request send, receive;
  MPI_Status status;
  int came = -1, cancelled = -1;
  EXPECT(MPI_Issend(&rank, 1, MPI_INT, right, 11, MPI_COMM_WORLD, &send) == MPI_SUCCESS);
  EXPECT(MPI_Mprobe(left, 11, MPI_COMM_WORLD, &message, &status) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT(MPI_Cancel(&send) == MPI_SUCCESS && MPI_Imrecv(&came, 1, MPI_INT, &message, &receive) == MPI_SUCCESS);
  EXPECT(MPI_Cancel(&receive) == MPI_SUCCESS);
  EXPECT(MPI_Wait(&send, &status) == MPI_SUCCESS && MPI_Test_cancelled(&status, &cancelled) == MPI_SUCCESS);
  EXPECT(!cancelled);
  EXPECT(MPI_Wait(&receive, &status) == MPI_SUCCESS && MPI_Test_cancelled(&status, &cancelled) == MPI_SUCCESS);
  EXPECT(!cancelled && came == left && status.MPI_SOURCE == left);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  along_the_ring(1);
  along_the_ring(LARGE);
  with_gaps();
  open_line();
  nothing();
  matched();
  return finish();
}
