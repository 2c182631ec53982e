/* Records between processes: each begins with this head; each kind sends only the part that it needs. */
#ifndef SANVP_TRANSPORT_RECORDS_H
#define SANVP_TRANSPORT_RECORDS_H

#include <stddef.h>
#include <stdint.h>

enum record_kind {
  RECORD_EAGER = 1, /* a whole message: tag */
  RECORD_FIRST,     /* the beginning of a longer one: tag, bytes of all */
  RECORD_MORE,      /* its continuation, until it is complete */
  RECORD_RTS,       /* request to send: tag, bytes, the sender's request; where its bytes are, or 0 */
  RECORD_CTS,       /* clear to send: both requests, bytes wanted; where they go, or 0 */
  RECORD_DATA,      /* bytes for a request */
  RECORD_FIN,       /* a request's bytes have been moved by put or get */
  RECORD_PUT,       /* bytes for an address */
  RECORD_GET,       /* answered with DATA: address, bytes, request */
  RECORD_ATOMIC,    /* address, operation, width, operands; answered where there is a request */
  RECORD_ANSWER,    /* a request's value */
  RECORD_FLUSH,     /* answered when all records before it are done */
  RECORD_FLUSHED,
  RECORD_BARRIER,   /* round */
  RECORD_WHERE,     /* asks for the address of a piece of symmetric memory for put and get: piece */
  RECORD_HERE,      /* that address, piece */
  RECORD_CREDIT,    /* only the fields that every head has */
  RECORD_CANCEL,    /* cancels an RTS: its sender's request */
  RECORD_CANCELLED, /* it was not matched: the request */
  RECORD_SIGNAL,    /* bytes for an address, then an operation on a word: operation, width, word, operand */
  RECORD_KINDS
};

struct record {
  uint8_t kind;
  uint8_t operation, width; /* ATOMIC */
  uint8_t round;            /* BARRIER */
  uint32_t credit;          /* bytes of early messages that the receiver of this one may send again */
  union {
    uint64_t tag, address, value;
    uint64_t to; /* DATA, FIN, CANCELLED: the request; WHERE, HERE: the piece */
  };
  uint32_t sender, receiver; /* requests of the message's sender and receiver; of a request: sender */
  union {
    uint64_t bytes, operand;
    uint64_t base; /* HERE */
  };
  union {
    uint64_t source; /* RTS, CTS: an address for put and get */
    uint64_t comparand;
    uint64_t word; /* SIGNAL: its address */
  };
};

/* Bytes of a kind's head. */
static inline size_t record_head_bytes(enum record_kind kind) {
  static const uint8_t bytes[RECORD_KINDS] = {
      [RECORD_EAGER] = offsetof(struct record, sender),
      [RECORD_FIRST] = offsetof(struct record, source),
      [RECORD_MORE] = offsetof(struct record, tag),
      [RECORD_RTS] = sizeof(struct record),
      [RECORD_CTS] = sizeof(struct record),
      [RECORD_DATA] = offsetof(struct record, sender),
      [RECORD_FIN] = offsetof(struct record, sender),
      [RECORD_PUT] = offsetof(struct record, sender),
      [RECORD_GET] = offsetof(struct record, source),
      [RECORD_ATOMIC] = sizeof(struct record),
      [RECORD_ANSWER] = offsetof(struct record, bytes),
      [RECORD_FLUSH] = offsetof(struct record, tag),
      [RECORD_FLUSHED] = offsetof(struct record, tag),
      [RECORD_BARRIER] = offsetof(struct record, tag),
      [RECORD_WHERE] = offsetof(struct record, sender),
      [RECORD_HERE] = offsetof(struct record, source),
      [RECORD_CREDIT] = offsetof(struct record, tag),
      [RECORD_CANCEL] = offsetof(struct record, receiver),
      [RECORD_CANCELLED] = offsetof(struct record, sender),
      [RECORD_SIGNAL] = sizeof(struct record),
  };
  return bytes[kind];
}

#endif
