/* Classes of instructions, by which the assembler of images counts them (scripts/images/) and a processor prices them
 * (models/native/instruction_costs.hpp). The order is part of the records in images. */
#ifndef SANVP_HAL_INSTRUCTION_CLASS_H
#define SANVP_HAL_INSTRUCTION_CLASS_H

enum hal_instruction_class {
  HAL_INTEGER, /* add, logic, compare, address arithmetic, conditional move */
  HAL_SHIFT,
  HAL_MULTIPLY,
  HAL_DIVIDE,
  HAL_LOAD, /* of up to 8 bytes */
  HAL_STORE,
  HAL_BRANCH,
  HAL_CALL, /* and return */
  HAL_FLOAT_ADD,
  HAL_FLOAT_MULTIPLY,
  HAL_FLOAT_DIVIDE,
  HAL_FLOAT_SQRT,
  HAL_CONVERSION,
  HAL_MOVE,   /* between registers */
  HAL_ATOMIC, /* lock prefix, fence */
  HAL_INSTRUCTION_CLASSES
};

#endif
