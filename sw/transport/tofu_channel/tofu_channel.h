/* The channel of TOFU (../tofu.c), as its files share it: its state, and the functions of each. */
#ifndef SANVP_TRANSPORT_TOFU_CHANNEL_H
#define SANVP_TRANSPORT_TOFU_CHANNEL_H

#include "sw/tofu/known.h"
#include "sw/tofu/tofu_job.h"
#include "sw/transport/channel.h"

#define TOFU_RECORD_BYTES 1920u /* data of one packet: nic.packet.payload */
#define TOFU_SLOTS 8u           /* records of one sender that are not taken yet (A) */
#define TOFU_ORDERS_MOST 64u    /* puts, gets and atomics under way: as many as messages/ ever has */

/* edata of a put into the channel's own memory: its sender, and how many bytes of which record; or that slots are free
 * again (a credit). Other orders have their place in `orders` and a count of its uses instead: an order that was given
 * up may have left notices behind. */
#define TOFU_OF_RECORD (1ull << 63)
#define TOFU_CREDIT_BYTES 0xffffu
#define TOFU_RECORD_EDATA(rank, number, bytes) \
  (TOFU_OF_RECORD | (uint64_t)(rank) << 32 | ((number)&0xffffu) << 16 | (bytes))
#define TOFU_RANK_OF(edata) ((unsigned)((edata) >> 32) & 0x7fffffffu)
#define TOFU_NUMBER_OF(edata) ((unsigned)(edata) >> 16)
#define TOFU_BYTES_OF(edata) ((unsigned)(edata)&0xffffu)

typedef int tofu_order_call(utofu_vcq_hdl_t, utofu_vcq_id_t, utofu_stadd_t, utofu_stadd_t, size_t, uint64_t,
                            unsigned long int, void*);

/* A put, get or atomic operation of messages/ under way. */
struct tofu_order {
  volatile uint32_t* done; /* null: free */
  uint32_t use;            /* of this place, counted */
  unsigned peer;
  unsigned left;         /* commands to the card without an answer */
  int failed;            /* one of them */
  tofu_order_call* call; /* null: an atomic operation */
  uint64_t remote;
  utofu_stadd_t local;
  size_t bytes; /* of an atomic operation: its width */
  enum word_operation operation;
  uint64_t operand, comparand;
  uint64_t* before;
};

/* Another process. */
struct tofu_peer {
  utofu_vcq_id_t vcq;
  uint32_t sent, came, returned; /* records to it, records from it, and those of them that it has been told of */
  uint16_t bytes[TOFU_SLOTS];    /* of records that it may not have taken yet */
  uint16_t here[TOFU_SLOTS];     /* of those that have come from it and are not taken; 0: not here yet */
  /* The losses on the way to it: */
  uint32_t lost; /* a bit for each slot */
  int lost_credit;
  uint64_t retry_ps, interval_ps; /* when it is sent again (0: nothing is), and how long after the failure */
  uint64_t failed_ps, silent_ps;  /* last failure; first failure since an attempt got through */
};

struct tofu_channel {
  utofu_vcq_hdl_t vcq;
  unsigned long flags; /* of all orders: the path */
  struct tofu_peer* peers;
  /* The channel's own memory, laid out alike in all processes: counts of records that each has taken; records that go
   * out, which stay until they have been taken; slots of each sender. */
  volatile uint32_t* taken; /* [ranks], written by the peers' cards */
  char* stages;
  char* slots;
  utofu_stadd_t base;
  unsigned from;     /* sender of the record that `receive` has returned */
  int more;          /* its next record is here, too */
  unsigned silent;   /* peers to which something is sent again ... */
  uint64_t retry_ps; /* ... and when to the first of them */
  uint64_t timeout_ps;
  const volatile uint32_t* deaths; /* that this process knows of, and has handled */
  uint32_t deaths_seen;
  int refused, news, barrier;
  struct tofu_order orders[TOFU_ORDERS_MOST];
  struct tofu_known known;
};

/* Ends the job: uTofu returns an error for which there is no remedy. */
void tofu_channel_fail(int result, const char* what);
static inline void tofu_channel_check(int result, const char* what) {
  if (result != UTOFU_SUCCESS) tofu_channel_fail(result, what);
}

/* ---- records.c ---- */
/* The place of a record to or from a process. */
static inline char* tofu_record_place(char* places, unsigned process, uint32_t number) {
  return places + ((size_t)process * TOFU_SLOTS + number % TOFU_SLOTS) * TOFU_RECORD_BYTES;
}
/* Put a staged record into its slot at the receiver; tell a sender which of its slots are free. UTOFU_ERR_BUSY: the
 * queue has no room. */
int tofu_record_put(struct tofu_channel* t, unsigned to, uint32_t number);
int tofu_record_credit(struct tofu_channel* t, const struct tofu_peer* peer);
/* Notes a refusal: `sleep` then also wakes for room. Returns its reason. */
static inline enum channel_room tofu_record_refuse(struct tofu_channel* t, enum channel_room why) {
  t->refused = 1;
  return why;
}
/* Takes the notices of orders that have left the queue. */
void tofu_record_poll_left(struct tofu_channel* t);
void tofu_record_wait_for_room(struct tofu_channel* t);

/* ---- orders.c ---- */
/* The calls of the channel. */
enum channel_room tofu_order_put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                                 volatile uint32_t* done);
enum channel_room tofu_order_get(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                                 volatile uint32_t* done);
enum channel_room tofu_order_atomic(void* self, unsigned to, uint64_t remote, enum word_operation operation,
                                    unsigned width, uint64_t operand, uint64_t comparand, uint64_t* before,
                                    volatile uint32_t* done);
/* The order that a notice is for; null if it was given up. */
struct tofu_order* tofu_order_of(struct tofu_channel* t, uint64_t edata);
/* Issues an order to the card, from its start. UTOFU_ERR_BUSY: the queue has no room. */
int tofu_order_issue(struct tofu_channel* t, struct tofu_order* order);
/* Sets the order's `done`, and frees its place. */
void tofu_order_end(struct tofu_channel* t, struct tofu_order* order, uint32_t how);
/* A command of an order has been answered. */
void tofu_order_answered(struct tofu_channel* t, const struct utofu_mrq_notice* notice);

/* ---- retry.c ---- */
/* The card tells that a put or order did not get through. */
void tofu_retry_lost(struct tofu_channel* t, int result, const struct utofu_mrq_notice* notice);
/* All commands of an order have been answered, and one of them failed: issues it again later. */
void tofu_retry_order(struct tofu_channel* t, const struct tofu_order* order);
/* Resends whatever is due. */
void tofu_retry_due(struct tofu_channel* t);
/* Drops whatever is for processes on dead nodes. */
void tofu_retry_deaths(struct tofu_channel* t);

#endif
