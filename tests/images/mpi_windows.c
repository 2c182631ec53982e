/* Windows of MPI, call by call: what the standard says of one-sided communication (MPI-3.1, chapter 11). */
#include "tests/images/mpi_check.h"

enum { WORDS = 64, LONG_WORDS = 20000 };

static MPI_Win made(void* base, size_t bytes, int unit) {
  MPI_Win window = MPI_WIN_NULL;
  EXPECT(MPI_Win_create(base, (MPI_Aint)bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &window) == MPI_SUCCESS);
  EXPECT(window != MPI_WIN_NULL);
  return window;
}

static void freed(MPI_Win window) {
  EXPECT(MPI_Win_free(&window) == MPI_SUCCESS);
  EXPECT(window == MPI_WIN_NULL);
}

static MPI_Group group_of(int count, const int* members) {
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, count, members, &some);
  MPI_Group_free(&all);
  return some;
}

/* ---- fences ---- */
static void put_between_fences(void) {
  int memory[WORDS], own[WORDS];
  for (int i = 0; i < WORDS; ++i) memory[i] = -1, own[i] = rank * 1000 + i;
  MPI_Win window = made(memory, sizeof memory, sizeof(int));
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(own, WORDS / 2, MPI_INT, right, 3, WORDS / 2, MPI_INT, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  for (int i = 0; i < WORDS; ++i) EXPECT(memory[i] == (i >= 3 && i < 3 + WORDS / 2 ? left * 1000 + i - 3 : -1));
  freed(window);
}

static void get_between_fences(void) {
  int memory[WORDS], got[WORDS];
  for (int i = 0; i < WORDS; ++i) memory[i] = rank * 1000 + i, got[i] = -1;
  MPI_Win window = made(memory, sizeof memory, sizeof(int));
  MPI_Win_fence(0, window);
  MPI_Get(got, 10, MPI_INT, right, 5, 10, MPI_INT, window);
  MPI_Get(got + 20, 1, MPI_INT, left, WORDS - 1, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < 10; ++i) EXPECT(got[i] == right * 1000 + 5 + i);
  EXPECT(got[10] == -1 && got[20] == left * 1000 + WORDS - 1);
  freed(window);
}

static void long_put_and_get(void) {
  double* memory = malloc(LONG_WORDS * sizeof *memory);
  double* own = malloc(LONG_WORDS * sizeof *own);
  double* got = malloc(LONG_WORDS * sizeof *got);
  for (int i = 0; i < LONG_WORDS; ++i) memory[i] = 0, own[i] = rank + i / 7.0, got[i] = 0;
  MPI_Win window = made(memory, LONG_WORDS * sizeof *memory, sizeof(double));
  MPI_Win_fence(0, window);
  MPI_Put(own, LONG_WORDS, MPI_DOUBLE, right, 0, LONG_WORDS, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < LONG_WORDS; ++i) EXPECT(memory[i] == left + i / 7.0);
  MPI_Get(got, LONG_WORDS, MPI_DOUBLE, right, 0, LONG_WORDS, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < LONG_WORDS; ++i) EXPECT(got[i] == rank + i / 7.0);
  freed(window);
  free(memory);
  free(own);
  free(got);
}

static void everyone_adds_to_everyone(void) {
  long sums[2] = {0, 5};
  double reals[2] = {0, 0};
  MPI_Win window = made(sums, sizeof sums, sizeof(long)), real = made(reals, sizeof reals, sizeof(double));
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, real);
  for (int to = 0; to < ranks; ++to) {
    const long one[2] = {rank + 1, 1};
    const double part = 0.5;
    MPI_Accumulate(one, 2, MPI_LONG, to, 0, 2, MPI_LONG, MPI_SUM, window);
    MPI_Accumulate(&part, 1, MPI_DOUBLE, to, 1, 1, MPI_DOUBLE, MPI_SUM, real);
  }
  MPI_Win_fence(0, real);
  MPI_Win_fence(0, window);
  EXPECT(sums[0] == (long)ranks * (ranks + 1) / 2 && sums[1] == 5 + ranks);
  EXPECT(reals[0] == 0 && reals[1] == 0.5 * ranks);
  freed(window);
  freed(real);
}

/* ---- start, post, complete, wait ---- */
static void epochs_of_groups(void) {
  int memory = -1;
  const int to[] = {right}, from[] = {left};
  MPI_Win window = made(&memory, sizeof memory, sizeof(int));
  MPI_Group targets = group_of(1, to), origins = group_of(1, from);
  for (int round = 0; round < 5; ++round) {
    const int value = rank * 10 + round;
    MPI_Win_post(origins, 0, window);
    MPI_Win_start(targets, 0, window);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    if (round % 2 == 0) {
      MPI_Win_wait(window);
    } else {
      int flag = 0;
      while (!flag) MPI_Win_test(window, &flag);
    }
    EXPECT(memory == left * 10 + round);
  }
  MPI_Group_free(&targets);
  MPI_Group_free(&origins);
  freed(window);
}

/* ---- locks ---- */
static void exclusive_locks_keep_others_out(void) {
  enum { ROUNDS = 10 };
  int count[2] = {0, 0};
  MPI_Win window = made(count, sizeof count, sizeof(int));
  for (int i = 0; i < ROUNDS; ++i) {
    int seen[2];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(seen, 2, MPI_INT, 0, 0, 2, MPI_INT, window);
    MPI_Win_flush(0, window);
    EXPECT(seen[0] == seen[1]);
    ++seen[0];
    ++seen[1];
    MPI_Put(&seen[0], 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Put(&seen[1], 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    EXPECT(count[0] == ROUNDS * ranks && count[1] == ROUNDS * ranks);
    MPI_Win_unlock(0, window);
  }
  freed(window);
}

static void a_ticket_counter(void) {
  enum { TICKETS = 8 };
  uint64_t next = 0, mine[TICKETS], all[TICKETS * 64];
  const uint64_t one = 1;
  MPI_Win window = made(&next, rank == 0 ? sizeof next : 0, sizeof next);
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < TICKETS; ++i) {
    MPI_Fetch_and_op(&one, &mine[i], MPI_UINT64_T, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    EXPECT(i == 0 || mine[i] > mine[i - 1]);
  }
  MPI_Win_unlock_all(window);
  MPI_Allgather(mine, TICKETS, MPI_UINT64_T, all, TICKETS, MPI_UINT64_T, MPI_COMM_WORLD);
  char seen[TICKETS * 64] = {0};
  for (int i = 0; i < TICKETS * ranks; ++i) {
    EXPECT(all[i] < (uint64_t)(TICKETS * ranks) && !seen[all[i]]);
    seen[all[i]] = 1;
  }
  if (rank == 0) EXPECT(next == (uint64_t)(TICKETS * ranks));
  freed(window);
}

static void a_spin_lock_by_compare_and_swap(void) {
  int words[2] = {-1, 0}, found = 0;
  const int free_word = -1;
  MPI_Win window = made(words, sizeof words, sizeof(int));
  MPI_Win_lock_all(0, window);
  do {
    MPI_Compare_and_swap(&rank, &free_word, &found, MPI_INT, 0, 0, window);
    MPI_Win_flush(0, window);
  } while (found != -1);
  int inside = 0;
  MPI_Get(&inside, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
  MPI_Win_flush(0, window);
  ++inside;
  MPI_Put(&inside, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
  MPI_Win_flush(0, window);
  MPI_Fetch_and_op(&free_word, &found, MPI_INT, 0, 0, MPI_REPLACE, window);
  MPI_Win_flush(0, window);
  EXPECT(found == rank);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) EXPECT(words[1] == ranks && words[0] == -1);
  freed(window);
}

/* ---- all operations, several types ---- */
#define AT_ONCE(type, name, op, before, with, after)                                                  \
  do {                                                                                                \
    type memory[3] = {before, before, before}, operand = with, old = 0;                               \
    MPI_Win window = made(memory, sizeof memory, sizeof(type));                                       \
    MPI_Win_fence(0, window);                                                                         \
    MPI_Get_accumulate(&operand, 1, name, &old, 1, name, right, 1, 1, name, op, window);              \
    MPI_Win_fence(0, window);                                                                         \
    EXPECT(old == (type)(before));                                                                    \
    EXPECT(memory[0] == (type)(before) && memory[1] == (type)(after) && memory[2] == (type)(before)); \
    freed(window);                                                                                    \
  } while (0)
#define ALL_ON(type, name)                     \
  do {                                         \
    AT_ONCE(type, name, MPI_SUM, 5, 3, 8);     \
    AT_ONCE(type, name, MPI_PROD, 5, 3, 15);   \
    AT_ONCE(type, name, MPI_MAX, 5, 9, 9);     \
    AT_ONCE(type, name, MPI_MIN, 5, 9, 5);     \
    AT_ONCE(type, name, MPI_REPLACE, 5, 3, 3); \
    AT_ONCE(type, name, MPI_NO_OP, 5, 3, 5);   \
  } while (0)
#define BITS_ON(type, name)                 \
  do {                                      \
    AT_ONCE(type, name, MPI_BAND, 6, 3, 2); \
    AT_ONCE(type, name, MPI_BOR, 6, 3, 7);  \
    AT_ONCE(type, name, MPI_BXOR, 6, 3, 5); \
    AT_ONCE(type, name, MPI_LAND, 6, 0, 0); \
    AT_ONCE(type, name, MPI_LOR, 6, 0, 1);  \
    AT_ONCE(type, name, MPI_LXOR, 6, 3, 0); \
  } while (0)

static void all_operations(void) {
  ALL_ON(signed char, MPI_SIGNED_CHAR);
  ALL_ON(short, MPI_SHORT);
  ALL_ON(int, MPI_INT);
  ALL_ON(unsigned, MPI_UNSIGNED);
  ALL_ON(long, MPI_LONG);
  ALL_ON(unsigned long long, MPI_UNSIGNED_LONG_LONG);
  ALL_ON(float, MPI_FLOAT);
  ALL_ON(double, MPI_DOUBLE);
  ALL_ON(long double, MPI_LONG_DOUBLE);
  BITS_ON(short, MPI_SHORT);
  BITS_ON(int, MPI_INT);
  BITS_ON(long, MPI_LONG);
}

static void places_of_the_largest(void) {
  struct pair {
    double value;
    int place;
  } largest[2] = {{-1, -1}, {-1, -1}}, own = {rank % 3, rank};
  MPI_Win window = made(largest, sizeof largest, sizeof *largest);
  MPI_Win_fence(0, window);
  MPI_Accumulate(&own, 1, MPI_DOUBLE_INT, 0, 1, 1, MPI_DOUBLE_INT, MPI_MAXLOC, window);
  MPI_Win_fence(0, window);
  const int most = ranks > 2 ? 2 : ranks - 1;
  if (rank == 0) EXPECT(largest[0].place == -1 && largest[1].value == most && largest[1].place == most);
  freed(window);
}

/* ---- datatypes ---- */
static void columns_of_a_matrix(void) {
  enum { N = 12 };
  double matrix[N][N], column[N], got[2 * N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) matrix[i][j] = rank * 10000 + i * 100 + j;
  for (int i = 0; i < N; ++i) column[i] = -rank * 100 - i;
  MPI_Datatype one;
  MPI_Type_vector(N, 1, N, MPI_DOUBLE, &one);
  MPI_Type_commit(&one);
  MPI_Win window = made(matrix, sizeof matrix, sizeof(double));
  MPI_Win_fence(0, window);
  MPI_Put(column, N, MPI_DOUBLE, right, 3, 1, one, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) EXPECT(matrix[i][j] == (j == 3 ? -left * 100 - i : rank * 10000 + i * 100 + j));
  memset(got, 0, sizeof got);
  MPI_Datatype spread;
  MPI_Type_vector(N, 1, 2, MPI_DOUBLE, &spread);
  MPI_Type_commit(&spread);
  MPI_Get(got, 1, spread, right, 4, 1, one, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < N; ++i) EXPECT(got[2 * i] == right * 10000 + i * 100 + 4 && got[2 * i + 1] == 0);
  MPI_Accumulate(column, N, MPI_DOUBLE, right, 5, 1, one, MPI_SUM, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < N; ++i) EXPECT(matrix[i][5] == rank * 10000 + i * 100 + 5 - left * 100 - i);
  MPI_Type_free(&one);
  MPI_Type_free(&spread);
  freed(window);
}

/* ---- requests ---- */
static void requests(void) {
  int memory[WORDS], own[WORDS], got[WORDS], sums[WORDS], old = -1;
  for (int i = 0; i < WORDS; ++i) memory[i] = 0, own[i] = rank * 100 + i, got[i] = -1, sums[i] = 1;
  MPI_Win window = made(memory, sizeof memory, sizeof(int));
  MPI_Request all[4];
  MPI_Win_lock_all(0, window);
  MPI_Rput(own, WORDS / 2, MPI_INT, right, 0, WORDS / 2, MPI_INT, window, &all[0]);
  MPI_Raccumulate(sums, 8, MPI_INT, right, WORDS - 8, 8, MPI_INT, MPI_SUM, window, &all[1]);
  MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
  MPI_Win_flush(right, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rget(got, WORDS, MPI_INT, right, 0, WORDS, MPI_INT, window, &all[0]);
  MPI_Rget_accumulate(NULL, 0, MPI_INT, &old, 1, MPI_INT, right, WORDS - 1, 1, MPI_INT, MPI_NO_OP, window, &all[1]);
  int index = -1;
  MPI_Waitany(2, all, &index, MPI_STATUS_IGNORE);
  EXPECT(index == 0 || index == 1);
  MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
  for (int i = 0; i < WORDS; ++i) EXPECT(got[i] == (i < WORDS / 2 ? rank * 100 + i : i < WORDS - 8 ? 0 : 1));
  EXPECT(old == 1);
  MPI_Win_unlock_all(window);
  freed(window);
}

/* ---- other kinds of windows ---- */
static void allocated(void) {
  int* base = NULL;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(10 * (MPI_Aint)sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  EXPECT(base != NULL);
  base[0] = -1;
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  EXPECT(base[0] == left);
  freed(window);
}

static void shared(void) {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int on_node = 0, self = 0;
  MPI_Comm_size(node, &on_node);
  MPI_Comm_rank(node, &self);
  for (int round = 0; round < 3; ++round) {
    int* base = NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_allocate_shared(4 * (MPI_Aint)sizeof *base, sizeof *base, MPI_INFO_NULL, node, &base, &window);
    for (int i = 0; i < 4; ++i) base[i] = rank * 10 + i;
    MPI_Win_fence(0, window);
    for (int other = 0; other < on_node; ++other) {
      MPI_Aint bytes = 0;
      int unit = 0, *theirs = NULL;
      MPI_Win_shared_query(window, other, &bytes, &unit, &theirs);
      EXPECT(bytes == 4 * (MPI_Aint)sizeof *base && unit == sizeof *base);
      EXPECT(theirs == base + 4 * (other - self)); /* they follow each other */
      EXPECT(theirs[3] == theirs[0] + 3);
    }
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (self + 1) % on_node, 2, 1, MPI_INT, window);
    MPI_Accumulate(&rank, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_MAX, window);
    MPI_Win_fence(0, window);
    if (on_node > 1) EXPECT(base[2] != rank);
    freed(window);
  }
  MPI_Comm_free(&node);
}

static void dynamic(void) {
  int memory[4] = {0, 1, 2, 3}, got[4] = {0};
  MPI_Aint address = 0, theirs[64];
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory, sizeof memory);
  MPI_Get_address(memory, &address);
  MPI_Allgather(&address, 1, MPI_AINT, theirs, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  const int value = rank + 100;
  MPI_Put(&value, 1, MPI_INT, right, theirs[right] + (MPI_Aint)sizeof(int), 1, MPI_INT, window);
  MPI_Win_flush(right, window);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT(memory[1] == left + 100);
  MPI_Get(got, 4, MPI_INT, right, theirs[right], 4, MPI_INT, window);
  MPI_Win_flush(right, window);
  EXPECT(got[0] == 0 && got[1] == rank + 100 && got[3] == 3);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_detach(window, memory);
  freed(window);
}

/* Two attached regions that adjoin are one to an access: of another rank, and of this one. */
static void adjoining_regions(void) {
  int memory[6] = {0, 1, 2, 3, 4, 5}, got[4] = {0}, class = 0;
  MPI_Aint address = 0, theirs[64];
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory + 3, 2 * sizeof *memory); /* and not the last one */
  MPI_Win_attach(window, memory, sizeof *memory);
  MPI_Win_attach(window, memory + 1, 2 * sizeof *memory);
  MPI_Get_address(memory, &address);
  MPI_Allgather(&address, 1, MPI_AINT, theirs, 1, MPI_AINT, MPI_COMM_WORLD);
  const int to[] = {right, rank};
  for (int i = 0; i < 2; ++i) {
    const int values[4] = {10 * i, 11, 12, 13};
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to[i], 0, window);
    MPI_Put(values, 4, MPI_INT, to[i], theirs[to[i]] + (MPI_Aint)sizeof(int), 4, MPI_INT, window);
    MPI_Win_flush(to[i], window);
    MPI_Get(got, 4, MPI_INT, to[i], theirs[to[i]] + (MPI_Aint)sizeof(int), 4, MPI_INT, window);
    EXPECT(MPI_Win_unlock(to[i], window) == MPI_SUCCESS);
    EXPECT(memcmp(got, values, sizeof got) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  MPI_Error_class(MPI_Get(got, 2, MPI_INT, rank, address + 4 * (MPI_Aint)sizeof(int), 2, MPI_INT, window), &class);
  EXPECT(class == MPI_ERR_RMA_RANGE); /* one of them is not attached */
  MPI_Win_unlock(rank, window);
  MPI_Win_detach(window, memory + 1);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  MPI_Error_class(MPI_Get(got, 4, MPI_INT, rank, address, 4, MPI_INT, window), &class);
  EXPECT(class == MPI_ERR_RMA_RANGE);
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);
  freed(window);
}

/* The rank that owns the memory computes for long; what the others do there does not wait for its end. */
#define LONG_PS (40 * HAL_PS_PER_MS)

static void a_target_that_computes(void) {
  double sum = 0;
  const double one = 1;
  MPI_Win window = made(&sum, sizeof sum, sizeof sum);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t start = hal_time_ps();
  if (rank == 0) {
    volatile double x = 1;
    while (hal_time_ps() - start < LONG_PS)
      for (int i = 0; i < 10000; ++i) x = x * 0.5 + 1;
  } else {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    EXPECT(hal_time_ps() - start < LONG_PS / 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) EXPECT(sum == ranks - 1);
  freed(window);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  put_between_fences();
  get_between_fences();
  long_put_and_get();
  everyone_adds_to_everyone();
  epochs_of_groups();
  exclusive_locks_keep_others_out();
  a_ticket_counter();
  a_spin_lock_by_compare_and_swap();
  all_operations();
  places_of_the_largest();
  columns_of_a_matrix();
  requests();
  allocated();
  shared();
  dynamic();
  adjoining_regions();
  a_target_that_computes();
  return finish();
}
