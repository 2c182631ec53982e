/* Shared by the files of MPI's windows (one-sided communication): windows, what is under way in them, and the messages
 * that do what no card does. */
#ifndef SANVP_MPI_WINDOWS_STATE_H
#define SANVP_MPI_WINDOWS_STATE_H

#include "sw/hal/hal.h"
#include "sw/mpi/base/object.h"
#include "sw/mpi/requests/schedule.h"
#include "sw/support/list.h"
#include "sw/transport/transport.h"

/* ---- windows ---- */
/* What a rank tells all others of its memory. */
struct window_member {
  uint64_t remote;  /* the memory's address for cards; 0: they do not reach it */
  uint64_t atomics; /* transport_atomics_at */
  uint64_t base;    /* the memory's address there: as it is here in a shared window */
  uint64_t bytes;
  uint32_t unit;
  uint32_t shared; /* not 0: ranks of its node access it as their own, at `base`; the number of its piece */
};

/* A rank that this one has accessed. */
struct window_target {
  struct window_target* next; /* among those of the window */
  int rank;
  unsigned messages;                /* requests sent since it last confirmed all before them */
  unsigned accumulates;             /* those of them whose order matters */
  int lock;                         /* MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED, or 0: held there by this rank */
  int16_t unchecked;                /* ... with MPI_MODE_NOCHECK: nothing was sent */
  int16_t has_turn;                 /* a thread gets what the others need: its lock, or its post */
  int started;                      /* in the group of MPI_Win_start */
  struct transport_request* posted; /* its MPI_Win_post is still to come */
};

/* A lock that is held, or waited for, at this rank. */
struct window_lock {
  struct window_lock* next;
  int kind, rank; /* rank: of the holder */
  uint32_t answer;
};

struct window_region { /* attached to a dynamic window */
  struct window_region* next;
  char* base;
  size_t bytes;
};

struct MPI_window_ {
  struct mpi_object object;
  MPI_Comm comm; /* the library's own: its context is the window's number, its handler what the window's demands */
  struct MPI_errhandler_* handler;
  int flavor, model, unit;
  MPI_Aint bytes;
  char* base;
  int owns_memory, exposed;
  struct window_member* members;        /* [ranks]; null: dynamic */
  struct window_target** targets;       /* [ranks]; null: not accessed yet */
  struct window_target* accessed;       /* the others, a list */
  struct link operations;               /* under way, in order */
  uint64_t begun;                       /* operations so far */
  unsigned by_card;                     /* of them */
  uint32_t answers;                     /* that were asked for so far: the last one's number */
  int fence_open, fence_used;           /* a fence has opened an epoch; there were operations in it */
  int locks, lock_all, all_unchecked;   /* locks: held at single ranks */
  MPI_Group started, posted;            /* null: no such epoch */
  struct transport_request** completes; /* [size of `posted`]: of which MPI_Win_complete is awaited */
  struct window_lock *holders, *waiters, **last_waiter;
  struct window_region* regions;
  int faults; /* of other ranks' accesses, that they are told of */
  int no_locks, accumulate_by_cpu;
  MPI_Info info;
  struct window_attribute* attributes;
  struct window_piece* piece; /* memory that ranks of the node share */
  MPI_Win next;               /* among all, or the free ones */
  char name[MPI_MAX_OBJECT_NAME];
};

MPI_Win* window_all(void); /* the first of a list */
struct window_target* window_target(MPI_Win window, int rank);
/* The offset of a displacement in a rank's memory, in bytes from its base. */
static inline MPI_Aint window_offset(MPI_Win window, int rank, MPI_Aint displacement) {
  return window->members ? displacement * (MPI_Aint)window->members[rank].unit : displacement;
}

/* This rank's memory at an offset from the base: an address where the window is dynamic, and its base null. */
static inline char* window_at(const struct MPI_window_* window, int64_t offset) {
  return (char*)((uintptr_t)window->base + (uintptr_t)offset);
}

/* ---- errors: a call is `return window_result(window, its work)`, and reports by the window's handler ---- */
int window_check(const char* call, MPI_Win window); /* also: mpi_fail reports for this window from now on */
int window_result(MPI_Win window, int error);
void window_set_handler(MPI_Win window, MPI_Errhandler handler);
#define WINDOW_CALL(call, window, work)              \
  do {                                               \
    const int checked_ = window_check(call, window); \
    if (checked_ != MPI_SUCCESS) return checked_;    \
    return window_result(window, work);              \
  } while (0)
int window_check_rank(const char* call, MPI_Win window, int rank);
/* The access epoch that an operation on a rank needs: waits until the rank has posted. */
int window_enter(const char* call, MPI_Win window, int rank, int request_based);

/* ---- attributes, memory of shared windows ---- */
int window_attributes_delete(const char* call, MPI_Win window);
/* Collective over ranks of one node, which pass the same arguments. Null, in all of them: none is left. */
struct window_piece* window_piece_take(MPI_Comm comm, size_t bytes);
struct window_piece* window_piece_of_one(size_t bytes); /* whose address and number this rank tells the others */
uint32_t window_piece_number(const struct window_piece* piece); /* never 0 */
/* Makes the piece that process `owner` has for so many bytes accessible to this rank, at the address that it has there.
 * 0: impossible. */
int window_piece_show(unsigned owner, uint32_t number, size_t bytes);
void window_piece_give(struct window_piece* piece);
char* window_piece_memory(const struct window_piece* piece);

/* ---- an access to another rank's memory ---- */
struct window_access {
  const char* call;
  MPI_Win window;
  const char* buffer; /* of this rank; written by a get */
  int count;
  MPI_Datatype type;
  int rank;
  MPI_Aint displacement;
  int remote_count;
  MPI_Datatype remote_type;
};
/* Checks all of it, and enters the epoch. `nothing`: MPI_PROC_NULL, or no bytes. */
int window_check_access(const struct window_access* access, int request_based, int* nothing);
int window_check_remote(const struct window_access* access, int request_based, int* nothing); /* not this rank's part */
/* Whether the card does this by itself. */
int window_reaches(MPI_Win window, int rank, unsigned what);
int window_put(const struct window_access* access, int request_based);
int window_get(const struct window_access* access, int request_based);
struct window_accumulation {
  struct window_access access;
  char* result; /* null: no old values are wanted */
  int result_count;
  MPI_Datatype result_type;
  MPI_Op op;
};
int window_accumulate(const struct window_accumulation* accumulation, int request_based);

/* ---- walking through the data of `count` elements of a type ---- */
struct window_cursor {
  MPI_Datatype type;
  size_t count, element, done; /* done: bytes of the element; if the type is dense, of all */
};
static inline struct window_cursor window_cursor(size_t count, MPI_Datatype type) {
  return (struct window_cursor){.type = type, .count = count};
}
/* The next bytes that lie together, `most` at most: their offset from the buffer. 0: there are no more. */
size_t window_next(struct window_cursor* cursor, size_t most, ptrdiff_t* offset);
/* The same in elements of a basic type, one extent after the other. */
size_t window_next_elements(struct window_cursor* cursor, MPI_Datatype basic, size_t most, ptrdiff_t* offset);
void window_gather(struct window_cursor* cursor, const char* buffer, char* to, size_t bytes);
void window_scatter(struct window_cursor* cursor, char* buffer, const char* from, size_t bytes);
void window_gather_elements(struct window_cursor* cursor, MPI_Datatype basic, const char* buffer, char* to,
                            size_t count);
void window_scatter_elements(struct window_cursor* cursor, MPI_Datatype basic, char* buffer, const char* from,
                             size_t count);

/* ---- operations under way ---- */
struct window_operation {
  struct link link;
  MPI_Win window;
  int target;
  uint16_t awaited, is_lock;         /* with threads: one waits for it; it is a lock, which only that one does */
  struct transport_request* request; /* null: `schedule` has it */
  struct mpi_schedule* schedule;     /* of a request of the program */
  const char* call;
  int by_card;
  uint32_t thread; /* that began it */
  uint64_t serial; /* in the order in which they began */
  /* An atomic operation of the card: its words there, and where the old value goes. */
  uint64_t first;
  unsigned width;
  enum word_operation operation;
  int is_atomic;
  void* before; /* may be null */
  /* An answer: it is copied into the program's memory at the end. */
  char* staging;
  size_t bytes;
  char* buffer;
  struct window_cursor place;
  MPI_Datatype basic; /* of elements; null: of bytes */
  int32_t fault;      /* the answer to a flush: MPI_SUCCESS, or what went wrong at the target */
};
struct window_operation* window_begin(const char* call, MPI_Win window, int target, struct transport_request* request);
/* Waits for an operation and frees it. If it is up to another thread to do so, waits until something may have ended
 * instead, so that the caller looks again. */
int window_await(struct window_operation* operation);
/* While this thread waits, others are kept out, or not. @return what it was */
void window_serve_threads(void); /* with MPI_THREAD_MULTIPLE */
int window_set_alone(int others);
static inline int window_keep_out(int others) { return HAL_HAS_THREADS ? window_set_alone(others) : 0; }
/* Around what one thread at a time may do towards a target, and waits in it. */
void window_get_turn(struct window_target* target);
void window_give_turn(struct window_target* target);
static inline void window_begin_turn(struct window_target* target) {
  if (HAL_HAS_THREADS) window_get_turn(target);
}
static inline void window_end_turn(struct window_target* target) {
  if (HAL_HAS_THREADS) window_give_turn(target);
}
/* Waits until this rank's operations at a rank, or at all (MPI_PROC_NULL), are complete there. */
int window_complete(const char* call, MPI_Win window, int target);
/* The same without asking the targets to confirm: for those of the card, and those with answers. */
int window_drain(const char* call, MPI_Win window, int target);
/* Asks a target to confirm all requests. The operation whose end tells of it. */
struct window_operation* window_confirmation(const char* call, MPI_Win window, int target, int unlocks);
/* The operations begun since there were `before` of them, as a request of the program. */
int window_request(const char* call, MPI_Win window, uint64_t before, MPI_Request* request);
/* Waits for the oldest of the card's operations while there are as many as may be. */
int window_room(MPI_Win window);
/* An answer that the target sends; its number goes into the request. */
struct transport_request* window_answer(MPI_Win window, int target, void* buffer, size_t bytes, uint32_t* number);
uint64_t window_answer_tag(MPI_Win window, uint32_t number);

/* ---- requests to the CPU of another rank ---- */
enum window_request_kind {
  REQUEST_PUT,
  REQUEST_GET,
  REQUEST_ACCUMULATE,
  REQUEST_SWAP,
  REQUEST_LOCK,
  REQUEST_NOTHING /* but to confirm, to unlock */
};
struct window_head {
  uint32_t window; /* its number */
  uint8_t kind, op, basic;
  uint8_t unlocks;              /* 1: it also releases the lock of the rank that asks */
  int32_t rank;                 /* that asks */
  uint32_t answer;              /* number of the answer with data, or with the lock; 0: none is wanted */
  uint32_t confirm;             /* of the answer when all requests so far are done; 0: none is wanted */
  uint32_t runs;                /* that follow this head */
  uint32_t lock;                /* kind of the lock that is wanted */
  uint32_t extent, size, align; /* of an element of an accumulation */
  uint64_t bytes;               /* of the data */
};
struct window_run {
  int64_t offset; /* from the base of the window */
  uint64_t count; /* bytes, or elements */
};
#define WINDOW_MESSAGE_BYTES 8192u /* of a request: what TOFU sends at once (sw/transport/tofu.c) */
#define WINDOW_RUNS_MOST 64u

void window_service_start(void);
/* Sends what stays, and serves the requests that have come. */
void window_service(void);
/* Whether bytes of this rank are within a part that is attached to a dynamic window. */
int window_is_attached(const struct MPI_window_* window, const char* at, size_t bytes);
/* A message to be filled in, and sent. Its data follow the runs, aligned to 16. */
struct window_head* window_message(size_t runs, size_t bytes);
static inline struct window_run* window_runs(const struct window_head* head) { return (struct window_run*)(head + 1); }
static inline char* window_data(const struct window_head* head) { return (char*)(window_runs(head) + head->runs); }
/* What wants no answer stays until the next one, or until all has to be complete: so that one message does both. */
void window_send(MPI_Win window, int target, struct window_head* head);
/* Sends what still stays for a target, or an empty request, with what it asks for in addition. */
void window_send_last(MPI_Win window, int target, uint32_t confirm, int unlocks);
/* A message without data of its own tag; or with data that are freed at the end. */
void window_send_tagged(MPI_Win window, int target, uint64_t tag, void* data, size_t bytes, int owned);
void window_sends_finish(void);

/* ---- locks at this rank ---- */
void window_lock_wanted(MPI_Win window, int rank, int kind, uint32_t answer);
void window_lock_released(MPI_Win window, int rank);
void window_locks_of_the_dead(MPI_Win window);
/* In an epoch of MPI_Win_lock_all: gets the lock at a rank. */
int window_lock_for_all(const char* call, MPI_Win window, int rank);

/* ---- operations of accumulations ---- */
int window_op_number(MPI_Op op); /* -1: not predefined */
struct window_elements {
  size_t count;
  int kind;
  size_t extent, size, align; /* of an element */
};
/* inout[i] = in[i] op inout[i]; `inout` of any alignment */
void window_apply(int op, const void* in, void* inout, const struct window_elements* elements);

/* ---- tags of messages in the window's communicator ---- */
enum { WINDOW_TAG_POST, WINDOW_TAG_COMPLETE, WINDOW_TAG_ANSWERS };

#endif
