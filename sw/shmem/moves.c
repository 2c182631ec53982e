/* The calls of put and get, by type, by size and in bytes; of the default context, and of any. */
#include "sw/shmem/rma.h"

#define RMA(name, how) (&(struct rma){name, in, pe, how})
#define STRIDES ((struct strides){.dest = dst, .source = sst})
#define SIGNAL ((struct rma_signal){sig_addr, signal, sig_op})

/* A family of moves: `prefix##before##MOVE##after` of elements of `size` bytes. */
#define FAMILY(prefix, context_, in_, before, after, pointed, size, count)                                        \
  void prefix##before##put##after(context_ pointed* dest, const pointed* source, size_t count, int pe) {          \
    in_ rma_put(RMA(#prefix #before "put" #after, AT_ONCE), dest, source, count*(size));                          \
  }                                                                                                               \
  void prefix##before##get##after(context_ pointed* dest, const pointed* source, size_t count, int pe) {          \
    in_ rma_get(RMA(#prefix #before "get" #after, AT_ONCE), dest, source, count*(size));                          \
  }                                                                                                               \
  void prefix##before##put##after##_nbi(context_ pointed* dest, const pointed* source, size_t count, int pe) {    \
    in_ rma_put(RMA(#prefix #before "put" #after "_nbi", WHEN_QUIET), dest, source, count*(size));                \
  }                                                                                                               \
  void prefix##before##get##after##_nbi(context_ pointed* dest, const pointed* source, size_t count, int pe) {    \
    in_ rma_get(RMA(#prefix #before "get" #after "_nbi", WHEN_QUIET), dest, source, count*(size));                \
  }                                                                                                               \
  void prefix##before##put##after##_signal(context_ pointed* dest, const pointed* source, size_t count,           \
                                           uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {             \
    in_ rma_put_signal(RMA(#prefix #before "put" #after "_signal", AT_ONCE), dest, source, count*(size), SIGNAL); \
  }                                                                                                               \
  void prefix##before##put##after##_signal_nbi(context_ pointed* dest, const pointed* source, size_t count,       \
                                               uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {         \
    in_ rma_put_signal(RMA(#prefix #before "put" #after "_signal_nbi", WHEN_QUIET), dest, source, count*(size),   \
                       SIGNAL);                                                                                   \
  }

#define STRIDED(prefix, context_, in_, before, after, pointed, size)                                            \
  void prefix##before##iput##after(context_ pointed* dest, const pointed* source, ptrdiff_t dst, ptrdiff_t sst, \
                                   size_t count, int pe) {                                                      \
    in_ rma_iput(RMA(#prefix #before "iput" #after, AT_ONCE), dest, source, STRIDES, count, size);              \
  }                                                                                                             \
  void prefix##before##iget##after(context_ pointed* dest, const pointed* source, ptrdiff_t dst, ptrdiff_t sst, \
                                   size_t count, int pe) {                                                      \
    in_ rma_iget(RMA(#prefix #before "iget" #after, AT_ONCE), dest, source, STRIDES, count, size);              \
  }

#define SINGLE(prefix, context_, in_, name, type)                                \
  void prefix##name##_p(context_ type* dest, type value, int pe) {               \
    in_ rma_put(RMA(#prefix #name "_p", AT_ONCE), dest, &value, sizeof value);   \
  }                                                                              \
  type prefix##name##_g(context_ const type* source, int pe) {                   \
    type value;                                                                  \
    in_ rma_get(RMA(#prefix #name "_g", AT_ONCE), &value, source, sizeof value); \
    return value;                                                                \
  }

#define DEFAULT const shmem_ctx_t in = SHMEM_CTX_DEFAULT;
#define GIVEN const shmem_ctx_t in = context;

#define MOVED(name, type)                                                         \
  FAMILY(shmem_, SHMEM_NO_CONTEXT, DEFAULT, name##_, , type, sizeof(type), count) \
  FAMILY(shmem_ctx_, SHMEM_CONTEXT, GIVEN, name##_, , type, sizeof(type), count)  \
  STRIDED(shmem_, SHMEM_NO_CONTEXT, DEFAULT, name##_, , type, sizeof(type))       \
  STRIDED(shmem_ctx_, SHMEM_CONTEXT, GIVEN, name##_, , type, sizeof(type))        \
  SINGLE(shmem_, SHMEM_NO_CONTEXT, DEFAULT, name, type)                           \
  SINGLE(shmem_ctx_, SHMEM_CONTEXT, GIVEN, name, type)
SHMEM_EACH_MOVED(MOVED)

#define SIZED(bits, bytes)                                              \
  FAMILY(shmem_, SHMEM_NO_CONTEXT, DEFAULT, , bits, void, bytes, count) \
  FAMILY(shmem_ctx_, SHMEM_CONTEXT, GIVEN, , bits, void, bytes, count)  \
  STRIDED(shmem_, SHMEM_NO_CONTEXT, DEFAULT, , bits, void, bytes)       \
  STRIDED(shmem_ctx_, SHMEM_CONTEXT, GIVEN, , bits, void, bytes)
SHMEM_EACH_SIZE(SIZED)

FAMILY(shmem_, SHMEM_NO_CONTEXT, DEFAULT, , mem, void, 1, bytes)
FAMILY(shmem_ctx_, SHMEM_CONTEXT, GIVEN, , mem, void, 1, bytes)
