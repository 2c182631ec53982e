/* An active set of processing elements, messages among them, their barrier. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

#define MOST_LOG_STRIDE 30

static _Noreturn void bad_set(const char* call, int start, int log_stride, int size, const char* why) {
  char text[200];
  snprintf(text, sizeof text, "the active set PE_start %d, logPE_stride %d, PE_size %d %s", start, log_stride, size,
           why);
  shmem_fail(call, text);
}

struct pe_set pe_set_of(const char* call, int start, int log_stride, int size) {
  shmem_check_running(call);
  if (start < 0 || log_stride < 0 || log_stride > MOST_LOG_STRIDE || size < 1)
    bad_set(call, start, log_stride, size, "is not valid; PE_size is at least 1, the others at least 0");
  const unsigned first = (unsigned)start, stride = 1u << log_stride, count = (unsigned)size;
  if (first + (uint64_t)(count - 1) * stride >= transport_count())
    bad_set(call, start, log_stride, size, "goes beyond the last processing element; see shmem_n_pes");
  const unsigned self = transport_self();
  if (self < first || (self - first) % stride != 0 || (self - first) / stride >= count)
    bad_set(call, start, log_stride, size, "is without the caller; only its members may call");
  return (struct pe_set){.start = first, .stride = (int)stride, .size = count, .self = (self - first) / stride};
}

int pe_set_is_all(const struct pe_set* set) { return set->size == transport_count(); }

/* ---- support by the network ---- */
struct known_set {
  struct pe_set set;
  struct set_support support;
  struct known_set* next;
};

static struct set_support* support_of(const struct pe_set* set) {
  static struct known_set* all;
  for (struct known_set* known = all; known; known = known->next)
    if (known->set.start == set->start && known->set.stride == set->stride && known->set.size == set->size)
      return &known->support;
  struct known_set* known = shmem_memory("an active set", sizeof *known);
  *known = (struct known_set){.set = *set, .next = all};
  all = known;
  return &known->support;
}

struct transport_group* pe_set_group(const struct pe_set* set) {
  struct set_support* support = set->support ? set->support : support_of(set);
  if (support->known) return support->group;
  unsigned* members = shmem_memory("a set of processing elements", set->size * sizeof *members);
  for (unsigned i = 0; i < set->size; ++i) members[i] = pe_of(set, i);
  support->group = transport_group(members, set->size);
  support->known = 1;
  free(members);
  return support->group;
}

/* MPI's tags do not use the highest bit, so a program may use both; those of Elanlib's groups have the next one, too.
 * Processes take 14 bits (FACTS.md 1.1), so that a size takes 15, and a stride with its sign. */
static uint64_t tag_of(const struct pe_set* set, enum set_message kind) {
  const uint64_t stride = (uint64_t)(set->size > 1 ? set->stride : 1) & 0x7fff;
  return 1ull << 63 | (uint64_t)kind << 58 | (uint64_t)set->start << 44 | (uint64_t)set->size << 29 | stride << 14 |
         set->number;
}

struct transport_request* set_send(const struct pe_set* set, enum set_message kind, unsigned to, const void* buffer,
                                   size_t bytes) {
  return transport_send(pe_of(set, to), tag_of(set, kind), buffer, bytes, 0);
}

struct transport_request* set_receive(const struct pe_set* set, enum set_message kind, unsigned from, void* buffer,
                                      size_t bytes) {
  return transport_receive(pe_of(set, from), tag_of(set, kind), UINT64_MAX, buffer, bytes);
}

/* Dissemination: in round r each process tells the one 2^r places ahead that it, and all that it knows of, have
 * arrived. */
void set_barrier(const struct pe_set* set) {
  if (pe_set_is_all(set)) {
    transport_barrier();
    return;
  }
  if (set->size == 1) return;
  struct transport_group* group = pe_set_group(set);
  if (group) {
    transport_group_barrier(group);
    return;
  }
  for (unsigned distance = 1; distance < set->size; distance *= 2) {
    struct transport_request* sent = set_send(set, SET_BARRIER, (set->self + distance) % set->size, NULL, 0);
    transport_wait(set_receive(set, SET_BARRIER, (set->self + set->size - distance) % set->size, NULL, 0), NULL);
    transport_wait(sent, NULL);
  }
}

/* ---- the calls ---- */
void shmem_barrier_all(void) {
  shmem_check_running("shmem_barrier_all");
  transport_quiet(0);
  transport_barrier();
}

void shmem_sync_all(void) {
  shmem_check_running("shmem_sync_all");
  transport_barrier();
}

void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  (void)pSync;
  const struct pe_set set = pe_set_of("shmem_barrier", PE_start, logPE_stride, PE_size);
  transport_quiet(0);
  set_barrier(&set);
}

void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  (void)pSync;
  const struct pe_set set = pe_set_of("shmem_sync", PE_start, logPE_stride, PE_size);
  set_barrier(&set);
}
