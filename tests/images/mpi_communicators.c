/* Groups and communicators of MPI: sets, contexts, attributes, error handlers. */
#include "tests/images/mpi_check.h"

static int size_of(MPI_Group group) {
  int size = -1;
  MPI_Group_size(group, &size);
  return size;
}

static int relation(MPI_Group a, MPI_Group b) {
  int result = -1;
  MPI_Group_compare(a, b, &result);
  return result;
}

static void groups(void) {
  MPI_Group world, even, odd, all, none, backwards, range, rest;
  int* evens = malloc(((size_t)ranks + 1) * sizeof *evens);
  int count = 0, self = -1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int i = 0; i < ranks; i += 2) evens[count++] = i;
  MPI_Group_incl(world, count, evens, &even);
  MPI_Group_excl(world, count, evens, &odd);
  EXPECT(size_of(world) == ranks && size_of(even) == count && size_of(odd) == ranks - count);
  MPI_Group_rank(even, &self);
  EXPECT(self == (rank % 2 == 0 ? rank / 2 : MPI_UNDEFINED));
  MPI_Group_union(odd, even, &all);
  EXPECT(relation(all, world) == (ranks == 1 ? MPI_IDENT : MPI_SIMILAR));
  MPI_Group_free(&all);
  MPI_Group_union(world, even, &all);
  EXPECT(relation(all, world) == MPI_IDENT);
  MPI_Group_free(&all);
  MPI_Group_intersection(odd, even, &none);
  EXPECT(none == MPI_GROUP_EMPTY && size_of(none) == 0);
  MPI_Group_difference(world, odd, &rest);
  EXPECT(relation(rest, even) == MPI_IDENT);
  int reverse[1][3] = {{ranks - 1, 0, -1}}, by_two[1][3] = {{0, ranks - 1, 2}};
  MPI_Group_range_incl(world, 1, reverse, &backwards);
  MPI_Group_rank(backwards, &self);
  EXPECT(self == ranks - 1 - rank && relation(backwards, world) == (ranks == 1 ? MPI_IDENT : MPI_SIMILAR));
  MPI_Group_range_incl(world, 1, by_two, &range);
  EXPECT(relation(range, even) == MPI_IDENT);
  MPI_Group_free(&range);
  MPI_Group_range_excl(world, 1, by_two, &range);
  EXPECT(relation(range, odd) == (ranks > 1 ? MPI_IDENT : relation(odd, MPI_GROUP_EMPTY)));
  for (int i = 0; i < ranks; ++i) {
    int there = -1;
    MPI_Group_translate_ranks(world, 1, &i, backwards, &there);
    EXPECT(there == ranks - 1 - i);
    MPI_Group_translate_ranks(world, 1, &i, even, &there);
    EXPECT(there == (i % 2 == 0 ? i / 2 : MPI_UNDEFINED));
  }
  MPI_Group_free(&world);
  EXPECT(world == MPI_GROUP_NULL);
  MPI_Group_free(&backwards);
  MPI_Group_free(&rest);
  MPI_Group_free(&even);
  free(evens);
}

/* A message in one communicator is not received in another, with the same tag and ranks. */
static void contexts(void) {
  MPI_Comm copy;
  MPI_Request requests[2];
  int result, word = -1, other = -1, one = rank, two = rank + 1000;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(copy, MPI_COMM_WORLD, &result);
  EXPECT(result == MPI_CONGRUENT);
  MPI_Comm_compare(copy, copy, &result);
  EXPECT(result == MPI_IDENT);
  MPI_Comm_compare(MPI_COMM_SELF, MPI_COMM_WORLD, &result);
  EXPECT(result == (ranks == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Isend(&one, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&two, 1, MPI_INT, right, 5, copy, &requests[1]);
  MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
  MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(word == left && other == left + 1000);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  /* It is freed while a receive is under way. */
  MPI_Irecv(&other, 1, MPI_INT, left, 6, copy, &requests[0]);
  MPI_Isend(&one, 1, MPI_INT, right, 6, copy, &requests[1]);
  MPI_Comm_free(&copy);
  EXPECT(copy == MPI_COMM_NULL);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(other == left);
}

static void splits(void) {
  MPI_Comm part, rest, twice;
  int its_rank, its_size, word = -1, sum = 0, result;
  MPI_Status status;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part); /* thirds, backwards */
  MPI_Comm_rank(part, &its_rank);
  MPI_Comm_size(part, &its_size);
  EXPECT(its_size == (ranks - rank % 3 + 2) / 3 && its_rank == its_size - 1 - rank / 3);
  const int to = (its_rank + 1) % its_size, from = (its_rank + its_size - 1) % its_size;
  MPI_Sendrecv(&rank, 1, MPI_INT, to, 9, &word, 1, MPI_INT, MPI_ANY_SOURCE, 9, part, &status);
  EXPECT(status.MPI_SOURCE == from && word == (its_size - 1 - from) * 3 + rank % 3);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
  int expected = 0;
  for (int i = rank % 3; i < ranks; i += 3) expected += i;
  EXPECT(sum == expected);
  MPI_Comm_split(part, its_rank < 2 ? 0 : MPI_UNDEFINED, 0, &rest);
  EXPECT((rest == MPI_COMM_NULL) == (its_rank >= 2));
  if (rest != MPI_COMM_NULL) {
    MPI_Comm_dup(rest, &twice);
    MPI_Comm_compare(rest, twice, &result);
    MPI_Allreduce(&its_rank, &sum, 1, MPI_INT, MPI_SUM, twice);
    EXPECT(result == MPI_CONGRUENT && sum == (its_size > 1));
    MPI_Comm_free(&rest);
    MPI_Comm_free(&twice);
  }
  MPI_Comm_free(&part);
  MPI_Group world, chosen;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{ranks - 1, ranks / 2, -1}};
  MPI_Group_range_incl(world, 1, range, &chosen);
  MPI_Comm_create(MPI_COMM_WORLD, chosen, &part);
  EXPECT((part == MPI_COMM_NULL) == (rank < ranks / 2));
  if (part != MPI_COMM_NULL) {
    MPI_Comm_rank(part, &its_rank);
    EXPECT(its_rank == ranks - 1 - rank);
    MPI_Comm_free(&part);
  }
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &part);
  EXPECT(part == MPI_COMM_NULL);
  MPI_Group_free(&world);
  MPI_Group_free(&chosen);
  for (int i = 0; i < 20; ++i) { /* contexts of freed communicators do not clash */
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Comm_rank(part, &its_rank);
    MPI_Comm_size(part, &its_size);
    MPI_Sendrecv(&i, 1, MPI_INT, (its_rank + 1) % its_size, 0, &word, 1, MPI_INT, MPI_ANY_SOURCE, 0, part, &status);
    EXPECT(word == i);
    MPI_Comm_free(&part);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
  MPI_Comm_size(part, &its_size);
  EXPECT(its_size >= 1 && its_size <= ranks);
  MPI_Comm_free(&part);
}

/* ---- attributes ---- */
static int copies, deletes;

static int copy_value(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)comm;
  (void)keyval;
  ++copies;
  *(void**)copied = (char*)value + *(int*)extra;
  *flag = 1;
  return MPI_SUCCESS;
}

static int delete_value(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm;
  (void)keyval;
  (void)extra;
  deletes += value != NULL;
  return MPI_SUCCESS;
}

static void attributes(void) {
  static char data[10];
  MPI_Comm copy, second;
  int key, plain, dup, step = 2, flag = 0, *number = NULL;
  char* value = NULL;
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &number, &flag);
  EXPECT(flag && *number >= 32767);
  int word = -1, tag = *number;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, tag, &word, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(word == left);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &number, &flag);
  EXPECT(flag && *number == 1);
  MPI_Attr_get(MPI_COMM_WORLD, MPI_HOST, &number, &flag);
  EXPECT(flag && *number == MPI_PROC_NULL);
  MPI_Attr_get(MPI_COMM_WORLD, MPI_IO, &number, &flag);
  EXPECT(flag);
  MPI_Keyval_create(copy_value, delete_value, &key, &step);
  MPI_Comm_create_keyval(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &plain, NULL);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &dup, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Attr_get(copy, key, &value, &flag);
  EXPECT(!flag);
  MPI_Attr_put(copy, key, data);
  MPI_Attr_put(copy, plain, data + 1);
  MPI_Attr_put(copy, dup, data + 2);
  MPI_Comm_dup(copy, &second);
  EXPECT(copies == 1);
  MPI_Attr_get(second, key, &value, &flag);
  EXPECT(flag && value == data + 2);
  MPI_Attr_get(second, plain, &value, &flag);
  EXPECT(!flag);
  MPI_Attr_get(second, dup, &value, &flag);
  EXPECT(flag && value == data + 2);
  MPI_Attr_put(copy, key, data + 5);
  EXPECT(deletes == 1);
  MPI_Attr_delete(copy, key);
  MPI_Attr_get(copy, key, &value, &flag);
  EXPECT(!flag && deletes == 2);
  MPI_Keyval_free(&key);
  EXPECT(key == MPI_KEYVAL_INVALID);
  MPI_Comm_free(&second);
  EXPECT(deletes == 3);
  MPI_Comm_free(&copy);
}

/* ---- error handlers ---- */
static int handled;
static MPI_Comm handled_comm;

static void handle(MPI_Comm* comm, int* code, ...) {
  handled = *code;
  handled_comm = *comm;
}

static void handlers(void) {
  MPI_Errhandler handler, got;
  MPI_Comm copy, heir;
  int word = 0;
  MPI_Errhandler_get(MPI_COMM_WORLD, &got);
  EXPECT(got == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_create(handle, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Errhandler_set(copy, handler);
  EXPECT(MPI_Send(&word, 1, MPI_INT, ranks, 0, copy) == MPI_ERR_RANK);
  EXPECT(handled == MPI_ERR_RANK && handled_comm == copy);
  MPI_Comm_dup(copy, &heir); /* inherits it */
  EXPECT(MPI_Bcast(&word, 1, MPI_INT, ranks, heir) != MPI_SUCCESS && handled_comm == heir);
  MPI_Comm_get_errhandler(heir, &got);
  EXPECT(got == handler);
  MPI_Errhandler_free(&handler);
  EXPECT(handler == MPI_ERRHANDLER_NULL);
  handled = 0;
  EXPECT(MPI_Recv(&word, 1, MPI_INT, 0, -5, copy, MPI_STATUS_IGNORE) == MPI_ERR_TAG && handled == MPI_ERR_TAG);
  MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);
  EXPECT(handled == MPI_ERR_OTHER);
  MPI_Comm_free(&heir);
  MPI_Comm_free(&copy);
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0, version = 0, subversion = 0, flag = 0;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  EXPECT(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
  MPI_Type_get_name(MPI_INT, name, &length);
  EXPECT(strcmp(name, "MPI_INT") == 0);
  MPI_Get_version(&version, &subversion);
  EXPECT(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Get_processor_name(host, &length);
  EXPECT((int)strlen(host) == length && length > 0);
  MPI_Initialized(&flag);
  EXPECT(flag);
  MPI_Finalized(&flag);
  EXPECT(!flag && MPI_Wtick() > 0);
}

int main(int argc, char** argv) {
  int flag = 1;
  MPI_Initialized(&flag);
  EXPECT(!flag);
  begin(&argc, &argv);
  groups();
  contexts();
  splits();
  attributes();
  handlers();
  names();
  return finish();
}
