/* Rare cases that public suites look for: parts of elements that arrive, pair types, inactive requests, callbacks that
 * call MPI, duplications that overlap, operations on long vectors, many communicators, zero-sized everything. */
#include "tests/images/mpi_check.h"

/* A message that ends within an element of a structure. */
static void parts_of_elements(void) {
  struct {
    int number;
    char letter;
  } in[4];
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, sizeof(int)};
  const MPI_Datatype members[2] = {MPI_INT, MPI_CHAR};
  MPI_Datatype raw, type;
  MPI_Status status;
  int elements = -1;
  MPI_Type_create_struct(2, lengths, places, members, &raw);
  MPI_Type_create_resized(raw, 0, sizeof in[0], &type);
  MPI_Type_commit(&type);
  const char bytes[9] = {1, 0, 0, 0, 'a', 2, 0, 0, 0}; /* one element, and an int of the next */
  MPI_Sendrecv(bytes, 9, MPI_PACKED, right, 1, in, 4, type, left, 1, MPI_COMM_WORLD, &status);
  EXPECT(in[0].number == 1 && in[0].letter == 'a' && in[1].number == 2);
  EXPECT(count_of(&status, type) == MPI_UNDEFINED);
  EXPECT(MPI_Get_elements(&status, type, &elements) == MPI_SUCCESS && elements == 3);
  MPI_Sendrecv(bytes, 5, MPI_PACKED, right, 1, in, 4, type, left, 1, MPI_COMM_WORLD, &status);
  EXPECT(count_of(&status, type) == 1 && MPI_Get_elements(&status, type, &elements) == MPI_SUCCESS && elements == 2);
  MPI_Sendrecv(bytes, 0, MPI_PACKED, right, 1, in, 4, type, left, 1, MPI_COMM_WORLD, &status);
  EXPECT(count_of(&status, type) == 0 && MPI_Get_elements(&status, type, &elements) == MPI_SUCCESS && elements == 0);
  MPI_Type_free(&raw);
  MPI_Type_free(&type);
}

static void pairs(void) {
  struct {
    double value;
    int place;
  } mine = {(double)((rank * 7 + 3) % ranks), rank}, best, array[3] = {{1, 1}, {2, 2}, {3, 3}}, in[3];
  int size = 0, expected = 0;
  MPI_Aint lower, extent;
  MPI_Type_size(MPI_DOUBLE_INT, &size);
  MPI_Type_get_extent(MPI_DOUBLE_INT, &lower, &extent);
  EXPECT(size == 12 && lower == 0 && extent == (MPI_Aint)sizeof mine);
  MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (int r = 1; r < ranks; ++r)
    if ((r * 7 + 3) % ranks > (expected * 7 + 3) % ranks) expected = r;
  EXPECT(best.place == expected && best.value == (expected * 7 + 3) % ranks);
  MPI_Status status;
  MPI_Sendrecv(array, 3, MPI_DOUBLE_INT, right, 2, in, 3, MPI_DOUBLE_INT, left, 2, MPI_COMM_WORLD, &status);
  EXPECT(in[2].value == 3 && in[2].place == 3 && count_of(&status, MPI_DOUBLE_INT) == 3);
  MPI_Get_elements(&status, MPI_DOUBLE_INT, &size);
  EXPECT(size == 6);
}

static void inactive(void) {
  MPI_Request requests[2];
  MPI_Status status;
  int flag = 0, in = -1;
  MPI_Recv_init(&in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[0]);
  memset(&status, 0x55, sizeof status);
  EXPECT(MPI_Wait(&requests[0], &status) == MPI_SUCCESS && status.MPI_SOURCE == MPI_ANY_SOURCE);
  EXPECT(status.MPI_TAG == MPI_ANY_TAG && count_of(&status, MPI_INT) == 0);
  EXPECT(MPI_Test(&requests[0], &flag, &status) == MPI_SUCCESS && flag);
  EXPECT(MPI_Request_get_status(requests[0], &flag, &status) == MPI_SUCCESS && flag);
  requests[1] = MPI_REQUEST_NULL;
  EXPECT(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  EXPECT(MPI_Startall(1, requests) == MPI_SUCCESS);
  MPI_Send(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  do {
    MPI_Request_get_status(requests[0], &flag, &status);
  } while (!flag);
  EXPECT(status.MPI_SOURCE == left && in == left); /* done, and still there */
  EXPECT(MPI_Wait(&requests[0], &status) == MPI_SUCCESS && status.MPI_SOURCE == left);
  MPI_Request_free(&requests[0]);
  EXPECT(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status) == MPI_SUCCESS && flag);
}

/* A function that is called when an attribute goes frees the key, and takes another attribute away. */
static int other_key;
static int busy_delete(MPI_Comm comm, int key, void* value, void* extra) {
  (void)value;
  int flag = -1, *got = NULL;
  MPI_Comm_get_attr(comm, other_key, &got, &flag);
  if (flag) EXPECT(MPI_Comm_delete_attr(comm, other_key) == MPI_SUCCESS);
  int same = key;
  if (*(int*)extra == 0) EXPECT(MPI_Comm_free_keyval(&same) == MPI_SUCCESS && same == MPI_KEYVAL_INVALID);
  ++*(int*)extra;
  return MPI_SUCCESS;
}
static void callbacks(void) {
  int key, calls = 0, value = 5, flag = -1, *got = NULL;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, busy_delete, &key, &calls);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other_key, NULL);
  MPI_Comm_set_attr(comm, key, &value);
  MPI_Comm_set_attr(comm, other_key, &value);
  EXPECT(MPI_Comm_delete_attr(comm, key) == MPI_SUCCESS && calls == 1);
  MPI_Comm_get_attr(comm, other_key, &got, &flag);
  EXPECT(!flag);
  MPI_Comm_free_keyval(&other_key);
  MPI_Comm_free(&comm);
}

/* Duplications of several communicators at once, waited for in other orders. */
static void overlapping_duplications(void) {
  enum { COPIES = 6 };
  MPI_Comm part, copies[COPIES];
  MPI_Request requests[COPIES];
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
  for (int i = 0; i < COPIES; ++i)
    EXPECT(MPI_Comm_idup(i % 2 ? part : MPI_COMM_WORLD, &copies[i], &requests[i]) == MPI_SUCCESS);
  for (int i = 0; i < COPIES; ++i) MPI_Wait(&requests[(i * 5 + 2) % COPIES], MPI_STATUS_IGNORE);
  for (int i = 0; i < COPIES; ++i) {
    int size = 0, sum = 0, one = 1;
    MPI_Comm_size(copies[i], &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copies[i]);
    EXPECT(sum == size && size == (i % 2 ? (ranks + 1 - rank % 2) / 2 : ranks));
  }
  /* A message of one is not seen in another. */
  int in = -1, flag = 0;
  MPI_Request receive;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copies[0], &receive);
  MPI_Send(&rank, 1, MPI_INT, right, 4, copies[2]);
  int other = -1;
  MPI_Recv(&other, 1, MPI_INT, left, 4, copies[2], MPI_STATUS_IGNORE);
  MPI_Test(&receive, &flag, MPI_STATUS_IGNORE);
  EXPECT(other == left && !flag);
  MPI_Cancel(&receive);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  for (int i = 0; i < COPIES; ++i) MPI_Comm_free(&copies[i]);
  MPI_Comm_free(&part);
}

/* Of more communicators than a context has numbers for at once, made and freed. */
static void many_communicators(void) {
  enum { AT_ONCE = 40, TIMES = 5 };
  MPI_Comm comms[AT_ONCE];
  for (int time = 0; time < TIMES; ++time) {
    for (int i = 0; i < AT_ONCE; ++i) EXPECT(MPI_Comm_dup(i % 2 ? comms[i - 1] : MPI_COMM_WORLD, &comms[i]) == 0);
    int in = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 5, &in, 1, MPI_INT, left, 5, comms[AT_ONCE - 1], MPI_STATUS_IGNORE);
    EXPECT(in == left);
    for (int i = 0; i < AT_ONCE; ++i) MPI_Comm_free(&comms[(i * 7 + time) % AT_ONCE]);
  }
}

/* An operation of the program on a derived type, which does not commute: f(x) = a x + b, composed. */
static void compose(void* first, void* second, int* count, MPI_Datatype* type) {
  int size = 0;
  MPI_Type_size(*type, &size);
  EXPECT(size == 2 * (int)sizeof(unsigned));
  const unsigned(*a)[2] = first;
  unsigned(*b)[2] = second;
  for (int i = 0; i < *count; ++i) { /* b after a */
    const unsigned factor = b[i][0] * a[i][0], addend = b[i][0] * a[i][1] + b[i][1];
    b[i][0] = factor, b[i][1] = addend;
  }
}
static void long_operations(void) {
  enum { MANY = 3000 };
  static unsigned mine[MANY][2], result[MANY][2], scanned[MANY][2], until[MANY][2], local[MANY][2];
  MPI_Datatype pair;
  MPI_Op op;
  int commutes = -1;
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &op);
  EXPECT(MPI_Op_commutative(op, &commutes) == MPI_SUCCESS && !commutes);
  MPI_Op_commutative(MPI_SUM, &commutes);
  EXPECT(commutes);
  for (unsigned i = 0; i < MANY; ++i) mine[i][0] = 2 * i + 3 + (unsigned)rank, mine[i][1] = i ^ (unsigned)rank;
  MPI_Allreduce(mine, result, MANY, pair, op, MPI_COMM_WORLD);
  MPI_Scan(mine, scanned, MANY, pair, op, MPI_COMM_WORLD);
  MPI_Exscan(mine, until, MANY, pair, op, MPI_COMM_WORLD);
  for (unsigned i = 0; i < MANY; ++i) {
    unsigned a = 1, b = 0;
    for (unsigned r = 0; r < (unsigned)ranks; ++r) {
      if (r == (unsigned)rank && rank > 0) EXPECT(until[i][0] == a && until[i][1] == b);
      const unsigned factor = 2 * i + 3 + r, addend = i ^ r;
      b = factor * b + addend;
      a *= factor;
      if (r == (unsigned)rank) EXPECT(scanned[i][0] == a && scanned[i][1] == b);
    }
    EXPECT(result[i][0] == a && result[i][1] == b);
  }
  memcpy(local, mine, sizeof mine);
  EXPECT(MPI_Reduce_local(until, local, 0, pair, op) == MPI_SUCCESS && local[5][0] == mine[5][0]);
  for (unsigned i = 0; i < MANY; ++i) result[i][0] = 2, result[i][1] = 1;
  MPI_Reduce_local(result, local, MANY, pair, op); /* mine after it */
  EXPECT(local[9][0] == mine[9][0] * 2 && local[9][1] == mine[9][0] + mine[9][1]);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
}

static void of_nothing(void) {
  MPI_Datatype nothing, hole;
  MPI_Request request;
  MPI_Status status;
  int size = -1, counts[1] = {0};
  MPI_Aint lower, extent;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Type_create_struct(0, NULL, NULL, NULL, &hole);
  MPI_Type_commit(&hole);
  MPI_Type_size(hole, &size);
  MPI_Type_get_extent(nothing, &lower, &extent);
  EXPECT(size == 0 && lower == 0 && extent == 0);
  MPI_Sendrecv(NULL, 7, nothing, right, 6, NULL, 9, hole, left, 6, MPI_COMM_WORLD, &status);
  EXPECT(count_of(&status, MPI_INT) == 0 && count_of(&status, nothing) == 0);
  EXPECT(MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(MPI_Bcast(NULL, 5, nothing, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(MPI_Iallgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  EXPECT(MPI_Type_indexed(1, counts, counts, MPI_INT, &hole) == MPI_SUCCESS);
  MPI_Type_free(&hole);
  MPI_Type_free(&nothing);
}

/* Much to oneself: it is received before, after and while it is sent. */
static void to_oneself(void) {
  enum { BYTES = 100000 };
  static unsigned char out[BYTES], in[3][BYTES];
  MPI_Request requests[3];
  fill(out, BYTES, rank, 8);
  MPI_Irecv(in[0], BYTES, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[0]);
  MPI_Send(out, BYTES, MPI_BYTE, 0, 1, MPI_COMM_SELF);
  MPI_Isend(out, BYTES, MPI_BYTE, 0, 2, MPI_COMM_SELF, &requests[1]);
  MPI_Recv(in[1], BYTES, MPI_BYTE, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Issend(out, BYTES, MPI_BYTE, 0, 3, MPI_COMM_SELF, &requests[2]);
  MPI_Recv(in[2], BYTES, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 3; ++i) EXPECT(is_filled(in[i], BYTES, rank, 8));
}

static void threads(void) {
  int level = -1, flag = 0;
  EXPECT(MPI_Query_thread(&level) == MPI_SUCCESS && level >= MPI_THREAD_SINGLE && level <= MPI_THREAD_MULTIPLE);
  EXPECT(MPI_Is_thread_main(&flag) == MPI_SUCCESS && flag);
  EXPECT(MPI_Pcontrol(1) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  parts_of_elements();
  pairs();
  inactive();
  callbacks();
  overlapping_duplications();
  many_communicators();
  long_operations();
  of_nothing();
  to_oneself();
  threads();
  return finish();
}
