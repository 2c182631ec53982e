/* Code that is written, run, changed and run again. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
  uint32_t* code = mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = 0;
  for (int i = 0; i < 200; ++i) {
    code[0] = 0x00000513u | (uint32_t)i << 20; /* li a0, i */
    code[1] = 0x00008067u;                     /* ret */
    __builtin___clear_cache((char*)code, (char*)code + 8);
    sum += ((int (*)(void))code)();
    __asm__ volatile("fence.i" ::: "memory");
  }
  printf("%d\n", sum);
  mprotect(code, 8192, PROT_READ | PROT_WRITE);
  code[0] = 0x06300513u; /* li a0, 99 */
  mprotect(code, 8192, PROT_READ | PROT_EXEC);
  printf("%d\n", ((int (*)(void))code)());
  return 0;
}
