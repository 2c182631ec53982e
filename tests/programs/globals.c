/* Globals of every kind, which are private to each rank: it writes its own values into them, lets the other ranks do
 * so, and checks them. */
#include <string.h>

#include "check.h"

enum { SIDE = 40, LONG = 3000 };
typedef int operation(int);
struct node {
  struct node* next;
  int value;
};

int zero;
int seven = 7;
static short little = -3;
long double precise = 1.25L;
__int128 wide = 5;
double _Complex both = 2.0;
static struct { unsigned low : 3, high : 29; } bits = {5, 6};
static double grid[SIDE][SIDE];
static char text[64] = "text";
static int list[LONG];
struct node last = {NULL, 3}, first = {&last, 2};
char* tail = text + 4;
static int* const fixed = &zero;
static int* past = list + LONG;
struct node* nodes[2] = {&first, &last};

static int up(int a) { return a + 1; }
static int down(int a) { return a - 1; }
operation* one_of = up;
static operation* both_of[] = {up, down};

/* With negative offsets, as in programs that count from 1. */
__attribute__((noinline)) static void fill(int from, int to) {
  for (int i = from; i <= to; ++i)
    for (int j = from; j <= to; ++j) grid[i - 3][j - 5] = rank + i * SIDE + j;
}

__attribute__((noinline)) static double sum(int from, int to) {
  double all = 0;
  for (int i = from; i <= to; ++i)
    for (int j = from; j <= to; ++j) all += grid[i - 3][j - 5];
  return all;
}

/* The address is needed between a comparison and its use. */
__attribute__((noinline)) static int* smaller(int a, int b) { return a < b ? &zero : a == b ? &seven : &list[a]; }

static int next(void) {
  static int calls;
  static int* const where = &calls;
  return *where += 1;
}

__attribute__((noinline)) static int jump(int to) {
  static void* const places[] = {&&none, &&one, &&two};
  static int visits;
  goto* places[to];
none:
  return visits;
one:
  return visits += 1;
two:
  return visits += 2;
}

static void fill_all(void) {
  zero = rank;
  seven += rank;
  little = (short)(little * (rank + 1));
  precise *= rank + 1;
  wide = (wide << 64) + rank;
  both *= rank + 1;
  bits.high += (unsigned)rank;
  fill(5, SIDE);
  snprintf(tail, 32, " of %d", rank);
  for (int i = 0; i < LONG; ++i) list[i] = i * (rank + 1);
  first.next->value += rank;
  nodes[rank % 2] = &last;
  one_of = both_of[rank % 2];
  both_of[0] = both_of[1];
  for (int i = 0; i <= rank; ++i) next();
  jump(1 + rank % 2);
  __atomic_fetch_add(&past[-1], 1, __ATOMIC_SEQ_CST);
  __atomic_exchange_n(&list[1], -rank, __ATOMIC_RELAXED);
  asm("addl $1000, %0" : "+m"(list[2]));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill_all();
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(zero == rank && *fixed == rank && fixed == &zero);
    CHECK(seven == 7 + rank);
    CHECK(little == -3 * (rank + 1));
    CHECK(precise == 1.25L * (rank + 1));
    CHECK(wide == ((__int128)5 << 64) + rank);
    CHECK(__real__ both == 2.0 * (rank + 1) && __imag__ both == 0);
    CHECK(bits.low == 5 && bits.high == 6u + (unsigned)rank);
    double all = 0;
    for (int i = 5; i <= SIDE; ++i)
      for (int j = 5; j <= SIDE; ++j) all += rank + i * SIDE + j;
    CHECK(sum(5, SIDE) == all);
    char expected[32];
    snprintf(expected, sizeof expected, "text of %d", rank);
    CHECK(strcmp(text, expected) == 0 && tail == &text[4]);
    CHECK(list[LONG - 1] == (LONG - 1) * (rank + 1) + 1 && past == &list[LONG]);
    CHECK(list[1] == -rank && list[2] == 1000 + 2 * (rank + 1));
    CHECK(last.value == 3 + rank && first.next == &last && nodes[rank % 2] == &last);
    CHECK(one_of(10) == (rank % 2 == 0 ? 11 : 9) && both_of[0](10) == 9);
    CHECK(*smaller(1, 2) == rank && *smaller(2, 2) == 7 + rank && *smaller(4, 3) == 4 * (rank + 1));
    CHECK(jump(0) == 1 + rank % 2);
    CHECK(next() == rank + 2 + turn);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("PASS");
  MPI_Finalize();
  return 0;
}
