/* OpenSHMEM: put and get, and put with signal: shmem_TYPE_put, shmem_put32, shmem_putmem, and their kin, each also as
 * shmem_ctx_... with a context. */
#ifndef SANVP_SHMEM_MOVES_H
#define SANVP_SHMEM_MOVES_H

#include <stddef.h>
#include <stdint.h>

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD };

#define SHMEM_DECLARE_MOVED_AS(prefix, context_, name, type)                                                    \
  void prefix##name##_put(context_ type* dest, const type* source, size_t count, int pe);                       \
  void prefix##name##_get(context_ type* dest, const type* source, size_t count, int pe);                       \
  void prefix##name##_put_nbi(context_ type* dest, const type* source, size_t count, int pe);                   \
  void prefix##name##_get_nbi(context_ type* dest, const type* source, size_t count, int pe);                   \
  void prefix##name##_iput(context_ type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, \
                           int pe);                                                                             \
  void prefix##name##_iget(context_ type* dest, const type* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, \
                           int pe);                                                                             \
  void prefix##name##_p(context_ type* dest, type value, int pe);                                               \
  type prefix##name##_g(context_ const type* source, int pe);                                                   \
  void prefix##name##_put_signal(context_ type* dest, const type* source, size_t count, uint64_t* sig_addr,     \
                                 uint64_t signal, int sig_op, int pe);                                          \
  void prefix##name##_put_signal_nbi(context_ type* dest, const type* source, size_t count, uint64_t* sig_addr, \
                                     uint64_t signal, int sig_op, int pe);
#define SHMEM_DECLARE_MOVED(name, type)                        \
  SHMEM_DECLARE_MOVED_AS(shmem_, SHMEM_NO_CONTEXT, name, type) \
  SHMEM_DECLARE_MOVED_AS(shmem_ctx_, SHMEM_CONTEXT, name, type)
SHMEM_EACH_MOVED(SHMEM_DECLARE_MOVED)
#undef SHMEM_DECLARE_MOVED
#undef SHMEM_DECLARE_MOVED_AS

#define SHMEM_DECLARE_SIZED_AS(prefix, context_, bits)                                                           \
  void prefix##put##bits(context_ void* dest, const void* source, size_t count, int pe);                         \
  void prefix##get##bits(context_ void* dest, const void* source, size_t count, int pe);                         \
  void prefix##put##bits##_nbi(context_ void* dest, const void* source, size_t count, int pe);                   \
  void prefix##get##bits##_nbi(context_ void* dest, const void* source, size_t count, int pe);                   \
  void prefix##iput##bits(context_ void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count,   \
                          int pe);                                                                               \
  void prefix##iget##bits(context_ void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count,   \
                          int pe);                                                                               \
  void prefix##put##bits##_signal(context_ void* dest, const void* source, size_t count, uint64_t* sig_addr,     \
                                  uint64_t signal, int sig_op, int pe);                                          \
  void prefix##put##bits##_signal_nbi(context_ void* dest, const void* source, size_t count, uint64_t* sig_addr, \
                                      uint64_t signal, int sig_op, int pe);
#define SHMEM_DECLARE_SIZED(bits, bytes)                 \
  SHMEM_DECLARE_SIZED_AS(shmem_, SHMEM_NO_CONTEXT, bits) \
  SHMEM_DECLARE_SIZED_AS(shmem_ctx_, SHMEM_CONTEXT, bits)
SHMEM_EACH_SIZE(SHMEM_DECLARE_SIZED)
#undef SHMEM_DECLARE_SIZED
#undef SHMEM_DECLARE_SIZED_AS

#define SHMEM_DECLARE_BYTES_AS(prefix, context_)                                                            \
  void prefix##putmem(context_ void* dest, const void* source, size_t bytes, int pe);                       \
  void prefix##getmem(context_ void* dest, const void* source, size_t bytes, int pe);                       \
  void prefix##putmem_nbi(context_ void* dest, const void* source, size_t bytes, int pe);                   \
  void prefix##getmem_nbi(context_ void* dest, const void* source, size_t bytes, int pe);                   \
  void prefix##putmem_signal(context_ void* dest, const void* source, size_t bytes, uint64_t* sig_addr,     \
                             uint64_t signal, int sig_op, int pe);                                          \
  void prefix##putmem_signal_nbi(context_ void* dest, const void* source, size_t bytes, uint64_t* sig_addr, \
                                 uint64_t signal, int sig_op, int pe);
SHMEM_DECLARE_BYTES_AS(shmem_, SHMEM_NO_CONTEXT)
SHMEM_DECLARE_BYTES_AS(shmem_ctx_, SHMEM_CONTEXT)
#undef SHMEM_DECLARE_BYTES_AS

/* For the caller's own signal object. */
uint64_t shmem_signal_fetch(const uint64_t* sig_addr);
uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int comparison, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
