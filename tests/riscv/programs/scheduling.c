/* CPUs, priorities, names of threads, ticks and clocks of CPU time; memory that stays; files by pieces and lengths. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
  struct timespec now = {0, 0};
  if (clock_gettime(clock, &now) != 0) return -1;
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void* compute(void* clock) {
  pthread_getcpuclockid(pthread_self(), clock);
  for (volatile int i = 0; i < 3000000; ++i) {
  }
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
  printf("a thread %s, its clock runs %d, its CPU %d\n", name, seconds(*(clockid_t*)clock) > 0, sched_getcpu() >= 0);
  return NULL;
}

int main(void) {
  prctl(PR_SET_NAME, "a name that is too long");
  char name[16];
  prctl(PR_GET_NAME, name);
  printf("%s\n", name);
  pthread_setname_np(pthread_self(), "first");
  pthread_getname_np(pthread_self(), name, sizeof name);
  printf("%s\n", name);
  struct sched_param parameters = {.sched_priority = 5};
  int policy = -1;
  printf("policy %d", pthread_getschedparam(pthread_self(), &policy, &parameters));
  printf(" %d %d\n", policy, parameters.sched_priority);
  printf("priorities %d %d %d %d\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_RR),
         sched_get_priority_max(SCHED_OTHER), sched_get_priority_max(77));
  parameters.sched_priority = 1;
  printf("wrong %d\n", sched_setparam(0, &parameters));
  parameters.sched_priority = 0;
  printf("set %d %d\n", sched_setscheduler(0, SCHED_OTHER, &parameters), getpriority(PRIO_PROCESS, 0));
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  unsigned cpu = 9999, memory = 9999;
  printf("getcpu %d", getcpu(&cpu, &memory));
  printf(" %d %d\n", CPU_ISSET(cpu, &cpus) != 0, memory < 9999);
  clockid_t clock = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, compute, &clock);
  pthread_join(thread, NULL);
  clock_getcpuclockid(0, &clock);
  printf("the process's clock %d %d\n", seconds(clock) > 0, seconds(clock) <= seconds(CLOCK_PROCESS_CPUTIME_ID));
  struct tms used;
  printf("times %d", times(&used) != (clock_t)-1);
  printf(" %d %ld\n", used.tms_utime >= 0, (long)used.tms_cutime);
  const int status = wait(NULL);
  printf("wait %d %s\n", status, strerrorname_np(errno));
  printf("session %d group %d\n", getsid(0) > 0, getpgrp() > 0);

  char* const pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("stays %d %d %d\n", mlock(pages + 100, 5000), munlock(pages + 100, 5000), msync(pages, 8192, MS_SYNC));
  munmap(pages, 8192);
  const int gone = msync(pages, 8192, MS_SYNC);
  printf("gone %d %s\n", gone, strerrorname_np(errno));

  const int file = open("pieces", O_RDWR | O_CREAT | O_TRUNC, 0600);
  char left[4] = "", right[4] = "";
  const struct iovec out[] = {{"abc", 3}, {"def", 3}}, in[] = {{left, 2}, {right, 3}};
  printf("pwritev %zd", pwritev(file, out, 2, 10));
  printf(" preadv %zd", preadv(file, in, 2, 11));
  printf(" %s %s, position %ld\n", left, right, (long)lseek(file, 0, SEEK_CUR));
  struct stat status_of_file;
  printf("fallocate %d", posix_fallocate(file, 5, 20) + fallocate(file, 0, 0, 3));
  fstat(file, &status_of_file);
  printf(" %ld\n", (long)status_of_file.st_size);
  const int refused = fallocate(file, 0, 5, 0);
  printf("refused %d %s\n", refused, strerrorname_np(errno));
  printf("sync %d advice %d\n", fdatasync(file), posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED));
  struct statfs system;
  printf("statfs %d %d", statfs("pieces", &system), fstatfs(file, &system));
  printf(" %d %d\n", system.f_bsize > 0, system.f_bavail <= system.f_bfree && system.f_bfree <= system.f_blocks);
  printf("access %d %d\n", faccessat(AT_FDCWD, "pieces", R_OK, AT_EACCESS), eaccess("none", F_OK));
  close(file);
  return unlink("pieces");
}
