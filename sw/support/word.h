/* Atomic operations on a word of memory, as all of the software names them: libraries that request one, and the code
 * that executes it where the word is (firmware of a card, a daemon). */
#ifndef SANVP_SW_WORD_H
#define SANVP_SW_WORD_H

#include <stdint.h>

enum word_operation {
  WORD_FETCH, /* leaves it as it is */
  WORD_SET,
  WORD_ADD,
  WORD_AND,
  WORD_OR,
  WORD_XOR,
  WORD_COMPARE_AND_SET /* the operand, where the word is the comparand */
};

/* What the word becomes. Words of 4 bytes are in the low half of each value; what is above it counts for nothing. */
static inline uint64_t word_after(enum word_operation operation, uint64_t before, uint64_t operand,
                                  uint64_t comparand) {
  switch (operation) {
    case WORD_FETCH:
      return before;
    case WORD_SET:
      return operand;
    case WORD_ADD:
      return before + operand;
    case WORD_AND:
      return before & operand;
    case WORD_OR:
      return before | operand;
    case WORD_XOR:
      return before ^ operand;
    case WORD_COMPARE_AND_SET:
      return before == comparand ? operand : before;
  }
  return before;
}

#endif
