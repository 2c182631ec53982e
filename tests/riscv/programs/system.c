/* Identity, limits, random numbers, unknown system calls. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
  struct utsname u;
  uname(&u);
  unsigned char bytes[100] = {0};
  int zeros = 0;
  const long drawn = getrandom(bytes, sizeof bytes, 0);
  for (int i = 0; i < 100; ++i) zeros += bytes[i] == 0;
  struct rlimit limit;
  struct sysinfo info;
  char folder[4096];
  printf("%s %s %ld %d\n", u.sysname, u.machine, drawn, zeros < 20);
  printf("%d %d %d\n", getrlimit(RLIMIT_STACK, &limit), sysinfo(&info), getpid() == (pid_t)syscall(SYS_gettid));
  printf("%d %ld\n", getcwd(folder, sizeof folder) != 0, sysconf(_SC_PAGESIZE));
  printf("%ld %d\n", syscall(4000, 1, 2, 3), errno == ENOSYS);
  printf("%ld %d\n", syscall(SYS_write, 1, (void*)8, 5), errno == EFAULT);
  printf("%ld %d\n", syscall(SYS_read, -1, bytes, 5), errno == EBADF);
  return 0;
}
