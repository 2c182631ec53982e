/* The LANai's control program: waits for what the machines, the timer and the host have, and does one thing at a time,
 * the most urgent first (FACTS.md 2.5). An in-transit packet is the most urgent of all: it holds a channel. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

static void start(void) {
  struct lcp* self = lcp();
  self->watched = self->first_ack = NONE;
  self->events_free = EVENT_BUFFERS;
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

void lanai_main(void) {
  start();
  for (;;) {
    uint32_t any = LANAI_EVENT_IN_TRANSIT;
    for (unsigned i = 0; i < sizeof handlers / sizeof *handlers; ++i) any |= handlers[i].event;
    const uint32_t events = lanai_wait(any);
    if (events & LANAI_EVENT_IN_TRANSIT) {
      ++lcp()->shared.statistics.in_transit;
      lanai_send_on();
      continue;
    }
    unsigned first = 0;
    while ((events & handlers[first].event) == 0) ++first;
    if (handlers[first].is_cleared) lanai_clear(handlers[first].event);
    handlers[first].handle();
    start_send();
    start_rdma();
    start_sdma();
    start_send(); /* a packet without data is ready at once */
  }
}
