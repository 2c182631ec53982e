/* Nonblocking collective operations: several in flight at once, with messages between them; they make progress while a
 * process waits for something else. */
#include "tests/images/collective_check.h"

enum { COUNT = 300, AT_ONCE = 6 };

/* Each kind several times, completed in reverse order. */
static void many_at_once(MPI_Comm comm, int rank, int ranks) {
  static int roots[AT_ONCE][COUNT], sums[AT_ONCE][COUNT], own[AT_ONCE][COUNT];
  int* all[AT_ONCE];
  int *send[AT_ONCE], *receive[AT_ONCE];
  MPI_Request requests[5 * AT_ONCE];
  const int at_once = world_ranks > MANY_RANKS ? 2 : AT_ONCE;
  for (int k = 0; k < at_once; ++k) {
    const int root = k % ranks;
    all[k] = malloc((size_t)ranks * COUNT * sizeof(int));
    send[k] = malloc((size_t)ranks * sizeof(int));
    receive[k] = malloc((size_t)ranks * sizeof(int));
    for (int i = 0; i < COUNT; ++i) {
      roots[k][i] = rank == root ? value(root, k, i) : -1;
      own[k][i] = value(rank, k, i);
    }
    for (int i = 0; i < ranks; ++i) send[k][i] = value(rank, i, k);
    MPI_Request* at = &requests[5 * k];
    MPI_Ibcast(roots[k], COUNT, MPI_INT, root, comm, at++);
    MPI_Iallreduce(own[k], sums[k], COUNT, MPI_INT, MPI_SUM, comm, at++);
    MPI_Iallgather(own[k], COUNT, MPI_INT, all[k], COUNT, MPI_INT, comm, at++);
    MPI_Ibarrier(comm, at++);
    MPI_Ialltoall(send[k], 1, MPI_INT, receive[k], 1, MPI_INT, comm, at);
  }
  for (int i = 5 * at_once - 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  for (int k = 0; k < at_once; ++k) {
    for (int i = 0; i < COUNT; ++i) {
      int sum = 0;
      for (int r = 0; r < ranks; ++r) {
        sum += value(r, k, i);
        EXPECT(all[k][r * COUNT + i] == value(r, k, i));
      }
      EXPECT(roots[k][i] == value(k % ranks, k, i) && sums[k][i] == sum);
    }
    for (int r = 0; r < ranks; ++r) EXPECT(receive[k][r] == value(r, rank, k));
    free(all[k]);
    free(send[k]);
    free(receive[k]);
  }
}

/* With messages of the program and of a blocking operation in between. */
static void mixed(MPI_Comm comm, int rank, int ranks) {
  int sum = 0, token = value(rank, 0, 0), came = -1, first = rank == 0 ? 5 : -1, second = rank == 0 ? 6 : -1;
  MPI_Request requests[5];
  MPI_Status statuses[5];
  MPI_Irecv(&came, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
  MPI_Ibcast(&first, 1, MPI_INT, 0, comm, &requests[1]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[2]);
  MPI_Bcast(&second, 1, MPI_INT, 0, comm);
  MPI_Isend(&token, 1, MPI_INT, (rank + 1) % ranks, 3, comm, &requests[3]);
  requests[4] = MPI_REQUEST_NULL;
  MPI_Waitall(5, requests, statuses);
  EXPECT(second == 6 && first == 5 && sum == ranks * (ranks - 1) / 2);
  EXPECT(came == value((rank + ranks - 1) % ranks, 0, 0) && statuses[0].MPI_SOURCE == (rank + ranks - 1) % ranks);
  for (int i = 0; i < 5; ++i) EXPECT(requests[i] == MPI_REQUEST_NULL);
}

/* A barrier that all but one rank have started does not complete; tests take time and lead there. */
static void late(MPI_Comm comm, int rank, int ranks) {
  MPI_Request request;
  double came = MPI_Wtime(), last = 0;
  if (rank == ranks - 1) {
    hal_compute_ps(200000000); /* 200 us */
    came = MPI_Wtime();
  }
  MPI_Ibarrier(comm, &request);
  int done = 0;
  while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  const double left = MPI_Wtime();
  EXPECT(request == MPI_REQUEST_NULL);
  MPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
  EXPECT(left >= last);
}

/* Inner ranks of a tree wait for something else, in different calls, while others wait for data that must pass through
 * them. */
static void progress(MPI_Comm comm, int rank, int ranks) {
  int data[COUNT], token = 0;
  for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? value(0, 1, i) : -1;
  MPI_Request request;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, comm, &request);
  if (rank == ranks - 1) { /* waits for the broadcast, and releases the others */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int r = 0; r < ranks - 1; ++r) MPI_Send(&r, 1, MPI_INT, r, 9, comm);
  } else if (rank % 2 == 0) {
    MPI_Recv(&token, 1, MPI_INT, ranks - 1, 9, comm, MPI_STATUS_IGNORE);
  } else {
    MPI_Probe(ranks - 1, 9, comm, MPI_STATUS_IGNORE);
    MPI_Recv(&token, 1, MPI_INT, ranks - 1, 9, comm, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; ++i) EXPECT(data[i] == value(0, 1, i));
  /* The same with a barrier: only the last rank waits for the broadcast before it. */
  for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? value(0, 2, i) : -1;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, comm, &request);
  if (rank == ranks - 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; ++i) EXPECT(data[i] == value(0, 2, i));
}

/* Objects that a nonblocking operation uses may be freed while it is in flight. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((const int*)in)[i];
}

static void freed_early(MPI_Comm comm, int rank, int ranks) {
  MPI_Op op;
  MPI_Comm copy;
  MPI_Datatype pair;
  MPI_Op_create(add, 1, &op);
  MPI_Comm_dup(comm, &copy);
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  int sum[2] = {-1, -1}, own[2] = {rank, 2 * rank}, spread[3] = {rank == 0 ? 3 : -1, -7, rank == 0 ? 4 : -1};
  MPI_Request requests[2];
  MPI_Iallreduce(own, sum, 2, MPI_INT, op, copy, &requests[0]);
  MPI_Ibcast(spread, 1, pair, 0, copy, &requests[1]);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  MPI_Comm_free(&copy);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(sum[0] == ranks * (ranks - 1) / 2 && sum[1] == ranks * (ranks - 1));
  EXPECT(spread[0] == 3 && spread[1] == -7 && spread[2] == 4);
}

static void all_checks(MPI_Comm comm, int rank, int ranks) {
  many_at_once(comm, rank, ranks);
  mixed(comm, rank, ranks);
  late(comm, rank, ranks);
  progress(comm, rank, ranks);
  freed_early(comm, rank, ranks);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  on_each_communicator(all_checks);
  MPI_Finalize();
  if (world_rank == 0) printf("PASS\n");
  return 0;
}
