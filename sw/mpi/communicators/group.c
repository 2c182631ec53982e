/* Groups: ordered sets of processes; new groups by rank and by set operations. */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/communicators/group.h"

struct MPI_group_ MPI_group_empty_ = {.object = {1}, .rank = MPI_UNDEFINED};

static struct MPI_group_** free_groups(void) {
  static struct MPI_group_* list;
  return &list;
}

/* In a free group, the pointer to the processes links to the next free one. */
MPI_Group mpi_group_new(int size) {
  struct MPI_group_** list = free_groups();
  struct MPI_group_* group = *list;
  if (group)
    *list = (struct MPI_group_*)group->processes;
  else
    group = mpi_memory(sizeof *group);
  *group = (struct MPI_group_){.object = {1}, .size = size, .rank = MPI_UNDEFINED};
  group->processes = mpi_memory((size_t)size * sizeof *group->processes);
  return group;
}

static void give(MPI_Group group) {
  struct MPI_group_** list = free_groups();
  free(group->processes);
  group->object.references = 0;
  group->processes = (unsigned*)*list;
  *list = group;
}

int mpi_group_index(MPI_Group group, unsigned process) {
  for (int i = 0; i < group->size; ++i)
    if (group->processes[i] == process) return i;
  return MPI_UNDEFINED;
}

void mpi_group_find_self(MPI_Group group) { group->rank = mpi_group_index(group, transport_self()); }

/* The result of a call: the predefined empty group if it has no members. */
static int finish(MPI_Group group, MPI_Group* made) {
  if (group->size == 0) {
    give(group);
    group = MPI_GROUP_EMPTY;
  } else {
    mpi_group_find_self(group);
  }
  *made = group;
  return MPI_SUCCESS;
}

static int check_two(const char* call, MPI_Group group1, MPI_Group group2, const void* place) {
  MPI_TRY(mpi_check_group(call, group1));
  MPI_TRY(mpi_check_group(call, group2));
  return mpi_check_result(call, place);
}

/* ---- MPI_Group_size, MPI_Group_rank ---- */
int MPI_Group_size(MPI_Group group, int* size) {
  MPI_TRY(check_two("MPI_Group_size", group, group, size));
  *size = group->size;
  return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group group, int* rank) {
  MPI_TRY(check_two("MPI_Group_rank", group, group, rank));
  *rank = group->rank;
  return MPI_SUCCESS;
}

static int check_ranks(const char* call, MPI_Group group, int count, const int* ranks, int may_be_null) {
  if (count < 0) return mpi_fail(call, MPI_ERR_ARG, "the number of ranks is %d; it must be 0 or more", count);
  if (!ranks && count > 0) return mpi_fail(call, MPI_ERR_ARG, "the ranks are a null pointer");
  for (int i = 0; i < count; ++i)
    if ((ranks[i] < 0 || ranks[i] >= group->size) && !(may_be_null && ranks[i] == MPI_PROC_NULL))
      return mpi_fail(call, MPI_ERR_RANK, "there is no rank %d; the group has ranks 0..%d", ranks[i], group->size - 1);
  return MPI_SUCCESS;
}

/* ---- MPI_Group_translate_ranks ---- */
int MPI_Group_translate_ranks(MPI_Group group1, int count, const int* ranks1, MPI_Group group2, int* ranks2) {
  static const char call[] = "MPI_Group_translate_ranks";
  MPI_TRY(check_two(call, group1, group2, call));
  MPI_TRY(check_ranks(call, group1, count, ranks1, 1));
  if (count > 0) MPI_TRY(mpi_check_result(call, ranks2));
  for (int i = 0; i < count; ++i)
    ranks2[i] = ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : mpi_group_index(group2, group1->processes[ranks1[i]]);
  return MPI_SUCCESS;
}

/* ---- MPI_Group_compare ---- */
int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result) {
  MPI_TRY(check_two("MPI_Group_compare", group1, group2, result));
  *result = MPI_UNEQUAL;
  if (group1->size != group2->size) return MPI_SUCCESS;
  int same_order = 1;
  for (int i = 0; i < group1->size; ++i) {
    if (group1->processes[i] == group2->processes[i]) continue;
    same_order = 0;
    if (mpi_group_index(group2, group1->processes[i]) == MPI_UNDEFINED) return MPI_SUCCESS;
  }
  *result = same_order ? MPI_IDENT : MPI_SIMILAR;
  return MPI_SUCCESS;
}

/* ---- sets: the first group's processes in its order, then the second's that are not in the first ---- */
static void add_those(MPI_Group made, MPI_Group from, MPI_Group other, int if_in_other) {
  for (int i = 0; i < from->size; ++i)
    if ((mpi_group_index(other, from->processes[i]) != MPI_UNDEFINED) == if_in_other)
      made->processes[made->size++] = from->processes[i];
}

int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* made) {
  MPI_TRY(check_two("MPI_Group_union", group1, group2, made));
  MPI_Group group = mpi_group_new(group1->size + group2->size);
  group->size = 0;
  add_those(group, group1, MPI_GROUP_EMPTY, 0);
  add_those(group, group2, group1, 0);
  return finish(group, made);
}

int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* made) {
  MPI_TRY(check_two("MPI_Group_intersection", group1, group2, made));
  MPI_Group group = mpi_group_new(group1->size);
  group->size = 0;
  add_those(group, group1, group2, 1);
  return finish(group, made);
}

int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* made) {
  MPI_TRY(check_two("MPI_Group_difference", group1, group2, made));
  MPI_Group group = mpi_group_new(group1->size);
  group->size = 0;
  add_those(group, group1, group2, 0);
  return finish(group, made);
}

/* ---- by rank ---- */
static int check_distinct(const char* call, int count, const int* ranks, int size) {
  char* seen = mpi_zeroed_memory((size_t)size);
  int twice = -1;
  for (int i = 0; i < count && twice < 0; ++i) {
    if (seen[ranks[i]]) twice = ranks[i];
    seen[ranks[i]] = 1;
  }
  free(seen);
  if (twice >= 0)
    return mpi_fail(call, MPI_ERR_RANK, "rank %d is given twice; a process can be in a group once", twice);
  return MPI_SUCCESS;
}

static int include(const char* call, MPI_Group group, int count, const int* ranks, MPI_Group* made) {
  MPI_TRY(check_two(call, group, group, made));
  MPI_TRY(check_ranks(call, group, count, ranks, 0));
  MPI_TRY(check_distinct(call, count, ranks, group->size));
  MPI_Group chosen = mpi_group_new(count);
  for (int i = 0; i < count; ++i) chosen->processes[i] = group->processes[ranks[i]];
  return finish(chosen, made);
}

static int exclude(const char* call, MPI_Group group, int count, const int* ranks, MPI_Group* made) {
  MPI_Group left_out;
  MPI_TRY(include(call, group, count, ranks, &left_out));
  MPI_Group rest = mpi_group_new(group->size);
  rest->size = 0;
  add_those(rest, group, left_out, 0);
  if (left_out != MPI_GROUP_EMPTY) give(left_out);
  return finish(rest, made);
}

int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made) {
  return include("MPI_Group_incl", group, count, ranks, made);
}

int MPI_Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made) {
  return exclude("MPI_Group_excl", group, count, ranks, made);
}

/* ---- by ranges: first, last, stride ---- */
typedef int chooser(const char* call, MPI_Group group, int count, const int* ranks, MPI_Group* made);

static int by_ranges(const char* call, MPI_Group group, int count, int ranges[][3], MPI_Group* made, chooser* choose) {
  MPI_TRY(check_two(call, group, group, made));
  if (count < 0) return mpi_fail(call, MPI_ERR_ARG, "the number of ranges is %d; it must be 0 or more", count);
  if (count > 0 && !ranges) return mpi_fail(call, MPI_ERR_ARG, "the array of ranges is a null pointer");
  int most = 0;
  for (int i = 0; i < count; ++i) {
    const int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
    if (stride == 0) return mpi_fail(call, MPI_ERR_ARG, "the stride of range %d is 0; it must be another number", i);
    MPI_TRY(check_ranks(call, group, 1, &ranges[i][0], 0));
    if ((last - first) / stride < 0 || (last != first && (last > first) != (stride > 0)))
      return mpi_fail(call, MPI_ERR_ARG, "range %d from %d to %d by %d is empty; turn its stride", i, first, last,
                      stride);
    most += (last - first) / stride + 1;
  }
  int *ranks = mpi_memory((size_t)most * sizeof *ranks), used = 0;
  for (int i = 0; i < count; ++i)
    for (int step = 0; step <= (ranges[i][1] - ranges[i][0]) / ranges[i][2]; ++step)
      ranks[used++] = ranges[i][0] + step * ranges[i][2];
  const int error = choose(call, group, used, ranks, made);
  free(ranks);
  return error;
}

int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
  return by_ranges("MPI_Group_range_incl", group, count, ranges, made, include);
}

int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
  return by_ranges("MPI_Group_range_excl", group, count, ranges, made, exclude);
}

/* ---- MPI_Group_free ---- */
int MPI_Group_free(MPI_Group* group) {
  MPI_TRY(mpi_check_result("MPI_Group_free", group));
  MPI_TRY(mpi_check_group("MPI_Group_free", *group));
  if (*group != MPI_GROUP_EMPTY) give(*group);
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}
