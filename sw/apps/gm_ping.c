/* GM between pairs of ranks, as Myricom's gm_allsize measured it: latency, and bandwidth one way or both ways.
 *
 * Ranks i and i + n/2 are partners. Every message's bytes are checked.
 */
#include <gm.h>
#include <stdio.h>
#include <string.h>

#include "sw/apps/levels/levels.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define FIRST_PORT 2u      /* of this program: a process more of a node has the next */
#define RETRY_PS 20000000u /* until a port that is not open yet is retried */

struct ping {
  struct gm_port* port;
  unsigned node, there; /* the partner's id and port */
  unsigned char *out, *in;
  size_t most;
  unsigned size; /* class of all messages */
  unsigned arrived, under_way;
  size_t length;      /* of the last that came */
  gm_status_t failed; /* of the last send */
};

static void sent(struct gm_port* port, void* context, gm_status_t status) {
  struct ping* ping = context;
  (void)port;
  --ping->under_way;
  if (status != GM_SUCCESS) ping->failed = status;
}

static void gm_ping_send(struct ping* ping, size_t bytes) {
  ++ping->under_way;
  gm_send_with_callback(ping->port, ping->out, ping->size, bytes, GM_LOW_PRIORITY, ping->node, ping->there, sent, ping);
}

/* One event. */
static void serve(struct ping* ping) {
  gm_recv_event_t* event = gm_blocking_receive(ping->port);
  switch (GM_RECV_EVENT_TYPE(event)) {
    case GM_FAST_RECV_EVENT:
    case GM_FAST_PEER_RECV_EVENT:
      gm_memorize_message(event->recv.message, event->recv.buffer, event->recv.length);
      /* fall through */
    case GM_RECV_EVENT:
    case GM_PEER_RECV_EVENT:
      ++ping->arrived;
      ping->length = event->recv.length;
      gm_provide_receive_buffer(ping->port, event->recv.buffer, ping->size, GM_LOW_PRIORITY);
      break;
    default:
      gm_unknown(ping->port, event);
  }
}

static void wait_sent(struct ping* ping) {
  while (ping->under_way > 0) serve(ping);
  if (ping->failed == GM_SUCCESS) return;
  char text[128];
  snprintf(text, sizeof text, "gm_ping: a send to node %u failed: %s", ping->node, gm_strerror(ping->failed));
  hal_abort(text);
}

static void wait_arrived(struct ping* ping, unsigned count) {
  while (ping->arrived < count) serve(ping);
  ping->arrived -= count;
}

static void unimportant(struct gm_port* port, void* context, gm_status_t status) {
  (void)port;
  (void)context;
  (void)status;
}

/* The partner may open its port later than this process. */
static void greet(struct ping* ping) {
  for (;;) {
    ping->failed = GM_SUCCESS;
    gm_ping_send(ping, 0);
    while (ping->under_way > 0) serve(ping);
    if (ping->failed == GM_SUCCESS) break;
    if (ping->failed != GM_SEND_TARGET_PORT_CLOSED) wait_sent(ping);
    gm_drop_sends(ping->port, GM_LOW_PRIORITY, ping->node, ping->there, unimportant, NULL);
    hal_sleep_ps(RETRY_PS);
  }
  wait_arrived(ping, 1);
}

/* Microseconds from one to the other: half of there and back. */
static double latency(struct ping* ping, size_t bytes, unsigned count, int first) {
  uint64_t begin = 0;
  for (unsigned i = 0; i <= count; ++i) { /* the first is not measured */
    if (i == 1) begin = hal_time_ps();
    if (first) gm_ping_send(ping, bytes);
    wait_arrived(ping, 1);
    if (!first) gm_ping_send(ping, bytes);
  }
  const double us = (double)(hal_time_ps() - begin) / HAL_PS_PER_US / count / 2;
  wait_sent(ping);
  return us;
}

/* Microseconds of a message in a stream of them; a pure receiver answers the last with one of 0 bytes. */
static double stream(struct ping* ping, size_t bytes, unsigned count, int sends, int receives) {
  const uint64_t begin = hal_time_ps();
  for (unsigned i = 0; sends && i < count; ++i) {
    while (!gm_send_token_available(ping->port, GM_LOW_PRIORITY)) serve(ping);
    gm_ping_send(ping, bytes);
  }
  if (receives) wait_arrived(ping, count);
  if (sends != receives && receives) gm_ping_send(ping, 0);
  if (sends != receives && sends) wait_arrived(ping, 1);
  wait_sent(ping);
  return (double)(hal_time_ps() - begin) / HAL_PS_PER_US / count;
}

static int gm_ping_run(struct ping* ping, const char* what, size_t least, unsigned count) {
  const int first = hal_rank() < hal_ranks() / 2, speaks = hal_rank() == 0;
  const int is_latency = strcmp(what, "latency") == 0, both = strcmp(what, "both") == 0;
  size_t wrong = 0;
  if (speaks) printf("%10s %14s %14s\n", "bytes", is_latency ? "latency_us" : "time_us", "bandwidth_MBps");
  for (size_t bytes = least; bytes <= ping->most; bytes = bytes == 0 ? 1 : 2 * bytes) {
    level_fill(ping->out, bytes, (unsigned)bytes + 1);
    memset(ping->in, 0, bytes);
    greet(ping);
    const double us =
        is_latency ? latency(ping, bytes, count, first) : stream(ping, bytes, count, both || first, both || !first);
    if (is_latency || both || !first) wrong += level_wrong(ping->in, bytes, (unsigned)bytes + 1);
    if (speaks) printf("%10zu %14.3f %14.2f\n", bytes, us, (double)bytes / us);
    hal_metric(is_latency ? "latency_us" : "time_us", us, "us");
    hal_metric("bandwidth_MBps", (double)bytes / us, "MB/s");
    greet(ping);
  }
  if (wrong > 0) printf("FAIL: rank %d received %zu wrong bytes\n", hal_rank(), wrong);
  return wrong > 0;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* what = options_choice(&options, "measure", "latency", "latency|one|both");
  const size_t least = options_size(&options, "least", "0", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "64K", "bytes of the largest; sizes double");
  const size_t count = options_size(&options, "count", "10", "messages measured of each size");
  options_check(&options);
  hal_require_card("gm_ping", "lanai");
  if (hal_ranks() < 2 || hal_ranks() % 2 != 0) hal_abort("gm_ping wants an even number of ranks: give --np 2");

  const int partner = (hal_rank() + hal_ranks() / 2) % hal_ranks();
  struct ping ping = {.node = (unsigned)hal_rank_node(partner) + 1,
                      .there = FIRST_PORT + (unsigned)hal_rank_process(partner),
                      .most = most,
                      .size = gm_min_size_for_length(most)};
  gm_init();
  const gm_status_t opened =
      gm_open(&ping.port, 0, FIRST_PORT + (unsigned)hal_process(), "gm_ping", GM_API_VERSION_1_3);
  if (opened != GM_SUCCESS) hal_abort(gm_strerror(opened));
  const size_t room = (size_t)1 << ping.size;
  ping.out = gm_dma_calloc(ping.port, 1, room);
  /* All in one buffer, which the card is given as often as messages may arrive at once. */
  ping.in = gm_dma_calloc(ping.port, 1, room);
  if (!ping.out || !ping.in) hal_abort("gm_ping: there is no room for such messages");
  for (unsigned i = 0; i < 128; ++i) gm_provide_receive_buffer(ping.port, ping.in, ping.size, GM_LOW_PRIORITY);

  if (hal_rank() == 0) printf("gm_ping %s\n", what);
  const int wrong = gm_ping_run(&ping, what, least, count > 0 ? (unsigned)count : 1);
  gm_close(ping.port);
  if (hal_rank() == 0 && !wrong) printf("PASS\n");
  return wrong;
}
