/* Calls that print why a program ends, and end it: this process, not the simulator. Many programs have an `error` of
 * their own: weak, so that theirs takes precedence, which --wrap would not allow. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

static void say(int with_errno, const char* format, va_list values) {
  if (with_errno)
    vwarn(format, values);
  else
    vwarnx(format, values);
}

_Noreturn static void end(int status, int with_errno, const char* format, va_list values) {
  say(with_errno, format, values);
  exit(status);
}

WEAK void verr(int status, const char* format, va_list values) { end(status, 1, format, values); }
WEAK void verrx(int status, const char* format, va_list values) { end(status, 0, format, values); }

WEAK void err(int status, const char* format, ...) {
  va_list values;
  va_start(values, format);
  end(status, 1, format, values);
}

WEAK void errx(int status, const char* format, ...) {
  va_list values;
  va_start(values, format);
  end(status, 0, format, values);
}

/* Status 0: only prints. */
WEAK void error(int status, int error_number, const char* format, ...) {
  va_list values;
  va_start(values, format);
  fflush(stdout);
  errno = error_number;
  say(error_number != 0, format, values);
  va_end(values);
  if (status != 0) exit(status);
}
