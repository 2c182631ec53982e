/* The Tofu interconnect controller (ICC) as software sees it: windows, registers, and the records it keeps in memory.
 * Plain C: host software and the models include this file, and its numbers are in no other file.
 *
 * Known (FACTS.md 6.1; the public uTofu header, utofu.h 1.0): four network interfaces (TNIs) a node, their control
 * queues (TOQ: orders, TCQ: what has left, MRQ: what has arrived or has been answered), steering addresses (STADD) of
 * memory, barrier gates that combine signals, ten links, paths by the first abc point. Layouts and sizes are assumed.
 * All records are little-endian, as the simulating computers are.
 */
#ifndef SANVP_TOFU_REGISTERS_H
#define SANVP_TOFU_REGISTERS_H
/* NOLINTBEGIN(modernize-*): C */

#include <stdint.h>

#define TOFU_TNIS 4u                                     /* FACTS.md 6.1 */
#define TOFU_PROCESSES 16u                               /* of a node, as the card distinguishes them */
#define TOFU_COMPONENTS 8u                               /* control queues of a process at a TNI */
#define TOFU_QUEUES (TOFU_PROCESSES * TOFU_COMPONENTS)   /* of a TNI */
#define TOFU_PROCESS_GATES 64u                           /* barrier gates of a process */
#define TOFU_GATES (TOFU_PROCESSES * TOFU_PROCESS_GATES) /* of a node */
#define TOFU_PATHS 12u                                   /* abc points of a group: FACTS.md 6.1 */

/* ---- windows (base address registers) ---- */
#define TOFU_BAR_QUEUES 0    /* a page for each control queue: page tni * TOFU_QUEUES + queue */
#define TOFU_BAR_BARRIER 1   /* a page for each process: a store of 1 to word g starts its gate g */
#define TOFU_BAR_REGISTERS 2 /* for the driver */
#define TOFU_BAR_ROM 3       /* struct tofu_position at its start */
#define TOFU_BARS 4

#define TOFU_PAGE_BYTES 4096u
#define TOFU_REGISTER_BYTES 0x1000u
#define TOFU_ROM_BYTES 0x1000u

/* A control queue's page. Counts run on and are taken modulo 2^32. */
#define TOFU_PAGE_ORDERS 0x00u /* number of orders put into the TOQ so far */
#define TOFU_PAGE_TCQ 0x08u    /* number of TCQ entries that software has taken so far */
#define TOFU_PAGE_MRQ 0x10u    /* the same for the MRQ */
#define TOFU_PAGE_DIRECT 0x80u /* a struct tofu_order stored here in one burst is an order that needs no fetch */

/* ---- registers (offsets in TOFU_BAR_REGISTERS) ---- */
#define TOFU_REG_QUEUES_LOW 0x00u /* bus address of struct tofu_queue [TOFU_TNIS * TOFU_QUEUES] */
#define TOFU_REG_QUEUES_HIGH 0x04u
#define TOFU_REG_GATES_LOW 0x08u /* bus address of struct tofu_gate [TOFU_GATES] */
#define TOFU_REG_GATES_HIGH 0x0cu
#define TOFU_REG_LOAD_QUEUE 0x10u /* the card reads the record of the queue with that number again */
#define TOFU_REG_LOAD_GATE 0x14u  /* the same for a gate */
#define TOFU_REG_FLUSH 0x18u      /* steering entries and page tables have changed */

/* The node's position. Sizes and coordinates in the order x y z a b c; a flattened network has x and y. */
struct tofu_position {
  uint32_t magic; /* TOFU_POSITION_MAGIC */
  uint32_t node;
  uint32_t nodes;
  uint32_t size[6]; /* nodes are numbered in row-major order: the last axis is the fastest */
};
#define TOFU_POSITION_MAGIC 0x70f0109cu

/* ---- steering addresses ---- */

/* A steering address (STADD) is a steering tag, bits 63..48, and an offset in the tag's memory. */
typedef uint64_t tofu_stadd;
#define TOFU_STADD(tag, offset) ((uint64_t)(tag) << 48 | (uint64_t)(offset))
#define TOFU_STADD_TAG(stadd) ((uint32_t)((stadd) >> 48))
#define TOFU_STADD_OFFSET(stadd) ((stadd)&0xffffffffffffull)
#define TOFU_TAGS 1024u /* of a control queue */

/* Memory that orders may access by a control queue; a table of TOFU_TAGS of these is in main memory. */
struct tofu_steering {
  uint64_t pages; /* bus address of uint64_t [pages]: bus addresses of pieces of TOFU_LARGE_PAGE bytes */
  uint64_t bytes; /* 0: the tag is not in use */
  uint32_t flags; /* TOFU_READ_ONLY */
  uint32_t reserved;
};
#define TOFU_READ_ONLY 1u
#define TOFU_LARGE_PAGE (4ull << 20)

/* ---- control queues ---- */

/* The position of a control queue in main memory. Numbers of entries are powers of two; entry n is at n modulo that. */
struct tofu_queue {
  uint64_t orders;                                  /* bus address of struct tofu_order [order_entries] */
  uint64_t tcq;                                     /* of struct tofu_tcq_entry [tcq_entries] */
  uint64_t mrq;                                     /* of struct tofu_mrq_entry [mrq_entries] */
  uint64_t steering;                                /* of struct tofu_steering [TOFU_TAGS] */
  uint32_t order_entries, tcq_entries, mrq_entries; /* 0: the queue is closed */
  uint32_t reserved;
};

enum tofu_operation {
  TOFU_PUT = 1,
  TOFU_PUT_INLINE, /* the order has the data: up to TOFU_INLINE_BYTES */
  TOFU_GET,
  TOFU_ATOMIC, /* on an aligned word of `length` 4 or 8 at `remote`: `arithmetic` with `operand` */
  TOFU_NOP
};
/* The new value of the word after an atomic read-modify-write. */
enum tofu_arithmetic {
  TOFU_COMPARE_AND_SWAP = 0, /* the operand, if the word is equal to the comparand */
  TOFU_SWAP = 1,
  TOFU_ADD = 2,
  TOFU_XOR = 3,
  TOFU_AND = 4,
  TOFU_OR = 5
};
#define TOFU_TCQ_NOTICE (1u << 0)        /* when the order's last packet has left: local memory may be reused */
#define TOFU_LOCAL_MRQ_NOTICE (1u << 1)  /* when it is done at the far end, and the data of a get or atomic are here */
#define TOFU_REMOTE_MRQ_NOTICE (1u << 2) /* at the far end, when it is done there */
#define TOFU_NOTICES 7u

#define TOFU_INLINE_BYTES 32u
#define TOFU_MOST_BYTES 0xffffffu /* of one order */

struct tofu_order {
  uint8_t operation;  /* enum tofu_operation */
  uint8_t arithmetic; /* enum tofu_arithmetic */
  uint8_t path;       /* 0: the card chooses the route (nic.routing); p + 1: first by point p of the sender's group */
  uint8_t notices;    /* TOFU_..._NOTICE */
  uint32_t length;    /* bytes */
  uint32_t node;      /* of the far queue */
  uint8_t tni;
  uint8_t reserved[1];
  uint16_t queue;
  tofu_stadd remote;
  uint64_t remark; /* edata: part of the far notice */
  union {
    struct {
      tofu_stadd local;
      uint64_t operand, comparand;
    };
    uint8_t data[TOFU_INLINE_BYTES];
  };
};

/* An entry is valid when its `number` is its position, counted from 1; that word is written last. */
struct tofu_tcq_entry {
  uint32_t order; /* its number, counted from 0 */
  uint32_t status;
  uint32_t reserved;
  uint32_t number;
};
struct tofu_mrq_entry {
  uint32_t status;
  uint8_t type; /* enum tofu_notice */
  uint8_t tni;  /* the queue at the other end */
  uint16_t queue;
  uint32_t node;
  uint32_t length;
  uint64_t remark;
  uint64_t value;           /* of an atomic: the old value of the word */
  tofu_stadd local, remote; /* start of the data here and at the other end */
  uint64_t reserved;
  uint32_t reserved2;
  uint32_t number;
};
enum tofu_notice {
  TOFU_LOCAL_PUT,
  TOFU_REMOTE_PUT,
  TOFU_LOCAL_GET,
  TOFU_REMOTE_GET,
  TOFU_LOCAL_ATOMIC,
  TOFU_REMOTE_ATOMIC
};
enum tofu_status {
  TOFU_OK = 0,
  TOFU_BAD_ORDER,        /* operation, length, alignment or far queue is invalid */
  TOFU_BAD_LOCAL_STADD,  /* no such steering tag here, or not so many bytes, or not writable */
  TOFU_BAD_REMOTE_STADD, /* the same at the far end */
  TOFU_NO_QUEUE,         /* the far control queue is closed */
  TOFU_UNREACHABLE       /* a packet was lost: no working route leads there */
};

/* ---- barrier gates ---- */

/* A gate waits for a signal from each of its sources, then signals its destinations. A gate with a `done` word is where
 * software starts a barrier (its destinations are signalled) and where a barrier ends: when all sources have signalled,
 * the number of barriers done so far is written to the word. Signals that arrive before a gate is wired are kept. */
struct tofu_gate {
  uint32_t flags;       /* TOFU_GATE_... */
  uint32_t local_gate;  /* of this node */
  uint32_t remote_node; /* and its gate */
  uint32_t remote_gate;
  uint64_t done; /* bus address of a uint32_t; 0: none */
  uint32_t path; /* as in struct tofu_order */
  uint32_t reserved;
};
#define TOFU_GATE_LOCAL_SOURCE 1u
#define TOFU_GATE_REMOTE_SOURCE 2u
#define TOFU_GATE_LOCAL_DESTINATION 4u
#define TOFU_GATE_REMOTE_DESTINATION 8u
#define TOFU_GATE_IN_USE 16u

/* NOLINTEND(modernize-*) */
#endif
