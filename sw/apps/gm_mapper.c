/* GM's mapper: discovers the network, computes routes, loads them into all cards; then all ranks try them.
 *
 * Rank 0 is the mapper. Before and after, each rank sends a message to each other: the number that arrive is the
 * result.
 */
#include <gm.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/apps/mapping/map.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

#define FIRST_PORT 2u
#define OPEN_US 2000u /* all have opened their ports by then */
#define CLASS 6u

static struct gm_port* port;
static unsigned pending, reached, arrived, goes_on;
static unsigned char* word;

static void sent(struct gm_port* at, void* context, gm_status_t status) {
  const int rank = (int)(intptr_t)context;
  (void)at;
  --pending;
  reached += status == GM_SUCCESS;
  if (status == GM_SUCCESS) return;
  const unsigned there = FIRST_PORT + (unsigned)hal_rank_process(rank);
  gm_drop_sends(port, GM_LOW_PRIORITY, (unsigned)hal_rank_node(rank) + 1, there, NULL, NULL);
}

static void serve(void) {
  gm_recv_event_t* event = gm_blocking_receive(port);
  if (event->recv.type < GM_RECV_EVENT || event->recv.type > GM_FAST_HIGH_PEER_RECV_EVENT) {
    gm_unknown(port, event);
    return;
  }
  ++arrived;
  goes_on |= event->recv.length == 1;
  gm_provide_receive_buffer(port, event->recv.buffer, CLASS, GM_LOW_PRIORITY);
}

static void mapper_send(int rank, gm_size_t length) {
  while (pending >= gm_num_send_tokens(port) / 2) serve(); /* the others are for gm_drop_sends */
  ++pending;
  gm_send_with_callback(port, word, CLASS, length, GM_LOW_PRIORITY, (unsigned)hal_rank_node(rank) + 1,
                        FIRST_PORT + (unsigned)hal_rank_process(rank), sent, (void*)(intptr_t)rank);
}

/* The number of other ranks that a message reaches. */
static unsigned try_all(void) {
  reached = 0;
  for (int i = 1; i < hal_ranks(); ++i) mapper_send((hal_rank() + i) % hal_ranks(), 8);
  while (pending > 0) serve();
  return reached;
}

static void make_map(void) {
  static struct mapper mapper;
  static struct map map;
  scouts_open(&mapper);
  const uint64_t begin = hal_time_ps();
  if (!map_discover(&mapper, &map)) hal_abort("gm_mapper: this node's switch does not answer");
  const unsigned silent = map_load(&mapper, &map);
  const double us = (double)(hal_time_ps() - begin) / HAL_PS_PER_US;
  printf("found %u switches, %u hosts, %u links between switches; %u tables loaded, %u not confirmed; %.1f us\n",
         map.count, map.hosts, map.links, map.hosts - silent, silent, us);
  hal_metric("switches", map.count, "");
  hal_metric("hosts", map.hosts, "");
  hal_metric("links", map.links, "");
  hal_metric("map_us", us, "us");
  gm_close(mapper.port);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  options_check(&options);
  hal_require_card("gm_mapper", "lanai");
  gm_init();
  if (gm_open(&port, 0, FIRST_PORT + (unsigned)hal_process(), "gm_mapper", GM_API_VERSION) != GM_SUCCESS)
    hal_abort("gm_mapper: the port cannot be opened");
  word = gm_dma_calloc(port, 1, 64);
  for (unsigned i = 0; i < gm_num_receive_tokens(port); ++i)
    gm_provide_receive_buffer(port, word, CLASS, GM_LOW_PRIORITY);
  hal_sleep_ps((uint64_t)OPEN_US * HAL_PS_PER_US);

  const unsigned before = try_all();
  if (hal_rank() == 0) {
    make_map();
    for (int i = 1; i < hal_ranks(); ++i) mapper_send(i, 1); /* the new routes are there */
    while (pending > 0) serve();
  } else {
    while (!goes_on) serve();
  }
  const unsigned after = try_all(), all = (unsigned)hal_ranks() - 1;
  hal_metric("reached_before", before, "");
  hal_metric("reached_after", after, "");
  printf("reached %u of %u ranks before, %u after\n", before, all, after);
  /* The others may still have something to send. */
  hal_sleep_ps((uint64_t)OPEN_US * HAL_PS_PER_US);
  if (after != all) printf("FAIL: not all can be reached\n");
  if (hal_rank() == 0 && after == all) printf("PASS\n");
  return after != all;
}
