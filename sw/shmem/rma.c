/* Put and get. A put is one DMA that writes, a get one that reads; strided ones are all started, then waited for. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/rma.h"

static void copy_here(void* dest, const void* source, size_t bytes) { memmove(dest, source, bytes); }

void rma_put(const struct rma* rma, void* dest, const void* source, size_t bytes) {
  const struct target to = shmem_target(rma->call, rma->context, rma->pe);
  if (bytes == 0) return;
  const transport_address remote = symmetric_address(rma->call, dest, bytes, to.pe);
  if (to.pe == transport_self())
    copy_here(dest, source, bytes);
  else if (rma->how == AT_ONCE)
    transport_put_copied(to.batch, to.pe, remote, source, bytes);
  else
    transport_put(to.batch, to.pe, remote, source, bytes);
}

/* No card can reach constants here (see elan_memory/copies.h), and they are the same in all processes: as many bytes
 * are fetched from the other process's heap, which takes the time, and the values are copied from this process's
 * constants. */
static void get_constant(unsigned pe, void* dest, const void* source, size_t bytes) {
  const struct heap_room heap = heap_room();
  for (size_t at = 0; pe != transport_self() && at < bytes; at += heap.bytes) {
    const size_t part = bytes - at < heap.bytes ? bytes - at : heap.bytes;
    transport_get_now(pe, transport_address_of(heap.memory, part), (char*)dest + at, part);
  }
  copy_here(dest, source, bytes);
}

void rma_get(const struct rma* rma, void* dest, const void* source, size_t bytes) {
  const struct target from = shmem_target(rma->call, rma->context, rma->pe);
  if (bytes == 0) return;
  transport_address remote;
  if (!symmetric_to_read(rma->call, source, bytes, from.pe, &remote))
    get_constant(from.pe, dest, source, bytes);
  else if (from.pe == transport_self())
    copy_here(dest, source, bytes);
  else if (rma->how == AT_ONCE)
    transport_get_now(from.pe, remote, dest, bytes);
  else
    transport_get(from.batch, from.pe, remote, dest, bytes);
}

/* ---- with a signal: an atomic operation on the word, when the bytes are in place ---- */
static struct transport_update update_of(const char* call, uint64_t signal, int sig_op) {
  if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
    shmem_fail(call, "unknown sig_op; pass SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD");
  return (struct transport_update){
      .operation = sig_op == SHMEM_SIGNAL_SET ? WORD_SET : WORD_ADD, .width = sizeof signal, .operand = signal};
}

void rma_put_signal(const struct rma* rma, void* dest, const void* source, size_t bytes, struct rma_signal signal) {
  const struct target to = shmem_target(rma->call, rma->context, rma->pe);
  const struct transport_signal then = {.word = symmetric_address(rma->call, signal.word, sizeof *signal.word, to.pe),
                                        .update = update_of(rma->call, signal.value, signal.operation)};
  if (then.word % sizeof *signal.word != 0)
    shmem_fail(rma->call, "the signal is not aligned to its size; let the compiler or shmem_malloc place it");
  const transport_address remote = bytes > 0 ? symmetric_address(rma->call, dest, bytes, to.pe) : 0;
  if (to.pe == transport_self()) {
    if (bytes > 0) copy_here(dest, source, bytes);
    transport_atomic(to.batch, to.pe, then.word, &then.update, NULL);
    return;
  }
  transport_put_signal(to.batch, to.pe, remote, source, bytes, rma->how == AT_ONCE, &then);
}

/* ---- strided ---- */
size_t shmem_span(const char* call, size_t count, ptrdiff_t stride, size_t size) {
  if (stride < 1) shmem_fail(call, "a stride is less than 1; strides count elements, 1 is without gaps");
  return count > 0 ? ((count - 1) * (size_t)stride + 1) * size : 0;
}

void rma_iput(const struct rma* rma, void* dest, const void* source, struct strides strides, size_t count,
              size_t size) {
  const size_t span = shmem_span(rma->call, count, strides.dest, size);
  shmem_span(rma->call, count, strides.source, size);
  if (strides.dest == 1 && strides.source == 1) {
    rma_put(rma, dest, source, span);
    return;
  }
  const struct target at = shmem_target(rma->call, rma->context, rma->pe);
  if (count == 0) return;
  const transport_address remote = symmetric_address(rma->call, dest, span, at.pe);
  for (size_t i = 0; i < count; ++i) {
    const size_t to = i * (size_t)strides.dest * size, from = i * (size_t)strides.source * size;
    if (at.pe == transport_self())
      memcpy((char*)dest + to, (const char*)source + from, size);
    else
      transport_put(at.batch, at.pe, remote + to, (const char*)source + from, size);
  }
  transport_quiet(at.batch);
}

static void iget_constants(unsigned pe, char* dest, const char* source, struct strides strides, size_t count,
                           size_t size) {
  for (size_t i = 0; i < count; ++i)
    get_constant(pe, dest + i * (size_t)strides.dest * size, source + i * (size_t)strides.source * size, size);
}

void rma_iget(const struct rma* rma, void* dest, const void* source, struct strides strides, size_t count,
              size_t size) {
  const size_t span = shmem_span(rma->call, count, strides.source, size);
  shmem_span(rma->call, count, strides.dest, size);
  if (strides.dest == 1 && strides.source == 1) {
    rma_get(rma, dest, source, span);
    return;
  }
  const struct target at = shmem_target(rma->call, rma->context, rma->pe);
  if (count == 0) return;
  transport_address remote;
  if (!symmetric_to_read(rma->call, source, span, at.pe, &remote)) {
    iget_constants(at.pe, dest, source, strides, count, size);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const size_t to = i * (size_t)strides.dest * size, from = i * (size_t)strides.source * size;
    if (at.pe == transport_self())
      memcpy((char*)dest + to, (const char*)source + from, size);
    else
      transport_get(at.batch, at.pe, remote + from, (char*)dest + to, size);
  }
  transport_quiet(at.batch);
}
