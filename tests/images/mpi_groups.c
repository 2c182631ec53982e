/* Barriers and broadcasts of parts of the job: halves at the same time, parts within parts, odd sizes, parts with gaps,
 * parts of one process of each pair, more of them than the network knows. The argument `--barrier none` leaves the
 * barrier out, which must be noticed. `--time OPERATION` times one on the lower half instead: barrier, broadcast. */
#include "tests/images/mpi_check.h"

#define LATE_PS 100000000u /* 100 us: many times what a barrier takes */
#define PACE_PS 1300000u   /* 1.3 us: less than a barrier takes */
enum {
  MOST_BYTES = 600000,
  FEW_BYTES = 4,
  TIMED = 20,
  IN_A_ROW = 25,
  MORE_THAN_GROUPS = 20,
  RENEWALS = 40,
  MANY_RANKS = 16
};

static int no_barrier;
static unsigned char* bytes_to_send;

static void barrier(MPI_Comm comm) {
  if (!no_barrier) MPI_Barrier(comm);
}

/* No rank leaves before the last has entered. */
static void check_barrier(MPI_Comm comm, int late) {
  int self, size;
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &size);
  if (self == late % size) hal_compute_ps(LATE_PS);
  double came = MPI_Wtime(), last = 0;
  barrier(comm);
  const double gone = MPI_Wtime();
  MPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
  EXPECT(gone >= last);
}

/* Many in a row, each at its own speed: a barrier may not take an earlier one's end for its own. */
static void check_pace(MPI_Comm comm) {
  double came[IN_A_ROW], gone[IN_A_ROW], last[IN_A_ROW];
  for (int i = 0; i < IN_A_ROW; ++i) {
    hal_compute_ps(PACE_PS * (unsigned)((rank * 7 + i * i) % 5));
    came[i] = MPI_Wtime();
    barrier(comm);
    gone[i] = MPI_Wtime();
  }
  MPI_Allreduce(came, last, IN_A_ROW, MPI_DOUBLE, MPI_MAX, comm);
  for (int i = 0; i < IN_A_ROW; ++i) EXPECT(gone[i] >= last[i]);
}

static void check_broadcast(MPI_Comm comm, int root, int bytes) {
  int self, size;
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &size);
  root %= size;
  int root_rank = self == root ? rank : -1;
  MPI_Bcast(&root_rank, 1, MPI_INT, root, comm);
  fill(bytes_to_send, (size_t)bytes + 1, self == root ? root_rank : rank + 100, 1);
  MPI_Bcast(bytes_to_send, bytes, MPI_BYTE, root, comm);
  EXPECT(is_filled(bytes_to_send, (size_t)bytes, root_rank, 1));
  if (self != root) EXPECT(bytes_to_send[bytes] == byte_of(rank + 100, 1, (size_t)bytes));
}

static void check(MPI_Comm comm, int seed) {
  if (comm == MPI_COMM_NULL) return;
  for (int i = 0; i < 3; ++i) {
    check_barrier(comm, seed + i);
    check_broadcast(comm, seed + 2 * i, i == 1 ? 3000 : FEW_BYTES);
    if (i == 1) barrier(comm);
  }
}

static MPI_Comm part(MPI_Comm comm, int color, int key) {
  MPI_Comm made;
  MPI_Comm_split(comm, color, key, &made);
  return made;
}

static void done(MPI_Comm* comm) {
  if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}

/* Both at once, each at its own speed. */
static void halves(void) {
  const int upper = 2 * rank >= ranks;
  MPI_Comm half = part(MPI_COMM_WORLD, upper, upper ? -rank : rank);
  for (int i = 0; i < (upper ? 5 : 2); ++i) check(half, i);
  check_pace(half);
  check_broadcast(half, 1, MOST_BYTES / (upper ? 1 : 3));
  check(MPI_COMM_WORLD, 2);
  check(half, 1);
  done(&half);
}

/* The world, its half, that one's half and so on: barriers of all of them in turn, and without order among those that
 * have no process in common. */
static void nested(void) {
  MPI_Comm levels[16] = {MPI_COMM_WORLD};
  int depth = 0, size = ranks;
  for (; size > 1; ++depth) {
    int self;
    MPI_Comm_rank(levels[depth], &self);
    levels[depth + 1] = part(levels[depth], 2 * self >= size, self);
    MPI_Comm_size(levels[depth + 1], &size);
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i <= depth; ++i) check_barrier(levels[i], round + i);
    for (int i = depth; i >= 0; --i) check_broadcast(levels[i], round, FEW_BYTES << i);
  }
  for (int i = 1; i <= depth; ++i) done(&levels[i]);
}

/* Windows of neighbours that overlap, one after another. */
static void windows(void) {
  for (int size = 2; size <= 5 && size <= ranks; ++size)
    for (int first = 0; first + size <= ranks; first += ranks > MANY_RANKS ? 13 : ranks > 8 ? 3 : 1) {
      MPI_Comm window = part(MPI_COMM_WORLD, rank >= first && rank < first + size ? 0 : MPI_UNDEFINED, 0);
      check(window, first);
      done(&window);
    }
}

/* Rows and columns of a grid; all processes are in one of each at the same time. */
static void grid(void) {
  int wide = 1;
  while (wide * wide < ranks) ++wide;
  MPI_Comm row = part(MPI_COMM_WORLD, rank / wide, rank % wide), column = part(MPI_COMM_WORLD, rank % wide, rank);
  for (int i = 0; i < 3; ++i) {
    check(row, i);
    check(column, i);
  }
  done(&row);
  done(&column);
}

/* The network reaches none of these as a range. */
static void with_gaps(void) {
  MPI_Comm thirds = part(MPI_COMM_WORLD, rank % 3, -rank);
  check(thirds, 1);
  MPI_Comm ends = part(MPI_COMM_WORLD, rank == 0 || rank == ranks - 1 ? 0 : MPI_UNDEFINED, 0);
  check(ends, 0);
  done(&thirds);
  done(&ends);
}

/* By groups, in the order that the program says. */
static void of_groups(void) {
  MPI_Group world, some;
  int last_first[2] = {ranks - 1, 0}, range[1][3] = {{ranks / 2, 0, -1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm made, copy = MPI_COMM_NULL;
  MPI_Group_incl(world, ranks > 1 ? 2 : 1, last_first, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  MPI_Group_free(&some);
  check(made, 0);
  done(&made);
  MPI_Group_range_incl(world, 1, range, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  MPI_Group_free(&some);
  check(made, 1);
  if (made != MPI_COMM_NULL) MPI_Comm_dup(made, &copy);
  check(copy, 2);
  done(&made);
  check(copy, 3);
  done(&copy);
  MPI_Group_free(&world);
}

/* More at once than the network has numbers for; then one after another. */
static void many(void) {
  const int most = ranks > MANY_RANKS ? 3 : MORE_THAN_GROUPS; /* splits take their time */
  const int upper = 2 * rank >= ranks;
  MPI_Comm made[MORE_THAN_GROUPS];
  for (int i = 0; i < most; ++i) {
    made[i] = part(MPI_COMM_WORLD, upper, rank);
    if (ranks <= 8 || i % 4 == 0) check_barrier(made[i], i);
  }
  for (int i = 0; i < most; ++i) {
    check_broadcast(made[i], i, FEW_BYTES);
    done(&made[i]);
  }
  for (int i = 0; i < (ranks > MANY_RANKS ? RENEWALS / 8 : RENEWALS); ++i) {
    MPI_Comm one = part(MPI_COMM_WORLD, upper, rank * (i % 2 ? 1 : -1));
    check_barrier(one, i);
    done(&one);
  }
}

/* Of those that share a node, and of one from each. */
static void on_nodes(void) {
  MPI_Comm node, peers;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int place;
  MPI_Comm_rank(node, &place);
  peers = part(MPI_COMM_WORLD, place, rank);
  for (int i = 0; i < 2; ++i) {
    check(node, i);
    check(peers, i);
    check_pace(peers);
    check(MPI_COMM_WORLD, i);
  }
  check_broadcast(peers, 1, MOST_BYTES);
  check_broadcast(MPI_COMM_WORLD, ranks - 1, MOST_BYTES);
  done(&node);
  done(&peers);
}

/* A nonblocking operation of another communicator gets on while a part meets. */
static void with_others_under_way(void) {
  MPI_Comm half = part(MPI_COMM_WORLD, 2 * rank >= ranks, rank);
  MPI_Request sum;
  int one = 1, all = 0;
  MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sum);
  check_barrier(half, 0);
  check_broadcast(half, 0, 3000);
  MPI_Wait(&sum, MPI_STATUS_IGNORE);
  EXPECT(all == ranks);
  done(&half);
}

/* Mean of operations in a row, microseconds, of the slowest rank of the lower half, while the upper one waits. */
static int time_half(const char* operation, int bytes) {
  const int is_broadcast = strcmp(operation, "broadcast") == 0;
  MPI_Comm half = part(MPI_COMM_WORLD, 2 * rank >= ranks, rank);
  double sum = 0;
  for (int i = 0; 2 * rank < ranks && i <= TIMED; ++i) {
    if (is_broadcast) MPI_Barrier(half);
    double start = MPI_Wtime(), end;
    if (is_broadcast)
      MPI_Bcast(bytes_to_send, bytes, MPI_BYTE, 0, half);
    else
      MPI_Barrier(half);
    end = MPI_Wtime();
    if (is_broadcast) MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, half);
    if (is_broadcast) MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MIN, half);
    if (i > 0) sum += end - start; /* the first one finds the group */
  }
  if (rank == 0) hal_metric("time_us", sum / TIMED * 1e6, "us");
  if (rank == 0) printf("%s of the lower half: %.2f us\n", operation, sum / TIMED * 1e6);
  return finish();
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  bytes_to_send = malloc(MOST_BYTES + 1);
  if (argc > 2 && strcmp(argv[1], "--time") == 0) return time_half(argv[2], argc > 3 ? atoi(argv[3]) : FEW_BYTES);
  no_barrier = argc > 2 && strcmp(argv[1], "--barrier") == 0 && strcmp(argv[2], "none") == 0;
  halves();
  nested();
  windows();
  grid();
  with_gaps();
  of_groups();
  many();
  on_nodes();
  with_others_under_way();
  return finish();
}
