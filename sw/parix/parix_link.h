/* For the files of sw/parix alone. */
#ifndef SANVP_PARIX_LINK_H
#define SANVP_PARIX_LINK_H

#include "sw/message_port/transfer.h"
#include "sw/parix/parix.h"

/* Kinds of messages, by the highest bits of their tags; sw/transport/parix.c has a third. */
#define TAG_NODE 0u
#define TAG_LINK (1u << 30)

struct parix_transfer {
  struct port_transfer transfer;
  int* result;
};

struct parix_link {
  unsigned peer;
  uint32_t tag;
  struct parix_transfer* under_way; /* of ASend and ARecv */
  int count, sends, receives;       /* under way */
  int most_sends, most_receives;
};

#endif
