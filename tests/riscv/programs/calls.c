/* Some 200 calls of the system, each with its result: what a call that is rarely made does at the edge of its
   arguments. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOW(call)                                                                                              \
  do {                                                                                                          \
    errno = 0;                                                                                                  \
    const long result_ = (long)(call);                                                                          \
    printf("%s: %ld%s%s\n", #call, result_, result_ < 0 ? " " : "", result_ < 0 ? strerrorname_np(errno) : ""); \
  } while (0)
#define KIND(call) SHOW((call) < 0 ? -1 : 0) /* whose number does not matter */

static char bytes[8192];
static struct stat status;
static volatile int handled;
static void handle(int number) { handled = number; }

static void files(void) {
  const int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0640);
  SHOW(write(file, "0123456789", 10));
  SHOW(lseek(file, 0, SEEK_SET));
  SHOW(fcntl(file, F_SETFL, O_APPEND));
  SHOW((fcntl(file, F_GETFL) & (O_APPEND | O_ACCMODE)) == (O_APPEND | O_RDWR));
  SHOW(write(file, "ab", 2));
  SHOW(lseek(file, 0, SEEK_CUR));
  SHOW(pwrite(file, "Z", 1, 0)); /* appends, too */
  SHOW(fcntl(file, F_SETFL, 0));
  SHOW(pwrite(file, "Y", 1, 1));
  SHOW(pread(file, bytes, 20, 0));
  SHOW(strncmp(bytes, "0Y23456789abZ", 13));
  SHOW(pread(file, bytes, 4, -1));
  SHOW(pwrite(file, bytes, 4, -1));
  SHOW(lseek(file, -1, SEEK_SET));
  SHOW(lseek(file, 5, 99));
  SHOW(lseek(file, 3, SEEK_DATA));
  SHOW(lseek(file, 3, SEEK_HOLE));
  SHOW(lseek(file, 100, SEEK_DATA));
  SHOW(lseek(file, 100, SEEK_SET));
  SHOW(read(file, bytes, 1));
  SHOW(ftruncate(file, 5));
  SHOW(ftruncate(file, -1));
  SHOW(truncate("file", 7));
  SHOW(truncate("none", 7));
  SHOW(fallocate(file, 0, 0, 20));
  SHOW(fallocate(file, 0, 0, 0));
  SHOW(fallocate(file, 0, -1, 5));
  SHOW(fstat(file, &status));
  SHOW(status.st_size);
  SHOW(status.st_mode);
  SHOW(status.st_nlink);
  SHOW(fchmod(file, 0444));
  SHOW(chmod("file", 0600));
  SHOW(chmod("none", 0600));
  SHOW(access("file", R_OK | W_OK));
  SHOW(access("file", 99));
  SHOW(access("none", F_OK));
  SHOW(fsync(file));
  SHOW(fdatasync(file));
  SHOW(fsync(99));
  SHOW(posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL));
  SHOW(flock(file, LOCK_EX));
  SHOW(flock(file, LOCK_UN));
  SHOW(flock(file, 77));
  SHOW(readv(file, (struct iovec[]){{bytes, 2}, {bytes + 8, 3}}, 2));
  SHOW(lseek(file, 0, SEEK_SET));
  SHOW(readv(file, (struct iovec[]){{bytes, 2}, {bytes + 8, 3}}, 2));
  SHOW(writev(file, (struct iovec[]){{bytes, 0}, {bytes, 3}}, 2));
  SHOW(readv(file, NULL, 0));
  SHOW(readv(file, (struct iovec[]){{bytes, 1}}, -1));
  SHOW(preadv(file, (struct iovec[]){{bytes, 4}}, 1, 2));
  SHOW(pwritev(file, (struct iovec[]){{bytes, 4}}, 1, 2));
  const int reader = open("file", O_RDONLY), writer = open("file", O_WRONLY);
  SHOW(write(reader, "x", 1));
  SHOW(read(writer, bytes, 1));
  SHOW(ftruncate(reader, 1));
  SHOW(close(reader));
  SHOW(close(reader));
  SHOW(close(-1));
  SHOW(read(-1, bytes, 1));
  SHOW(read(file, (void*)8, 1));
  SHOW(dup2(file, file));
  SHOW(dup3(file, file, 0));
  SHOW(dup2(99, 98));
  SHOW(dup2(file, -1));
  SHOW(dup(99));
  SHOW(fcntl(file, F_DUPFD, 50));
  SHOW(fcntl(50, F_GETFD));
  SHOW(fcntl(file, F_DUPFD_CLOEXEC, 60));
  SHOW(fcntl(60, F_GETFD));
  SHOW(fcntl(60, F_SETFD, 0));
  SHOW(fcntl(60, F_GETFD));
  SHOW(fcntl(file, F_DUPFD, -1));
  SHOW(fcntl(99, F_GETFL));
  SHOW(open("file", O_RDWR | O_CREAT | O_EXCL, 0600));
  SHOW(open("none/file", O_RDWR | O_CREAT, 0600));
  SHOW(open("file/below", O_RDONLY));
  SHOW(open("none", O_RDONLY));
  SHOW(open("", O_RDONLY));
  SHOW(open("file", O_RDONLY | O_DIRECTORY));
  SHOW(open(".", O_WRONLY));
  SHOW(unlink("none"));
  SHOW(unlink("."));
  close(writer), close(50), close(60), close(file);
}

static void times_of_files(void) {
  struct timespec times[2] = {{100, 5}, {200, 7}};
  SHOW(utimensat(AT_FDCWD, "none", NULL, 0));
  SHOW(utimensat(AT_FDCWD, "file", times, 0));
  SHOW(stat("file", &status));
  SHOW(status.st_atim.tv_sec * 1000 + status.st_atim.tv_nsec);
  SHOW(status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec);
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = 300;
  const int file = open("file", O_RDWR);
  SHOW(futimens(file, times));
  SHOW(stat("file", &status));
  SHOW(status.st_atim.tv_sec * 1000 + status.st_mtim.tv_sec);
  SHOW(utimensat(AT_FDCWD, "link", times, AT_SYMLINK_NOFOLLOW));
  SHOW(lstat("link", &status));
  SHOW(status.st_mtim.tv_sec);
  times[1].tv_nsec = 2000000000;
  SHOW(futimens(file, times));
  SHOW(futimens(99, NULL));
  close(file);
}

static int lock(int file, int command, int kind, int whence, long start) {
  struct flock region = {.l_type = (short)kind, .l_whence = (short)whence, .l_start = start, .l_len = 1};
  const int done = fcntl(file, command, &region);
  return command == F_GETLK && done == 0 ? region.l_type : done;
}

/* A process that has opened a file twice does not exclude itself. */
static void locks(void) {
  const int one = open("locked", O_RDWR | O_CREAT, 0600), other = open("locked", O_RDWR),
            reader = open("locked", O_RDONLY);
  SHOW(lock(one, F_SETLK, F_WRLCK, SEEK_SET, 0));
  SHOW(lock(other, F_SETLK, F_WRLCK, SEEK_SET, 0));
  SHOW(lock(other, F_GETLK, F_WRLCK, SEEK_SET, 0) == F_UNLCK);
  SHOW(lock(other, F_SETLKW, F_RDLCK, SEEK_SET, 0));
  SHOW(lseek(other, 5, SEEK_SET));
  SHOW(lock(other, F_SETLK, F_WRLCK, SEEK_CUR, -2));
  SHOW(lock(other, F_SETLK, F_WRLCK, SEEK_CUR, -6));
  SHOW(lock(reader, F_SETLK, F_WRLCK, SEEK_SET, 0));
  SHOW(lock(reader, F_SETLK, F_RDLCK, SEEK_SET, 0));
  SHOW(lock(one, F_SETLK, 77, SEEK_SET, 0));
  SHOW(lock(99, F_SETLK, F_RDLCK, SEEK_SET, 0));
  SHOW(lock(other, F_SETLK, F_UNLCK, SEEK_SET, 0));
  SHOW(lock(one, F_SETLK, F_WRLCK, SEEK_SET, 0));
  SHOW(close(one));
  SHOW(lock(other, F_SETLK, F_WRLCK, SEEK_SET, 0));
  SHOW(close(reader));
  SHOW(close(other));
  SHOW(unlink("locked"));
}

static void folders(void) {
  SHOW(mkdir("folder", 0755));
  SHOW(mkdir("folder", 0755));
  SHOW(mkdir(".", 0755));
  SHOW(mkdir("none/folder", 0755));
  SHOW(rmdir("file"));
  SHOW(unlink("folder"));
  SHOW(rmdir("none"));
  SHOW(rmdir("."));
  SHOW(symlink("file", "link"));
  SHOW(symlink("file", "link"));
  SHOW(symlink("", "empty"));
  SHOW(readlink("link", bytes, sizeof bytes));
  SHOW(readlink("link", bytes, 2));
  SHOW(readlink("link", bytes, 0));
  SHOW(readlink("file", bytes, 9));
  SHOW(lstat("link", &status));
  SHOW(S_ISLNK(status.st_mode) != 0);
  SHOW(stat("link", &status));
  SHOW(S_ISREG(status.st_mode) != 0);
  SHOW(stat("file/", &status));
  SHOW(stat("folder/", &status));
  SHOW(link("file", "second"));
  SHOW(link("file", "second"));
  SHOW(link("folder", "other"));
  SHOW(stat("file", &status));
  SHOW(status.st_nlink);
  SHOW(rename("second", "folder/second"));
  SHOW(rename("file", "folder"));
  SHOW(rename("folder", "file"));
  SHOW(rename("none", "other"));
  SHOW(rename("folder", "folder/below"));
  SHOW(rename(".", "other"));
  SHOW(rmdir("folder"));
  const int folder = open("folder", O_RDONLY | O_DIRECTORY);
  SHOW(read(folder, bytes, 10));
  SHOW(write(folder, bytes, 10));
  SHOW(ftruncate(folder, 0));
  SHOW(syscall(SYS_getdents64, folder, bytes, 8));
  KIND(syscall(SYS_getdents64, folder, bytes, sizeof bytes));
  SHOW(syscall(SYS_getdents64, folder, bytes, sizeof bytes));
  SHOW(unlinkat(folder, "second", 0));
  SHOW(unlinkat(AT_FDCWD, "folder", AT_REMOVEDIR));
  SHOW(mkdirat(folder, "x", 0700));
  SHOW(close(folder));
  SHOW(fstatat(AT_FDCWD, "", &status, 0));
  SHOW(fstatat(0, "", &status, AT_EMPTY_PATH));
  SHOW(chdir("none"));
  SHOW(chdir("file"));
  SHOW(fchdir(99));
  times_of_files();
  struct statfs system;
  SHOW(statfs("none", &system));
  SHOW(statfs(".", &system));
  SHOW(fstatfs(99, &system));
  SHOW(unlink("link"));
}

static void devices(void) {
  SHOW(stat("/dev/null", &status));
  SHOW(S_ISCHR(status.st_mode) != 0);
  SHOW(access("/dev/null", R_OK | W_OK));
  SHOW(access("/proc/self/exe", R_OK | X_OK));
  SHOW(lstat("/proc/self/exe", &status));
  SHOW(S_ISLNK(status.st_mode) != 0);
  SHOW(stat("/proc/self/exe", &status));
  SHOW(S_ISREG(status.st_mode) != 0);
  const int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR);
  SHOW(write(null, bytes, 100));
  SHOW(read(null, bytes, 100));
  SHOW(read(zero, bytes, 100));
  SHOW(lseek(zero, 100, SEEK_SET));
  SHOW(ftruncate(null, 0));
  SHOW(ioctl(null, TIOCGWINSZ, bytes));
  SHOW(isatty(null));
  close(null), close(zero);
}

static void pipes(void) {
  int ends[2], many = -1;
  signal(SIGPIPE, SIG_IGN);
  SHOW(pipe(ends));
  SHOW(write(ends[1], "hello", 5));
  SHOW(ioctl(ends[0], FIONREAD, &many));
  SHOW(many);
  SHOW(ioctl(ends[1], FIONREAD, &many));
  SHOW(lseek(ends[0], 0, SEEK_SET));
  SHOW(pread(ends[0], bytes, 1, 0));
  SHOW(pwrite(ends[1], bytes, 1, 0));
  SHOW(read(ends[1], bytes, 1));
  SHOW(write(ends[0], bytes, 1));
  SHOW(fstat(ends[0], &status));
  SHOW(S_ISFIFO(status.st_mode) != 0);
  SHOW(ftruncate(ends[1], 0));
  SHOW(fsync(ends[1]));
  SHOW(fcntl(ends[0], F_GETPIPE_SZ));
  SHOW(fcntl(ends[0], F_GETFL) & (O_NONBLOCK | O_ACCMODE));
  SHOW(fcntl(ends[0], F_SETFL, O_NONBLOCK));
  SHOW(read(ends[0], bytes, 100));
  SHOW(read(ends[0], bytes, 100));
  SHOW(read(ends[0], bytes, 0));
  SHOW(poll((struct pollfd[]){{ends[0], POLLIN, 0}}, 1, 0));
  SHOW(poll((struct pollfd[]){{99, POLLIN, 0}}, 1, 0));
  SHOW(poll((struct pollfd[]){{-1, POLLIN, 0}}, 1, 0));
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval span = {0, 2000};
  SHOW(select(ends[0] + 1, &set, NULL, NULL, &span));
  SHOW(span.tv_sec * 1000000 + span.tv_usec);
  FD_ZERO(&set);
  FD_SET(99, &set);
  SHOW(select(100, &set, NULL, NULL, &span));
  SHOW(select(-1, NULL, NULL, NULL, &span));
  span = (struct timeval){-1, 0};
  SHOW(select(0, NULL, NULL, NULL, &span));
  SHOW(dup2(1, ends[1]));
  SHOW(read(ends[0], bytes, 100)); /* its last writer is gone */
  SHOW(pipe(ends));
  SHOW(close(ends[0]));
  SHOW(write(ends[1], "x", 1));
  SHOW(poll((struct pollfd[]){{ends[1], POLLOUT, 0}}, 1, 0));
}

static void memory(void) {
  SHOW(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  SHOW(mmap(NULL, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0));
  SHOW(mmap(NULL, 4096, PROT_READ, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1, 0));
  SHOW(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0));
  const int file = open("file", O_RDONLY | O_CREAT, 0600);
  SHOW(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  close(file);
  SHOW(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 5));
  SHOW(mmap((void*)123, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
  char* const at = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SHOW(munmap(at + 1, 4096));
  SHOW(munmap(at, 0));
  SHOW(mprotect(at + 1, 4096, PROT_READ));
  SHOW(mprotect(at, 4096, PROT_READ));
  SHOW(read(0, at, 0));
  SHOW(munmap(at + 4096, 4096));
  SHOW(mprotect(at, 3 * 4096, PROT_READ));
  SHOW(madvise(at, 4096, MADV_DONTNEED));
  SHOW(msync(at, 4096, MS_SYNC));
  SHOW(msync(at + 4096, 4096, MS_SYNC));
  SHOW(mlock(at, 4096));
  SHOW(munlock(at, 4096));
  SHOW(mremap(at + 1, 4096, 8192, MREMAP_MAYMOVE));
  SHOW(mremap(at + 4096, 4096, 8192, MREMAP_MAYMOVE));
  SHOW(munmap(at, 3 * 4096));
  SHOW(munmap(at, 3 * 4096));
}

static void processes(void) {
  struct rusage used;
  struct rlimit limit;
  struct sched_param parameters = {0};
  SHOW(getrusage(RUSAGE_CHILDREN, &used));
  SHOW(used.ru_utime.tv_sec + used.ru_utime.tv_usec + used.ru_maxrss);
  SHOW(getrusage(77, &used));
  SHOW(getrusage(RUSAGE_SELF, (void*)8));
  SHOW(getpriority(PRIO_PROCESS, 0));
  SHOW(setpriority(PRIO_PROCESS, 0, 5));
  SHOW(getpriority(PRIO_PROCESS, 0));
  SHOW(nice(3));
  SHOW(getpriority(PRIO_PROCESS, 0));
  SHOW(setpriority(99, 0, 5));
  SHOW(getpriority(99, 0));
  SHOW(getrlimit(RLIMIT_NOFILE, &limit));
  SHOW(getrlimit(99, &limit));
  limit = (struct rlimit){.rlim_cur = 10, .rlim_max = 5};
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  SHOW(setpgid(0, -1));
  SHOW(setpgid(999999, 0));
  SHOW(sched_getscheduler(0));
  SHOW(sched_getparam(0, &parameters));
  SHOW(sched_get_priority_max(SCHED_FIFO));
  SHOW(sched_get_priority_min(SCHED_OTHER));
  SHOW(sched_get_priority_max(99));
  SHOW(sched_yield());
  SHOW(waitpid(-1, NULL, 0));
  SHOW(waitpid(-1, NULL, WNOHANG));
  SHOW(kill(getpid(), 0));
  SHOW(kill(getpid(), 999));
  SHOW(getpgid(0) > 0);
  SHOW(getsid(0) > 0);
  SHOW(getpid() == gettid());
  KIND(times(&(struct tms){0}));
  SHOW(uname(&(struct utsname){0}));
  SHOW(sysinfo(&(struct sysinfo){0}));
  SHOW(syscall(SYS_getrandom, bytes, 16, 0));
  SHOW(syscall(SYS_getrandom, bytes, 16, 99));
  SHOW(syscall(SYS_getcpu, bytes, bytes, NULL));
}

static void signals(void) {
  sigset_t set, old;
  struct sigaction action = {.sa_handler = handle};
  struct timespec span = {0, 1000};
  SHOW(sigaction(SIGKILL, &action, NULL));
  SHOW(sigaction(999, &action, NULL));
  SHOW(sigaction(SIGUSR1, &action, NULL));
  SHOW(raise(SIGUSR1));
  SHOW(handled == SIGUSR1);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  SHOW(sigprocmask(SIG_BLOCK, &set, &old));
  SHOW(sigprocmask(77, &set, NULL));
  SHOW(raise(SIGUSR1));
  SHOW(sigpending(&old));
  SHOW(sigismember(&old, SIGUSR1));
  SHOW(sigtimedwait(&set, NULL, &span) == SIGUSR1);
  SHOW(sigtimedwait(&set, NULL, &span));
  SHOW(sigaltstack(&(stack_t){.ss_sp = bytes, .ss_size = 100}, NULL));
  SHOW(sigaltstack(&(stack_t){.ss_sp = bytes, .ss_size = sizeof bytes, .ss_flags = 77}, NULL));
}

static void times_of_day(void) {
  struct timespec span = {0, 2000000000};
  struct itimerval timer = {{0, 0}, {0, 2000000}};
  SHOW(clock_gettime(99, &span));
  SHOW(clock_getres(99, &span));
  SHOW(clock_gettime(CLOCK_MONOTONIC_RAW, &span));
  SHOW(clock_gettime(CLOCK_BOOTTIME, &span));
  SHOW(clock_gettime(CLOCK_MONOTONIC_COARSE, &span));
  SHOW(clock_settime(CLOCK_MONOTONIC, &span));
  span = (struct timespec){0, 2000000000};
  SHOW(nanosleep(&span, NULL));
  span = (struct timespec){-1, 0};
  SHOW(nanosleep(&span, NULL));
  SHOW(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &span, NULL));
  SHOW(setitimer(ITIMER_REAL, &timer, NULL));
  SHOW(setitimer(99, &timer, NULL));
  SHOW(getitimer(99, &timer));
  SHOW(alarm(10));
  SHOW(alarm(0));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0); /* a call that hangs or kills is the last line */
  files();
  locks();
  folders();
  devices();
  pipes();
  memory();
  processes();
  signals();
  times_of_day();
  return unlink("file");
}
