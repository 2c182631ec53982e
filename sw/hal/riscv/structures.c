/* Clearing and copying of structures by the compiler. GCC for x86-64 does it in line, as code of the library that it
 * compiles; GCC for RISC-V calls memset and memcpy, whose code is the C library's and has its price. The archives of
 * our libraries call these instead (cmake/RiscvPrograms.cmake), which are code of the libraries, too. */
#include <stdint.h>
#include <string.h>

#define LARGEST_STRUCTURE 512u /* up to which GCC for x86-64 stores in line (cmake/Compiler.cmake) */
#define WORD sizeof(uint64_t)

void* sanvp_memset(void* to, int value, size_t bytes);
void* sanvp_memcpy(void* to, const void* from, size_t bytes);
void* sanvp_c_memset(void* to, int value, size_t bytes);
void* sanvp_c_memcpy(void* to, const void* from, size_t bytes);

static int are_words(uintptr_t addresses, size_t bytes) {
  return bytes <= LARGEST_STRUCTURE && (addresses | bytes) % WORD == 0;
}

void* sanvp_memset(void* to, int value, size_t bytes) {
  if (!are_words((uintptr_t)to, bytes)) return memset(to, value, bytes);
  const uint64_t word = (uint64_t)(unsigned char)value * 0x0101010101010101u;
  uint64_t* const words = to;
  for (size_t i = 0; i < bytes / WORD; ++i) words[i] = word;
  return to;
}

void* sanvp_memcpy(void* to, const void* from, size_t bytes) {
  if (!are_words((uintptr_t)to | (uintptr_t)from, bytes)) return memcpy(to, from, bytes);
  uint64_t* const words = to;
  const uint64_t* const others = from;
  for (size_t i = 0; i < bytes / WORD; ++i) words[i] = others[i];
  return to;
}

void* sanvp_c_memset(void* to, int value, size_t bytes) { return memset(to, value, bytes); }

void* sanvp_c_memcpy(void* to, const void* from, size_t bytes) { return memcpy(to, from, bytes); }
