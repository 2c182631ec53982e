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

/* ---- handles.c: what a program names by a handle. A handle is never given twice ---- */
struct handle_slot {
  void* object; /* null: destroyed */
  uint32_t use;
};
struct handles {
  struct handle_slot* slots;
  size_t count;
};
uintptr_t handle_give(const char* call, struct handles* handles, void* object);
/* Null if it is not a handle, or, if `was` is set, one that has been destroyed. */
void* handle_object(const struct handles* handles, uintptr_t handle, int* was);
void handle_destroy(const struct handles* handles, uintptr_t handle);

/* ---- heap.c, symmetric.c ---- */
struct heap_room {
  char* memory;
  size_t bytes;
};
void heap_start(void);
struct heap_room heap_room(void);
/* The distance by which the same byte is farther into the heap in another process than in this one: 0 except in pieces
 * with large alignments (shmem_align). */
ptrdiff_t heap_shift(const volatile void* pointer, unsigned pe);
/* Whether all these bytes are symmetric: in the heap, in the program's globals, or its constants. */
int symmetric_is(const volatile void* pointer, size_t bytes);
/* Their transport address in a process; ends the job if they are not symmetric, or constants. */
transport_address symmetric_address(const char* call, const volatile void* pointer, size_t bytes, unsigned pe);
/* The same, or 0 if they are constants, which have the same value everywhere: calls may read them, not write. */
int symmetric_to_read(const char* call, const volatile void* pointer, size_t bytes, unsigned pe,
                      transport_address* remote);
/* Ends the job if they are not symmetric; constants are. */
void symmetric_check_source(const char* call, const volatile void* pointer, size_t bytes);

/* ---- rma.c ---- */
/* The bytes that `count` elements span at a stride of `stride` elements. */
size_t shmem_span(const char* call, size_t count, ptrdiff_t stride, size_t size);

/* ---- wait.c: words of own memory ---- */
#define SEEN_WORDS_MOST 3u /* that 8 bytes can span */
/* The words that contain a variable, with the values that were read. */
struct seen {
  const volatile uint32_t* words[SEEN_WORDS_MOST];
  uint32_t values[SEEN_WORDS_MOST];
  unsigned count;
};
struct seen shmem_look(const volatile void* pointer, size_t bytes);
/* Lets time pass for a program that polls. */
void shmem_pass_time(const char* call);
void shmem_check_comparison(const char* call, int comparison);

#define SHMEM_HOLDS(now, comparison, value)          \
  ((comparison) == SHMEM_CMP_EQ   ? (now) == (value) \
   : (comparison) == SHMEM_CMP_NE ? (now) != (value) \
   : (comparison) == SHMEM_CMP_GT ? (now) > (value)  \
   : (comparison) == SHMEM_CMP_GE ? (now) >= (value) \
   : (comparison) == SHMEM_CMP_LT ? (now) < (value)  \
                                  : (now) <= (value))

/* ---- set.c: an ordered set of processes, and messages among its members ---- */
struct set_support { /* by the network */
  int known;
  struct transport_group* group; /* null: none */
};
struct pe_set {
  unsigned start;
  int stride;
  unsigned size;
  unsigned self;               /* this process's index in it */
  unsigned number;             /* of a team, so that its messages are its own; 0: an active set */
  struct set_support* support; /* of a team; null: an active set */
};
/* Ends the job if the set exceeds the existing processes, or the caller is not in it. */
struct pe_set pe_set_of(const char* call, int start, int log_stride, int size);
static inline unsigned pe_of(const struct pe_set* set, unsigned place) {
  return set->start + place * (unsigned)set->stride;
}
int pe_set_is_all(const struct pe_set* set);
/* The network's support for a set that is not all processes; null: none. Collective over the set. */
struct transport_group* pe_set_group(const struct pe_set* set);
/* A message kind for each collective call, so that overlapping sets do not receive each other's messages. */
enum set_message { SET_BARRIER, SET_BROADCAST, SET_COUNT, SET_REDUCE, SET_RESULT };
struct transport_request* set_send(const struct pe_set* set, enum set_message kind, unsigned to, const void* buffer,
                                   size_t bytes);
struct transport_request* set_receive(const struct pe_set* set, enum set_message kind, unsigned from, void* buffer,
                                      size_t bytes);
/* Returns when all of the set have entered. */
void set_barrier(const struct pe_set* set);

/* ---- teams.c ---- */
struct team {
  struct pe_set set;
  struct set_support support;
  shmem_team_config_t config;
  unsigned splits; /* that its members have made of it */
  shmem_team_t handle;
};
/* Ends the job if there is no such team. */
struct team* shmem_team_of(const char* call, shmem_team_t handle);
/* Its members. */
static inline const struct pe_set* shmem_team_set(const char* call, shmem_team_t handle) {
  return &shmem_team_of(call, handle)->set;
}

/* ---- contexts.c ---- */
/* The process that a call on a context names, and the means of completion. */
struct target {
  transport_batch batch;
  unsigned pe;
};
struct target shmem_target(const char* call, shmem_ctx_t context, int pe);
/* Completes all contexts. */
void shmem_quiet_all(void);
/* Destroys a team's contexts, except those that are private to a thread. */
void shmem_end_contexts_of(const char* call, const struct team* team);

/* ---- collective.c: of members of a set ---- */
/* Puts bytes into every member's dest, at an offset; and a barrier. */
void shmem_put_to_all(const char* call, const struct pe_set* set, void* dest, const void* source, size_t bytes);

/* ---- reduce.c ---- */
typedef void (*combine_t)(void* into, const void* from, size_t count);
struct reduction {
  const char* call;
  size_t size; /* of an element */
  combine_t combine;
};
void shmem_reduce(const struct reduction* reduction, void* dest, const void* source, size_t count,
                  const struct pe_set* set);
void shmem_reduce_active_set(const struct reduction* reduction, void* dest, const void* source, int number, int start,
                             int log_stride, int size);

#endif
