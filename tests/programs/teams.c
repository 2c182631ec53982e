/* Communicators as test suites make them: many, of all kinds, again and again; groups by ranges; what is sent in one
 * does not come in another. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

/* It works, and its messages are its own. */
static void works(MPI_Comm comm, int wanted_size, int wanted_rank) {
  int self, count, sum = -1, from = -1, got_world = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &count);
  CHECK(count == wanted_size && self == wanted_rank);
  MPI_Allreduce(&self, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == count * (count - 1) / 2);
  MPI_Irecv(&got_world, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
  MPI_Sendrecv(&self, 1, MPI_INT, (self + 1) % count, 1, &from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  CHECK(from == (self + count - 1) % count && status.MPI_SOURCE == from && got_world == -1);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* ---- again and again: contexts and memory come back ---- */
static void many_times(void) {
  MPI_Comm comm, last = MPI_COMM_NULL, chain[20];
  for (int i = 0; i < 300; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (i % 100 == 0) works(comm, size, rank);
    if (last != MPI_COMM_NULL) MPI_Comm_free(&last);
    last = comm;
  }
  MPI_Comm_free(&last);
  for (int i = 0; i < 20; ++i) MPI_Comm_dup(i ? chain[i - 1] : MPI_COMM_WORLD, &chain[i]);
  for (int i = 0; i < 20; i += 2) MPI_Comm_free(&chain[i]);
  for (int i = 1; i < 20; i += 2) works(chain[i], size, rank), MPI_Comm_free(&chain[i]);
}

/* ---- groups by ranges, and the communicators of them, which only some are in ---- */
static void ranges(void) {
  int span[][3] = {{size - 1, 0, -2}}, others, result, *ranks = malloc(size * sizeof(int)),
      *there = malloc(size * sizeof(int));
  MPI_Group world, part, rest, both;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, span, &part);
  MPI_Group_range_excl(world, 1, span, &rest);
  MPI_Group_union(rest, part, &both);
  MPI_Group_size(rest, &others);
  CHECK(others == size / 2);
  MPI_Group_compare(world, both, &result);
  CHECK(result == (size <= 2 ? MPI_IDENT : MPI_SIMILAR));
  for (int i = 0; i < size - others; ++i) ranks[i] = i;
  MPI_Group_translate_ranks(part, size - others, ranks, world, there);
  for (int i = 0; i < size - others; ++i) CHECK(there[i] == size - 1 - 2 * i);
  const int in_part = (size - 1 - rank) % 2 == 0;
  MPI_Comm_create(MPI_COMM_WORLD, in_part ? part : rest, &comm); /* both at once, disjoint */
  CHECK(comm != MPI_COMM_NULL);
  works(comm, in_part ? size - others : others, in_part ? (size - 1 - rank) / 2 : rank / 2);
  MPI_Comm_free(&comm);
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
  CHECK(comm == MPI_COMM_NULL);
  if (in_part) {
    MPI_Comm_create_group(MPI_COMM_WORLD, part, 17, &comm);
    works(comm, size - others, (size - 1 - rank) / 2);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&world), MPI_Group_free(&part), MPI_Group_free(&both);
  if (rest != MPI_GROUP_EMPTY) MPI_Group_free(&rest);
  free(ranks), free(there);
}

/* ---- splits: by color and key, by node; comparisons; duplicates of other kinds ---- */
static void splits(void) {
  MPI_Comm half, back, node, copy, other;
  MPI_Request request;
  MPI_Info info, got;
  int result, nodes, first, keys, together;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  const int same = (size + 1 - rank % 2) / 2;
  works(half, same, same - 1 - rank / 2);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &back);
  works(back, size, size - 1 - rank);
  MPI_Comm_compare(MPI_COMM_WORLD, back, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
  MPI_Comm_compare(MPI_COMM_WORLD, half, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &result);
  first = result == 0;
  MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_size(node, &together);
  CHECK(nodes >= 1 && together <= size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, rank, MPI_INFO_NULL, &other);
  CHECK(other == MPI_COMM_NULL);
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "false");
  MPI_Comm_dup_with_info(half, info, &copy);
  MPI_Comm_set_info(copy, info);
  MPI_Comm_get_info(copy, &got);
  MPI_Info_get_nkeys(got, &keys);
  CHECK(keys >= 0);
  MPI_Info_free(&got), MPI_Info_free(&info);
  works(copy, same, same - 1 - rank / 2);
  MPI_Comm_free(&copy);
  MPI_Comm_idup(half, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&half);
  works(copy, same, same - 1 - rank / 2);
  MPI_Comm_free(&copy), MPI_Comm_free(&back), MPI_Comm_free(&node);
}

/* ---- duplicates without a wait: of pairs, whose processes call for them in different orders ---- */
static void later(void) {
  MPI_Comm pairs[2], copies[4];
  MPI_Request requests[4];
  int there[2], in = -1;
  for (int p = 0; p < 2; ++p) { /* (0 1) (2 3) ... and (1 2) (3 4) ... */
    MPI_Comm_split(MPI_COMM_WORLD, (rank + p) / 2, 0, &pairs[p]);
    MPI_Comm_rank(pairs[p], &there[p]);
  }
  const int first = rank / 2 % 2;
  MPI_Comm_idup(pairs[first], &copies[first], &requests[first]);
  MPI_Comm_idup(pairs[!first], &copies[!first], &requests[!first]);
  MPI_Comm_idup(pairs[first], &copies[2 + first], &requests[2 + first]);
  MPI_Comm_idup(pairs[!first], &copies[2 + !first], &requests[2 + !first]);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 8, &in, 1, MPI_INT, (rank + size - 1) % size, 8, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < 4; ++p) {
    int together;
    MPI_Comm_size(pairs[p % 2], &together);
    works(copies[p], together, there[p % 2]);
    MPI_Comm_free(&copies[p]);
  }
  MPI_Comm_free(&pairs[0]), MPI_Comm_free(&pairs[1]);
}

/* ---- two groups, merged both ways ---- */
static void two_sides(void) {
  MPI_Comm half, between, merged;
  int remote, is_inter, at, parts;
  if (size < 2) return;
  const int upper = rank >= size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 5, &between);
  MPI_Comm_test_inter(between, &is_inter);
  MPI_Comm_remote_size(between, &remote);
  CHECK(is_inter && remote == (upper ? size / 2 : size - size / 2));
  for (int high = 0; high < 2; ++high) {
    MPI_Intercomm_merge(between, upper == high, &merged);
    MPI_Comm_rank(merged, &at);
    CHECK(at == (high ? rank : (rank + size - size / 2) % size));
    works(merged, size, at);
    MPI_Comm_free(&merged);
  }
  MPI_Comm_size(between, &parts);
  int *all = malloc(size * sizeof *all), peer = -1;
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, between);
  for (int i = 0; i < remote; ++i) CHECK(all[i] == i + (upper ? 0 : size / 2));
  if (rank % (size / 2) < 1 && rank < 2 * (size / 2))
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 3, &peer, 1, MPI_INT, 0, 3, between, MPI_STATUS_IGNORE);
  CHECK(peer == -1 || peer == (upper ? 0 : size / 2));
  free(all);
  MPI_Comm_free(&between), MPI_Comm_free(&half);
}

/* ---- freed while messages are under way in it ---- */
static void freed_early(void) {
  int in = -1, sum = -1;
  MPI_Comm comm;
  MPI_Request requests[3];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, comm, &requests[0]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm, &requests[2]);
  MPI_Comm_free(&comm);
  CHECK(comm == MPI_COMM_NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  CHECK(in == (rank + size - 1) % size && sum == size * (size - 1) / 2);
  works(comm, size, rank);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  many_times();
  ranges();
  splits();
  later();
  two_sides();
  freed_early();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS teams on %d ranks\n", size);
  return MPI_Finalize();
}
