/* State that the kernel and the C library keep once for the simulating process is private to each rank (--wrap,
 * cmake/Images.cmake): working folder, file mask and locale, which the simulator changes with the rank that runs; the
 * descriptors that it has open, which no rank can close; limits, which have no effect beyond the rank that sets them.
 * Also system calls past the C library. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sw/hal/attached.h"
#include "sw/hal/hal.h"
#include "sw/hal/standard_files.h"

static int fail(int error) {
  errno = error;
  return -1;
}

static void changed(void) {
  if (hal_host_calls != NULL) hal_host_calls->calls->surroundings_changed(hal_host_calls->self);
}

/* ---- working folder and file mask ---- */
int __real_chdir(const char* path);
int __real_fchdir(int descriptor);
mode_t __real_umask(mode_t mask);

int __wrap_chdir(const char* path) {
  const int result = __real_chdir(path);
  if (result == 0) changed();
  return result;
}

int __wrap_fchdir(int descriptor) {
  const int result = __real_fchdir(descriptor);
  if (result == 0) changed();
  return result;
}

mode_t __wrap_umask(mode_t mask) {
  const mode_t before = __real_umask(mask);
  changed();
  return before;
}

/* ---- locale: the thread's instead of the program's ---- */
locale_t __real_uselocale(locale_t locale);

locale_t __wrap_uselocale(locale_t locale) {
  const locale_t before = __real_uselocale(locale);
  if (locale != NULL && before != NULL) changed();
  return before;
}

static locale_t set_by_setlocale;

static const char* name_of(int category) {
  return set_by_setlocale != NULL ? nl_langinfo_l(_NL_LOCALE_NAME(category), set_by_setlocale) : "C";
}

/* "C", or "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;..." where categories differ. */
static char* name_of_all(void) {
  static const struct {
    int category;
    const char* name;
  } all[] = {{LC_CTYPE, "LC_CTYPE"},
             {LC_NUMERIC, "LC_NUMERIC"},
             {LC_TIME, "LC_TIME"},
             {LC_COLLATE, "LC_COLLATE"},
             {LC_MONETARY, "LC_MONETARY"},
             {LC_MESSAGES, "LC_MESSAGES"},
             {LC_PAPER, "LC_PAPER"},
             {LC_NAME, "LC_NAME"},
             {LC_ADDRESS, "LC_ADDRESS"},
             {LC_TELEPHONE, "LC_TELEPHONE"},
             {LC_MEASUREMENT, "LC_MEASUREMENT"},
             {LC_IDENTIFICATION, "LC_IDENTIFICATION"}};
  enum { CATEGORIES = sizeof all / sizeof *all };
  static char text[CATEGORIES * (NAME_MAX + 20)];
  int is_one = 1, length = 0;
  for (int i = 1; i < CATEGORIES; ++i) is_one = is_one && strcmp(name_of(all[i].category), name_of(LC_CTYPE)) == 0;
  if (is_one) {
    snprintf(text, sizeof text, "%s", name_of(LC_CTYPE));
    return text;
  }
  for (int i = 0; i < CATEGORIES && length < (int)sizeof text; ++i)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s%s=%s", i > 0 ? ";" : "", all[i].name,
                       name_of(all[i].category));
  return text;
}

char* __wrap_setlocale(int category, const char* name) {
  if (category < 0 || category > LC_IDENTIFICATION) {
    errno = EINVAL;
    return NULL;
  }
  if (name != NULL) {
    const locale_t base = set_by_setlocale != NULL ? duplocale(set_by_setlocale) : NULL;
    const locale_t wanted = newlocale(category == LC_ALL ? LC_ALL_MASK : 1 << category, name, base);
    if (wanted == NULL) {
      if (base != NULL) freelocale(base);
      return NULL;
    }
    const locale_t before = set_by_setlocale;
    set_by_setlocale = wanted;
    __wrap_uselocale(wanted);
    if (before != NULL) freelocale(before);
  }
  return category == LC_ALL ? name_of_all() : (char*)name_of(category);
}

/* ---- descriptors ---- */
int __real_close(int descriptor);
int __real_dup2(int from, int to);
int __real_dup3(int from, int to, int flags);

static int is_simulators(int descriptor) {
  return hal_host_calls != NULL && hal_host_calls->calls->keeps_descriptor(hal_host_calls->self, descriptor);
}

int __wrap_close(int descriptor) {
  if (hal_host_calls != NULL && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO))
    return fclose(descriptor == STDOUT_FILENO ? stdout : stderr) == 0 ? 0 : -1;
  if (hal_host_calls != NULL && descriptor == STDIN_FILENO) return 0; /* the other ranks read it, too */
  return is_simulators(descriptor) ? fail(EBADF) : __real_close(descriptor);
}

int __wrap_close_range(unsigned first, unsigned last, int flags) {
  if (first > last) return fail(EINVAL);
  if ((flags & (1 << 2)) != 0) return 0; /* CLOSE_RANGE_CLOEXEC: nothing is ever executed */
  DIR* const all = opendir("/proc/self/fd");
  if (all == NULL) return -1;
  unsigned found[1 << 10];
  size_t count = 0;
  for (const struct dirent* entry = readdir(all); entry != NULL && count < sizeof found / sizeof *found;
       entry = readdir(all)) {
    char* end = NULL;
    const unsigned long descriptor = strtoul(entry->d_name, &end, 10);
    if (end == entry->d_name || descriptor < first || descriptor > last || (int)descriptor == dirfd(all)) continue;
    found[count++] = (unsigned)descriptor;
  }
  closedir(all);
  for (size_t i = 0; i < count; ++i) __wrap_close((int)found[i]);
  return 0;
}

void __wrap_closefrom(int first) { __wrap_close_range(first < 0 ? 0 : (unsigned)first, UINT_MAX, 0); }

int __wrap_dup3(int from, int to, int flags) {
  if (hal_host_calls != NULL && from != to && (to == STDOUT_FILENO || to == STDERR_FILENO))
    return hal_redirect(from, to) == 0 ? to : -1;
  return from != to && is_simulators(to) ? fail(EBADF) : __real_dup3(from, to, flags);
}

int __wrap_dup2(int from, int to) { return from == to ? __real_dup2(from, to) : __wrap_dup3(from, to, 0); }

/* ---- limits ---- */
int __real_getrlimit(__rlimit_resource_t resource, struct rlimit* limit);

static struct {
  int is_set;
  struct rlimit limit;
} limits[RLIM_NLIMITS];

int __wrap_getrlimit(__rlimit_resource_t resource, struct rlimit* limit) {
  if ((int)resource < 0 || resource >= RLIM_NLIMITS) return fail(EINVAL);
  if (!limits[resource].is_set) return __real_getrlimit(resource, limit);
  *limit = limits[resource].limit;
  return 0;
}

int __wrap_setrlimit(__rlimit_resource_t resource, const struct rlimit* limit) {
  struct rlimit before;
  if (__wrap_getrlimit(resource, &before) != 0) return -1;
  if (limit->rlim_cur > limit->rlim_max) return fail(EINVAL);
  if (limit->rlim_max > before.rlim_max) return fail(EPERM);
  limits[resource].is_set = 1;
  limits[resource].limit = *limit;
  return 0;
}

int __wrap_getrlimit64(__rlimit_resource_t resource, struct rlimit* limit) { return __wrap_getrlimit(resource, limit); }
int __wrap_setrlimit64(__rlimit_resource_t resource, const struct rlimit* limit) {
  return __wrap_setrlimit(resource, limit);
}

int __wrap_prlimit(pid_t process, __rlimit_resource_t resource, const struct rlimit* limit, struct rlimit* before) {
  if (process != 0 && process != getpid()) return fail(ESRCH);
  if (before != NULL && __wrap_getrlimit(resource, before) != 0) return -1;
  return limit != NULL ? __wrap_setrlimit(resource, limit) : 0;
}
int __wrap_prlimit64(pid_t process, __rlimit_resource_t resource, const struct rlimit* limit, struct rlimit* before) {
  return __wrap_prlimit(process, resource, limit, before);
}

/* ---- system calls by number: those that have a meaning of their own here go the same way as by name ---- */
long __real_syscall(long number, ...);

long __wrap_syscall(long number, ...) {
  long a[6];
  va_list values;
  va_start(values, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(values, long);
  va_end(values);
  if (hal_host_calls == NULL) return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  switch (number) {
    case SYS_exit:
    case SYS_exit_group:
      _exit((int)a[0]);
    case SYS_kill:
      return kill((pid_t)a[0], (int)a[1]);
    case SYS_tkill:
      return raise((int)a[1]);
    case SYS_tgkill:
      return kill((pid_t)a[0], (int)a[2]);
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone:
    case SYS_clone3:
      return fork();
    case SYS_execve:
    case SYS_execveat:
      return execve("", (char* const[]){NULL}, NULL);
    case SYS_write:
      return write((int)a[0], (const void*)a[1], (size_t)a[2]);
    case SYS_close:
      return close((int)a[0]);
    case SYS_close_range:
      return __wrap_close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]);
    case SYS_dup2:
      return __wrap_dup2((int)a[0], (int)a[1]);
    case SYS_dup3:
      return __wrap_dup3((int)a[0], (int)a[1], (int)a[2]);
    case SYS_chdir:
      return __wrap_chdir((const char*)a[0]);
    case SYS_fchdir:
      return __wrap_fchdir((int)a[0]);
    case SYS_umask:
      return (long)__wrap_umask((mode_t)a[0]);
    case SYS_setrlimit:
      return __wrap_setrlimit((__rlimit_resource_t)a[0], (const struct rlimit*)a[1]);
    case SYS_getrlimit:
      return __wrap_getrlimit((__rlimit_resource_t)a[0], (struct rlimit*)a[1]);
    case SYS_prlimit64:
      return __wrap_prlimit((pid_t)a[0], (__rlimit_resource_t)a[1], (const struct rlimit*)a[2], (struct rlimit*)a[3]);
    case SYS_getrandom:
      return getrandom((void*)a[0], (size_t)a[1], (unsigned)a[2]);
    case SYS_getpid:
      return getpid();
    case SYS_getppid:
      return getppid();
    default:
      return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
}
