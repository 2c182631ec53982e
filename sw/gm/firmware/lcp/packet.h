/* GM's packets behind the route, as they are on the wire (FACTS.md 2.2). */
#ifndef SANVP_GM_PACKET_H
#define SANVP_GM_PACKET_H

#include "sw/gm/lcp.h"

enum packet_type { PACKET_GM = 0x0008, PACKET_MAPPING = 0x700f };

/* Numbers (A); names FACTS.md 2.5. */
enum packet_subtype {
  PACKET_DATA = 1, /* a whole message */
  PACKET_HEAD,     /* the first of several */
  PACKET_BODY,
  PACKET_TAIL,
  PACKET_PUT,      /* into memory: begins with the address there */
  PACKET_GET,      /* asks for memory: struct packet_get */
  PACKET_GOT,      /* answers that; like PUT */
  PACKET_DATAGRAM, /* a whole message without a number; never acknowledged */
  PACKET_ACK,
  PACKET_NACK,          /* one before it is missing */
  PACKET_NACK_NO_TOKEN, /* no buffer is there for it */
  PACKET_NACK_CLOSED,   /* that port is closed */
  PACKET_NACK_REJECT    /* it may not be put there */
};

/* FACTS.md 2.2: 24 bytes. A subport is 2 * port + priority. */
struct packet_header {
  uint16_t type, subtype;
  uint32_t target;
  uint16_t session, sequence;
  uint16_t length;
  uint8_t target_subport, sender_subport;
  uint32_t sender;
  uint16_t size; /* class, of messages; GET, GOT: the asker's record */
  uint16_t get;  /* GET, GOT: number of that get */
};
_Static_assert(sizeof(struct packet_header) == 24, "FACTS 2.1");

struct packet_get {
  uint64_t from, to; /* there; at the asker */
  uint32_t length, unused;
};

#define PACKET_PUT_BYTES 8u /* the address */
struct packet {
  struct packet_header header;
  uint8_t payload[PACKET_PUT_BYTES + LCP_MTU];
};

static inline unsigned subport(unsigned port, unsigned priority) { return port * LCP_PRIORITIES + priority; }

#endif
