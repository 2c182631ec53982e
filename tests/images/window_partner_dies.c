/* Ranks whose accesses to the last rank's window wait, or are about to wait, for it when its node dies. They make the
 * call at START, by simulated time. The first argument chooses the call; "return" behind it: the error is returned and
 * looked at, and the window of those that live works on. */
#include "tests/images/mpi_check.h"

#define START_PS (200 * HAL_PS_PER_MS)

static double memory[1000], own[1000];
static MPI_Win window;
static int dead;

static int accumulate(void) {
  const int error = MPI_Accumulate(own, 1000, MPI_DOUBLE, dead, 0, 1000, MPI_DOUBLE, MPI_SUM, window);
  return error != MPI_SUCCESS ? error : MPI_Win_flush(dead, window);
}

static int rget(void) {
  MPI_Request request;
  const int error = MPI_Rget(own, 1000, MPI_DOUBLE, dead, 0, 1000, MPI_DOUBLE, window, &request);
  return error != MPI_SUCCESS ? error : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int put(void) {
  const int error = MPI_Put(own, 1000, MPI_DOUBLE, dead, 0, 1000, MPI_DOUBLE, window);
  return error != MPI_SUCCESS ? error : MPI_Win_flush(dead, window);
}

static int get(void) {
  const int error = MPI_Get(own, 1, MPI_DOUBLE, dead, 0, 1, MPI_DOUBLE, window);
  return error != MPI_SUCCESS ? error : MPI_Win_flush(dead, window);
}

static int fetch(void) {
  const int64_t one = 1;
  int64_t old = 0;
  const int error = MPI_Fetch_and_op(&one, &old, MPI_INT64_T, dead, 0, MPI_SUM, window);
  return error != MPI_SUCCESS ? error : MPI_Win_flush(dead, window);
}

static int call(const char* what) {
  if (strcmp(what, "lock") == 0) return MPI_Win_lock(MPI_LOCK_EXCLUSIVE, dead, 0, window);
  if (strcmp(what, "fence") == 0) return MPI_Win_fence(0, window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  int error = MPI_ERR_INTERN;
  if (strcmp(what, "put") == 0) error = put();
  if (strcmp(what, "get") == 0) error = get();
  if (strcmp(what, "accumulate") == 0) error = accumulate();
  if (strcmp(what, "fetch") == 0) error = fetch();
  if (strcmp(what, "rget") == 0) error = rget();
  MPI_Win_unlock_all(window);
  return error;
}

/* Those that live, on the same window. */
static void go_on(void) {
  const int next = (rank + 1) % (ranks - 1);
  const double value = rank + 1;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
  EXPECT(MPI_Put(&value, 1, MPI_DOUBLE, next, 3, 1, MPI_DOUBLE, window) == MPI_SUCCESS);
  EXPECT(MPI_Win_unlock(next, window) == MPI_SUCCESS);
  printf("rank %d goes on\n", rank);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  EXPECT(argc > 1);
  dead = ranks - 1;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (hal_time_ps() < START_PS) hal_sleep_ps(START_PS - hal_time_ps());
  if (rank == dead) hal_sleep_ps(START_PS);
  const int returns = argc > 2;
  if (returns) MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  const int error = call(argv[1]);
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, class = 0;
  MPI_Error_class(error, &class);
  MPI_Error_string(error, text, &length);
  printf("rank %d: class %d: %s\n", rank, class, text);
  go_on();
  fflush(stdout);
  for (int i = 0; i < 500; ++i) { /* the others' locks are still to be granted here */
    MPI_Win_sync(window);
    hal_sleep_ps(100 * HAL_PS_PER_US);
  }
  return 0;
}
