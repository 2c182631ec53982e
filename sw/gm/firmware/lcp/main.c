/* The LANai's control program: waits for events of the DMA machines, the timer and the host, and handles one at a time,
 * the most urgent first (FACTS.md 2.5). An in-transit packet is the most urgent of all: it holds a channel. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

struct lcp* lcp_memory;

static void start(void) {
  lcp_memory = lanai_sram(0);
  struct lcp* self = lcp();
  self->watched = self->first_ack = NONE;
  for (unsigned i = 0; i < EVENT_BUFFERS; ++i) self->free_events[self->free_event_count++] = (uint8_t)i;
  for (unsigned i = 0; i < RECEIVE_BUFFERS; ++i)
    lanai_receive(lanai_address(&self->receive_buffers[i]), sizeof self->receive_buffers[i]);
  for (unsigned i = 0; i < LCP_PORTS; ++i) {
    self->ports[i].asked = NONE;
    for (uint16_t record = 0; record < RECORDS; ++record)
      self->ports[i].records[record].next = record + 1u < RECORDS ? (uint16_t)(record + 1u) : NONE;
  }
}

static const struct {
  enum lanai_event event;
  void (*handle)(void);
  int is_cleared; /* here; the others go away by themselves */
} handlers[] = {{LANAI_EVENT_TIMER, look_at_time, 1},  {LANAI_EVENT_RDMA, rdma_done, 1},
                {LANAI_EVENT_RECV, receive_packet, 0}, {LANAI_EVENT_SDMA, sdma_done, 1},
                {LANAI_EVENT_SEND, send_done, 1},      {LANAI_EVENT_HOST, poll_ports, 1}};
#define HANDLED                                                                                          \
  (LANAI_EVENT_IN_TRANSIT | LANAI_EVENT_TIMER | LANAI_EVENT_RDMA | LANAI_EVENT_RECV | LANAI_EVENT_SDMA | \
   LANAI_EVENT_SEND | LANAI_EVENT_HOST)

/* ---- what an idle machine could do: asked after every event, so it takes a few loads ---- */

static inline int could_send(const struct lcp* self) {
  return !self->sending && (self->send_buffers[self->leave % SEND_BUFFERS].state == BUFFER_READY ||
                            self->first_ack != NONE || self->raw_leave != self->raw_end);
}

static inline int could_fetch(const struct lcp* self) {
  return !self->sdma_busy && (self->ready_count > 0 || self->datagram_count > 0 || self->raw_fetch != self->raw_end);
}

static inline int could_deliver(const struct lcp* self) { return !self->rdma_busy && self->job_count > 0; }

void lanai_main(void) {
  start();
  const struct lcp* self = lcp();
  for (;;) {
    const uint32_t events = lanai_wait(HANDLED);
    if (events & LANAI_EVENT_IN_TRANSIT) {
      ++lcp()->shared.statistics.in_transit;
      lanai_send_on();
      continue;
    }
    unsigned first = 0;
    while ((events & handlers[first].event) == 0) ++first;
    if (handlers[first].is_cleared) lanai_clear(handlers[first].event);
    handlers[first].handle();
    if (could_send(self)) start_send();
    if (could_deliver(self)) start_rdma();
    if (could_fetch(self)) start_sdma();
    if (could_send(self)) start_send(); /* a packet without data is ready at once */
  }
}
