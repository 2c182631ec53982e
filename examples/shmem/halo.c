/* A heated rod, cut into pieces. In each step every processing element puts its border values to its neighbours, each
 * with a signal, and computes the inside of its piece meanwhile. Teams of the left and the right half say how warm
 * theirs is. */
#include <shmem.h>
#include <stdio.h>

enum { CELLS = 1000, STEPS = 100 };
static double rod[2][CELLS + 2]; /* of a step, and of the next; with a cell of each neighbour */
static uint64_t come[2];         /* signals: how many values have come from the left, from the right */
static double part, warmth;

static void compute(const double* now, double* next, int from, int to) {
  for (int i = from; i <= to; ++i) next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  const int left = (me + npes - 1) % npes, right = (me + 1) % npes; /* the rod is a ring */
  if (me == 0) rod[0][1] = 1000;
  shmem_barrier_all();

  for (int step = 0; step < STEPS; ++step) {
    double *now = rod[step % 2], *next = rod[(step + 1) % 2];
    shmem_double_put_signal(&now[CELLS + 1], &now[1], 1, &come[1], 1, SHMEM_SIGNAL_ADD, left);
    shmem_double_put_signal(&now[0], &now[CELLS], 1, &come[0], 1, SHMEM_SIGNAL_ADD, right);
    compute(now, next, 2, CELLS - 1);
    for (int side = 0; side < 2; ++side) shmem_signal_wait_until(&come[side], SHMEM_CMP_GE, (uint64_t)step + 1);
    compute(now, next, 1, 1);
    compute(now, next, CELLS, CELLS);
  }

  shmem_team_t half;
  const int in_half = npes > 1 ? npes / 2 : 1; /* members of a row of the grid; the last row may be shorter */
  shmem_team_t across;
  shmem_team_split_2d(SHMEM_TEAM_WORLD, in_half, NULL, 0, &half, NULL, 0, &across);
  for (int i = 1; i <= CELLS; ++i) part += rod[STEPS % 2][i];
  shmem_team_sync(half);
  shmem_double_sum_reduce(half, &warmth, &part, 1);
  if (shmem_team_my_pe(half) == 0) printf("PEs %d to %d: warmth %.3f\n", me, me + shmem_team_n_pes(half) - 1, warmth);
  shmem_finalize();
  return 0;
}
