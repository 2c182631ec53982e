/* The levels at which the paper measures the machine (paper 3, figure 4), behind one interface for the ping programs.
 * A level moves one message between this process and a partner, from and to a buffer in main or Elan memory.
 */
#ifndef SANVP_APPS_LEVELS_H
#define SANVP_APPS_LEVELS_H

#include <stddef.h>
#include <stdint.h>

struct level {
  const char* name;
  /* Collective. `elan_memory`: buffers there, else in main memory. The result is passed to the other calls. */
  void* (*create)(size_t most_bytes, int elan_memory, int partner);
  void (*send)(void* state, size_t bytes);     /* one message to the partner */
  void (*receive)(void* state, size_t bytes);  /* one from it */
  void (*exchange)(void* state, size_t bytes); /* one each way at once */
  /* Fills the message to be sent; checks the last one received. */
  void (*fill)(void* state, size_t bytes, unsigned seed);
  size_t (*wrong)(void* state, size_t bytes, unsigned seed); /* how many bytes are wrong */
  void (*barrier)(void* state);
  /* Sends a number to the partner, and returns the partner's. Collective. */
  uint64_t (*swap)(void* state, uint64_t mine);
};

extern const struct level level_elan3;
extern const struct level level_elan;
extern const struct level level_tport;
extern const struct level level_mpi;
extern const struct level level_shmem;

/* By name; null if the level is unknown. */
const struct level* level_find(const char* name);
#define LEVEL_NAMES "elan3|elan|tport|mpi|shmem"

/* Byte i of a message. */
static inline unsigned char level_byte(size_t i, unsigned seed) {
  return (unsigned char)(i * 7u + i / 251u + seed * 31u);
}
void level_fill(unsigned char* bytes, size_t count, unsigned seed);
size_t level_wrong(const unsigned char* bytes, size_t count, unsigned seed);

#endif
