/* Arguments of a program, `--key value` or `--key=value`. The program reads each once, with its description;
 * options_check() then refuses unknown ones, naming the known ones, and `--help` lists them. `sanvp describe` and
 * `sanvp list apps` list them without running it: each call leaves its texts in the image (OPTIONS_TOLD).
 */
#ifndef SANVP_SW_OPTIONS_H
#define SANVP_SW_OPTIONS_H

#include <stddef.h>

#define OPTIONS_MOST 32

struct options {
  int argc;
  char** argv;
  int asked;
  struct {
    const char *key, *fallback, *meaning;
  } known[OPTIONS_MOST];
};

void options_init(struct options* options, int argc, char** argv);
const char* options_text(struct options* options, const char* key, const char* fallback, const char* meaning);
/* One of `choices`, which are separated by '|'. */
const char* options_choice(struct options* options, const char* key, const char* fallback, const char* choices);
/* A number of 0 or more; with K, M or G it is times 1024, 1024^2, 1024^3. */
size_t options_size(struct options* options, const char* key, const char* fallback, const char* meaning);
/* Ends the program, with status 2, if an argument is unknown; with 0 after --help. */
void options_check(struct options* options);
/* For a mistake that all ranks have found: ends the job with status 2 when rank 0, which reports it, has come here. */
__attribute__((noreturn)) void options_refused(void);

/* Texts in the section .sanvp.options, which no code reads: key, meaning, and the default as it is written in C. */
#define OPTIONS_TOLD(key, fallback, meaning)                                            \
  ({                                                                                    \
    static const char told[] __attribute__((section(".sanvp.options"), used, retain)) = \
        key "\n" meaning "\n" #fallback;                                                \
  })
/* If a meaning is not a literal, the caller writes (options_choice)(...) after an OPTIONS_TOLD of its own. */
#define options_text(options, key, fallback, meaning) \
  (OPTIONS_TOLD(key, fallback, meaning), options_text(options, key, fallback, meaning))
#define options_choice(options, key, fallback, choices) \
  (OPTIONS_TOLD(key, fallback, choices), options_choice(options, key, fallback, choices))
#define options_size(options, key, fallback, meaning) \
  (OPTIONS_TOLD(key, fallback, meaning), options_size(options, key, fallback, meaning))

#endif
