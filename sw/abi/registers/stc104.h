/* The configuration space of an STC104, as its control links reach it: 32-bit words (FACTS.md 3.2; offsets are ours,
 * A). Plain C, for the configuration program and the model alike.
 */
#ifndef SANVP_STC104_REGISTERS_H
#define SANVP_STC104_REGISTERS_H

/* NOLINTBEGIN(modernize-*): C */
#include <stdint.h>

#define STC104_LINKS 32u
#define STC104_INTERVALS 36u /* of a link's table (A) */

#define STC104_IDENTITY 0x0000u /* reads STC104_IS_ONE */
#define STC104_IS_ONE 0x00000104u

/* Each link has its own registers, and a table for packets that arrive on it. */
#define STC104_LINK(link) (0x1000u + (link)*0x100u)
#define STC104_MODE 0x00u   /* STC104_MODE_... */
#define STC104_RANDOM 0x04u /* first header << 16 | how many: of the headers that RANDOMISE draws from */
#define STC104_OWN 0x08u    /* the same: headers that are deleted where they come in, and the next one routes */
#define STC104_INTERVAL(n) (0x40u + (n)*4u)

#define STC104_MODE_GROUPED (1u << 0)   /* out: grouped with the previous link, either may be used */
#define STC104_MODE_DELETE (1u << 1)    /* out: the header is deleted */
#define STC104_MODE_RANDOMISE (1u << 2) /* in: a random header is put in front (universal routing) */

/* Interval n holds the headers from the end of interval n - 1 on (0 on for the first) up to its own end, exclusive. An
 * end that is not above the previous one ends the table: headers from there on are not served. */
#define STC104_ENTRY(end, link) ((uint32_t)(link) << 24 | (uint32_t)(end))
#define STC104_ENTRY_END(word) ((word)&0xffffffu)
#define STC104_ENTRY_LINK(word) ((word) >> 24)
#define STC104_RANGE(first, count) ((uint32_t)(first) << 16 | (uint32_t)(count))
#define STC104_RANGE_FIRST(word) ((word) >> 16)
#define STC104_RANGE_COUNT(word) ((word)&0xffffu)

/* ---- the control network: switches in a chain, addressed by their places in it, from the node it begins at ---- */
#define STC104_DEVICE_BYTES 0x4000u
#define STC104_ADDRESS(device, offset) ((uint32_t)(device)*STC104_DEVICE_BYTES + (offset))

/* The network as recorded when it was cabled, with cables found not to work, in the card's ROM behind struct
 * ds_position. */
struct stc104_network {
  uint32_t hosts, switches;
  uint32_t uplinks; /* enum stc104_uplinks */
  uint32_t peers[]; /* [switches][STC104_LINKS]: what is plugged in there, STC104_PEER_... */
};
enum stc104_uplinks {
  STC104_UPLINKS_GROUPED,  /* of several ways away from hosts any free one */
  STC104_UPLINKS_FIXED,    /* each has an equal share of the headers */
  STC104_UPLINKS_UNIVERSAL /* first to a random one of the switches furthest from hosts */
};
#define STC104_PEER_NONE 0u
#define STC104_PEER_HOST(host) (1u << 24 | (uint32_t)(host))
#define STC104_PEER_SWITCH(switch_) (2u << 24 | (uint32_t)(switch_))
/* A cable to it that does not work. */
#define STC104_PEER_LOST_SWITCH(switch_) (3u << 24 | (uint32_t)(switch_))
#define STC104_PEER_LOST_HOST(host) (4u << 24 | (uint32_t)(host))
#define STC104_PEER_IS_HOST(word) ((word) >> 24 == 1u)
#define STC104_PEER_IS_SWITCH(word) ((word) >> 24 == 2u)
#define STC104_PEER_IS_LOST_SWITCH(word) ((word) >> 24 == 3u)
#define STC104_PEER_IS_LOST_HOST(word) ((word) >> 24 == 4u)
#define STC104_PEER_NUMBER(word) ((word)&0xffffffu)

/* NOLINTEND(modernize-*) */
#endif
