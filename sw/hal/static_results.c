/* Results that the C library keeps in static memory until the next call: each process has its own, since others may
 * call before a result is used. Weak, since programs may have such functions of their own. Free of charge, as the C
 * library's. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
#define TEXT 64 /* longer than "Unknown error -2147483648" and "Real-time signal 30" */

/* For calls of the C library that return an error where these set errno. Returns whether there was one. */
static int failed(int error) {
  if (error != 0) errno = error;
  return error != 0;
}

/* ---- texts of errors and signals: only those of unknown numbers are made ---- */
WEAK char* strerror(int number) {
  static char text[TEXT];
  return strerror_r(number, text, sizeof text);
}

WEAK char* strsignal(int number) {
  static char text[TEXT];
  const char* const known = sigdescr_np(number);
  if (known != NULL) return (char*)known;
  const int is_real_time = number >= SIGRTMIN && number <= SIGRTMAX;
  snprintf(text, sizeof text, is_real_time ? "Real-time signal %d" : "Unknown signal %d",
           is_real_time ? number - SIGRTMIN : number);
  return text;
}

/* ---- users and groups: one entry of each for all calls, as in the C library ---- */
#define ENTRY 16384 /* a group with a thousand members */

static struct {
  struct passwd entry;
  char texts[ENTRY];
} * user;
static struct {
  struct group entry;
  char texts[ENTRY];
} * group;

/* The memory of a kind of entry, from its first use on. */
#define ROOM(of) ((of) != NULL || ((of) = malloc(sizeof *(of))) != NULL)

WEAK struct passwd* getpwuid(uid_t number) {
  struct passwd* found = NULL;
  if (ROOM(user)) failed(getpwuid_r(number, &user->entry, user->texts, sizeof user->texts, &found));
  return found;
}

WEAK struct passwd* getpwnam(const char* name) {
  struct passwd* found = NULL;
  if (ROOM(user)) failed(getpwnam_r(name, &user->entry, user->texts, sizeof user->texts, &found));
  return found;
}

WEAK struct group* getgrgid(gid_t number) {
  struct group* found = NULL;
  if (ROOM(group)) failed(getgrgid_r(number, &group->entry, group->texts, sizeof group->texts, &found));
  return found;
}

WEAK struct group* getgrnam(const char* name) {
  struct group* found = NULL;
  if (ROOM(group)) failed(getgrnam_r(name, &group->entry, group->texts, sizeof group->texts, &found));
  return found;
}

WEAK char* getlogin(void) {
  static char name[LOGIN_NAME_MAX];
  return failed(getlogin_r(name, sizeof name)) ? NULL : name;
}

/* ---- names ---- */
/* A file that mkstemp makes, and that is removed, has a name that is free. Not by tmpnam_r, of which the linker warns
 * wherever it occurs. */
WEAK char* tmpnam(char to[L_tmpnam]) {
  static char name[L_tmpnam];
  if (to == NULL) to = name;
  strcpy(to, P_tmpdir "/fileXXXXXX");
  const int file = mkstemp(to);
  if (file < 0) return NULL;
  close(file);
  unlink(to);
  return to;
}

WEAK char* ttyname(int descriptor) {
  static char name[TTY_NAME_MAX];
  return failed(ttyname_r(descriptor, name, sizeof name)) ? NULL : name;
}

WEAK char* inet_ntoa(struct in_addr address) {
  static char text[INET_ADDRSTRLEN];
  return (char*)inet_ntop(AF_INET, &address, text, sizeof text);
}

/* ---- numbers as digits ---- */
#define DIGITS 512 /* those of the largest double before the point, and more behind it than it has */

WEAK char* ecvt(double value, int count, int* point, int* sign) {
  static char text[DIGITS];
  return ecvt_r(value, count, point, sign, text, sizeof text) == 0 ? text : NULL;
}

WEAK char* fcvt(double value, int count, int* point, int* sign) {
  static char text[DIGITS];
  return fcvt_r(value, count, point, sign, text, sizeof text) == 0 ? text : NULL;
}
