/* Rules by size as a user writes them, in a setting: NAME:SIZE,NAME:SIZE,NAME. */
#include <stdint.h>
#include <string.h>

#include "sw/mpi/collectives/collective.h"

static const struct unit {
  const char* name;
  size_t bytes;
} units[] = {{"", 1},
             {"B", 1},
             {"k", 1u << 10},
             {"K", 1u << 10},
             {"M", 1u << 20},
             {"G", 1u << 30},
             {"kB", 1000},
             {"MB", 1000 * 1000},
             {"GB", 1000 * 1000 * 1000},
             {"KiB", 1u << 10},
             {"MiB", 1u << 20},
             {"GiB", 1u << 30}};

/* 0: the name is no unit. */
static size_t unit_named(const char* name, size_t length) {
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0) return units[i].bytes;
  return 0;
}

static const char* read_size(const char* text, size_t length, size_t* size) {
  const size_t digits = strspn(text, "0123456789");
  if (length == 0) return "a size is missing after ':'";
  const size_t unit = digits > 0 && digits <= length ? unit_named(text + digits, length - digits) : 0;
  if (unit == 0) return "a size is a number of bytes such as 256, 1K, 1KiB or 1MiB";
  *size = 0;
  for (size_t i = 0; i < digits; ++i)
    if (__builtin_mul_overflow(*size, (size_t)10, size) || __builtin_add_overflow(*size, (size_t)(text[i] - '0'), size))
      return "a size is too large";
  return __builtin_mul_overflow(*size, unit, size) ? "a size is too large" : NULL;
}

const char mpi_no_such_name[] = "no such name";

#define TEXT(number) #number
#define TEXT_OF(number) TEXT(number)

const char* mpi_read_rules(const struct mpi_choice* choice, const char* text, struct mpi_rules* rules) {
  for (rules->count = 0; rules->count < MPI_RULES_MOST;) {
    struct mpi_rule* rule = &rules->rule[rules->count++];
    const size_t name = strcspn(text, ":,"), all = strcspn(text, ",");
    if (name == 0 && *text == '\0' && rules->count > 1) return "the name after the last size is missing";
    if ((rule->name = mpi_choice_index(choice, text, name)) < 0) return mpi_no_such_name;
    rule->most = SIZE_MAX;
    if (text[name] == '\0') return NULL;
    if (text[name] != ':') return "a size is missing: each name but the last has one";
    const char* wrong = read_size(text + name + 1, all - name - 1, &rule->most);
    if (wrong) return wrong;
    if (text[all] == '\0') return "the last name has no size: add one for all that is larger";
    if (rules->count > 1 && rule->most <= rule[-1].most) return "sizes do not rise";
    text += all + 1;
  }
  return "too many rules: there are " TEXT_OF(MPI_RULES_MOST) " at most";
}
