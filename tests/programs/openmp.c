/* OpenMP in a native rank: all constructs, for a team of one thread, whatever the clauses ask for. Ranks take turns
 * within parallel regions, by MPI calls and as they compute. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, wrong;

static void check(const char* what, long is, long expected) {
  if (is == expected) return;
  printf("%s is %ld, not %ld\n", what, is, expected);
  ++wrong;
}

static void loops(void) {
  long sum = 0;
  int last = -1;
#pragma omp parallel for schedule(dynamic, 7) num_threads(3) reduction(+ : sum) lastprivate(last)
  for (int i = 3; i < 1000; i += 2) sum += i, last = i;
  check("dynamic", sum, 249999);
  check("lastprivate", last, 999);
  long most = 0;
#pragma omp parallel for schedule(guided) reduction(max : most)
  for (int i = 100; i > 0; i -= 3)
    if (i > most) most = i;
  check("guided", most, 100);
  sum = 0;
#pragma omp parallel for schedule(runtime) collapse(2) reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 7; j++) sum += i * j;
  check("runtime", sum, 45 * 21);
  sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (unsigned long long i = 0xfffffffffffffff0U; i < 0xfffffffffffffffeU; i++) sum += i & 15;
  check("unsigned", sum, 91);
  sum = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < 9; i++) {
#pragma omp ordered
    sum = 2 * sum + i;
  }
  check("ordered", sum, 502);
  static int paths[6][6];
#pragma omp parallel num_threads(4)
#pragma omp for ordered(2) schedule(static, 1)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      paths[i][j] = i == 0 || j == 0 ? 1 : paths[i - 1][j] + paths[i][j - 1];
#pragma omp ordered depend(source)
    }
  check("doacross", paths[5][5], 252);
  int conditional = -5, running = 0, scanned[100];
#pragma omp parallel for lastprivate(conditional : conditional) schedule(dynamic, 4)
  for (int i = 0; i < 100; i++)
    if (i % 17 == 3) conditional = i;
  check("conditional lastprivate", conditional, 88);
#pragma omp parallel for reduction(inscan, + : running)
  for (int i = 0; i < 100; i++) {
    running += i;
#pragma omp scan inclusive(running)
    scanned[i] = running;
  }
  check("scan", scanned[99], 4950);
}

static void regions(void) {
  int sum = 0, inner = 0, copied = 0;
#pragma omp parallel sections num_threads(3) reduction(+ : sum)
  {
#pragma omp section
    sum += 1;
#pragma omp section
    {
      sum += 2;
#pragma omp parallel for schedule(dynamic) reduction(+ : inner)
      for (int i = 0; i < 10; i++) inner++;
    }
#pragma omp section
    sum += 4;
  }
  check("sections", sum, 7);
  check("nested", inner, 10);
#pragma omp parallel num_threads(4)
  {
    int mine = 0;
#pragma omp single copyprivate(mine)
    mine = 42;
#pragma omp critical(all)
    copied += mine;
    check("threads", omp_get_num_threads(), 1);
    check("level", omp_get_level(), 1);
  }
  check("copyprivate", copied, 42);
  sum = 0;
#pragma omp teams num_teams(4) thread_limit(2) reduction(+ : sum)
#pragma omp distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum++;
  check("teams", sum, 10);
}

static long fibonacci(int n) {
  long one, two;
  if (n < 2) return n;
#pragma omp task shared(one) if (n > 5)
  one = fibonacci(n - 1);
#pragma omp task shared(two)
  two = fibonacci(n - 2);
#pragma omp taskwait
  return one + two;
}

static void tasks(void) {
  long sum = 0, product = 1, count = 0;
#pragma omp parallel num_threads(5)
#pragma omp single
  check("tasks", fibonacci(15), 610);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) grainsize(5)
  for (int i = 0; i < 101; i++) sum += i;
  check("taskloop", sum, 5050);
  sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
  for (int i = 1; i < 12; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    {
      sum += i;
#pragma omp taskgroup task_reduction(+ : count)
      {
#pragma omp task in_reduction(+ : sum) in_reduction(+ : count)
        sum += 100, count += 1;
      }
    }
#pragma omp task in_reduction(* : product)
    product *= 2;
  }
  check("task_reduction", sum, 66 + 1100);
  check("product", product, 2048);
  check("inner reduction", count, 11);
  sum = 0;
#pragma omp parallel for reduction(task, + : sum) schedule(dynamic, 3)
  for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i;
  }
  check("reduction of a loop's tasks", sum, 45);
}

/* The iterations of a rank are its own, although others begin and end regions in between. */
static void turns(void) {
  long sum = 0, numbers = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
    for (int i = 0; i < 100 + 50 * rank; i++) {
      volatile double x = 1;
      for (int k = 0; k < 2000 * (rank + 1); k++) x *= 1.0001;
      sum += i;
      if (i < 90 && i % 3 == rank % 3) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(numbers) firstprivate(i)
      {
        numbers += i;
        MPI_Barrier(MPI_COMM_WORLD);
      }
    }
  }
  const long end = 100 + 50 * rank;
  check("iterations of a rank", sum, end * (end - 1) / 2);
  check("tasks of a rank", numbers, 45);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  omp_set_num_threads(5);
  loops();
  regions();
  tasks();
  turns();
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  check("a lock that is taken", omp_test_lock(&lock), 0);
  if (argc > 1) omp_set_lock(&lock);
  omp_unset_lock(&lock);
  const double begun = omp_get_wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  check("a barrier's time", omp_get_wtime() > begun && omp_get_wtime() - begun < 0.001, 1);
  printf("%s: %d wrong; threads %d of %d\n", wrong == 0 ? "PASS" : "FAIL", wrong, omp_get_max_threads(),
         omp_get_thread_limit());
  MPI_Finalize();
  return wrong != 0;
}
