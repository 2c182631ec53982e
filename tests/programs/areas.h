/* Buffers of storms: their contents and their expected contents at the end; every byte has exactly one correct value.
 * */
#ifndef PROGRAMS_AREAS_H
#define PROGRAMS_AREAS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_types.h"

enum { UNTOUCHED = 0xee, GUARD = 64 };

struct area {
  unsigned char *memory, *want;
  long bytes, base; /* base: position of offset 0 */
};

/* For offsets from `low` to `high`. */
static struct area area_of(long low, long high) {
  struct area a;
  low &= ~15L;
  a.bytes = (high - low + 2 * GUARD + 63) / 64 * 64;
  a.memory = aligned_alloc(64, (size_t)a.bytes);
  a.want = malloc((size_t)a.bytes);
  memset(a.memory, UNTOUCHED, (size_t)a.bytes);
  memset(a.want, UNTOUCHED, (size_t)a.bytes);
  a.base = GUARD - low;
  return a;
}
static void* area_start(const struct area* a) { return a->memory ? a->memory + a->base : NULL; }
static void want_what_is_there(struct area* a) {
  if (a->memory) memcpy(a->want, a->memory, (size_t)a->bytes);
}
static void area_free(struct area* a) {
  free(a->memory);
  free(a->want);
  a->memory = a->want = NULL;
}
/* The first wrong byte, or -1. */
static long area_wrong(const struct area* a) {
  if (!a->memory || memcmp(a->memory, a->want, (size_t)a->bytes) == 0) return -1;
  long at = 0;
  while (a->memory[at] == a->want[at]) ++at;
  return at;
}

/* ---- contents ---- */
static uint64_t mixed(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  return x ^ x >> 32;
}
/* The word at a place of the data that one process gives to another in an operation. */
static uint64_t word_of(int operation, int from, int to, long place) {
  return mixed(((uint64_t)operation << 40) + ((uint64_t)from << 32) + ((uint64_t)to << 24) + (uint64_t)place);
}

struct place {
  const struct map* map;
  long offset, first, count; /* offset: bytes; elements */
};
static unsigned char* element(unsigned char* base, const struct place* p, long n, int e) {
  return base + p->offset + n * p->map->extent + p->map->at[e];
}

enum where { THERE, WANTED }; /* in the memory; in its expected contents */
static unsigned char* side_of(const struct area* a, enum where where) {
  return (where == WANTED ? a->want : a->memory) + a->base;
}

#endif
