/* getopt and its kin, with a position in the arguments for each process: the C library keeps one, and a process may
 * yield between two options. As getopt(3) of GNU describes them, with its messages. optind, optarg, opterr and optopt
 * are the C library's, which the simulator keeps for each process (models/native/thread.hpp). They are weak: many
 * programs have a getopt of their own. Free of charge, as the C library's. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

/* The C library's own functions, not those that are charged. */
size_t __real_strlen(const char* text);
int __real_strncmp(const char* left, const char* right, size_t most);
char* __real_strchr(const char* text, int byte);
int __real_vfprintf(FILE* file, const char* format, va_list values);

enum order { PERMUTE, REQUIRE_ORDER, RETURN_IN_ORDER };

/* The position of a process in its arguments. */
struct place {
  int has_begun;
  enum order order;
  char* next;          /* the rest of a word with several short options */
  int skipped, behind; /* words that are no options, from argv[skipped] to before argv[behind] */
};

static struct place* place_now(void) {
  static struct place place;
  return &place;
}

/* A call. */
struct scan {
  int count;
  char** words;
  const char* letters; /* without what says the order */
  const struct option* names;
  int* index;
  int only_long;
  int complains;
  struct place* at;
};

__attribute__((format(printf, 2, 3))) static void complain(const struct scan* scan, const char* format, ...) {
  if (!scan->complains) return;
  va_list values;
  va_start(values, format);
  __real_vfprintf(stderr, format, values);
  va_end(values);
}

static int is_option(const char* word) { return word[0] == '-' && word[1] != '\0'; }

static void begin(struct place* at, const char* letters) {
  if (optind == 0) optind = 1;
  at->has_begun = 1;
  at->next = NULL;
  at->skipped = at->behind = optind;
  at->order = letters[0] == '-'                                        ? RETURN_IN_ORDER
              : letters[0] == '+' || getenv("POSIXLY_CORRECT") != NULL ? REQUIRE_ORDER
                                                                       : PERMUTE;
}

static void reverse(char** words, int begin, int end) {
  for (--end; begin < end; ++begin, --end) {
    char* const word = words[begin];
    words[begin] = words[end];
    words[end] = word;
  }
}

/* Puts the words that were skipped behind the options that came after them. */
static void exchange(struct scan* scan) {
  struct place* const at = scan->at;
  reverse(scan->words, at->skipped, at->behind);
  reverse(scan->words, at->behind, optind);
  reverse(scan->words, at->skipped, optind);
  at->skipped += optind - at->behind;
  at->behind = optind;
}

static void pass_skipped(struct scan* scan) {
  struct place* const at = scan->at;
  if (at->skipped != at->behind && at->behind != optind)
    exchange(scan);
  else if (at->behind != optind)
    at->skipped = optind;
}

/* An argument is missing. */
static int missing(const struct scan* scan, int option) {
  optopt = option;
  return scan->letters[0] == ':' ? ':' : '?';
}

static int takes_same(const struct option* one, const struct option* other) {
  return one->has_arg == other->has_arg && one->flag == other->flag && one->val == other->val;
}

/* The option whose name is `name`, or the only one that begins so. NULL with *is_ambiguous if there are several. */
static const struct option* find(const struct scan* scan, const char* name, size_t length, int* is_ambiguous) {
  const struct option* found = NULL;
  for (const struct option* one = scan->names; one->name != NULL; ++one) {
    if (__real_strncmp(one->name, name, length) != 0) continue;
    if (__real_strlen(one->name) == length) {
      *is_ambiguous = 0;
      return one;
    }
    if (found == NULL)
      found = one;
    else if (scan->only_long || !takes_same(found, one))
      *is_ambiguous = 1;
  }
  return *is_ambiguous ? NULL : found;
}

static void complain_of_many(const struct scan* scan, const char* prefix, const char* name, size_t length) {
  complain(scan, "%s: option '%s%s' is ambiguous; possibilities:", scan->words[0], prefix, name);
  for (const struct option* one = scan->names; one->name != NULL; ++one)
    if (__real_strncmp(one->name, name, length) == 0) complain(scan, " '%s%s'", prefix, one->name);
  complain(scan, "\n");
}

/* The rest of the word is the name of a long option. Returns -1 if it is a group of short ones. */
static int take_long(struct scan* scan, const char* prefix) {
  char* const name = scan->at->next;
  size_t length = 0;
  while (name[length] != '\0' && name[length] != '=') ++length;
  int is_ambiguous = 0;
  const struct option* const found = find(scan, name, length, &is_ambiguous);
  const int may_be_short = scan->only_long && scan->words[optind][1] != '-' && __real_strchr(scan->letters, *name);
  if (found == NULL && !is_ambiguous && may_be_short) return -1;
  scan->at->next = NULL;
  ++optind;
  if (found == NULL) {
    if (is_ambiguous)
      complain_of_many(scan, prefix, name, length);
    else
      complain(scan, "%s: unrecognized option '%s%s'\n", scan->words[0], prefix, name);
    optopt = 0;
    return '?';
  }
  if (name[length] == '=' && found->has_arg == no_argument) {
    complain(scan, "%s: option '%s%s' doesn't allow an argument\n", scan->words[0], prefix, found->name);
    optopt = found->val;
    return '?';
  }
  if (name[length] == '=') {
    optarg = name + length + 1;
  } else if (found->has_arg == required_argument) {
    if (optind >= scan->count) {
      complain(scan, "%s: option '%s%s' requires an argument\n", scan->words[0], prefix, found->name);
      return missing(scan, found->val);
    }
    optarg = scan->words[optind++];
  }
  if (scan->index != NULL) *scan->index = (int)(found - scan->names);
  if (found->flag == NULL) return found->val;
  *found->flag = found->val;
  return 0;
}

/* The next letter, with its argument in the same word or the next. */
static int take_short(struct scan* scan) {
  struct place* const at = scan->at;
  const char letter = *at->next++;
  const char* const known = __real_strchr(scan->letters, letter);
  if (*at->next == '\0') ++optind;
  if (known == NULL || letter == ':' || letter == ';') {
    complain(scan, "%s: invalid option -- '%c'\n", scan->words[0], letter);
    optopt = letter;
    return '?';
  }
  const int is_long = known[0] == 'W' && known[1] == ';' && scan->names != NULL; /* -W NAME is --NAME */
  if (known[1] != ':' && !is_long) return letter;
  char* const rest = *at->next != '\0' ? at->next : NULL;
  if (rest == NULL && known[1] == ':' && known[2] == ':') {
    at->next = NULL;
    return letter;
  }
  if (rest == NULL && optind >= scan->count) {
    complain(scan, "%s: option requires an argument -- '%c'\n", scan->words[0], letter);
    at->next = is_long ? at->next : NULL;
    return missing(scan, letter);
  }
  if (is_long) {
    at->next = rest != NULL ? rest : scan->words[optind];
    scan->only_long = 0;
    return take_long(scan, "-W ");
  }
  optarg = rest != NULL ? rest : scan->words[optind];
  ++optind;
  at->next = NULL;
  return letter;
}

/* Advances to the next word. 0: its options are to be taken; else the call's result. */
static int next_word(struct scan* scan) {
  struct place* const at = scan->at;
  if (at->behind > optind) at->behind = optind;
  if (at->skipped > optind) at->skipped = optind;
  if (at->order == PERMUTE) {
    pass_skipped(scan);
    while (optind < scan->count && !is_option(scan->words[optind])) ++optind;
    at->behind = optind;
  }
  const char* const word = optind < scan->count ? scan->words[optind] : "";
  if (word[0] == '-' && word[1] == '-' && word[2] == '\0') { /* no options behind it */
    ++optind;
    pass_skipped(scan);
    at->behind = optind = scan->count;
  }
  if (optind >= scan->count) {
    if (at->skipped != at->behind) optind = at->skipped;
    return -1;
  }
  if (is_option(word)) return 0;
  if (at->order == REQUIRE_ORDER) return -1;
  optarg = scan->words[optind++];
  return 1;
}

static int option_take(struct scan scan, int is_posix) {
  struct place* const at = scan.at;
  if (scan.count < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !at->has_begun) {
    begin(at, scan.letters);
    if (is_posix && at->order == PERMUTE) at->order = REQUIRE_ORDER;
  }
  if (scan.letters[0] == '-' || scan.letters[0] == '+') ++scan.letters;
  scan.complains = opterr != 0 && scan.letters[0] != ':';
  if (at->next == NULL || *at->next == '\0') {
    const int over = next_word(&scan);
    if (over != 0) return over;
    char* const word = scan.words[optind];
    at->next = word + 1;
    if (scan.names != NULL && word[1] == '-') {
      at->next = word + 2;
      return take_long(&scan, "--");
    }
    if (scan.names != NULL && scan.only_long && (word[2] != '\0' || !__real_strchr(scan.letters, word[1]))) {
      const int option = take_long(&scan, "-");
      if (option != -1) return option;
    }
  }
  return take_short(&scan);
}

WEAK int getopt(int count, char* const* words, const char* letters) {
  return option_take((struct scan){.count = count, .words = (char**)words, .letters = letters, .at = place_now()}, 0);
}

WEAK int __posix_getopt(int count, char* const* words, const char* letters) {
  return option_take((struct scan){.count = count, .words = (char**)words, .letters = letters, .at = place_now()}, 1);
}

WEAK int getopt_long(int count, char* const* words, const char* letters, const struct option* names, int* index) {
  const struct scan scan = {count, (char**)words, letters, names, index, 0, 0, place_now()};
  return option_take(scan, 0);
}

WEAK int getopt_long_only(int count, char* const* words, const char* letters, const struct option* names, int* index) {
  const struct scan scan = {count, (char**)words, letters, names, index, 1, 0, place_now()};
  return option_take(scan, 0);
}
