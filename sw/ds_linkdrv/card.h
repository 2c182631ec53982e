/* The driver's own view of its card. */
#ifndef SANVP_DS_LINKDRV_CARD_H
#define SANVP_DS_LINKDRV_CARD_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/ds_link.h"
#include "sw/ds_linkdrv/ds_linkdrv.h"

struct card {
  uint64_t channels, registers; /* bus addresses of windows */
  struct ds_position position;
  uint32_t links_per_process;
  struct connected* connected; /* virtual links of all processes */
  size_t connected_count, connected_room;
  struct ds_owner* owners; /* [position.processes]; queue 0: it does not listen */
};

struct connected {
  int process;
  uint64_t port; /* bus address */
  struct ds_connection connection;
};

/* The card of this node. An image is loaded once per node, so this is not shared. */
struct card* the_card(void);

#endif
