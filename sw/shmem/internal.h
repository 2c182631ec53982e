/* Shared by the files of shmem. `call` is the call's name, for messages. */
#ifndef SANVP_SHMEM_INTERNAL_H
#define SANVP_SHMEM_INTERNAL_H

#define SHMEM_NO_GENERICS
#include "sw/shmem/shmem.h"
#include "sw/transport/transport.h"

/* ---- setup.c ---- */
/* Ends the job with "CALL: WHAT; CURE". */
_Noreturn void shmem_fail(const char* call, const char* what_and_cure);
/* Memory of the library, to be freed; the job ends if none is left. */
void* shmem_memory(const char* call, size_t bytes);
/* Ends the job if a call comes before shmem_init, or names a process that does not exist. */
void shmem_check_running(const char* call);
void shmem_check(const char* call, int pe);

/* ---- heap.c, symmetric.c ---- */
struct heap_room {
  char* memory;
  size_t bytes;
};
void heap_start(void);
struct heap_room heap_room(void);
/* Whether all these bytes are symmetric: in the heap, or in the program's globals. */
int symmetric_is(const volatile void* pointer, size_t bytes);
/* Their transport address; ends the job if they are not symmetric. */
transport_address symmetric_address(const char* call, const volatile void* pointer, size_t bytes);

/* ---- rma.c ---- */
/* The bytes of `count` elements that lie `stride` elements apart. */
size_t shmem_span(const char* call, size_t count, ptrdiff_t stride, size_t size);

/* ---- set.c: an active set, and messages among its members ---- */
struct pe_set {
  unsigned start, stride, size;
  unsigned self; /* this process's index in it */
};
/* Ends the job if the set exceeds the existing processes, or the caller is not in it. */
struct pe_set pe_set_of(const char* call, int start, int log_stride, int size);
static inline unsigned pe_of(const struct pe_set* set, unsigned place) { return set->start + place * set->stride; }
int pe_set_is_all(const struct pe_set* set);
/* The network's support for a set that is not all processes; null: none. Collective over the set. */
struct transport_group* pe_set_group(const struct pe_set* set);
/* A message kind for each collective call, so that overlapping sets do not receive each other's messages. */
enum set_message { SET_BARRIER, SET_BROADCAST, SET_COUNT, SET_REDUCE, SET_RESULT };
struct transport_request* set_send(const struct pe_set* set, enum set_message kind, unsigned to, const void* buffer,
                                   size_t bytes);
struct transport_request* set_receive(const struct pe_set* set, enum set_message kind, unsigned from, void* buffer,
                                      size_t bytes);
/* All of the set have come. */
void set_barrier(const struct pe_set* set);

/* ---- reduce.c ---- */
typedef void (*combine_t)(void* into, const void* from, size_t count);
struct reduction {
  const char* call;
  size_t size; /* of an element */
  combine_t combine;
};
void shmem_reduce(const struct reduction* reduction, void* dest, const void* source, int number, int start,
                  int log_stride, int size);

#endif
