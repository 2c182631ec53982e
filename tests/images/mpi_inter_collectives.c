/* Intercommunicators: every collective operation between two groups of unequal sizes, blocking and not, with derived
 * types, counts that differ and operations that do not commute; merging, duplication, splitting. Expected values are
 * closed forms of both groups' ranks. */
#include "tests/images/mpi_check.h"

enum { COUNT = 5 };

static MPI_Comm inter, local;
static int side, self, ours, theirs; /* group 0 has every third rank; its size, and the other's */

/* Element `i` that rank `from` of group `group` gives to rank `to` of the other. */
static int value(int group, int from, int to, int i) { return group * 1000003 + from * 1009 + to * 31 + i; }
static int values_sum(int group, int count, int to, int i) {
  int sum = 0;
  for (int from = 0; from < count; ++from) sum += value(group, from, to, i);
  return sum;
}

static void make(void) {
  side = rank % 3 != 0;
  MPI_Comm_split(MPI_COMM_WORLD, side, -rank, &local); /* in falling order of ranks */
  /* The other group's rank 0 is its highest rank in the world. */
  const int leader = side ? (ranks - 1) / 3 * 3 : ((ranks - 1) % 3 == 0 ? ranks - 2 : ranks - 1);
  EXPECT(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, leader, 17, &inter) == MPI_SUCCESS);
  MPI_Comm_rank(inter, &self);
  MPI_Comm_size(inter, &ours);
  MPI_Comm_remote_size(inter, &theirs);
}

static void what_it_is(void) {
  int is_inter = 0, result = 0, size = 0, same = 0;
  EXPECT(MPI_Comm_test_inter(inter, &is_inter) == MPI_SUCCESS && is_inter);
  EXPECT(ours + theirs == ranks && ours == (side ? ranks - (ranks + 2) / 3 : (ranks + 2) / 3));
  MPI_Group mine, other, all, world, none;
  MPI_Comm_group(inter, &mine);
  MPI_Comm_remote_group(inter, &other);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_size(other, &size);
  EXPECT(size == theirs);
  MPI_Group_union(mine, other, &all);
  MPI_Group_compare(all, world, &result);
  EXPECT(result != MPI_UNEQUAL);
  MPI_Group_intersection(mine, other, &none);
  EXPECT(none == MPI_GROUP_EMPTY);
  int top = 0, its_rank = -1;
  MPI_Group_translate_ranks(other, 1, &top, world, &its_rank);
  EXPECT(its_rank % 3 == 0 ? side : !side);
  MPI_Comm copy;
  EXPECT(MPI_Comm_dup(inter, &copy) == MPI_SUCCESS);
  MPI_Comm_compare(inter, copy, &same);
  EXPECT(same == MPI_CONGRUENT);
  MPI_Comm_free(&copy);
  MPI_Group_free(&mine);
  MPI_Group_free(&other);
  MPI_Group_free(&all);
  MPI_Group_free(&world);
}

static void point_to_point(void) {
  if (self >= ours || self >= theirs) return; /* a partner of the same number on the other side */
  int out = value(side, self, self, 0), in = -1;
  MPI_Status status;
  MPI_Sendrecv(&out, 1, MPI_INT, self, 3, &in, 1, MPI_INT, MPI_ANY_SOURCE, 3, inter, &status);
  EXPECT(in == value(!side, self, self, 0) && status.MPI_SOURCE == self && status.MPI_TAG == 3);
}

/* Group 0 has the root; then group 1. */
static void rooted(void) {
  for (int root_side = 0; root_side < 2; ++root_side) {
    const int root = (root_side == side ? ours : theirs) - 1; /* the last of its group */
    const int there = root_side == side ? (self == root ? MPI_ROOT : MPI_PROC_NULL) : root;
    const int givers = root_side == side ? theirs : ours;
    int data[COUNT];
    for (int i = 0; i < COUNT; ++i) data[i] = there == MPI_ROOT ? value(root_side, root, 0, i) : -1;
    EXPECT(MPI_Bcast(data, COUNT, MPI_INT, there, inter) == MPI_SUCCESS);
    for (int i = 0; i < COUNT && there >= 0; ++i) EXPECT(data[i] == value(root_side, root, 0, i));

    int* all = calloc((size_t)(ranks * COUNT), sizeof *all);
    for (int i = 0; i < COUNT; ++i) data[i] = value(!root_side, self, root, i);
    EXPECT(MPI_Gather(data, COUNT, MPI_INT, all, COUNT, MPI_INT, there, inter) == MPI_SUCCESS);
    for (int from = 0; from < givers && there == MPI_ROOT; ++from)
      for (int i = 0; i < COUNT; ++i) EXPECT(all[from * COUNT + i] == value(!root_side, from, root, i));

    for (int to = 0; to < givers && there == MPI_ROOT; ++to)
      for (int i = 0; i < COUNT; ++i) all[to * COUNT + i] = value(root_side, root, to, i);
    EXPECT(MPI_Scatter(all, COUNT, MPI_INT, data, COUNT, MPI_INT, there, inter) == MPI_SUCCESS);
    for (int i = 0; i < COUNT && there >= 0; ++i) EXPECT(data[i] == value(root_side, root, self, i));

    int sum[COUNT] = {0};
    for (int i = 0; i < COUNT; ++i) data[i] = value(!root_side, self, 0, i);
    EXPECT(MPI_Reduce(data, sum, COUNT, MPI_INT, MPI_SUM, there, inter) == MPI_SUCCESS);
    for (int i = 0; i < COUNT && there == MPI_ROOT; ++i) EXPECT(sum[i] == values_sum(!root_side, givers, 0, i));
    free(all);
  }
}

/* Rank r gives r % 3 elements, which lie two apart at the root. */
static void uneven_rooted(void) {
  MPI_Datatype apart;
  MPI_Type_vector(1, 1, 2, MPI_INT, &apart);
  MPI_Datatype spaced;
  MPI_Type_create_resized(apart, 0, 2 * sizeof(int), &spaced);
  MPI_Type_commit(&spaced);
  const int root_side = 1, root = 0;
  const int there = side == root_side ? (self == root ? MPI_ROOT : MPI_PROC_NULL) : root;
  const int givers = side == root_side ? theirs : ours;
  int* counts = calloc((size_t)ranks, sizeof *counts);
  int* starts = calloc((size_t)ranks, sizeof *starts);
  int* all = malloc(sizeof *all * (size_t)(4 * ranks + 4));
  for (int r = 0; r < givers; ++r) counts[r] = r % 3, starts[r] = r > 0 ? starts[r - 1] + counts[r - 1] : 0;
  for (int i = 0; i < 4 * ranks + 4; ++i) all[i] = -1;
  int data[2] = {value(0, self, root, 0), value(0, self, root, 1)};
  EXPECT(MPI_Gatherv(data, self % 3, MPI_INT, all, counts, starts, spaced, there, inter) == MPI_SUCCESS);
  for (int r = 0; r < givers && there == MPI_ROOT; ++r)
    for (int i = 0; i < counts[r]; ++i) {
      EXPECT(all[2 * (starts[r] + i)] == value(0, r, root, i));
      EXPECT(all[2 * (starts[r] + i) + 1] == -1);
    }
  data[0] = data[1] = -1;
  EXPECT(MPI_Scatterv(all, counts, starts, spaced, data, self % 3, MPI_INT, there, inter) == MPI_SUCCESS);
  for (int i = 0; i < self % 3 && there >= 0; ++i) EXPECT(data[i] == value(0, self, root, i));
  free(counts);
  free(starts);
  free(all);
  MPI_Type_free(&apart);
  MPI_Type_free(&spaced);
}

static void all_sided(void) {
  int* out = malloc(sizeof *out * (size_t)((ranks + 1) * COUNT));
  int* in = malloc(sizeof *in * (size_t)((ranks + 1) * COUNT));
  int* counts = malloc(sizeof *counts * (size_t)ranks);
  int* starts = malloc(sizeof *starts * (size_t)ranks);
  EXPECT(MPI_Barrier(inter) == MPI_SUCCESS);
  for (int i = 0; i < COUNT; ++i) out[i] = value(side, self, 0, i);
  EXPECT(MPI_Allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, inter) == MPI_SUCCESS);
  for (int from = 0; from < theirs; ++from)
    for (int i = 0; i < COUNT; ++i) EXPECT(in[from * COUNT + i] == value(!side, from, 0, i));
  int sum[COUNT];
  EXPECT(MPI_Allreduce(out, sum, COUNT, MPI_INT, MPI_SUM, inter) == MPI_SUCCESS); /* of the other group */
  for (int i = 0; i < COUNT; ++i) EXPECT(sum[i] == values_sum(!side, theirs, 0, i));
  for (int to = 0; to < theirs; ++to)
    for (int i = 0; i < COUNT; ++i) out[to * COUNT + i] = value(side, self, to, i);
  EXPECT(MPI_Alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, inter) == MPI_SUCCESS);
  for (int from = 0; from < theirs; ++from)
    for (int i = 0; i < COUNT; ++i) EXPECT(in[from * COUNT + i] == value(!side, from, self, i));
  /* Only one direction: group 1 gives nothing. */
  for (int r = 0; r < theirs; ++r)
    counts[r] = side ? 1 + r % 2 : 0, starts[r] = r > 0 ? starts[r - 1] + counts[r - 1] : 0;
  const int mine = side ? 0 : 1 + self % 2;
  EXPECT(MPI_Allgatherv(out, mine, MPI_INT, in, counts, starts, MPI_INT, inter) == MPI_SUCCESS);
  for (int from = 0; from < theirs && side; ++from) EXPECT(in[starts[from]] == value(0, from, 0, 0));
  free(out);
  free(in);
  free(counts);
  free(starts);
}

/* 2 x 2 matrices, whose product depends on the order. */
static void multiply(void* left_of, void* right_of, int* count, MPI_Datatype* type) {
  (void)type;
  const int(*a)[4] = left_of;
  int(*b)[4] = right_of;
  for (int i = 0; i < *count; ++i) {
    const int c[4] = {a[i][0] * b[i][0] + a[i][1] * b[i][2], a[i][0] * b[i][1] + a[i][1] * b[i][3],
                      a[i][2] * b[i][0] + a[i][3] * b[i][2], a[i][2] * b[i][1] + a[i][3] * b[i][3]};
    memcpy(b[i], c, sizeof c);
  }
}

static void ordered(void) {
  MPI_Op product;
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_INT, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &product);
  const int mine[4] = {1, self % 5 + 1, 0, -1}; /* determinant -1: no product is lost to overflow for long */
  int result[4], expected[4] = {1, 0, 0, 1};
  EXPECT(MPI_Allreduce(mine, result, 1, matrix, product, inter) == MPI_SUCCESS);
  int one = 1;
  for (int from = theirs - 1; from >= 0; --from) {
    const int theirs_of[4] = {1, from % 5 + 1, 0, -1};
    int left_of[4];
    memcpy(left_of, theirs_of, sizeof left_of);
    multiply(left_of, expected, &one, &matrix);
  }
  for (int i = 0; i < 4; ++i) EXPECT(result[i] == expected[i]);
  MPI_Op_free(&product);
  MPI_Type_free(&matrix);
}

/* What each group gives is shared out among the other: the totals must agree. */
static void scattered(void) {
  const int total = ours * theirs;
  int* out = malloc(sizeof *out * (size_t)total);
  int* in = malloc(sizeof *in * (size_t)(ranks + 1));
  int* counts = malloc(sizeof *counts * (size_t)ours);
  for (int i = 0; i < total; ++i) out[i] = value(side, self, 0, i);
  EXPECT(MPI_Reduce_scatter_block(out, in, theirs, MPI_INT, MPI_SUM, inter) == MPI_SUCCESS);
  for (int i = 0; i < theirs; ++i) EXPECT(in[i] == values_sum(!side, theirs, 0, self * theirs + i));
  for (int r = 0; r < ours; ++r) counts[r] = theirs;
  EXPECT(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, inter) == MPI_SUCCESS);
  for (int i = 0; i < theirs; ++i) EXPECT(in[i] == values_sum(!side, theirs, 0, self * theirs + i));
  free(out);
  free(in);
  free(counts);
}

/* Several at once, completed together. */
static void nonblocking(void) {
  int* gathered = malloc(sizeof *gathered * (size_t)ranks);
  int* exchanged = malloc(sizeof *exchanged * (size_t)ranks);
  int* out = malloc(sizeof *out * (size_t)ranks);
  for (int to = 0; to < theirs; ++to) out[to] = value(side, self, to, 7);
  int sum = 0, mine = value(side, self, 0, 3), told = side == 0 && self == 0 ? 4711 : -1;
  MPI_Request requests[5];
  const int root = side ? 0 : (self == 0 ? MPI_ROOT : MPI_PROC_NULL);
  EXPECT(MPI_Iallgather(&mine, 1, MPI_INT, gathered, 1, MPI_INT, inter, &requests[0]) == MPI_SUCCESS);
  EXPECT(MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter, &requests[1]) == MPI_SUCCESS);
  EXPECT(MPI_Ialltoall(out, 1, MPI_INT, exchanged, 1, MPI_INT, inter, &requests[2]) == MPI_SUCCESS);
  EXPECT(MPI_Ibcast(&told, 1, MPI_INT, root, inter, &requests[3]) == MPI_SUCCESS);
  EXPECT(MPI_Ibarrier(inter, &requests[4]) == MPI_SUCCESS);
  EXPECT(MPI_Waitall(5, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  EXPECT(sum == values_sum(!side, theirs, 0, 3) && (side == 0 || told == 4711));
  for (int from = 0; from < theirs; ++from)
    EXPECT(gathered[from] == value(!side, from, 0, 3) && exchanged[from] == value(!side, from, self, 7));
  free(gathered);
  free(exchanged);
  free(out);
}

static void merged(void) {
  for (int first = 0; first < 2; ++first) { /* which group comes first */
    MPI_Comm both;
    int its_rank, size;
    EXPECT(MPI_Intercomm_merge(inter, side != first, &both) == MPI_SUCCESS);
    MPI_Comm_rank(both, &its_rank);
    MPI_Comm_size(both, &size);
    EXPECT(size == ranks && its_rank == (side == first ? self : theirs + self));
    int sum = 0;
    MPI_Allreduce(&its_rank, &sum, 1, MPI_INT, MPI_SUM, both);
    EXPECT(sum == ranks * (ranks - 1) / 2);
    MPI_Comm_free(&both);
  }
}

/* The first of each group alone. */
static void split(void) {
  MPI_Comm pair;
  EXPECT(MPI_Comm_split(inter, self == 0 ? 1 : MPI_UNDEFINED, 0, &pair) == MPI_SUCCESS);
  EXPECT((pair == MPI_COMM_NULL) == (self != 0));
  if (self != 0) return;
  int size, remote;
  MPI_Comm_size(pair, &size);
  MPI_Comm_remote_size(pair, &remote);
  EXPECT(size == 1 && remote == 1);
  int out = 100 + side, in = 0;
  MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_MAX, pair);
  EXPECT(in == 100 + !side);
  MPI_Comm_free(&pair);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (ranks < 2) return finish(); /* there are no two groups */
  make();
  what_it_is();
  point_to_point();
  rooted();
  uneven_rooted();
  all_sided();
  ordered();
  scattered();
  nonblocking();
  merged();
  split();
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
  return finish();
}
