/* Included before each source of our libraries for RISC-V. A copy or a clearing of a constant size is the compiler's,
 * as those of structures are: structures.c. One of a variable size is the C library's, as in native programs. */
#pragma once

void* sanvp_c_memset(void* to, int value, __SIZE_TYPE__ bytes);
void* sanvp_c_memcpy(void* to, const void* from, __SIZE_TYPE__ bytes);

#define SANVP_IN_LINE extern inline __attribute__((gnu_inline, always_inline, artificial))

SANVP_IN_LINE void* memset(void* to, int value, __SIZE_TYPE__ bytes) {
  return __builtin_constant_p(bytes) ? __builtin_memset(to, value, bytes) : sanvp_c_memset(to, value, bytes);
}

SANVP_IN_LINE void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
  return __builtin_constant_p(bytes) ? __builtin_memcpy(to, from, bytes) : sanvp_c_memcpy(to, from, bytes);
}

#undef SANVP_IN_LINE
