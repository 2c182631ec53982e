/* A port, as shared by the files of GM. */
#ifndef SANVP_GM_PORT_H
#define SANVP_GM_PORT_H

#include "sw/gm/gm.h"
#include "sw/gmdrv/gmdrv.h"
#include "sw/support/extents.h"

#define ARENAS 24u
struct arena {
  unsigned char* memory;
  uint32_t bytes;
  struct extents free;
  struct piece {
    uint32_t start, bytes;
  } * pieces; /* handed out */
  size_t count, room;
};

struct gm_port {
  unsigned number, node, nodes;
  uint64_t slots; /* bus address of its struct lcp_port */
  struct lcp_event* events;
  unsigned next_event, next_send, next_receive;

  unsigned send_tokens, receive_tokens; /* that are left */
  int keeps_tokens;                     /* the program gives send tokens back and takes them, by priority: */
  unsigned own_tokens[LCP_PRIORITIES];
  struct {
    gm_send_completion_callback_t callback;
    void* context;
    int next_free;
  } sends[LCP_SEND_SLOTS];
  int free_send;
  gm_u32_t* words; /* [LCP_SEND_SLOTS] that gm_datagram_send_4 sends; null: none yet */
  /* The card's events name a receive buffer by its bus address. In the region of the port's events, the heap, the
   * difference between pointer and bus address is constant; the card's buffers in other regions are listed. */
  uint64_t distance;
  struct {
    uint64_t address;
    void* pointer;
  } strays[LCP_RECEIVE_TOKENS];
  unsigned stray_count;

  gm_recv_event_t event;  /* that gm_receive has answered */
  struct lcp_event* told; /* its slot; null: none */
  gm_alarm_t* alarms;     /* by time */
  struct gm_port* next;
  struct arena arenas[ARENAS];
  unsigned arena_count;
};

/* memory.c */
void gm_release_memory(struct gm_port* port);
/* alarm.c */
void gm_run_alarms(struct gm_port* port);
/* send.c */
void gm_store_send(struct gm_port* port, struct lcp_send_slot slot);

#endif
