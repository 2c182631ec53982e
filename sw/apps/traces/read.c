/* Traces from files. All processors read the whole file, so all find the same errors; the first one reports. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/traces/trace.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define LINE_MOST 256
#define SHOWN "32" /* characters of a wrong word in a message */

struct place {
  const char* file;
  unsigned long line;
};

static void refuse(const struct place* place, const char* word, const char* what) {
  char shown[40];
  snprintf(shown, sizeof shown, "%." SHOWN "s", word);
  for (char* at = shown; *at; ++at)
    if ((unsigned char)*at < ' ' || (unsigned char)*at > '~') *at = '?';
  if (hal_rank() == 0) fprintf(stderr, "%s:%lu: '%s' %s\n", place->file, place->line, shown, what);
  options_refused();
}

static uint64_t number(const struct place* place, const char* word, uint64_t most, const char* what) {
  char* end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(word, &end, 10);
  if (*word < '0' || *word > '9' || *end || errno || value > most) refuse(place, word, what);
  return value;
}

static unsigned processor(const struct place* place, const char* word) {
  return (unsigned)number(place, word, (uint64_t)hal_ranks() - 1,
                          "is no processor: they have the numbers of the job's ranks");
}

static uint64_t span_ps(const struct place* place, const char* word) {
  static const struct {
    const char* unit;
    double ps;
  } units[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
  const double most = 1e18; /* over eleven days */
  char* end = NULL;
  const double value = strtod(word, &end);
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (end != word && strcmp(end, units[i].unit) == 0 && value >= 0 && value * units[i].ps <= most)
      return (uint64_t)(value * units[i].ps + 0.5);
  refuse(place, word, "is no time such as 25us, of eleven days at most");
  return 0;
}

/* The next word, which must be there. */
static const char* word(const struct place* place, const char* before, const char* what) {
  const char* next = strtok(NULL, " \t\r\n");
  if (!next) refuse(place, before, what);
  return next;
}

static void read_line(struct trace* trace, const struct place* place, char* line) {
  static const uint64_t most_bytes = 1u << 30;
  char* comment = strchr(line, '#');
  if (comment) *comment = '\0';
  const char* first = strtok(line, " \t\r\n");
  if (!first) return;
  const unsigned owner = processor(place, first);
  const char* what = word(place, first, "is a processor without an instruction: compute, send or receive");
  struct instruction instruction = {COMPUTE, 0, 0};
  if (strcmp(what, "compute") == 0) {
    instruction.amount = span_ps(place, word(place, what, "wants a time"));
  } else if (strcmp(what, "send") == 0 || strcmp(what, "receive") == 0) {
    instruction.kind = *what == 's' ? SEND : RECEIVE;
    const char* peer = word(place, what, "wants a processor");
    instruction.peer = processor(place, peer);
    if (instruction.peer == owner) refuse(place, peer, "is the processor itself: synchronous messages go to others");
  } else {
    refuse(place, what, "is not one of compute, send, receive");
  }
  if (instruction.kind == SEND)
    instruction.amount = number(place, word(place, what, "wants a number of bytes behind the processor"), most_bytes,
                                "is no number of bytes up to 1 GiB");
  const char* more = strtok(NULL, " \t\r\n");
  if (more) refuse(place, more, "is one word too many");
  if (instruction.kind == SEND && instruction.amount > trace->largest) trace->largest = instruction.amount;
  if (owner == (unsigned)hal_rank()) trace_add(trace, instruction.kind, instruction.peer, instruction.amount);
}

struct trace trace_read(const char* file) {
  struct trace trace = {0};
  struct place place = {file, 0};
  FILE* stream = fopen(file, "r");
  if (!stream) {
    if (hal_rank() == 0) fprintf(stderr, "%s: %s\n", file, strerror(errno));
    options_refused();
  }
  char line[LINE_MOST];
  while (fgets(line, sizeof line, stream)) {
    ++place.line;
    const size_t length = strlen(line);
    if (length == sizeof line - 1 && line[length - 1] != '\n') refuse(&place, line, "begins a line that is too long");
    if (length == 0) refuse(&place, "", "is a line with a zero byte: this is no text");
    read_line(&trace, &place, line);
  }
  fclose(stream);
  return trace;
}
