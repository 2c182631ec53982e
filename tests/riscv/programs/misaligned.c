/* Loads and stores at any address, also over the end of a page. */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
  char* page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 8192; ++i) page[i] = (char)(i * 13);
  uint64_t sum = 0;
  for (int at = 4080; at < 4100; ++at) {
    uint64_t a;
    int32_t b;
    int16_t c;
    double d;
    __asm__ volatile("ld %0, 0(%1)" : "=r"(a) : "r"(page + at) : "memory");
    __asm__ volatile("lw %0, 0(%1)" : "=r"(b) : "r"(page + at) : "memory");
    __asm__ volatile("lh %0, 0(%1)" : "=r"(c) : "r"(page + at) : "memory");
    __asm__ volatile("fld %0, 0(%1)" : "=f"(d) : "r"(page + at) : "memory");
    sum = sum * 31 + a + (uint64_t)(int64_t)b + (uint64_t)(int64_t)c;
    __asm__ volatile("sd %0, 0(%1)" ::"r"(sum), "r"(page + at) : "memory");
    __asm__ volatile("fsd %0, 3(%1)" ::"f"(d), "r"(page + at) : "memory");
    printf("%lx\n", sum);
  }
  return 0;
}
