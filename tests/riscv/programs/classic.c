// C of the old school: setjmp, signals, alarm, timers, getopt, qsort, bsearch, locale, varargs, regular expressions.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static jmp_buf place;
static sigjmp_buf signal_place;
static volatile sig_atomic_t alarms;

static void dive(int depth) {
  if (depth == 0) longjmp(place, 7);
  dive(depth - 1);
}
static void on_alarm(int number) {
  (void)number;
  ++alarms;
}
static void on_fault(int number) { siglongjmp(signal_place, number); }
static int by_length(const void* a, const void* b) {
  const size_t one = strlen(*(const char*const*)a), other = strlen(*(const char*const*)b);
  return one != other ? (one < other ? -1 : 1) : strcmp(*(const char* const*)a, *(const char* const*)b);
}
static double mean(int count, ...) {
  va_list list;
  double sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; ++i) sum += va_arg(list, double);
  va_end(list);
  return sum / count;
}

int main(void) {
  char* words[] = {"prog", "-v", "--size=12", "-o", "out", "rest", "more", NULL};
  const struct option longs[] = {{"size", required_argument, NULL, 's'}, {0}};
  for (int c; (c = getopt_long(7, words, "vo:", longs, NULL)) != -1;) printf("%c %s\n", c, optarg ? optarg : "-");
  printf("%d left: %s\n", 7 - optind, words[optind]);

  if (setjmp(place) == 0) dive(40);
  printf("back\n");
  signal(SIGSEGV, on_fault);
  const int number = sigsetjmp(signal_place, 1);
  if (number == 0) *(volatile int*)8 = 1;
  printf("signal %d\n", number == SIGSEGV);

  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
  pause();
  printf("alarms %d, %s\n", (int)alarms, strerror(errno));
  raise(SIGALRM);
  printf("alarms %d\n", (int)alarms);

  const char* names[] = {"pear", "fig", "banana", "kiwi", "apple", "date"};
  qsort(names, 6, sizeof *names, by_length);
  for (int i = 0; i < 6; ++i) printf("%s ", names[i]);
  const char* key = "kiwi";
  printf("%d\n", (int)((const char**)bsearch(&key, names, 6, sizeof *names, by_length) - names));
  printf("%s %d\n", setlocale(LC_ALL, ""), isalpha('e') != 0);
  printf("%.3f %lc %d\n", mean(3, 1.0, 2.0, 4.5), (wint_t)L'x', (int)wcslen(L"wide"));
  regex_t expression;
  regmatch_t match[2];
  regcomp(&expression, "([0-9]+)-b", REG_EXTENDED);
  printf("%d %d\n", regexec(&expression, "aa 123-b", 2, match, 0), (int)match[1].rm_so);
  regfree(&expression);
  printf("%d %.10g %a\n", fnmatch("*.c", "classic.c", 0), strtod("1e-3x", NULL), 0.1);
  printf("%" PRId64 " %g %g\n", strtoll("-0x7f", NULL, 16), tgamma(5.5), fma(2, 3, 4));
  struct tm when = {.tm_year = 100, .tm_mday = 366};
  char text[64];
  setenv("TZ", "UTC", 1);
  printf("%ld ", (long)mktime(&when));
  strftime(text, sizeof text, "%Y-%m-%d %a", &when);
  printf("%s\n", text);
  hcreate(10);
  hsearch((ENTRY){"one", "1"}, ENTER);
  printf("%s\n", (char*)hsearch((ENTRY){"one", NULL}, FIND)->data);
  fflush(stdout);
  char* line = NULL;
  size_t room = 0;
  FILE* const memory = fmemopen("first\nsecond\n", 13, "r");
  while (getline(&line, &room, memory) > 0) printf("%s", line);
  fclose(memory);
  free(line);
  assert(abs(-3) == 3);
  return 0;
}
