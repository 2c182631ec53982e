/* See options.h. All ranks parse the same arguments; rank 0 alone speaks. */
#include "sw/support/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/size.h"

#undef options_text
#undef options_choice
#undef options_size

/* Any rank's status ends the job. */
void options_refused(void) {
  while (hal_rank() > 0) hal_sleep_ps(HAL_PS_PER_S);
  hal_exit(2);
}

static void refuse(const char* format, const char* a, const char* b) {
  if (hal_rank() <= 0) {
    fprintf(stderr, format, a, b);
    fputc('\n', stderr);
  }
  options_refused();
}

void options_init(struct options* options, int argc, char** argv) {
  *options = (struct options){.argc = argc, .argv = argv};
}

/* The text after '=' or in the next argument; null if `argument` is another option. */
static const char* value_of(const struct options* options, int argument, const char* key) {
  const char* text = options->argv[argument];
  const size_t length = strlen(key);
  if (strncmp(text, "--", 2) != 0 || strncmp(text + 2, key, length) != 0) return NULL;
  if (text[2 + length] == '=') return text + 3 + length;
  if (text[2 + length] != '\0') return NULL;
  if (argument + 1 == options->argc) refuse("option --%s wants a value%s", key, "");
  return options->argv[argument + 1];
}

const char* options_text(struct options* options, const char* key, const char* fallback, const char* meaning) {
  options->known[options->asked].key = key;
  options->known[options->asked].fallback = fallback;
  options->known[options->asked].meaning = meaning;
  ++options->asked;
  const char* found = fallback;
  for (int i = 1; i < options->argc; ++i) {
    const char* value = value_of(options, i, key);
    if (value) found = value;
  }
  return found;
}

const char* options_choice(struct options* options, const char* key, const char* fallback, const char* choices) {
  const char* chosen = options_text(options, key, fallback, choices);
  const size_t length = strlen(chosen);
  for (const char* at = choices; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
    if (strncmp(at, chosen, length) == 0 && (at[length] == '|' || at[length] == '\0') && length > 0) return chosen;
  char what[128];
  snprintf(what, sizeof what, "--%s %s", key, chosen);
  refuse("%s: it is one of %s", what, choices);
  return fallback;
}

size_t options_size(struct options* options, const char* key, const char* fallback, const char* meaning) {
  const char* text = options_text(options, key, fallback, meaning);
  size_t value = 0;
  if (!size_read(text, &value)) refuse("--%s wants a number such as 64, 4K or 1M, not '%s'", key, text);
  return value;
}

static void help(const struct options* options) {
  for (int i = 0; i < options->asked && hal_rank() <= 0; ++i)
    printf("--%-12s %s (default %s)\n", options->known[i].key, options->known[i].meaning, options->known[i].fallback);
  hal_exit(0);
}

void options_check(struct options* options) {
  for (int i = 1; i < options->argc; ++i) {
    if (strcmp(options->argv[i], "--help") == 0) help(options);
    int known = 0;
    for (int k = 0; k < options->asked && !known; ++k) {
      const char* value = value_of(options, i, options->known[k].key);
      known = value != NULL;
      if (value && i + 1 < options->argc && value == options->argv[i + 1]) ++i;
    }
    if (!known) refuse("unknown argument '%s': see -- --help%s", options->argv[i], "");
  }
}
