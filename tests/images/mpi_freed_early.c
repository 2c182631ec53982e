/* Handles that the program frees while operations still use them: datatypes, operations, communicators. */
#include "tests/images/mpi_check.h"

#define COUNT 40
#define GAP 2 /* elements of a vector of columns lie this far apart */

static int sent[COUNT * GAP], got[COUNT * GAP];

static MPI_Datatype column(void) {
  MPI_Datatype type;
  MPI_Type_vector(COUNT, 1, GAP, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

static MPI_Comm copy(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static MPI_Op own_sum(void) {
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  return op;
}

static void fill_numbers(int add_to_all) {
  for (int i = 0; i < COUNT * GAP; ++i) {
    sent[i] = 1000 * rank + i + add_to_all;
    got[i] = -1;
  }
}

/* A column has come from a rank, and what lies between its elements is as it was. */
static int has_column_of(int from, int add_to_all) {
  for (int i = 0; i < COUNT * GAP; ++i)
    if (got[i] != (i % GAP == 0 ? 1000 * from + i + add_to_all : -1)) return 0;
  return 1;
}

static int sum_over_ranks(int i) { return 1000 * (ranks * (ranks - 1) / 2) + ranks * i; }

static void messages(void) {
  MPI_Request requests[2];
  MPI_Datatype type = column();
  MPI_Comm comm = copy();
  fill_numbers(0);
  MPI_Irecv(got, 1, type, left, 3, comm, &requests[0]);
  MPI_Isend(sent, 1, type, right, 3, comm, &requests[1]);
  EXPECT(MPI_Type_free(&type) == MPI_SUCCESS && MPI_Comm_free(&comm) == MPI_SUCCESS);
  MPI_Request_free(&requests[1]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  EXPECT(has_column_of(left, 0));
  MPI_Barrier(MPI_COMM_WORLD); /* the send has ended */
}

static void prepared(void) {
  enum { SEND, GET, SUM, ALL };
  MPI_Request requests[ALL];
  MPI_Datatype type = column();
  MPI_Comm comm = copy();
  MPI_Op op = own_sum();
  int mine, sum;
  MPI_Send_init(sent, 1, type, right, 3, comm, &requests[SEND]);
  MPI_Recv_init(got, 1, type, left, 3, comm, &requests[GET]);
  MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, op, comm, MPI_INFO_NULL, &requests[SUM]);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
  MPI_Comm_free(&comm);
  for (int start = 0; start < 3; ++start) {
    fill_numbers(start);
    mine = rank + start;
    MPI_Startall(ALL, requests);
    MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
    EXPECT(has_column_of(left, start) && sum == ranks * (ranks - 1) / 2 + ranks * start);
  }
  for (int i = 0; i < ALL; ++i) MPI_Request_free(&requests[i]);
}

static void collectives(void) {
  MPI_Request requests[3];
  MPI_Datatype type = column();
  MPI_Comm comm = copy();
  MPI_Op op = own_sum();
  int sums[COUNT], before[COUNT];
  fill_numbers(0);
  if (rank == 0) memcpy(got, sent, sizeof got);
  MPI_Iallreduce(sent, sums, COUNT, MPI_INT, op, comm, &requests[0]);
  MPI_Ibcast(got, 1, type, 0, comm, &requests[1]);
  MPI_Iexscan(sent, before, COUNT, MPI_INT, op, comm, &requests[2]);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
  MPI_Comm_free(&comm);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  EXPECT(rank == 0 || has_column_of(0, 0));
  for (int i = 0; i < COUNT; ++i) {
    EXPECT(sums[i] == sum_over_ranks(i));
    EXPECT(rank == 0 || before[i] == 1000 * (rank * (rank - 1) / 2) + rank * i);
  }
}

static void neighbors(void) {
  MPI_Comm ring;
  MPI_Request request;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  MPI_Datatype type = column();
  fill_numbers(0);
  MPI_Ineighbor_alltoall(sent, 1, type, got, 1, type, ring, &request);
  MPI_Type_free(&type);
  MPI_Comm_free(&ring);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(has_column_of(left, 0));
}

/* The window's communicator, too; and requests whose ends are asked for behind the epoch's. */
static void windows(void) {
  int* memory;
  MPI_Win window;
  MPI_Comm comm = copy();
  MPI_Win_allocate(sizeof sent, sizeof(int), MPI_INFO_NULL, comm, &memory, &window);
  MPI_Comm_free(&comm);
  fill_numbers(0);
  memcpy(memory, sent, sizeof sent);
  MPI_Win_fence(0, window);
  MPI_Datatype type = column();
  MPI_Get(got, 1, type, right, 0, 1, type, window);
  MPI_Accumulate(sent, 1, type, right, 1, 1, type, MPI_SUM, window);
  MPI_Type_free(&type);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  EXPECT(has_column_of(right, 0));
  for (int i = 1; i < COUNT * GAP; i += GAP) EXPECT(memory[i] == 1000 * rank + i + 1000 * left + i - 1);
  int last = -1;
  MPI_Request requests[2];
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
  MPI_Rget(&last, 1, MPI_INT, right, COUNT * GAP - 2, 1, MPI_INT, window, &requests[0]);
  MPI_Rput(sent, 0, MPI_INT, right, 0, 0, MPI_INT, window, &requests[1]);
  MPI_Win_unlock(right, window);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(last == 1000 * right + COUNT * GAP - 2);
  MPI_Win_free(&window);
}

static void files(void) {
  MPI_File file;
  MPI_Request request;
  MPI_Datatype in_file, in_memory = column();
  MPI_File_open(MPI_COMM_WORLD, "freed_early", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_Type_vector(COUNT, 1, ranks, MPI_INT, &in_file);
  MPI_Type_commit(&in_file);
  MPI_File_set_view(file, rank * (MPI_Offset)sizeof(int), MPI_INT, in_file, "native", MPI_INFO_NULL);
  MPI_Type_free(&in_file);
  fill_numbers(0);
  MPI_File_iwrite_all(file, sent, 1, in_memory, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_iread_at(file, 0, got, 1, in_memory, &request);
  MPI_Type_free(&in_memory);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(has_column_of(rank, 0));
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  messages();
  prepared();
  collectives();
  neighbors();
  windows();
  files();
  return finish();
}
