/* Put and get. A put is one DMA that writes, a get one that reads; strided ones are all started, then waited for. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

enum how { AT_ONCE, WHEN_QUIET };

static void copy_here(void* dest, const void* source, size_t bytes) { memmove(dest, source, bytes); }

static void put(const char* call, void* dest, const void* source, size_t bytes, int pe, enum how how) {
  shmem_check(call, pe);
  if (bytes == 0) return;
  const transport_address remote = symmetric_address(call, dest, bytes);
  if ((unsigned)pe == transport_self())
    copy_here(dest, source, bytes);
  else if (how == AT_ONCE)
    transport_put_copied((unsigned)pe, remote, source, bytes);
  else
    transport_put((unsigned)pe, remote, source, bytes);
}

static void get(const char* call, void* dest, const void* source, size_t bytes, int pe, enum how how) {
  shmem_check(call, pe);
  if (bytes == 0) return;
  const transport_address remote = symmetric_address(call, source, bytes);
  if ((unsigned)pe == transport_self())
    copy_here(dest, source, bytes);
  else if (how == AT_ONCE)
    transport_get_now((unsigned)pe, remote, dest, bytes);
  else
    transport_get((unsigned)pe, remote, dest, bytes);
}

/* ---- strided ---- */
size_t shmem_span(const char* call, size_t count, ptrdiff_t stride, size_t size) {
  if (stride < 1) shmem_fail(call, "a stride is less than 1; strides count elements, 1 is without gaps");
  return count > 0 ? ((count - 1) * (size_t)stride + 1) * size : 0;
}

struct strides {
  ptrdiff_t dest, source;
};

static void iput(const char* call, void* dest, const void* source, struct strides strides, size_t count, size_t size,
                 int pe) {
  const size_t span = shmem_span(call, count, strides.dest, size);
  shmem_span(call, count, strides.source, size);
  if (strides.dest == 1 && strides.source == 1) return put(call, dest, source, span, pe, AT_ONCE);
  shmem_check(call, pe);
  if (count == 0) return;
  const transport_address remote = symmetric_address(call, dest, span);
  for (size_t i = 0; i < count; ++i) {
    const size_t to = i * (size_t)strides.dest * size, from = i * (size_t)strides.source * size;
    if ((unsigned)pe == transport_self())
      memcpy((char*)dest + to, (const char*)source + from, size);
    else
      transport_put((unsigned)pe, remote + to, (const char*)source + from, size);
  }
  transport_quiet();
}

static void iget(const char* call, void* dest, const void* source, struct strides strides, size_t count, size_t size,
                 int pe) {
  const size_t span = shmem_span(call, count, strides.source, size);
  shmem_span(call, count, strides.dest, size);
  if (strides.dest == 1 && strides.source == 1) return get(call, dest, source, span, pe, AT_ONCE);
  shmem_check(call, pe);
  if (count == 0) return;
  const transport_address remote = symmetric_address(call, source, span);
  for (size_t i = 0; i < count; ++i) {
    const size_t to = i * (size_t)strides.dest * size, from = i * (size_t)strides.source * size;
    if ((unsigned)pe == transport_self())
      memcpy((char*)dest + to, (const char*)source + from, size);
    else
      transport_get((unsigned)pe, remote + from, (char*)dest + to, size);
  }
  transport_quiet();
}

/* ---- the calls ---- */
#define STRIDES ((struct strides){.dest = dst, .source = sst})

#define MOVED(name, type)                                                                                        \
  void shmem_##name##_put(type* dest, const type* source, size_t count, int pe) {                                \
    put("shmem_" #name "_put", dest, source, count * sizeof *dest, pe, AT_ONCE);                                 \
  }                                                                                                              \
  void shmem_##name##_get(type* dest, const type* source, size_t count, int pe) {                                \
    get("shmem_" #name "_get", dest, source, count * sizeof *dest, pe, AT_ONCE);                                 \
  }                                                                                                              \
  void shmem_##name##_put_nbi(type* dest, const type* source, size_t count, int pe) {                            \
    put("shmem_" #name "_put_nbi", dest, source, count * sizeof *dest, pe, WHEN_QUIET);                          \
  }                                                                                                              \
  void shmem_##name##_get_nbi(type* dest, const type* source, size_t count, int pe) {                            \
    get("shmem_" #name "_get_nbi", dest, source, count * sizeof *dest, pe, WHEN_QUIET);                          \
  }                                                                                                              \
  void shmem_##name##_iput(type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe) { \
    iput("shmem_" #name "_iput", dest, source, STRIDES, count, sizeof *dest, pe);                                \
  }                                                                                                              \
  void shmem_##name##_iget(type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe) { \
    iget("shmem_" #name "_iget", dest, source, STRIDES, count, sizeof *dest, pe);                                \
  }                                                                                                              \
  void shmem_##name##_p(type* dest, type value, int pe) {                                                        \
    put("shmem_" #name "_p", dest, &value, sizeof value, pe, AT_ONCE);                                           \
  }                                                                                                              \
  type shmem_##name##_g(const type* source, int pe) {                                                            \
    type value;                                                                                                  \
    get("shmem_" #name "_g", &value, source, sizeof value, pe, AT_ONCE);                                         \
    return value;                                                                                                \
  }
SHMEM_EACH_MOVED(MOVED)

#define SIZED(bits, bytes)                                                                                    \
  void shmem_put##bits(void* dest, const void* source, size_t count, int pe) {                                \
    put("shmem_put" #bits, dest, source, count*(bytes), pe, AT_ONCE);                                         \
  }                                                                                                           \
  void shmem_get##bits(void* dest, const void* source, size_t count, int pe) {                                \
    get("shmem_get" #bits, dest, source, count*(bytes), pe, AT_ONCE);                                         \
  }                                                                                                           \
  void shmem_put##bits##_nbi(void* dest, const void* source, size_t count, int pe) {                          \
    put("shmem_put" #bits "_nbi", dest, source, count*(bytes), pe, WHEN_QUIET);                               \
  }                                                                                                           \
  void shmem_get##bits##_nbi(void* dest, const void* source, size_t count, int pe) {                          \
    get("shmem_get" #bits "_nbi", dest, source, count*(bytes), pe, WHEN_QUIET);                               \
  }                                                                                                           \
  void shmem_iput##bits(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe) { \
    iput("shmem_iput" #bits, dest, source, STRIDES, count, bytes, pe);                                        \
  }                                                                                                           \
  void shmem_iget##bits(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int pe) { \
    iget("shmem_iget" #bits, dest, source, STRIDES, count, bytes, pe);                                        \
  }
SHMEM_EACH_SIZE(SIZED)

void shmem_putmem(void* dest, const void* source, size_t bytes, int pe) {
  put("shmem_putmem", dest, source, bytes, pe, AT_ONCE);
}

void shmem_getmem(void* dest, const void* source, size_t bytes, int pe) {
  get("shmem_getmem", dest, source, bytes, pe, AT_ONCE);
}

void shmem_putmem_nbi(void* dest, const void* source, size_t bytes, int pe) {
  put("shmem_putmem_nbi", dest, source, bytes, pe, WHEN_QUIET);
}

void shmem_getmem_nbi(void* dest, const void* source, size_t bytes, int pe) {
  get("shmem_getmem_nbi", dest, source, bytes, pe, WHEN_QUIET);
}
