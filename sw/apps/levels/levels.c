#include "sw/apps/levels/levels.h"

#include <string.h>

const struct level* level_find(const char* name) {
  static const struct level* const levels[] = {&level_elan3, &level_elan, &level_tport, &level_mpi, &level_shmem};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
    if (strcmp(levels[i]->name, name) == 0) return levels[i];
  return NULL;
}

void level_fill(unsigned char* bytes, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; ++i) bytes[i] = level_byte(i, seed);
}

size_t level_wrong(const unsigned char* bytes, size_t count, unsigned seed) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) wrong += bytes[i] != level_byte(i, seed);
  return wrong;
}
