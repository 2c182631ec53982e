/* Collective operations that move data: each, on several communicators, of types with gaps, in place, of nothing. The
 * argument `--barrier none` leaves the barrier out, which must be noticed. */
#include "tests/images/collective_check.h"

#define GAP (-77)
enum { MOST = 700 }; /* ints of a block: more than a message of the eager kind */
static const int counts_tried[] = {0, 1, MOST, 5};
#define COUNTS (world_ranks > MANY_RANKS ? 3 : 4)

static int no_barrier;
static MPI_Datatype spread; /* 2 ints with a gap between: x . x */
enum { SPREAD = 3 };        /* ints of its extent */

static int* ints(size_t count, int fill) {
  int* made = malloc((count + 1) * sizeof *made);
  for (size_t i = 0; i <= count; ++i) made[i] = fill;
  return made;
}

/* No rank leaves before the last has entered; each in turn is late. */
static void barriers(MPI_Comm comm, int rank, int ranks) {
  for (int late = 0; late<ranks; late += ranks> 8 ? ranks / 4 : 1) {
    if (rank == late) hal_compute_ps(100000000); /* 100 us */
    double came = MPI_Wtime(), last = 0;
    if (!no_barrier) MPI_Barrier(comm);
    const double left = MPI_Wtime();
    MPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    EXPECT(left >= last);
  }
}

static void broadcasts(MPI_Comm comm, int rank, int ranks) {
  for (int c = 0; c < COUNTS; ++c)
    for (int root = 0; root<ranks; root += ranks> 4 ? ranks / 3 : 1) {
      const int count = counts_tried[c];
      int* data = ints((size_t)count, GAP);
      for (int i = 0; i < count && rank == root; ++i) data[i] = value(root, 0, i);
      MPI_Bcast(data, count, MPI_INT, root, comm);
      for (int i = 0; i < count; ++i) EXPECT(data[i] == value(root, 0, i));
      EXPECT(data[count] == GAP);
      free(data);
    }
  /* 2 ints with a gap at the root, the same as ints in a row elsewhere, and the other way round. */
  for (int way = 0; way < 2; ++way) {
    int data[5 * SPREAD] = {0};
    const int gaps = (rank == 0) == way;
    for (int i = 0; i < 5 * SPREAD; ++i) data[i] = GAP;
    for (int i = 0; i < 10 && rank == 0; ++i) data[gaps ? i / 2 * SPREAD + i % 2 * 2 : i] = value(0, 1, i);
    MPI_Bcast(data, gaps ? 5 : 10, gaps ? spread : MPI_INT, 0, comm);
    for (int i = 0; i < 10; ++i) EXPECT(data[gaps ? i / 2 * SPREAD + i % 2 * 2 : i] == value(0, 1, i));
    for (int i = 0; i < 5 && gaps; ++i) EXPECT(data[i * SPREAD + 1] == GAP);
  }
}

static void gathers(MPI_Comm comm, int rank, int ranks) {
  for (int c = 0; c < COUNTS; ++c)
    for (int in_place = 0; in_place < 2; ++in_place) {
      const int count = counts_tried[c], root = (c + in_place) % ranks, is_root = rank == root;
      int *send = ints((size_t)count, GAP), *all = ints((size_t)(count * ranks), GAP);
      for (int i = 0; i < count; ++i) send[i] = value(rank, 2, i);
      if (is_root) memcpy(all + rank * count, send, (size_t)count * sizeof *send);
      MPI_Gather(is_root && in_place ? MPI_IN_PLACE : send, count, MPI_INT, is_root ? all : NULL, count, MPI_INT, root,
                 comm);
      for (int i = 0; i < count * ranks && is_root; ++i) EXPECT(all[i] == value(i / count, 2, i % count));
      for (int i = 0; i < count * ranks; ++i) all[i] = GAP;
      if (in_place) memcpy(all + rank * count, send, (size_t)count * sizeof *send);
      MPI_Allgather(in_place ? MPI_IN_PLACE : send, count, MPI_INT, all, count, MPI_INT, comm);
      for (int i = 0; i < count * ranks; ++i) EXPECT(all[i] == value(i / count, 2, i % count));
      EXPECT(all[count * ranks] == GAP);
      free(send);
      free(all);
    }
  /* Ints in a row become pairs with gaps. */
  int send[4], *all = ints((size_t)(2 * SPREAD * ranks), GAP);
  for (int i = 0; i < 4; ++i) send[i] = value(rank, 3, i);
  MPI_Allgather(send, 4, MPI_INT, all, 2, spread, comm);
  for (int i = 0; i < 2 * ranks; ++i) {
    EXPECT(all[i * SPREAD] == value(i / 2, 3, i % 2 * 2) && all[i * SPREAD + 2] == value(i / 2, 3, i % 2 * 2 + 1));
    EXPECT(all[i * SPREAD + 1] == GAP);
  }
  for (int i = 0; i < 2 * SPREAD * ranks; ++i) all[i] = GAP;
  MPI_Gather(send, 4, MPI_INT, all, 2, spread, ranks - 1, comm);
  for (int i = 0; i < 2 * ranks && rank == ranks - 1; ++i)
    EXPECT(all[i * SPREAD] == value(i / 2, 3, i % 2 * 2) && all[i * SPREAD + 1] == GAP);
  free(all);
}

static void scatters(MPI_Comm comm, int rank, int ranks) {
  for (int c = 0; c < COUNTS; ++c)
    for (int in_place = 0; in_place < 2; ++in_place) {
      const int count = counts_tried[c], root = (2 * c + in_place) % ranks, is_root = rank == root;
      int *all = ints((size_t)(count * ranks), GAP), *own = ints((size_t)count, GAP);
      for (int i = 0; i < count * ranks && is_root; ++i) all[i] = value(root, i / count, i % count);
      MPI_Scatter(all, count, MPI_INT, is_root && in_place ? MPI_IN_PLACE : own, count, MPI_INT, root, comm);
      for (int i = 0; i < count && !(is_root && in_place); ++i) EXPECT(own[i] == value(root, rank, i));
      for (int i = 0; i < count * ranks && is_root; ++i) EXPECT(all[i] == value(root, i / count, i % count));
      EXPECT(own[count] == GAP);
      free(all);
      free(own);
    }
  int pair[SPREAD] = {GAP, GAP, GAP}, *all = ints((size_t)(2 * ranks), GAP);
  for (int i = 0; i < 2 * ranks; ++i) all[i] = value(rank, i / 2, i % 2);
  MPI_Scatter(all, 2, MPI_INT, pair, 1, spread, 0, comm);
  EXPECT(pair[0] == value(0, rank, 0) && pair[1] == GAP && pair[2] == value(0, rank, 1));
  free(all);
}

/* Rank r has r % 3 elements more than one; ranks stand backwards, with a gap behind each. */
static int many(int rank) { return rank % 3 == 0 ? 0 : 100 * (rank % 3) - 99; }

static void uneven(MPI_Comm comm, int rank, int ranks) {
  int *counts = ints((size_t)ranks, 0), *offsets = ints((size_t)ranks, 0), room = 0;
  for (int i = ranks - 1; i >= 0; --i) {
    counts[i] = many(i);
    offsets[i] = room;
    room += counts[i] + 1;
  }
  for (int in_place = 0; in_place < 2; ++in_place) {
    const int root = ranks / 2, is_root = rank == root;
    int *all = ints((size_t)room, GAP), *own = ints((size_t)many(rank), GAP);
    for (int i = 0; i < many(rank); ++i) own[i] = value(rank, 4, i);
    if (in_place) memcpy(all + offsets[rank], own, (size_t)many(rank) * sizeof *own);
    MPI_Gatherv(in_place && is_root ? MPI_IN_PLACE : own, many(rank), MPI_INT, all, counts, offsets, MPI_INT, root,
                comm);
    for (int r = 0; r < ranks && is_root; ++r) {
      for (int i = 0; i < counts[r]; ++i) EXPECT(all[offsets[r] + i] == value(r, 4, i));
      EXPECT(all[offsets[r] + counts[r]] == GAP);
    }
    for (int i = 0; i < many(rank); ++i) own[i] = GAP;
    MPI_Scatterv(all, counts, offsets, MPI_INT, in_place && is_root ? MPI_IN_PLACE : own, many(rank), MPI_INT, root,
                 comm);
    for (int i = 0; i < many(rank) && !(in_place && is_root); ++i) EXPECT(own[i] == value(rank, 4, i));
    for (int i = 0; i < many(rank); ++i) own[i] = value(rank, 4, i);
    for (int i = 0; i < room && !in_place; ++i) all[i] = GAP;
    MPI_Allgatherv(in_place ? MPI_IN_PLACE : own, many(rank), MPI_INT, all, counts, offsets, MPI_INT, comm);
    for (int r = 0; r < ranks; ++r) {
      for (int i = 0; i < counts[r]; ++i) EXPECT(all[offsets[r] + i] == value(r, 4, i));
      EXPECT(all[offsets[r] + counts[r]] == GAP);
    }
    free(all);
    free(own);
  }
  free(counts);
  free(offsets);
}

static void all_to_all(MPI_Comm comm, int rank, int ranks) {
  for (int c = 0; c < COUNTS; ++c)
    for (int in_place = 0; in_place < 2; ++in_place) {
      const int count = counts_tried[c] == MOST && ranks > 8 ? 90 : counts_tried[c];
      int *send = ints((size_t)(count * ranks), GAP), *all = ints((size_t)(count * ranks), GAP);
      for (int i = 0; i < count * ranks; ++i) send[i] = value(rank, i / count, i % count);
      if (in_place) memcpy(all, send, (size_t)(count * ranks) * sizeof *send);
      MPI_Alltoall(in_place ? MPI_IN_PLACE : send, count, MPI_INT, all, count, MPI_INT, comm);
      for (int i = 0; i < count * ranks; ++i) EXPECT(all[i] == value(i / count, rank, i % count));
      for (int i = 0; i < count * ranks; ++i) EXPECT(send[i] == value(rank, i / count, i % count));
      EXPECT(all[count * ranks] == GAP);
      free(send);
      free(all);
    }
  int *send = ints((size_t)(2 * ranks), GAP), *all = ints((size_t)(SPREAD * ranks), GAP);
  for (int i = 0; i < 2 * ranks; ++i) send[i] = value(rank, i / 2, i % 2);
  MPI_Alltoall(send, 2, MPI_INT, all, 1, spread, comm);
  for (int i = 0; i < ranks; ++i)
    EXPECT(all[i * SPREAD] == value(i, rank, 0) && all[i * SPREAD + 1] == GAP &&
           all[i * SPREAD + 2] == value(i, rank, 1));
  free(send);
  free(all);
}

/* From r to s go (r + 2 s) % 4 elements; with w, pairs with gaps arrive from odd ranks. */
static int between(int from, int to) { return (from + 2 * to) % 4 * 2; }

static void uneven_all_to_all(MPI_Comm comm, int rank, int ranks) {
  const size_t n = (size_t)ranks;
  int *out = ints(n, 0), *in = ints(n, 0), *out_at = ints(n, 0), *in_at = ints(n, 0), *bytes_out = ints(n, 0);
  int *bytes_in = ints(n, 0), *w_in = ints(n, 0), *send = ints(7 * n, GAP), *all = ints(12 * n, GAP);
  MPI_Datatype *types_out = malloc(n * sizeof *types_out), *types_in = malloc(n * sizeof *types_in);
  for (int i = 0; i < ranks; ++i) {
    out[i] = between(rank, i);
    in[i] = between(i, rank);
    out_at[i] = 7 * i;
    in_at[i] = 12 * (ranks - 1 - i);
    bytes_out[i] = out_at[i] * (int)sizeof(int);
    bytes_in[i] = in_at[i] * (int)sizeof(int);
    types_out[i] = MPI_INT;
    types_in[i] = i % 2 ? spread : MPI_INT;
    w_in[i] = i % 2 ? in[i] / 2 : in[i];
    for (int k = 0; k < out[i]; ++k) send[out_at[i] + k] = value(rank, i, k);
  }
  MPI_Alltoallv(send, out, out_at, MPI_INT, all, in, in_at, MPI_INT, comm);
  for (int i = 0; i < ranks; ++i) {
    for (int k = 0; k < in[i]; ++k) EXPECT(all[in_at[i] + k] == value(i, rank, k));
    EXPECT(all[in_at[i] + in[i]] == GAP);
  }
  for (size_t i = 0; i < 12 * n; ++i) all[i] = GAP;
  MPI_Alltoallw(send, out, bytes_out, types_out, all, w_in, bytes_in, types_in, comm);
  for (int i = 0; i < ranks; ++i)
    for (int k = 0; k < in[i]; ++k)
      EXPECT(all[in_at[i] + (i % 2 ? k / 2 * SPREAD + k % 2 * 2 : k)] == value(i, rank, k));
  void* const made[] = {out, in, out_at, in_at, bytes_out, bytes_in, w_in, send, all, types_out, types_in};
  for (size_t i = 0; i < sizeof made / sizeof *made; ++i) free(made[i]);
}

/* Two communicators, not in the same order of roots, and messages of the program between: none takes another's. */
static void side_by_side(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  const int right = (world_rank + 1) % world_ranks, left = (world_rank + world_ranks - 1) % world_ranks;
  for (int i = 0; i < 5; ++i) {
    int first = world_rank == 0 ? 10 + i : -1, second = world_rank == world_ranks - 1 ? 20 + i : -1, came = -1;
    const int token = 100 * world_rank + i;
    MPI_Request request;
    MPI_Irecv(&came, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &request);
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&second, 1, MPI_INT, world_ranks - 1, copy);
    MPI_Send(&token, 1, MPI_INT, right, i, copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(first == 10 + i && second == 20 + i && came == 100 * left + i);
  }
  MPI_Comm_free(&copy);
}

static void all_checks(MPI_Comm comm, int rank, int ranks) {
  barriers(comm, rank, ranks);
  broadcasts(comm, rank, ranks);
  gathers(comm, rank, ranks);
  scatters(comm, rank, ranks);
  uneven(comm, rank, ranks);
  all_to_all(comm, rank, ranks);
  uneven_all_to_all(comm, rank, ranks);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  no_barrier = argc > 2 && strcmp(argv[1], "--barrier") == 0 && strcmp(argv[2], "none") == 0;
  MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  on_each_communicator(all_checks);
  side_by_side();
  MPI_Type_free(&spread);
  MPI_Finalize();
  if (world_rank == 0) printf("PASS\n");
  return 0;
}
