/* Calls of the C library that are charged by a table: their names, and the classes of instructions in which
 * library_costs.h counts them. */
#ifndef SANVP_HAL_LIBRARY_H
#define SANVP_HAL_LIBRARY_H

enum hal_instruction_class {
  HAL_INTEGER,
  HAL_SHIFT,
  HAL_MULTIPLY,
  HAL_DIVIDE,
  HAL_LOAD,
  HAL_STORE,
  HAL_BRANCH,
  HAL_CALL,
  HAL_FLOAT_ADD,
  HAL_FLOAT_MULTIPLY,
  HAL_FLOAT_DIVIDE,
  HAL_FLOAT_SQRT,
  HAL_CONVERSION,
  HAL_MOVE,
  HAL_ATOMIC,
  HAL_FLOAT_FUSED, /* a multiply-add that rounds once */
  HAL_INSTRUCTION_CLASSES
};

/* HAL_LIBRARY_memcpy ...: functions that cost alike have the same number. */
enum hal_library_call {
#define CALL(name, ...) HAL_LIBRARY_##name,
#define UNIT(name, ...)
#define SAME(name, other)
#include "sw/abi/hal/library_costs.h"
#undef CALL
#undef SAME
  HAL_LIBRARY_CALLS,
#define CALL(name, ...)
#define SAME(name, other) HAL_LIBRARY_##name = HAL_LIBRARY_##other,
#include "sw/abi/hal/library_costs.h"
#undef CALL
#undef UNIT
#undef SAME
};

#endif
