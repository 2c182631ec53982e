/* Groups: set operations and the order of what they make, ranges with strides, comparison, translation; communicators
 * made of groups by all of a communicator and by the group's members alone (MPI-3.1, 6.3 and 6.4). Expected members
 * are computed by a model: arrays of ranks of the world. */
#include "tests/images/mpi_check.h"

struct members {
  int count, of[256];
};

static MPI_Group world;

static int position(const struct members* in, int member) {
  for (int i = 0; i < in->count; ++i)
    if (in->of[i] == member) return i;
  return -1;
}

static MPI_Group make(const struct members* model) {
  MPI_Group group;
  EXPECT(MPI_Group_incl(world, model->count, model->of, &group) == MPI_SUCCESS);
  return group;
}

/* The group has just these members, in this order. */
static void expect_members(MPI_Group group, const struct members* model) {
  int size = -1, mine = -2, order[256], there[256];
  MPI_Group_size(group, &size);
  EXPECT(size == model->count);
  for (int i = 0; i < size; ++i) order[i] = i;
  EXPECT(MPI_Group_translate_ranks(group, size, order, world, there) == MPI_SUCCESS);
  for (int i = 0; i < size; ++i) EXPECT(there[i] == model->of[i]);
  EXPECT(MPI_Group_rank(group, &mine) == MPI_SUCCESS);
  const int at = position(model, rank);
  EXPECT(mine == (at < 0 ? MPI_UNDEFINED : at));
}

/* Some ranks, in an order of their own: those where i * step has the remainder, i descending where `back`. */
static struct members choose(int step, int remainder, int back) {
  struct members model = {0};
  for (int i = 0; i < ranks; ++i) {
    const int it = back ? ranks - 1 - i : i;
    if (it % step == remainder) model.of[model.count++] = it;
  }
  return model;
}

static void sets(void) {
  for (int back = 0; back < 4; ++back) {
    const struct members a = choose(2, 0, back & 1), b = choose(3, 0, back >> 1);
    struct members both = {0}, all = a, only = {0};
    for (int i = 0; i < a.count; ++i)
      if (position(&b, a.of[i]) >= 0)
        both.of[both.count++] = a.of[i]; /* in the first's order */
      else
        only.of[only.count++] = a.of[i];
    for (int i = 0; i < b.count; ++i)
      if (position(&a, b.of[i]) < 0) all.of[all.count++] = b.of[i];
    MPI_Group first = make(&a), second = make(&b), made;
    MPI_Group_union(first, second, &made);
    expect_members(made, &all);
    MPI_Group_free(&made);
    MPI_Group_intersection(first, second, &made);
    expect_members(made, &both);
    MPI_Group_free(&made);
    MPI_Group_difference(first, second, &made);
    expect_members(made, &only);
    EXPECT((only.count == 0) == (made == MPI_GROUP_EMPTY));
    if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
    MPI_Group_difference(first, first, &made);
    EXPECT(made == MPI_GROUP_EMPTY);
    MPI_Group_union(first, MPI_GROUP_EMPTY, &made);
    expect_members(made, &a);
    MPI_Group_free(&made);
    MPI_Group_free(&first);
    MPI_Group_free(&second);
  }
}

static void chosen(void) {
  const struct members backwards = choose(1, 0, 1), even = choose(2, 0, 0);
  struct members odd = choose(2, 1, 0);
  MPI_Group group = make(&backwards), made;
  expect_members(group, &backwards);
  MPI_Group_excl(world, even.count, even.of, &made);
  expect_members(made, &odd);
  if (odd.count > 0) MPI_Group_free(&made);
  MPI_Group_excl(world, 0, NULL, &made);
  int result = 0;
  MPI_Group_compare(made, world, &result);
  EXPECT(result == MPI_IDENT);
  MPI_Group_free(&made);
  MPI_Group_incl(world, 0, NULL, &made);
  EXPECT(made == MPI_GROUP_EMPTY);
  MPI_Group_compare(group, world, &result);
  EXPECT(result == (ranks == 1 ? MPI_IDENT : MPI_SIMILAR));
  MPI_Group_compare(group, MPI_GROUP_EMPTY, &result);
  EXPECT(result == MPI_UNEQUAL);
  MPI_Group_free(&group);
}

/* first : last : stride, also downwards, several of them. */
static void ranges(void) {
  const int last = ranks - 1;
  int up[1][3] = {{0, last, 2}}, down[1][3] = {{last, 0, -3}}, two[2][3] = {{last, last, 1}, {0, ranks / 2, 1}};
  struct members every_second = {0}, every_third = {0}, mixed = {0}, rest = {0};
  for (int i = 0; i <= last; i += 2) every_second.of[every_second.count++] = i;
  for (int i = last; i >= 0; i -= 3) every_third.of[every_third.count++] = i;
  MPI_Group made;
  MPI_Group_range_incl(world, 1, up, &made);
  expect_members(made, &every_second);
  MPI_Group_free(&made);
  MPI_Group_range_incl(world, 1, down, &made);
  expect_members(made, &every_third);
  MPI_Group_free(&made);
  if (ranks > 2) { /* two ranges that do not overlap */
    mixed.of[mixed.count++] = last;
    for (int i = 0; i <= ranks / 2; ++i) mixed.of[mixed.count++] = i;
    MPI_Group_range_incl(world, 2, two, &made);
    expect_members(made, &mixed);
    MPI_Group_free(&made);
  }
  for (int i = 0; i <= last; ++i)
    if (position(&every_third, i) < 0) rest.of[rest.count++] = i;
  MPI_Group_range_excl(world, 1, down, &made);
  expect_members(made, &rest);
  if (rest.count > 0) MPI_Group_free(&made);
}

static void translation(void) {
  const struct members back = choose(1, 0, 1), even = choose(2, 0, 0);
  MPI_Group first = make(&back), second = make(&even);
  int from[256], to[256];
  for (int i = 0; i < ranks; ++i) from[i] = i;
  from[0] = MPI_PROC_NULL;
  EXPECT(MPI_Group_translate_ranks(first, ranks, from, second, to) == MPI_SUCCESS);
  EXPECT(to[0] == MPI_PROC_NULL);
  for (int i = 1; i < ranks; ++i) {
    const int member = ranks - 1 - i;
    EXPECT(to[i] == (member % 2 == 0 ? member / 2 : MPI_UNDEFINED));
  }
  MPI_Group_free(&first);
  MPI_Group_free(&second);
}

static void communicators(void) {
  const struct members even = choose(2, 0, 1); /* backwards */
  MPI_Group group = make(&even);
  MPI_Comm all, alone = MPI_COMM_NULL;
  const int at = position(&even, rank);
  int its_rank = -1, sum = -1;
  EXPECT(MPI_Comm_create(MPI_COMM_WORLD, group, &all) == MPI_SUCCESS); /* by every rank */
  EXPECT((all == MPI_COMM_NULL) == (at < 0));
  if (at >= 0) EXPECT(MPI_Comm_create_group(MPI_COMM_WORLD, group, 77, &alone) == MPI_SUCCESS); /* by members alone */
  MPI_Comm comms[2] = {all, alone};
  for (int i = 0; i < 2 && at >= 0; ++i) {
    MPI_Comm_rank(comms[i], &its_rank);
    EXPECT(its_rank == at);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[i]);
    EXPECT(sum == (even.count - 1) * even.count); /* 0 + 2 + 4 ... */
  }
  int result = -1;
  if (at >= 0) {
    MPI_Comm_compare(all, alone, &result);
    EXPECT(result == MPI_CONGRUENT);
    MPI_Comm_free(&all);
    MPI_Comm_free(&alone);
  }
  MPI_Group_free(&group);
  /* Groups without a common rank at the same time. */
  MPI_Comm part;
  const struct members mine = choose(3, rank % 3, 0);
  group = make(&mine);
  EXPECT(MPI_Comm_create(MPI_COMM_WORLD, group, &part) == MPI_SUCCESS);
  MPI_Comm_rank(part, &its_rank);
  EXPECT(its_rank == rank / 3);
  MPI_Comm_free(&part);
  MPI_Group_free(&group);
  EXPECT(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &part) == MPI_SUCCESS && part == MPI_COMM_NULL);
}

static void split_types(void) {
  MPI_Comm node, again, none;
  int size = 0, smaller = 0, its_rank = -1;
  EXPECT(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &node) == MPI_SUCCESS);
  MPI_Comm_size(node, &size);
  MPI_Comm_rank(node, &its_rank);
  int highest = -1;
  MPI_Allreduce(&rank, &highest, 1, MPI_INT, MPI_MAX, node);
  EXPECT(its_rank != 0 || highest == rank);                  /* keys are descending */
  EXPECT(MPI_Comm_split(node, 0, 5, &again) == MPI_SUCCESS); /* equal keys: the old order */
  MPI_Comm_rank(again, &smaller);
  EXPECT(smaller == its_rank);
  EXPECT(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none) == MPI_SUCCESS);
  EXPECT(none == MPI_COMM_NULL);
  MPI_Comm_free(&again);
  MPI_Comm_free(&node);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  EXPECT(ranks <= 256);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  sets();
  chosen();
  ranges();
  translation();
  communicators();
  split_types();
  MPI_Group_free(&world);
  return finish();
}
