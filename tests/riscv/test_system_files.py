"""Files of /proc and /sys, and binding to CPUs: as the libraries of C and OpenMP use them."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolchain import Outcome, by_interpreter, compile_program, needs_toolchain

pytestmark = needs_toolchain

OWN_FILES = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static char written[20 << 20];
static void stack(void) {
  pthread_attr_t attributes;
  void* begin;
  size_t bytes;
  char here;
  const int error = pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &bytes);
  printf("stack %d, in it %d, 8 MiB %d\n", error, &here > (char*)begin && &here < (char*)begin + bytes,
         bytes == 8 << 20);
}
static void maps(void) {
  FILE* const file = fopen("/proc/self/maps", "r");
  char line[200], permissions[5];
  unsigned long begin, end, last = 0;
  int ordered = 1, code = 0, data = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, permissions) != 3) puts(line);
    ordered &= begin >= last && end > begin;
    last = end;
    if ((unsigned long)maps >= begin && (unsigned long)maps < end) code = !strcmp(permissions, "r-xp");
    if ((unsigned long)written >= begin && (unsigned long)written < end) data = !strcmp(permissions, "rw-p");
  }
  printf("ordered %d, code %d, data %d\n", ordered, code, data);
}
static void program(const char* name) {
  const int file = open("/proc/self/exe", O_RDONLY), other = open(name, O_RDONLY);
  static char one[1 << 16], two[1 << 16];
  struct stat status;
  long same = fstat(file, &status) == 0, bytes = 0;
  for (ssize_t now; (now = read(file, one, sizeof one)) > 0; bytes += now)
    same &= read(other, two, sizeof two) == now && memcmp(one, two, (size_t)now) == 0;
  printf("same %ld, whole %d", same, bytes == status.st_size);
  const int changed = open("/proc/self/exe", O_RDWR);
  printf(", to write %d %s\n", changed, strerrorname_np(errno));
}
int main(int count, char** arguments) {
  stack();
  maps();
  program(arguments[count - 1]);
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  memset(written, 1, sizeof written);
  getrusage(RUSAGE_SELF, &after);
  const long more = after.ru_maxrss - before.ru_maxrss, expected = 20 << 10; /* KiB */
  printf("20 MiB of %d more %d\n", written[count], more >= expected - 8 && more <= expected + 8);
  return 0;
}
"""

CPUS = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void show(const char* name) {
  char path[100], line[50] = "none\n";
  for (int cpu = 0; cpu < 4; ++cpu) {
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
    FILE* const file = fopen(path, "r");
    if (file != NULL && (fgets(line, sizeof line, file) == NULL || fclose(file) != 0)) return;
    line[strcspn(line, "\n")] = 0;
    printf("%s%s%s", file == NULL ? "no " : "", line, cpu == 3 ? "\n" : " ");
  }
}
static int bind(pthread_t thread, int first, int count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; ++i) CPU_SET(first + i, &set);
  return pthread_setaffinity_np(thread, sizeof set, &set);
}
static void* tell(void* nothing) {
  cpu_set_t set;
  pthread_getaffinity_np(pthread_self(), sizeof set, &set);
  printf("bound to %d, with the first %d\n", CPU_COUNT(&set), CPU_ISSET(0, &set));
  return nothing;
}
static void start(int first, int count) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  pthread_join(thread, NULL);
  printf("bind %s\n", bind(pthread_self(), first, count) == 0 ? "0" : "EINVAL");
}
static void* wait_for(void* barrier) {
  pthread_barrier_wait(barrier);
  return NULL;
}
int main(int count, char** arguments) {
  (void)arguments;
  show("core_id");
  show("thread_siblings_list");
  show("package_cpus_list");
  start(1, 2);
  start(500, 1);
  start(3, 500);
  tell(NULL);
  printf("no thread %d", sched_setaffinity(99999, sizeof(cpu_set_t), &(cpu_set_t){{1}}));
  printf(" %s\n", strerrorname_np(errno));
  pthread_barrier_t both;
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&thread, NULL, wait_for, &both);
  bind(pthread_self(), 0, 1);
  bind(thread, count > 1 ? 0 : 1, 1);
  pthread_barrier_wait(&both);
  pthread_join(thread, NULL);
  return 0;
}
"""


def run(folder: Path, text: str, *arguments: str, cpus: int = 1) -> Outcome:
    source = folder / "program.c"
    source.write_text(text)
    program = compile_program(source, folder / "program", "-pthread")
    done = by_interpreter(program, *arguments, folder=folder, options=("--cpus", str(cpus)))
    assert done.status == 0, done.errors.decode()
    return done


def test_a_program_reads_its_own_stack_maps_and_file(tmp_path: Path) -> None:
    done = run(tmp_path, OWN_FILES, "program")
    assert done.output.decode().splitlines() == [
        "stack 0, in it 1, 8 MiB 1",
        "ordered 1, code 1, data 1",
        "same 1, whole 1, to write -1 EACCES",
        "20 MiB of 1 more 1",
    ]


@pytest.mark.parametrize("is_too_many", [False, True])
def test_cpus_are_cores_to_which_threads_can_be_bound(tmp_path: Path, is_too_many: bool) -> None:
    done = run(tmp_path, CPUS, *["too", "many"][: 2 * is_too_many], cpus=4)
    assert done.output.decode().splitlines() == [
        "0 1 2 3",
        "0 1 2 3",
        "0-3 0-3 0-3 0-3",
        "bound to 4, with the first 1",
        "bind 0",
        "bound to 2, with the first 0",
        "bind EINVAL",
        "bound to 2, with the first 0",
        "bind 0",  # the CPUs that there are
        "bound to 1, with the first 0",
        "no thread -1 ESRCH",
    ]
    assert (b"more threads are bound to CPUs" in done.errors) == is_too_many
