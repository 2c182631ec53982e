/* Persistent collective operations (MPI-4): each of the calls, prepared once and started several times with other data;
 * requests that are started in another order on each rank; types and operations that are freed between. */
#include "tests/images/collective_check.h"

enum { COUNT = 5, STARTS = 3, MOST = 64 };

static void run(MPI_Request* request) {
  MPI_Status status = {.MPI_SOURCE = 0};
  EXPECT(MPI_Start(request) == MPI_SUCCESS);
  EXPECT(MPI_Wait(request, &status) == MPI_SUCCESS && *request != MPI_REQUEST_NULL);
  EXPECT(MPI_Wait(request, &status) == MPI_SUCCESS && status.MPI_SOURCE == MPI_ANY_SOURCE); /* inactive */
}

static int sum_of(int ranks, int to, int i) {
  int sum = 0;
  for (int r = 0; r < ranks; ++r) sum += value(r, to, i);
  return sum;
}

static void end(MPI_Request* request) {
  EXPECT(MPI_Request_free(request) == MPI_SUCCESS && *request == MPI_REQUEST_NULL);
}

/* ---- from and to a root ---- */
static void rooted(MPI_Comm comm, int rank, int ranks) {
  const int root = ranks - 1;
  int data[COUNT] = {0}, own[COUNT] = {0}, all[MOST * COUNT] = {0}, sum[COUNT], counts[MOST], offsets[MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = r % COUNT, offsets[r] = (ranks - 1 - r) * COUNT;
  MPI_Request barrier, bcast, gather, gatherv, scatter, scatterv, reduce;
  /* What is not significant at a rank is null there. */
  const int is_root = rank == root;
  EXPECT(MPI_Barrier_init(comm, MPI_INFO_NULL, &barrier) == MPI_SUCCESS);
  EXPECT(MPI_Bcast_init(data, COUNT, MPI_INT, root, comm, MPI_INFO_NULL, &bcast) == MPI_SUCCESS);
  EXPECT(MPI_Gather_init(own, COUNT, MPI_INT, is_root ? all : NULL, COUNT, is_root ? MPI_INT : MPI_DATATYPE_NULL, root,
                         comm, MPI_INFO_NULL, &gather) == MPI_SUCCESS);
  EXPECT(MPI_Gatherv_init(own, rank % COUNT, MPI_INT, all, counts, offsets, MPI_INT, root, comm, MPI_INFO_NULL,
                          &gatherv) == MPI_SUCCESS);
  EXPECT(MPI_Scatter_init(is_root ? all : NULL, COUNT, is_root ? MPI_INT : MPI_DATATYPE_NULL, own, COUNT, MPI_INT, root,
                          comm, MPI_INFO_NULL, &scatter) == MPI_SUCCESS);
  EXPECT(MPI_Scatterv_init(all, counts, offsets, MPI_INT, own, rank % COUNT, MPI_INT, root, comm, MPI_INFO_NULL,
                           &scatterv) == MPI_SUCCESS);
  EXPECT(MPI_Reduce_init(own, sum, COUNT, MPI_INT, MPI_SUM, root, comm, MPI_INFO_NULL, &reduce) == MPI_SUCCESS);
  for (int k = 0; k < STARTS; ++k) {
    run(&barrier);
    for (int i = 0; i < COUNT; ++i) data[i] = is_root ? value(root, k, i) : -1;
    run(&bcast);
    for (int i = 0; i < COUNT; ++i) EXPECT(data[i] == value(root, k, i));
    for (int i = 0; i < COUNT; ++i) own[i] = value(rank, k, i);
    run(&gather);
    for (int i = 0; is_root && i < ranks * COUNT; ++i) EXPECT(all[i] == value(i / COUNT, k, i % COUNT));
    memset(all, -1, sizeof all);
    run(&gatherv);
    for (int r = 0; is_root && r < ranks; ++r)
      for (int i = 0; i < COUNT; ++i) EXPECT(all[offsets[r] + i] == (i < counts[r] ? value(r, k, i) : -1));
    run(&reduce);
    for (int i = 0; is_root && i < COUNT; ++i) EXPECT(sum[i] == sum_of(ranks, k, i));
    for (int i = 0; i < ranks * COUNT; ++i) all[i] = value(root, i, k);
    run(&scatter);
    for (int i = 0; i < COUNT; ++i) EXPECT(own[i] == value(root, rank * COUNT + i, k));
    memset(own, -1, sizeof own);
    run(&scatterv);
    for (int i = 0; i < COUNT; ++i) EXPECT(own[i] == (i < counts[rank] ? value(root, offsets[rank] + i, k) : -1));
  }
  MPI_Request* const requests[] = {&barrier, &bcast, &gather, &gatherv, &scatter, &scatterv, &reduce};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) end(requests[i]);
}

/* ---- from all to all ---- */
static void symmetric(MPI_Comm comm, int rank, int ranks) {
  int own[COUNT] = {0}, all[MOST * COUNT], out[MOST * COUNT] = {0}, counts[MOST], offsets[MOST], bytes[MOST];
  MPI_Datatype types[MOST];
  for (int r = 0; r < ranks; ++r) {
    counts[r] = COUNT - 1;
    offsets[r] = r * COUNT;
    bytes[r] = offsets[r] * (int)sizeof(int);
    types[r] = MPI_INT;
  }
  enum { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, ALL };
  MPI_Request requests[ALL];
  EXPECT(MPI_Allgather_init(own, COUNT, MPI_INT, all, COUNT, MPI_INT, comm, MPI_INFO_NULL, &requests[0]) == 0);
  EXPECT(MPI_Allgatherv_init(own, COUNT - 1, MPI_INT, all, counts, offsets, MPI_INT, comm, MPI_INFO_NULL,
                             &requests[1]) == 0);
  EXPECT(MPI_Alltoall_init(out, COUNT, MPI_INT, all, COUNT, MPI_INT, comm, MPI_INFO_NULL, &requests[2]) == 0);
  EXPECT(MPI_Alltoallv_init(out, counts, offsets, MPI_INT, all, counts, offsets, MPI_INT, comm, MPI_INFO_NULL,
                            &requests[3]) == 0);
  EXPECT(MPI_Alltoallw_init(out, counts, bytes, types, all, counts, bytes, types, comm, MPI_INFO_NULL, &requests[4]) ==
         0);
  memset(types, 0, sizeof types); /* the request has its own */
  for (int k = 0; k < STARTS; ++k)
    for (int which = 0; which < ALL; ++which) {
      for (int i = 0; i < COUNT; ++i) own[i] = value(rank, k, i);
      for (int i = 0; i < ranks * COUNT; ++i) out[i] = value(rank, k + i / COUNT, i % COUNT);
      memset(all, -1, sizeof all);
      run(&requests[which]);
      const int to_all = which == ALLGATHER || which == ALLGATHERV, whole = which == ALLGATHER || which == ALLTOALL;
      for (int i = 0; i < ranks * COUNT; ++i) {
        const int came = value(i / COUNT, to_all ? k : k + rank, i % COUNT);
        EXPECT(all[i] == (whole || i % COUNT < COUNT - 1 ? came : -1));
      }
    }
  for (int i = 0; i < ALL; ++i) end(&requests[i]);
}

/* ---- reductions ---- */
static void reductions(MPI_Comm comm, int rank, int ranks) {
  int own[MOST * COUNT] = {0}, sum[COUNT], part[COUNT], some[COUNT], prefix[COUNT], before[COUNT], counts[MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = r % COUNT;
  int first = 0;
  for (int r = 0; r < rank; ++r) first += counts[r];
  MPI_Request requests[5];
  EXPECT(MPI_Allreduce_init(own, sum, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[0]) == 0);
  EXPECT(MPI_Reduce_scatter_block_init(own, part, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[1]) == 0);
  EXPECT(MPI_Reduce_scatter_init(own, some, counts, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[2]) == 0);
  EXPECT(MPI_Scan_init(own, prefix, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[3]) == 0);
  EXPECT(MPI_Exscan_init(own, before, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[4]) == 0);
  for (int k = 0; k < STARTS; ++k) {
    for (int i = 0; i < ranks * COUNT; ++i) own[i] = value(rank, k, i);
    EXPECT(MPI_Startall(5, requests) == MPI_SUCCESS);
    EXPECT(MPI_Waitall(5, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    for (int i = 0; i < COUNT; ++i) {
      EXPECT(sum[i] == sum_of(ranks, k, i) && part[i] == sum_of(ranks, k, rank * COUNT + i));
      EXPECT(i >= counts[rank] || some[i] == sum_of(ranks, k, first + i));
      EXPECT(prefix[i] == sum_of(rank + 1, k, i) && (rank == 0 || before[i] == sum_of(rank, k, i)));
    }
  }
  for (int i = 0; i < 5; ++i) end(&requests[i]);
}

/* ---- matched by the order in which they were prepared ---- */
static void any_order(MPI_Comm comm, int rank, int ranks) {
  enum { REQUESTS = 4 };
  int data[REQUESTS], done = 0;
  MPI_Request requests[REQUESTS];
  for (int k = 0; k < REQUESTS; ++k) MPI_Bcast_init(&data[k], 1, MPI_INT, 0, comm, MPI_INFO_NULL, &requests[k]);
  for (int start = 0; start < STARTS; ++start) {
    for (int k = 0; k < REQUESTS; ++k) data[k] = rank == 0 ? value(0, start, k) : -1;
    for (int k = 0; k < REQUESTS; ++k) EXPECT(MPI_Start(&requests[(k + rank) % REQUESTS]) == MPI_SUCCESS);
    int sum = 0; /* others may be in between */
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(sum == ranks * (ranks - 1) / 2);
    for (done = 0; !done;) MPI_Testall(REQUESTS, requests, &done, MPI_STATUSES_IGNORE);
    for (int k = 0; k < REQUESTS; ++k) EXPECT(data[k] == value(0, start, k));
  }
  for (int k = 0; k < REQUESTS; ++k) end(&requests[k]);
}

/* ---- handles may be freed once the request exists; nothing is read or written before a start ---- */
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
  int sum[2] = {-1, -1}, own[2] = {rank, 2 * rank}, spread[3] = {-5, -6, -7}, in_place[1] = {-9};
  MPI_Request requests[3];
  MPI_Allreduce_init(own, sum, 2, MPI_INT, op, copy, MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init(spread, 1, pair, 0, copy, MPI_INFO_NULL, &requests[1]);
  MPI_Allreduce_init(MPI_IN_PLACE, in_place, 1, MPI_INT, op, copy, MPI_INFO_NULL, &requests[2]);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  MPI_Comm_free(&copy);
  EXPECT(sum[0] == -1 && sum[1] == -1 && spread[0] == -5 && spread[2] == -7);
  for (int k = 0; k < STARTS; ++k) {
    if (rank == 0) spread[0] = 3 + k, spread[2] = 4 + k;
    in_place[0] = rank + k;
    own[1] = 2 * rank + k;
    EXPECT(MPI_Startall(3, requests) == MPI_SUCCESS);
    EXPECT(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    EXPECT(sum[0] == ranks * (ranks - 1) / 2 && sum[1] == ranks * (ranks - 1) + ranks * k);
    EXPECT(spread[0] == 3 + k && spread[1] == -6 && spread[2] == 4 + k);
    EXPECT(in_place[0] == ranks * (ranks - 1) / 2 + ranks * k);
  }
  EXPECT(MPI_Start(&requests[1]) == MPI_SUCCESS);
  for (int i = 0; i < 3; ++i) end(&requests[i]); /* one of them is active */
}

static void all_checks(MPI_Comm comm, int rank, int ranks) {
  rooted(comm, rank, ranks);
  symmetric(comm, rank, ranks);
  reductions(comm, rank, ranks);
  any_order(comm, rank, ranks);
  freed_early(comm, rank, ranks);
}

/* ---- among neighbours: on a ring, once as a grid, once as a graph that is given by each rank ---- */
static void neighbors_of(MPI_Comm comm, int rank, int ranks) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  const int counts[2] = {COUNT - 1, COUNT - 1}, offsets[2] = {COUNT, 0};
  const MPI_Aint bytes[2] = {COUNT * sizeof(int), 0};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  int own[COUNT] = {0}, out[2 * COUNT] = {0}, in[2 * COUNT];
  MPI_Request r[5];
  EXPECT(MPI_Neighbor_allgather_init(own, COUNT, MPI_INT, in, COUNT, MPI_INT, comm, MPI_INFO_NULL, &r[0]) == 0);
  EXPECT(MPI_Neighbor_allgatherv_init(own, COUNT - 1, MPI_INT, in, counts, offsets, MPI_INT, comm, MPI_INFO_NULL,
                                      &r[1]) == 0);
  EXPECT(MPI_Neighbor_alltoall_init(out, COUNT, MPI_INT, in, COUNT, MPI_INT, comm, MPI_INFO_NULL, &r[2]) == 0);
  EXPECT(MPI_Neighbor_alltoallv_init(out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT, comm, MPI_INFO_NULL,
                                     &r[3]) == 0);
  EXPECT(MPI_Neighbor_alltoallw_init(out, counts, bytes, types, in, counts, bytes, types, comm, MPI_INFO_NULL, &r[4]) ==
         0);
  types[0] = types[1] = MPI_DATATYPE_NULL;
  for (int k = 0; k < STARTS; ++k)
    for (int which = 0; which < 5; ++which) {
      const int swapped = which == 1 || which > 2, to_all = which < 2, left_at = swapped ? COUNT : 0;
      for (int i = 0; i < COUNT; ++i) {
        own[i] = value(rank, k, i);
        out[left_at + i] = value(rank, k, 100 + i); /* for the left one */
        out[COUNT - left_at + i] = value(rank, k, 200 + i);
      }
      memset(in, -1, sizeof in);
      run(&r[which]);
      for (int i = 0; i < COUNT; ++i) {
        const int lacks = swapped && i == COUNT - 1;
        EXPECT(in[left_at + i] == (lacks ? -1 : value(left, k, to_all ? i : 200 + i)));
        EXPECT(in[COUNT - left_at + i] == (lacks ? -1 : value(right, k, to_all ? i : 100 + i)));
      }
    }
  for (int i = 0; i < 5; ++i) end(&r[i]);
}

static void neighbors(void) {
  const int periodic = 1, ends[2] = {(world_rank + world_ranks - 1) % world_ranks, (world_rank + 1) % world_ranks};
  MPI_Comm grid, graph;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &world_ranks, &periodic, 0, &grid);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, ends, MPI_UNWEIGHTED, 2, ends, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  on = "a ring as a grid";
  neighbors_of(grid, world_rank, world_ranks);
  on = "a ring as a graph";
  if (world_ranks > 2) neighbors_of(graph, world_rank, world_ranks); /* with two, both edges are between the same */
  MPI_Comm_free(&grid);
  MPI_Comm_free(&graph);
}

/* ---- between two groups: even ranks and odd ones ---- */
static void two_groups(void) {
  MPI_Comm half, both;
  const int side = world_rank % 2;
  on = "two groups";
  if (world_ranks < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &both);
  int rank, others, data = -1, sum = -1, own = world_rank, other_sum = 0;
  MPI_Comm_rank(both, &rank);
  MPI_Comm_remote_size(both, &others);
  for (int r = 1 - side; r < world_ranks; r += 2) other_sum += r;
  MPI_Request requests[3];
  const int root = side == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  EXPECT(MPI_Bcast_init(&data, 1, MPI_INT, root, both, MPI_INFO_NULL, &requests[0]) == MPI_SUCCESS);
  EXPECT(MPI_Allreduce_init(&own, &sum, 1, MPI_INT, MPI_SUM, both, MPI_INFO_NULL, &requests[1]) == MPI_SUCCESS);
  EXPECT(MPI_Barrier_init(both, MPI_INFO_NULL, &requests[2]) == MPI_SUCCESS);
  for (int k = 0; k < STARTS; ++k) {
    data = root == MPI_ROOT ? 50 + k : -1;
    own = world_rank + k;
    for (int i = 0; i < 3; ++i) EXPECT(MPI_Start(&requests[(i + rank) % 3]) == MPI_SUCCESS);
    EXPECT(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    EXPECT(data == (side == 1 || root == MPI_ROOT ? 50 + k : -1) && sum == other_sum + others * k);
  }
  for (int i = 0; i < 3; ++i) end(&requests[i]);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

/* ---- errors come from the call that prepares ---- */
static void mistakes(void) {
  MPI_Comm comm;
  MPI_Request request = MPI_REQUEST_NULL;
  int data = 0;
  on = "a copy of the world";
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  EXPECT(MPI_Bcast_init(&data, 1, MPI_INT, world_ranks, comm, MPI_INFO_NULL, &request) == MPI_ERR_ROOT);
  EXPECT(MPI_Allreduce_init(&data, &data, -1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request) == MPI_ERR_COUNT);
  EXPECT(MPI_Neighbor_alltoall_init(&data, 1, MPI_INT, &data, 1, MPI_INT, comm, MPI_INFO_NULL, &request) ==
         MPI_ERR_TOPOLOGY);
  EXPECT(MPI_Barrier_init(comm, MPI_INFO_NULL, NULL) == MPI_ERR_ARG && request == MPI_REQUEST_NULL);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  on_each_communicator(all_checks);
  neighbors();
  two_groups();
  mistakes();
  MPI_Finalize();
  if (world_rank == 0) printf("PASS\n");
  return 0;
}
