/* Mapping packets. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

void receive_mapping(const struct packet* packet, uint32_t bytes) {
  (void)packet;
  (void)bytes;
}
