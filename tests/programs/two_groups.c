/* What test suites of communicators try: two groups that talk to each other, and one group of several that meets. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

/* Each rank to each of the other group, distinguished by their ranks in it. */
static void talk(MPI_Comm inter) {
  int own, own_size, others, in[2];
  MPI_Comm_rank(inter, &own);
  MPI_Comm_size(inter, &own_size);
  MPI_Comm_remote_size(inter, &others);
  int(*out)[2] = malloc((size_t)others * sizeof *out);
  MPI_Request* requests = malloc((size_t)others * sizeof(MPI_Request));
  for (int i = 0; i < others; ++i) {
    out[i][0] = own;
    out[i][1] = i;
    MPI_Isend(out[i], 2, MPI_INT, i, own_size, inter, &requests[i]);
  }
  for (int i = 0; i < others; ++i) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
    MPI_Recv(in, 2, MPI_INT, status.MPI_SOURCE, others, inter, &status);
    CHECK(in[0] == status.MPI_SOURCE && in[1] == own);
  }
  MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
  free(out);
  free(requests);
}

static void groups_of(MPI_Comm inter) {
  MPI_Group own, other, all;
  int count, at;
  MPI_Comm_group(inter, &own);
  MPI_Comm_remote_group(inter, &other);
  MPI_Group_rank(other, &at);
  MPI_Group_union(own, other, &all);
  MPI_Group_size(all, &count);
  CHECK(at == MPI_UNDEFINED && count == size);
  MPI_Group_intersection(own, other, &all);
  CHECK(all == MPI_GROUP_EMPTY);
  MPI_Group_free(&own);
  MPI_Group_free(&other);
}

/* What one group has goes to the other; with roots, from and to the lower group's rank 0. */
static void collectives(MPI_Comm inter, int low) {
  enum { COUNT = 500 };
  int own, others, ours;
  MPI_Comm_rank(inter, &own);
  MPI_Comm_size(inter, &ours);
  MPI_Comm_remote_size(inter, &others);
  const int root = !low ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL, many = ours > others ? ours : others;
  int *out = malloc((size_t)(many * COUNT) * sizeof *out), *in = calloc((size_t)(many * COUNT), sizeof *in);
  int *counts = malloc((size_t)many * sizeof *counts), *at = malloc((size_t)many * sizeof *at);
  for (int i = 0; i < many * COUNT; ++i) out[i] = 10000 * own + i;
  for (int i = 0; i < many; ++i) {
    counts[i] = COUNT - i % 3;
    at[i] = i * COUNT;
  }
  const int sum = 10000 * others * (others - 1) / 2;
  MPI_Barrier(inter);
  MPI_Bcast(root == MPI_ROOT ? out : in, COUNT, MPI_INT, root, inter);
  for (int i = 0; !low && i < COUNT; ++i) CHECK(in[i] == i);
  MPI_Scatter(out, COUNT, MPI_INT, in, COUNT, MPI_INT, root, inter);
  for (int i = 0; !low && i < COUNT; ++i) CHECK(in[i] == own * COUNT + i);
  MPI_Gatherv(out, counts[own], MPI_INT, in, counts, at, MPI_INT, root, inter);
  for (int r = 0; root == MPI_ROOT && r < others; ++r) CHECK(in[at[r] + counts[r] - 1] == 10000 * r + counts[r] - 1);
  MPI_Allgatherv(out, counts[own], MPI_INT, in, counts, at, MPI_INT, inter);
  for (int r = 0; r < others; ++r)
    CHECK(in[at[r]] == 10000 * r && in[at[r] + counts[r] - 1] == 10000 * r + counts[r] - 1);
  for (int i = 0; i < many; ++i) counts[i] = COUNT - own - i; /* the same of both ends */
  MPI_Alltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, inter);
  for (int i = 0; i < others; ++i)
    CHECK(in[at[i]] == 10000 * i + at[own] && in[at[i] + counts[i] - 1] == 10000 * i + at[own] + counts[i] - 1);
  MPI_Alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, inter);
  for (int i = 0; i < others * COUNT; ++i) CHECK(in[i] == 10000 * (i / COUNT) + own * COUNT + i % COUNT);
  MPI_Reduce(out, in, COUNT, MPI_INT, MPI_SUM, root, inter);
  for (int i = 0; root == MPI_ROOT && i < COUNT; ++i) CHECK(in[i] == sum + others * i);
  MPI_Allreduce(out, in, COUNT, MPI_INT, MPI_SUM, inter);
  for (int i = 0; i < COUNT; ++i) CHECK(in[i] == sum + others * i);
  /* Both groups have as many elements: one for each pair of ranks. */
  MPI_Reduce_scatter_block(out, in, others, MPI_INT, MPI_SUM, inter);
  for (int i = 0; i < others; ++i) CHECK(in[i] == sum + others * (own * others + i));
  free(out);
  free(in);
  free(counts);
  free(at);
}

/* The same without waiting, all at once, on a copy that is freed before they end. */
static void at_once(MPI_Comm inter, int low) {
  enum { COUNT = 300, KINDS = 10, MOST = 64 * COUNT };
  int own, ours, others, counts[64], at[64];
  MPI_Comm copy;
  MPI_Request requests[KINDS + 1];
  MPI_Comm_rank(inter, &own);
  MPI_Comm_size(inter, &ours);
  MPI_Comm_remote_size(inter, &others);
  const int root = !low ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL, sum = 10000 * others * (others - 1) / 2;
  int *out = malloc(MOST * sizeof *out), *in[KINDS];
  for (int k = 0; k < KINDS; ++k) in[k] = calloc(MOST, sizeof *in[k]);
  for (int i = 0; i < MOST; ++i) out[i] = 10000 * own + i;
  for (int i = 0; i < 64; ++i) counts[i] = COUNT - i % 3, at[i] = i * COUNT;
  MPI_Request* next = requests;
  MPI_Comm_idup(inter, &copy, next);
  MPI_Wait(next++, MPI_STATUS_IGNORE);
  MPI_Ibcast(root == MPI_ROOT ? out : in[0], COUNT, MPI_INT, root, copy, next++);
  MPI_Iscatter(out, COUNT, MPI_INT, in[1], COUNT, MPI_INT, root, copy, next++);
  MPI_Igatherv(out, counts[own], MPI_INT, in[2], counts, at, MPI_INT, root, copy, next++);
  MPI_Ibarrier(copy, next++);
  MPI_Iallgatherv(out, counts[own], MPI_INT, in[3], counts, at, MPI_INT, copy, next++);
  MPI_Ialltoall(out, COUNT, MPI_INT, in[4], COUNT, MPI_INT, copy, next++);
  MPI_Ireduce(out, in[5], COUNT, MPI_INT, MPI_SUM, root, copy, next++);
  MPI_Iallreduce(out, in[6], COUNT, MPI_INT, MPI_SUM, copy, next++);
  MPI_Ireduce_scatter_block(out, in[7], others, MPI_INT, MPI_SUM, copy, next++);
  MPI_Iallgather(out, COUNT, MPI_INT, in[8], COUNT, MPI_INT, copy, next++);
  MPI_Comm_free(&copy);
  while (next-- > requests) MPI_Wait(next, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; ++i) {
    CHECK(low || (in[0][i] == i && in[1][i] == own * COUNT + i));
    CHECK(root != MPI_ROOT || in[5][i] == sum + others * i);
    CHECK(in[6][i] == sum + others * i);
  }
  for (int r = 0; r < others; ++r) {
    const int last = at[r] + counts[r] - 1, value = 10000 * r + counts[r] - 1;
    CHECK(root != MPI_ROOT || in[2][last] == value);
    CHECK(in[3][at[r]] == 10000 * r && in[3][last] == value);
    CHECK(in[7][r] == sum + others * (own * others + r));
  }
  for (int i = 0; i < others * COUNT; ++i) {
    CHECK(in[4][i] == 10000 * (i / COUNT) + own * COUNT + i % COUNT);
    CHECK(in[8][i] == 10000 * (i / COUNT) + i % COUNT);
  }
  free(out);
  for (int k = 0; k < KINDS; ++k) free(in[k]);
}

/* ---- elements with gaps, and an operation that keeps the order: of maps x -> a x + b the one after the other ---- */
static void one_after_the_other(void* in, void* inout, int* count, MPI_Datatype* type) {
  const unsigned(*first)[3] = in;
  unsigned(*second)[3] = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    second[i][2] += second[i][0] * first[i][2];
    second[i][0] *= first[i][0];
  }
}

static void with_gaps(MPI_Comm inter, int low) {
  enum { COUNT = 9 };
  int own, others;
  MPI_Comm_rank(inter, &own);
  MPI_Comm_remote_size(inter, &others);
  MPI_Datatype ends;
  MPI_Op after;
  MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &ends);
  MPI_Type_commit(&ends);
  MPI_Op_create(one_after_the_other, 0, &after);
  unsigned map[COUNT][3], sent[COUNT][3], in[2][COUNT][3];
  for (int i = 0; i < COUNT; ++i) {
    map[i][0] = 1;
    map[i][2] = 0;
    for (int r = 0; r < others; ++r) {
      map[i][2] = map[i][2] * (unsigned)(r + 2) + (unsigned)i;
      map[i][0] *= (unsigned)(r + 2);
    }
    sent[i][0] = (unsigned)own + 2;
    sent[i][1] = 77;
    sent[i][2] = (unsigned)i;
  }
  memset(in, 0x5a, sizeof in);
  MPI_Request request;
  MPI_Iallreduce(sent, in[0], COUNT, ends, after, inter, &request);
  MPI_Reduce(sent, in[1], COUNT, ends, after, !low ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int way = 0; way < (low && own == 0 ? 2 : 1); ++way)
    for (int i = 0; i < COUNT; ++i)
      CHECK(in[way][i][0] == map[i][0] && in[way][i][1] == 0x5a5a5a5a && in[way][i][2] == map[i][2]);
  MPI_Op_free(&after);
  MPI_Type_free(&ends);
}

/* None of these may hang or crash: all members make the same mistake. After it no collective operation can follow. */
static void mistakes(MPI_Comm inter, int low) {
  enum { MOST = 64 };
  int own, others, some[MOST], sum, counts[MOST] = {0};
  MPI_Datatype types[MOST];
  MPI_Comm_rank(inter, &own);
  MPI_Comm_remote_size(inter, &others);
  const int root = !low ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL;
  for (int i = 0; i < MOST; ++i) types[i] = MPI_INT;
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Request request;
  CHECK(MPI_Iscan(&rank, &sum, 1, MPI_INT, MPI_SUM, inter, &request) == MPI_ERR_COMM);
  CHECK(MPI_Iallreduce(MPI_IN_PLACE, some, 1, MPI_INT, MPI_SUM, inter, &request) == MPI_ERR_BUFFER);
  CHECK(MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, inter) == MPI_ERR_COMM);
  if (root != MPI_PROC_NULL) { /* some of these find it in their own group, whose errors return as well */
    CHECK(MPI_Bcast(NULL, 1, MPI_INT, root, inter) == MPI_ERR_BUFFER);
    CHECK(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, root, inter) == MPI_ERR_BUFFER);
    CHECK(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, root, inter) == MPI_ERR_BUFFER);
    CHECK(MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, root, inter) == MPI_ERR_BUFFER);
    CHECK(MPI_Reduce(MPI_IN_PLACE, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, root, inter) == MPI_ERR_BUFFER);
  }
  if (root == MPI_ROOT && others > 2) /* elements are counted by an int */
    CHECK(MPI_Gather(NULL, 0, MPI_INT, some, INT_MAX / 2 + 1, MPI_INT, root, inter) == MPI_ERR_COUNT);
  CHECK(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, some, 1, MPI_INT, inter) == MPI_ERR_BUFFER);
  CHECK(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, some, 1, MPI_INT, inter) == MPI_ERR_BUFFER);
  CHECK(MPI_Alltoallv(some, counts, counts, MPI_INT, MPI_IN_PLACE, counts, counts, MPI_INT, inter) == MPI_ERR_BUFFER);
  CHECK(MPI_Alltoallw(MPI_IN_PLACE, counts, counts, types, some, counts, counts, types, inter) == MPI_ERR_BUFFER);
  CHECK(MPI_Allreduce(MPI_IN_PLACE, some, 1, MPI_INT, MPI_SUM, inter) == MPI_ERR_BUFFER);
  CHECK(MPI_Reduce_scatter(MPI_IN_PLACE, some, counts, MPI_INT, MPI_SUM, inter) == MPI_ERR_BUFFER);
  CHECK(MPI_Alltoallv(some, NULL, counts, MPI_INT, some, counts, counts, MPI_INT, inter) == MPI_ERR_ARG);
  CHECK(MPI_Alltoallw(some, counts, counts, types, some, counts, counts, NULL, inter) == MPI_ERR_ARG);
  CHECK(MPI_Reduce_scatter(some, some, NULL, MPI_INT, MPI_SUM, inter) == MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(MPI_Alltoallw(some, counts, NULL, types, some, counts, counts, types, MPI_COMM_SELF) == MPI_ERR_ARG);
}

/* Even ranks of both groups, and odd ones; then all but the first of each. */
static void parts(MPI_Comm inter) {
  int own, ours, others, at;
  MPI_Comm part;
  MPI_Group group, rest;
  MPI_Comm_rank(inter, &own);
  MPI_Comm_size(inter, &ours);
  MPI_Comm_remote_size(inter, &others);
  MPI_Comm_split(inter, own % 2, -own, &part);
  CHECK((part == MPI_COMM_NULL) == (own % 2 == 1 && others == 1)); /* the other group is empty */
  if (part != MPI_COMM_NULL) {
    MPI_Comm_rank(part, &at);
    CHECK(at == (ours + 1 - own % 2) / 2 - 1 - own / 2);
    talk(part);
    MPI_Comm_free(&part);
  }
  MPI_Comm_group(inter, &group);
  MPI_Group_excl(group, 1, (int[]){0}, &rest);
  MPI_Comm_create(inter, rest, &part);
  CHECK((part == MPI_COMM_NULL) == (own == 0 || others == 1));
  if (part != MPI_COMM_NULL) {
    talk(part);
    MPI_Comm_free(&part);
  }
  if (rest != MPI_GROUP_EMPTY) MPI_Group_free(&rest);
  MPI_Group_free(&group);
}

/* The lower `cut` ranks and the others. */
static void halves(int cut) {
  const int low = rank < cut;
  int flag, own, others, merged_rank, merged_size, sum, result;
  MPI_Comm half, inter, copy, merged;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? cut : 0, 7, &inter);
  MPI_Comm_free(&half);
  MPI_Comm_test_inter(inter, &flag);
  MPI_Comm_rank(inter, &own);
  MPI_Comm_remote_size(inter, &others);
  CHECK(flag && others == (low ? size - cut : cut) && own == (low ? rank : rank - cut));
  talk(inter);
  groups_of(inter);
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &result);
  CHECK(result == MPI_CONGRUENT);
  MPI_Comm_compare(inter, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_UNEQUAL);
  talk(copy);
  collectives(copy, low);
  at_once(copy, low);
  with_gaps(inter, low);
  parts(copy);
  for (int high = 0; high < 2; ++high) {
    MPI_Intercomm_merge(copy, high ? low : 0, &merged);
    MPI_Comm_rank(merged, &merged_rank);
    MPI_Comm_size(merged, &merged_size);
    CHECK(merged_size == size && merged_rank == (high && low ? size - cut + rank : high ? rank - cut : rank));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_free(&merged);
  }
  mistakes(inter, low);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&inter);
}

/* Every other rank alone makes a communicator; then the same ones backwards. */
static void meeting(void) {
  int every_other[1][3] = {{0, size - 1, 2}}, backwards[1][3] = {{(size - 1) / 2 * 2, 0, -2}}, at, count, sum;
  MPI_Group all, group;
  MPI_Comm comm, turned;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_range_incl(all, 1, every_other, &group);
  if (rank % 2 == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &comm);
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &count);
    CHECK(at == rank / 2 && count == (size + 1) / 2);
    MPI_Group_free(&group);
    MPI_Group_range_incl(all, 1, backwards, &group);
    MPI_Comm_create_group(comm, group, 5, &turned);
    MPI_Comm_rank(turned, &at);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, turned);
    CHECK(at == count - 1 - rank / 2 && sum == count * (count - 1));
    MPI_Comm_free(&turned);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) {
    halves(1);
    halves(size / 2);
  }
  meeting();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS two groups on %d ranks\n", size);
  return MPI_Finalize();
}
