/* Messages of MPI, call by call: modes, order, wildcards, sizes, oneself, MPI_PROC_NULL, probes, buffers, errors. */
#include "tests/images/mpi_check.h"

typedef int sender(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
typedef int starter(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                    MPI_Request* request);

enum { MOST = 65536, GUARD = 16 };
static unsigned char out[MOST], in[MOST + GUARD];

/* Sizes around those at which messages travel in another way. */
static const int sizes[] = {0, 1, 3, 287, 288, 289, 320, 4096, 4097, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A blocking receive on the ring, checked to the byte, and what lies behind it. */
static void receive_from_left(int bytes, int tag, int what) {
  MPI_Status status;
  memset(in, 0xee, sizeof in);
  MPI_Recv(in, bytes + GUARD, MPI_BYTE, left, tag, MPI_COMM_WORLD, &status);
  EXPECT(status.MPI_SOURCE == left && status.MPI_TAG == tag && count_of(&status, MPI_BYTE) == bytes);
  EXPECT(is_filled(in, (size_t)bytes, left, what));
  for (int i = 0; i < GUARD; ++i) EXPECT(in[bytes + i] == 0xee);
}

/* Even ranks send first: no standard send needs a buffer. An odd ring's last and first are both even, and in turn. */
static void blocking_modes(void) {
  static sender* const modes[] = {MPI_Send, MPI_Ssend, MPI_Bsend};
  const int room = 2 * SIZES * (MOST + MPI_BSEND_OVERHEAD); /* a rank may be ahead of its neighbour by all sizes */
  void* buffer = malloc((size_t)room);
  MPI_Buffer_attach(buffer, room);
  for (int mode = 0; mode < 3; ++mode)
    for (int i = 0; i < SIZES && ranks > 1; ++i) {
      fill(out, (size_t)sizes[i], rank, i);
      if (rank == ranks - 1) {
        receive_from_left(sizes[i], mode, i);
        modes[mode](out, sizes[i], MPI_BYTE, right, mode, MPI_COMM_WORLD);
      } else {
        modes[mode](out, sizes[i], MPI_BYTE, right, mode, MPI_COMM_WORLD);
        receive_from_left(sizes[i], mode, i);
      }
    }
  void* detached = NULL;
  int bytes = 0;
  MPI_Buffer_detach(&detached, &bytes);
  EXPECT(detached == buffer && bytes == room);
  free(buffer);
}

static void started_modes(void) {
  static starter* const modes[] = {MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend};
  const int room = SIZES * (MOST + MPI_BSEND_OVERHEAD);
  void *buffer = malloc((size_t)room), *detached;
  int bytes;
  MPI_Buffer_attach(buffer, room);
  for (int mode = 0; mode < 4; ++mode)
    for (int i = 0; i < SIZES; ++i) {
      MPI_Request send, receive;
      MPI_Status status;
      fill(out, (size_t)sizes[i], rank, i);
      memset(in, 0xee, sizeof in);
      MPI_Irecv(in, sizes[i], MPI_BYTE, left, mode, MPI_COMM_WORLD, &receive);
      MPI_Barrier(MPI_COMM_WORLD); /* a ready send finds its receive */
      modes[mode](out, sizes[i], MPI_BYTE, right, mode, MPI_COMM_WORLD, &send);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      MPI_Wait(&receive, &status);
      EXPECT(send == MPI_REQUEST_NULL && receive == MPI_REQUEST_NULL);
      EXPECT(count_of(&status, MPI_BYTE) == sizes[i] && is_filled(in, (size_t)sizes[i], left, i));
      EXPECT(in[sizes[i]] == 0xee);
    }
  MPI_Buffer_detach(&detached, &bytes);
  free(buffer);
}

static void exchanges(void) {
  for (int i = 0; i < SIZES; ++i) {
    MPI_Status status;
    fill(out, (size_t)sizes[i], rank, i);
    MPI_Sendrecv(out, sizes[i], MPI_BYTE, right, 5, in, MOST, MPI_BYTE, left, 5, MPI_COMM_WORLD, &status);
    EXPECT(status.MPI_SOURCE == left && count_of(&status, MPI_BYTE) == sizes[i]);
    EXPECT(is_filled(in, (size_t)sizes[i], left, i));
    fill(in, (size_t)sizes[i], rank, i + 1);
    MPI_Sendrecv_replace(in, sizes[i], MPI_BYTE, left, 6, right, 6, MPI_COMM_WORLD, &status);
    EXPECT(status.MPI_SOURCE == right && is_filled(in, (size_t)sizes[i], right, i + 1));
  }
}

/* Two messages of one sender that match the same receive come in order, small behind large too. */
static void order(void) {
  enum { MESSAGES = 12 };
  MPI_Request requests[MESSAGES];
  static int data[MESSAGES][2000], got[2000];
  for (int i = 0; i < MESSAGES; ++i) {
    data[i][0] = data[i][1999] = rank * 100 + i;
    MPI_Isend(data[i], i % 3 == 0 ? 2000 : 1, MPI_INT, right, i % 2, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < MESSAGES; ++i) {
    MPI_Status status;
    if (i < 4) { /* of tag 1: messages 1, 3, 5, 7 */
      MPI_Recv(got, 2000, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
      EXPECT(got[0] == left * 100 + 2 * i + 1 && status.MPI_SOURCE == left);
    } else { /* all the others: 0, 2, 4, 6, 8, 9, 10, 11 */
      const int expected = i < 8 ? 2 * (i - 4) : i;
      MPI_Recv(got, 2000, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      EXPECT(got[0] == left * 100 + expected && status.MPI_TAG == expected % 2);
      EXPECT(count_of(&status, MPI_INT) == (expected % 3 == 0 ? 2000 : 1));
    }
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
}

static void proc_null(void) {
  MPI_Status status;
  MPI_Request request;
  int word = 5, flag = 0, count = -1;
  MPI_Send(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&word, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  EXPECT(word == 5 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  EXPECT(count_of(&status, MPI_INT) == 0);
  MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
  MPI_Test(&request, &flag, &status);
  EXPECT(flag && request == MPI_REQUEST_NULL && status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  EXPECT(status.MPI_SOURCE == MPI_PROC_NULL && count == 0);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &word, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(word == left);
}

static void probes(void) {
  MPI_Status status, again;
  MPI_Request request;
  int flag = 1, found = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, &status);
  EXPECT(!flag);
  MPI_Barrier(MPI_COMM_WORLD);
  const int bytes = 100 + rank % 64 * 700, expected = 100 + left % 64 * 700; /* all fit `out` on any number of ranks */
  fill(out, (size_t)bytes, rank, 9);
  MPI_Isend(out, bytes, MPI_BYTE, right, 77, MPI_COMM_WORLD, &request);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  EXPECT(status.MPI_SOURCE == left && status.MPI_TAG == 77 && count_of(&status, MPI_BYTE) == expected);
  MPI_Iprobe(left, 77, MPI_COMM_WORLD, &found, &again);
  EXPECT(found && count_of(&again, MPI_BYTE) == expected);
  MPI_Iprobe(left, 78, MPI_COMM_WORLD, &found, &again);
  EXPECT(!found);
  MPI_Recv(in, expected, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &again);
  EXPECT(count_of(&again, MPI_BYTE) == expected && is_filled(in, (size_t)expected, left, 9));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(out, 1, MPI_BYTE, right, 79, MPI_COMM_WORLD, &request);
  for (found = 0; !found;) MPI_Iprobe(MPI_ANY_SOURCE, 79, MPI_COMM_WORLD, &found, &status);
  MPI_Recv(in, 1, MPI_BYTE, left, 79, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Buffered sends end without a receive; more than the buffer holds is an error. */
static void buffers(void) {
  enum { MESSAGES = 4, BYTES = 5000 };
  const int room = MESSAGES * (BYTES + MPI_BSEND_OVERHEAD);
  char* buffer = malloc((size_t)room);
  MPI_Buffer_attach(buffer, room);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < MESSAGES; ++i) {
    fill(out, BYTES, rank, i);
    MPI_Bsend(out, BYTES, MPI_BYTE, right, 10 + i, MPI_COMM_WORLD);
  }
  memset(out, 0, sizeof out);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT(MPI_Bsend(out, room - MPI_BSEND_OVERHEAD + 1, MPI_BYTE, right, 20, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = MESSAGES - 1; i >= 0; --i) receive_from_left(BYTES, 10 + i, i);
  void* detached;
  int bytes;
  MPI_Buffer_detach(&detached, &bytes);
  EXPECT(detached == buffer && bytes == room);
  memset(buffer, 0, (size_t)room);
  free(buffer);
}

/* Errors are codes where the program wants them so; what fits of a message that is too long is there. */
static void errors(void) {
  int word = rank, code;
  MPI_Status status;
  MPI_Request request, two[2];
  MPI_Status both[2];
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT(MPI_Send(&word, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  EXPECT(MPI_Send(&word, 1, MPI_INT, -5, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  EXPECT(MPI_Send(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
  EXPECT(MPI_Send(&word, 1, MPI_INT, 0, -3, MPI_COMM_WORLD) == MPI_ERR_TAG);
  EXPECT(MPI_Send(&word, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD) == MPI_ERR_TAG);
  EXPECT(MPI_Send(&word, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
  EXPECT(MPI_Send(&word, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
  EXPECT(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
  EXPECT(MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_NULL) == MPI_ERR_COMM);
  EXPECT(MPI_Recv(&word, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD, &status) == MPI_ERR_RANK);
  MPI_Isend(out, 300, MPI_BYTE, right, 1, MPI_COMM_WORLD, &request);
  memset(in, 0xee, 200);
  EXPECT(MPI_Recv(in, 100, MPI_BYTE, left, 1, MPI_COMM_WORLD, &status) == MPI_ERR_TRUNCATE);
  EXPECT(status.MPI_SOURCE == left && status.MPI_TAG == 1 && in[100] == 0xee);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 10, MPI_BYTE, left, 2, MPI_COMM_WORLD, &two[0]);
  MPI_Irecv(in + 10, 10, MPI_BYTE, left, 3, MPI_COMM_WORLD, &two[1]);
  MPI_Send(out, 10, MPI_BYTE, right, 2, MPI_COMM_WORLD);
  MPI_Send(out, 11, MPI_BYTE, right, 3, MPI_COMM_WORLD);
  EXPECT(MPI_Waitall(2, two, both) == MPI_ERR_IN_STATUS);
  EXPECT(both[0].MPI_ERROR == MPI_SUCCESS && both[1].MPI_ERROR == MPI_ERR_TRUNCATE);
  for (code = 0; code < MPI_ERR_LASTCODE; ++code) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, class = -1;
    MPI_Error_string(code, text, &length);
    MPI_Error_class(code, &class);
    EXPECT(length > 0 && (int)strlen(text) == length && length < MPI_MAX_ERROR_STRING && class == code);
  }
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void all_pairs(void) {
  MPI_Request* requests = malloc(2 * (size_t)ranks * sizeof *requests);
  unsigned char* all = malloc((size_t)ranks * 700);
  for (int i = 0; i < ranks; ++i)
    MPI_Irecv(all + i * 700, 700, MPI_BYTE, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, &requests[i]);
  fill(out, 700, rank, 3);
  for (int i = 0; i < ranks; ++i) MPI_Isend(out, 700, MPI_BYTE, i, 100 + rank, MPI_COMM_WORLD, &requests[ranks + i]);
  MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < ranks; ++i) EXPECT(is_filled(all + i * 700, 700, i, 3));
  free(requests);
  free(all);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  blocking_modes();
  started_modes();
  exchanges();
  order();
  proc_null();
  probes();
  buffers();
  errors();
  all_pairs();
  return finish();
}
