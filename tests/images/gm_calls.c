/* GM, call by call: order by priority, whatever happens on the wire; directed sends; alarms; what errors say. */
#include <gm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define EXPECT(what) ((what) ? (void)0 : fail(#what, __LINE__))
enum { PORT = 4, MESSAGES = 40, BUFFERS = 100, SIZE = 13, US_PS = 1000000 };

static struct gm_port* port;
static unsigned right, left; /* node ids */
static int pending, statuses[32];
static unsigned arrived[2];

static void fail(const char* what, int line) {
  char text[160];
  snprintf(text, sizeof text, "rank %d, line %d: not so: %s", hal_rank(), line, what);
  hal_abort(text);
}

static void ended(struct gm_port* at, void* context, gm_status_t status) {
  EXPECT(at == port);
  *(int*)context = (int)status;
  --pending;
}

/* Message i of a priority from a rank. */
static size_t length_of(unsigned priority, unsigned i) { return 8 + (i * 1237u + priority * 501u) % 8000u; }
static unsigned char byte_of(unsigned from, unsigned priority, unsigned i, size_t at) {
  return (unsigned char)(from * 31u + priority * 17u + i * 7u + at * 3u + at / 255u);
}

static void check(const gm_recv_event_t* event) {
  const int type = event->recv.type;
  const unsigned priority = type == GM_HIGH_RECV_EVENT || type == GM_HIGH_PEER_RECV_EVENT ||
                            type == GM_FAST_HIGH_RECV_EVENT || type == GM_FAST_HIGH_PEER_RECV_EVENT;
  const unsigned i = arrived[priority]++;
  const unsigned char* bytes = event->recv.message;
  EXPECT(event->recv.sender_node_id == left && event->recv.sender_port_id == PORT && event->recv.tag == priority + 5);
  EXPECT(event->recv.length == length_of(priority, i)); /* the next one in order, once */
  for (size_t at = 0; at < event->recv.length; ++at) EXPECT(bytes[at] == byte_of(left - 1, priority, i, at));
  gm_provide_receive_buffer_with_tag(port, event->recv.buffer, SIZE, priority ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY,
                                     event->recv.tag);
}

static void serve(void) {
  gm_recv_event_t* event = gm_blocking_receive(port);
  if (event->recv.type >= GM_RECV_EVENT && event->recv.type <= GM_FAST_HIGH_PEER_RECV_EVENT)
    check(event);
  else
    gm_unknown(port, event);
}

static void settle(void) {
  while (pending > 0) serve();
}

/* ---- the ring: MESSAGES of each priority to the right ---- */

static void ring(void) {
  const size_t most = gm_max_length_for_size(SIZE);
  unsigned char* out = gm_dma_malloc(port, 2 * MESSAGES * most);
  int status[2 * MESSAGES];
  for (unsigned i = 0; i < 2 * MESSAGES; ++i) {
    const unsigned priority = i % 2, number = i / 2;
    unsigned char* message = out + i * most;
    for (size_t at = 0; at < length_of(priority, number); ++at)
      message[at] = byte_of((unsigned)hal_node(), priority, number, at);
    while (!gm_send_token_available(port, GM_LOW_PRIORITY)) serve();
    ++pending;
    gm_send_to_peer_with_callback(port, message, SIZE, length_of(priority, number),
                                  priority ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY, right, ended, &status[i]);
  }
  settle();
  for (unsigned i = 0; i < 2 * MESSAGES; ++i) EXPECT(status[i] == GM_SUCCESS);
  while (arrived[0] < MESSAGES || arrived[1] < MESSAGES) serve();
  gm_dma_free(port, out);
}

/* ---- directed sends: into the same place of the right neighbour's shared globals ---- */

static unsigned char* window; /* registered; its address is told by a message */
enum { WINDOW = 40000 };

static void directed(void) {
  uint64_t* told = gm_dma_malloc(port, 2 * sizeof *told);
  window = gm_dma_calloc(port, 1, WINDOW);
  told[0] = (uint64_t)(uintptr_t)window;
  /* Nothing of check() fits these: they come by a class of their own. */
  uint64_t* in = gm_dma_malloc(port, 64);
  gm_provide_receive_buffer(port, in, 6, GM_LOW_PRIORITY);
  ++pending;
  gm_send_with_callback(port, told, 6, sizeof *told, GM_LOW_PRIORITY, left, PORT, ended, &statuses[0]);
  uint64_t there = 0;
  while (there == 0) {
    gm_recv_event_t* event = gm_blocking_receive(port);
    if (event->recv.type < GM_RECV_EVENT || event->recv.type > GM_FAST_HIGH_PEER_RECV_EVENT) {
      gm_unknown(port, event);
      continue;
    }
    EXPECT(event->recv.size == 6 && event->recv.sender_node_id == right);
    there = *(const uint64_t*)event->recv.message;
  }
  unsigned char* data = gm_dma_malloc(port, WINDOW);
  for (size_t i = 0; i < WINDOW; ++i) data[i] = byte_of((unsigned)hal_node(), 2, 0, i);
  ++pending;
  gm_directed_send_with_callback(port, data, there + 1, WINDOW - 1, GM_LOW_PRIORITY, right, PORT, ended, &statuses[1]);
  settle();
  EXPECT(statuses[0] == GM_SUCCESS && statuses[1] == GM_SUCCESS);
  const volatile unsigned char* seen = window;
  while (seen[WINDOW - 1] != byte_of(left - 1, 2, 0, WINDOW - 2)) hal_sleep_ps(US_PS);
  EXPECT(seen[0] == 0);
  for (size_t i = 1; i < WINDOW; ++i) EXPECT(seen[i] == byte_of(left - 1, 2, 0, i - 1));
}

/* ---- alarms ---- */

static void rang(void* context) {
  *(uint64_t*)context = hal_time_ps();
  --pending;
}

static void alarms(void) {
  gm_alarm_t late, early, never;
  uint64_t at[2] = {0, 0}, no = 0;
  gm_initialize_alarm(&late);
  gm_initialize_alarm(&early);
  gm_initialize_alarm(&never);
  const uint64_t begin = hal_time_ps();
  pending = 2;
  gm_set_alarm(port, &late, 200, rang, &at[1]);
  gm_set_alarm(port, &early, 50, rang, &at[0]);
  gm_set_alarm(port, &never, 100, rang, &no);
  gm_cancel_alarm(&never);
  settle();
  EXPECT(no == 0);
  for (int i = 0; i < 2; ++i) {
    const uint64_t us = (at[i] - begin) / US_PS;
    EXPECT(us >= (i ? 200u : 50u) && us < (i ? 220u : 70u));
  }
}

/* ---- errors ---- */

static void errors(void) {
  unsigned char* data = gm_dma_calloc(port, 1, 64);
  /* Nobody has opened port 9; what follows waits, and is dropped. */
  pending = 2;
  gm_send_with_callback(port, data, 6, 8, GM_LOW_PRIORITY, right, 9, ended, &statuses[0]);
  gm_send_with_callback(port, data, 6, 8, GM_LOW_PRIORITY, right, 9, ended, &statuses[1]);
  while (pending > 1) serve();
  EXPECT(statuses[0] == GM_SEND_TARGET_PORT_CLOSED);
  ++pending;
  gm_drop_sends(port, GM_LOW_PRIORITY, right, 9, ended, &statuses[2]);
  settle();
  EXPECT(statuses[1] == GM_SEND_DROPPED && statuses[2] == GM_SUCCESS);
  /* Or it goes on, into the same error. */
  pending = 2;
  gm_send_with_callback(port, data, 6, 8, GM_HIGH_PRIORITY, right, 9, ended, &statuses[0]);
  gm_send_with_callback(port, data, 6, 8, GM_HIGH_PRIORITY, right, 9, ended, &statuses[1]);
  while (pending > 1) serve();
  ++pending;
  gm_resume_sending(port, GM_HIGH_PRIORITY, right, 9, ended, &statuses[2]);
  settle();
  EXPECT(statuses[1] == GM_SEND_TARGET_PORT_CLOSED && statuses[2] == GM_SUCCESS);
  /* A class that nobody has buffers of: needs -s gm.no_buffer. */
  pending = 1;
  gm_send_with_callback(port, data, 7, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  settle();
  EXPECT(statuses[0] == GM_SEND_TIMED_OUT);
  pending = 1;
  gm_resume_sending(port, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  settle();
  /* Memory that is not registered there. */
  pending = 1;
  gm_directed_send_with_callback(port, data, 0x1000, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  settle();
  EXPECT(statuses[0] == GM_SEND_REJECTED);
  pending = 1;
  gm_resume_sending(port, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  settle();
}

static void sizes(void) {
  EXPECT(gm_min_size_for_length(0) == 3 && gm_min_size_for_length(1) == 4 && gm_min_size_for_length(8) == 4);
  EXPECT(gm_min_size_for_length(9) == 5 && gm_max_length_for_size(5) == 24 && gm_max_length_for_size(2) == 0);
  EXPECT(gm_min_size_for_length(4088) == 12 && gm_min_size_for_length(4089) == 13);
  EXPECT(gm_num_send_tokens(port) == 61 && gm_num_receive_tokens(port) == 254);
  EXPECT(gm_host_name_to_node_id(port, "h3") == 4 && gm_host_name_to_node_id(port, "x") == GM_NO_SUCH_NODE_ID);
}

int main(int argc, char** argv) {
  static char unregistered[64];
  const char* what = argc > 1 ? argv[1] : "all";
  gm_init();
  EXPECT(gm_open(&port, 0, PORT, "gm_calls", GM_API_VERSION_1_3) == GM_SUCCESS);
  struct gm_port* other = NULL;
  EXPECT(gm_open(&other, 0, PORT, "gm_calls", GM_API_VERSION_1_3) == GM_BUSY && other == NULL);
  EXPECT(gm_open(&other, 0, 16, "gm_calls", GM_API_VERSION_1_3) == GM_INVALID_PARAMETER);
  right = (unsigned)hal_rank_node((hal_rank() + 1) % hal_ranks()) + 1;
  left = (unsigned)hal_rank_node((hal_rank() + hal_ranks() - 1) % hal_ranks()) + 1;
  const size_t most = gm_max_length_for_size(SIZE);
  unsigned char* in = gm_dma_malloc(port, BUFFERS * most);
  for (unsigned i = 0; i < BUFFERS; ++i)
    gm_provide_receive_buffer_with_tag(port, in + i * most, SIZE, i % 2 ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY,
                                       5 + i % 2);
  hal_sleep_ps(1000ull * US_PS); /* all have opened their ports by then */
  if (strcmp(what, "memory") == 0) {
    gm_send_with_callback(port, unregistered, 6, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
    settle();
  }
  if (strcmp(what, "tokens") == 0)
    for (;;) gm_send_with_callback(port, in, 6, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  if (strcmp(what, "node") == 0)
    gm_send_with_callback(port, in, 6, 8, GM_LOW_PRIORITY, 1000, PORT, ended, &statuses[0]);
  sizes();
  ring();
  if (strcmp(what, "ring") != 0) {
    hal_sleep_ps(1000ull * US_PS); /* all have their messages: what comes now is for directed() */
    directed();
    hal_sleep_ps(1000ull * US_PS);
    alarms();
    errors();
  }
  hal_sleep_ps(20000ull * US_PS); /* others may still be sending */
  gm_close(port);
  if (hal_rank() == 0) printf("PASS\n");
  return 0;
}
