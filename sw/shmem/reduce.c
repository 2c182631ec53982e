/* Reductions: recursive doubling, log n rounds of messages. If n is not a power of two, the members beyond it first
 * send their elements to a member below it, and later receive the result. The operations commute bit for bit, so all
 * get the same bits. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

struct work {
  const struct pe_set* set;
  const struct reduction* reduction;
  void *mine, *theirs;
  size_t count, bytes;
};

static void take_in(const struct work* work) { work->reduction->combine(work->mine, work->theirs, work->count); }

static void reduce_send(const struct work* work, enum set_message kind, unsigned to) {
  transport_wait(set_send(work->set, kind, to, work->mine, work->bytes), NULL);
}

static void receive(const struct work* work, enum set_message kind, unsigned from, void* buffer) {
  transport_wait(set_receive(work->set, kind, from, buffer, work->bytes), NULL);
}

static void exchange(const struct work* work, unsigned partner) {
  struct transport_request* received = set_receive(work->set, SET_REDUCE, partner, work->theirs, work->bytes);
  reduce_send(work, SET_REDUCE, partner);
  transport_wait(received, NULL);
  take_in(work);
}

static void combine_all(const struct work* work) {
  const unsigned self = work->set->self, size = work->set->size;
  unsigned core = 1;
  while (core * 2 <= size) core *= 2;
  if (self >= core) {
    reduce_send(work, SET_REDUCE, self - core);
    receive(work, SET_RESULT, self - core, work->mine);
    return;
  }
  if (self + core < size) {
    receive(work, SET_REDUCE, self + core, work->theirs);
    take_in(work);
  }
  for (unsigned distance = 1; distance < core; distance *= 2) exchange(work, self ^ distance);
  if (self + core < size) reduce_send(work, SET_RESULT, self + core);
}

void shmem_reduce(const struct reduction* reduction, void* dest, const void* source, size_t count,
                  const struct pe_set* set) {
  const size_t bytes = count * reduction->size;
  if (bytes == 0) return;
  symmetric_address(reduction->call, dest, bytes, transport_self());
  symmetric_check_source(reduction->call, source, bytes);
  char* buffers = shmem_memory(reduction->call, 2 * bytes);
  const struct work work = {
      .set = set, .reduction = reduction, .mine = buffers, .theirs = buffers + bytes, .count = count, .bytes = bytes};
  memcpy(work.mine, source, bytes);
  combine_all(&work);
  memcpy(dest, work.mine, bytes);
  free(buffers);
}

void shmem_reduce_active_set(const struct reduction* reduction, void* dest, const void* source, int number, int start,
                             int log_stride, int size) {
  const struct pe_set set = pe_set_of(reduction->call, start, log_stride, size);
  if (number < 0) shmem_fail(reduction->call, "nreduce is negative; pass the number of elements");
  shmem_reduce(reduction, dest, source, (size_t)number, &set);
}
