/* Atomic operations on a word of memory, as all of the software names them: libraries that request one, and the code
 * that executes it where the word is (firmware of a card, a daemon). */
#ifndef SANVP_SW_WORD_H
#define SANVP_SW_WORD_H

#include <stdint.h>

enum word_operation {
  WORD_FETCH, /* does not change it */
  WORD_SET,
  WORD_ADD,
  WORD_AND,
  WORD_OR,
  WORD_XOR,
  WORD_COMPARE_AND_SET /* the operand, if the word equals the comparand */
};

/* The new value of the word. Words of 4 bytes are the low half of each value; the high half is ignored. */
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
