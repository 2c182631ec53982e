/* Broadcast, collect, alltoall. The standard requires every process's dest to be ready before any process calls. So
 * each process puts its part directly into every member's dest, and a barrier follows. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

/* ---- broadcast: by the network where it can, else down a binomial tree ---- */
static void broadcast_by_tree(const struct pe_set* set, void* dest, const void* source, size_t bytes, unsigned root) {
  const unsigned place = (set->self + set->size - root) % set->size; /* counted from the root */
  unsigned distance = 1;
  while (distance < set->size && !(place & distance)) distance *= 2;
  if (place != 0) {
    const unsigned from = (place - distance + root) % set->size;
    transport_wait(set_receive(set, SET_BROADCAST, from, dest, bytes), NULL);
  }
  const void* data = place == 0 ? source : dest;
  struct transport_request* sent[sizeof distance * 8];
  unsigned count = 0;
  while (distance /= 2)
    if (place + distance < set->size)
      sent[count++] = set_send(set, SET_BROADCAST, (place + distance + root) % set->size, data, bytes);
  while (count > 0) transport_wait(sent[--count], NULL);
}

static int broadcast_by_network(const struct pe_set* set, void* buffer, size_t bytes, unsigned root) {
  if (pe_set_is_all(set)) return transport_broadcast(buffer, bytes, pe_of(set, root));
  struct transport_group* group = pe_set_group(set);
  return group && transport_group_broadcast(group, buffer, bytes, root);
}

static void broadcast(const char* call, void* dest, const void* source, size_t bytes, int root,
                      const struct pe_set* set) {
  if (root < 0 || (unsigned)root >= set->size)
    shmem_fail(call, "PE_root is not in the active set, or team; it counts the members from 0");
  if (bytes == 0) return;
  symmetric_address(call, dest, bytes, transport_self());
  symmetric_check_source(call, source, bytes);
  const int is_root = set->self == (unsigned)root;
  if (set->size > 2 && broadcast_by_network(set, is_root ? (void*)source : dest, bytes, (unsigned)root)) return;
  broadcast_by_tree(set, dest, source, bytes, (unsigned)root);
}

/* ---- collect ---- */
/* Begins with the next member, so that destinations differ. */
void shmem_put_to_all(const char* call, const struct pe_set* set, void* dest, const void* source, size_t bytes) {
  if (bytes > 0) {
    symmetric_check_source(call, source, bytes);
    for (unsigned i = 1; i < set->size; ++i) {
      const unsigned pe = pe_of(set, (set->self + i) % set->size);
      transport_put(0, pe, symmetric_address(call, dest, bytes, pe), source, bytes);
    }
    symmetric_address(call, dest, bytes, transport_self());
    memmove(dest, source, bytes);
  }
  transport_quiet(0);
  set_barrier(set);
}

/* Exclusive prefix sum: in round r this member has the sum of the 2^r before it, and sends to the one 2^r after it. */
static size_t sum_before(const struct pe_set* set, size_t own) {
  uint64_t known = own;
  for (unsigned distance = 1; distance < set->size; distance *= 2) {
    const uint64_t told = known;
    uint64_t more = 0;
    struct transport_request* sent = NULL;
    if (set->self + distance < set->size) sent = set_send(set, SET_COUNT, set->self + distance, &told, sizeof told);
    if (set->self >= distance)
      transport_wait(set_receive(set, SET_COUNT, set->self - distance, &more, sizeof more), NULL);
    if (sent) transport_wait(sent, NULL);
    known += more;
  }
  return known - own;
}

static void collect(const char* call, void* dest, const void* source, size_t bytes, const struct pe_set* set) {
  const size_t offset = sum_before(set, bytes);
  shmem_put_to_all(call, set, (char*)dest + offset, source, bytes);
}

/* ---- alltoall: block i of source becomes the caller's block in dest of i ---- */
struct layout {
  ptrdiff_t dest, source; /* strides, in elements */
  size_t count, size;
};

static void move_block(const struct layout* layout, int self, unsigned pe, transport_address remote, char* dest,
                       const char* source) {
  const int whole = layout->dest == 1 && layout->source == 1;
  const size_t pieces = whole ? 1 : layout->count, bytes = whole ? layout->count * layout->size : layout->size;
  for (size_t i = 0; i < pieces; ++i) {
    const size_t to = i * (size_t)layout->dest * layout->size, from = i * (size_t)layout->source * layout->size;
    if (self)
      memcpy(dest + to, source + from, bytes);
    else
      transport_put(0, pe, remote + to, source + from, bytes);
  }
}

static void alltoall(const char* call, void* dest, const void* source, struct layout layout, const struct pe_set* set) {
  const size_t span = shmem_span(call, layout.count * set->size, layout.dest, layout.size);
  const size_t read = shmem_span(call, layout.count * set->size, layout.source, layout.size);
  if (layout.count > 0) {
    symmetric_check_source(call, source, read);
    const size_t dest_block = layout.count * (size_t)layout.dest * layout.size;
    const size_t source_block = layout.count * (size_t)layout.source * layout.size;
    for (unsigned i = 0; i < set->size; ++i) {
      const unsigned to = (set->self + i) % set->size, pe = pe_of(set, to);
      move_block(&layout, i == 0, pe, symmetric_address(call, dest, span, pe) + set->self * dest_block,
                 (char*)dest + set->self * dest_block, (const char*)source + to * source_block);
    }
  }
  transport_quiet(0);
  set_barrier(set);
}

/* ---- the calls of teams, of which the root of a broadcast gets its data, too ---- */
static void broadcast_in_team(const char* call, void* dest, const void* source, size_t bytes, int root,
                              const struct pe_set* set) {
  broadcast(call, dest, source, bytes, root, set);
  if (bytes > 0 && set->self == (unsigned)root) memmove(dest, source, bytes);
}

#define MEMBERS(call) const struct pe_set* set = shmem_team_set(call, team)

#define OF_TEAM(before, after, pointed, size, count)                                                           \
  int shmem_##before##broadcast##after(shmem_team_t team, pointed* dest, const pointed* source, size_t count,  \
                                       int PE_root) {                                                          \
    MEMBERS("shmem_" #before "broadcast" #after);                                                              \
    broadcast_in_team("shmem_" #before "broadcast" #after, dest, source, count*(size), PE_root, set);          \
    return 0;                                                                                                  \
  }                                                                                                            \
  int shmem_##before##collect##after(shmem_team_t team, pointed* dest, const pointed* source, size_t count) {  \
    MEMBERS("shmem_" #before "collect" #after);                                                                \
    collect("shmem_" #before "collect" #after, dest, source, count*(size), set);                               \
    return 0;                                                                                                  \
  }                                                                                                            \
  int shmem_##before##fcollect##after(shmem_team_t team, pointed* dest, const pointed* source, size_t count) { \
    MEMBERS("shmem_" #before "fcollect" #after);                                                               \
    const size_t own = count * (size);                                                                         \
    shmem_put_to_all("shmem_" #before "fcollect" #after, set, (char*)dest + set->self * own, source, own);     \
    return 0;                                                                                                  \
  }                                                                                                            \
  int shmem_##before##alltoall##after(shmem_team_t team, pointed* dest, const pointed* source, size_t count) { \
    MEMBERS("shmem_" #before "alltoall" #after);                                                               \
    alltoall("shmem_" #before "alltoall" #after, dest, source, (struct layout){1, 1, count, size}, set);       \
    return 0;                                                                                                  \
  }                                                                                                            \
  int shmem_##before##alltoalls##after(shmem_team_t team, pointed* dest, const pointed* source, ptrdiff_t dst, \
                                       ptrdiff_t sst, size_t count) {                                          \
    MEMBERS("shmem_" #before "alltoalls" #after);                                                              \
    alltoall("shmem_" #before "alltoalls" #after, dest, source, (struct layout){dst, sst, count, size}, set);  \
    return 0;                                                                                                  \
  }
#define OF_TYPE(name, type) OF_TEAM(name##_, , type, sizeof(type), count)
SHMEM_EACH_MOVED(OF_TYPE)
OF_TEAM(, mem, void, 1, bytes)

/* ---- the calls of active sets ---- */
#define SET(call) \
  (void)pSync;    \
  const struct pe_set set = pe_set_of(call, PE_start, logPE_stride, PE_size)

#define COLLECTIVE(bits)                                                                                               \
  void shmem_broadcast##bits(void* dest, const void* source, size_t count, int root, int PE_start, int logPE_stride,   \
                             int PE_size, long* pSync) {                                                               \
    SET("shmem_broadcast" #bits);                                                                                      \
    broadcast("shmem_broadcast" #bits, dest, source, count*((bits) / 8), root, &set);                                  \
  }                                                                                                                    \
  void shmem_collect##bits(void* dest, const void* source, size_t count, int PE_start, int logPE_stride, int PE_size,  \
                           long* pSync) {                                                                              \
    SET("shmem_collect" #bits);                                                                                        \
    collect("shmem_collect" #bits, dest, source, count*((bits) / 8), &set);                                            \
  }                                                                                                                    \
  void shmem_fcollect##bits(void* dest, const void* source, size_t count, int PE_start, int logPE_stride, int PE_size, \
                            long* pSync) {                                                                             \
    SET("shmem_fcollect" #bits);                                                                                       \
    const size_t bytes = count * ((bits) / 8);                                                                         \
    shmem_put_to_all("shmem_fcollect" #bits, &set, (char*)dest + set.self * bytes, source, bytes);                     \
  }                                                                                                                    \
  void shmem_alltoall##bits(void* dest, const void* source, size_t count, int PE_start, int logPE_stride, int PE_size, \
                            long* pSync) {                                                                             \
    SET("shmem_alltoall" #bits);                                                                                       \
    alltoall("shmem_alltoall" #bits, dest, source, (struct layout){1, 1, count, (bits) / 8}, &set);                    \
  }                                                                                                                    \
  void shmem_alltoalls##bits(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t count, int PE_start, \
                             int logPE_stride, int PE_size, long* pSync) {                                             \
    SET("shmem_alltoalls" #bits);                                                                                      \
    alltoall("shmem_alltoalls" #bits, dest, source, (struct layout){dst, sst, count, (bits) / 8}, &set);               \
  }
COLLECTIVE(32)
COLLECTIVE(64)
