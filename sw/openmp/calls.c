/* The calls of <omp.h>. What a program sets reads back where it changes nothing; of threads and teams there is one. */
#include <stddef.h>
#include <time.h>

#include "sw/openmp/openmp.h"
#include "sw/openmp/team.h"

#define ONE(call) \
  OPENMP int call(void) { return 1; }
#define NONE(call) \
  OPENMP int call(void) { return 0; }
#define IGNORED(call) \
  OPENMP void call(int value) { (void)value; }
#define SETTING(set, get, initially)                \
  static int get##_now = initially;                 \
  OPENMP void set(int value) { get##_now = value; } \
  OPENMP int get(void) { return get##_now; }

ONE(omp_get_num_threads)
ONE(omp_get_max_threads)
ONE(omp_get_thread_limit)
ONE(omp_get_num_procs)
ONE(omp_get_num_teams)
NONE(omp_get_thread_num)
NONE(omp_get_team_num)
NONE(omp_in_parallel) /* of regions with more threads than one */
NONE(omp_get_active_level)
NONE(omp_get_cancellation)
IGNORED(omp_set_num_threads)

SETTING(omp_set_dynamic, omp_get_dynamic, 0)
SETTING(omp_set_nested, omp_get_nested, 0)
SETTING(omp_set_max_active_levels, omp_get_max_active_levels, 1)
SETTING(omp_set_num_teams, omp_get_max_teams, 0)
SETTING(omp_set_teams_thread_limit, omp_get_teams_thread_limit, 0)
SETTING(omp_set_default_device, omp_get_default_device, 0)
OPENMP int omp_get_supported_active_levels(void) { return 1; }

OPENMP int omp_get_level(void) { return openmp_team()->level; }
static int is_level(int level) { return level >= 0 && level <= openmp_team()->level; }
OPENMP int omp_get_ancestor_thread_num(int level) { return is_level(level) ? 0 : -1; }
OPENMP int omp_get_team_size(int level) { return is_level(level) ? 1 : -1; }

static int schedule = 2, chunk = 1; /* omp_sched_dynamic, as of GCC's library */
OPENMP void omp_set_schedule(int kind, int size) {
  schedule = kind;
  chunk = size;
}
OPENMP void omp_get_schedule(int* kind, int* size) {
  *kind = schedule;
  *size = chunk;
}

/* The one thread is bound to no place. */
NONE(omp_get_proc_bind)
NONE(omp_get_num_places)
NONE(omp_get_partition_num_places)
OPENMP int omp_get_place_num(void) { return -1; }
OPENMP int omp_get_place_num_procs(int place) {
  (void)place;
  return 0;
}
OPENMP void omp_get_place_proc_ids(int place, int* ids) { (void)place, (void)ids; }
OPENMP void omp_get_partition_place_nums(int* places) { (void)places; }

/* No devices but the host. */
NONE(omp_get_num_devices)
NONE(omp_get_initial_device)
NONE(omp_get_device_num)
ONE(omp_is_initial_device)
OPENMP int omp_pause_resource(int kind, int device) {
  (void)kind, (void)device;
  return 0;
}
OPENMP int omp_pause_resource_all(int kind) {
  (void)kind;
  return 0;
}

/* Simulated time. */
OPENMP double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
OPENMP double omp_get_wtick(void) {
  struct timespec tick;
  clock_getres(CLOCK_MONOTONIC, &tick);
  return (double)tick.tv_sec + (double)tick.tv_nsec * 1e-9;
}
