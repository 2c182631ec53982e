/* Locks, as <omp.h> of GCC has them: an int, and for nested ones besides how often it is taken. A lock that is taken
 * was taken by this thread. */
#include "sw/hal/hal.h"
#include "sw/openmp/openmp.h"

struct nested_lock {
  int is_taken, count;
  void* owner;
};

OPENMP void omp_init_lock(int* lock) { *lock = 0; }
OPENMP void omp_init_lock_with_hint(int* lock, int hint) {
  (void)hint;
  *lock = 0;
}
OPENMP void omp_destroy_lock(int* lock) { (void)lock; }
OPENMP void omp_set_lock(int* lock) {
  if (*lock != 0)
    hal_abort(
        "omp_set_lock: the program has taken the lock already, and OpenMP has one thread in a native rank: nothing "
        "will release it");
  *lock = 1;
}
OPENMP void omp_unset_lock(int* lock) { *lock = 0; }
OPENMP int omp_test_lock(int* lock) {
  if (*lock != 0) return 0;
  *lock = 1;
  return 1;
}

OPENMP void omp_init_nest_lock(struct nested_lock* lock) { *lock = (struct nested_lock){0}; }
OPENMP void omp_init_nest_lock_with_hint(struct nested_lock* lock, int hint) {
  (void)hint;
  *lock = (struct nested_lock){0};
}
OPENMP void omp_destroy_nest_lock(struct nested_lock* lock) { (void)lock; }
OPENMP void omp_set_nest_lock(struct nested_lock* lock) { ++lock->count; }
OPENMP void omp_unset_nest_lock(struct nested_lock* lock) { --lock->count; }
OPENMP int omp_test_nest_lock(struct nested_lock* lock) { return ++lock->count; }
