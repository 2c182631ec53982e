/* See port.h. */
#include "sw/message_port/port.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/message_portdrv/message_portdrv.h"

struct port {
  const char* library;
  uint64_t page;
  uint64_t send_setup_ps, receive_setup_ps;
  int* first; /* by node: a rank there, or -1 */
  int* next;  /* by rank: another on the same node, or -1 */
};

static struct port* the_port(void) {
  static struct port port;
  return &port;
}

static void fail(const char* what) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s", the_port()->library, what);
  hal_abort(text);
}

static void fail_to(int node) {
  char text[128];
  snprintf(text, sizeof text, "node %d does not answer: it has died, or no way leads to it", node);
  fail(text);
}

static void map_ranks(struct port* port) {
  port->first = malloc((size_t)hal_nodes() * sizeof *port->first);
  port->next = malloc((size_t)hal_ranks() * sizeof *port->next);
  for (int node = 0; node < hal_nodes(); ++node) port->first[node] = -1;
  for (int rank = 0; rank < hal_ranks(); ++rank) {
    const int node = hal_rank_node(rank);
    port->next[rank] = port->first[node];
    port->first[node] = rank;
  }
}

void port_open(const char* library, const char* card) {
  struct port* port = the_port();
  if (port->page != 0) return;
  port->library = library;
  hal_require_card(library, card);
  struct message_portdrv_attach request = {0};
  if (hal_ioctl(MESSAGE_PORTDRV_ATTACH, &request) != 0)
    fail(request.error[0] ? request.error : "the node has no driver for its card");
  port->page = request.page;
  port->send_setup_ps = request.send_setup_ps;
  port->receive_setup_ps = request.receive_setup_ps;
  map_ranks(port);
}

static void command(enum message_kind kind, struct port_operation* operation, unsigned rank, uint32_t tag,
                    uint32_t mask, const void* buffer, size_t bytes) {
  if (rank != PORT_ANY && rank >= (unsigned)hal_ranks())
    fail("there is no such process: ranks are 0 to the job's last");
  const int any = rank == PORT_ANY;
  const struct message_command order = {.kind = kind,
                                        .node = any ? MESSAGE_ANY : (uint32_t)hal_rank_node((int)rank),
                                        .process = any ? MESSAGE_ANY : (uint32_t)hal_rank_process((int)rank),
                                        .tag = tag,
                                        .mask = mask,
                                        .bytes = (uint32_t)bytes,
                                        .buffer = hal_bus_address(buffer),
                                        .status = hal_bus_address(&operation->status)};
  if (kind != MESSAGE_CANCEL) operation->status.state = MESSAGE_PENDING;
  hal_write_block(the_port()->page, &order, sizeof order);
}

void port_send(struct port_operation* operation, unsigned to, uint32_t tag, const void* buffer, size_t bytes) {
  hal_compute_ps(the_port()->send_setup_ps);
  command(MESSAGE_SEND, operation, to, tag, 0, buffer, bytes);
}

void port_receive(struct port_operation* operation, unsigned from, uint32_t tag, uint32_t mask, void* buffer,
                  size_t room) {
  hal_compute_ps(the_port()->receive_setup_ps);
  command(MESSAGE_RECEIVE, operation, from, tag, mask, buffer, room < MESSAGE_MOST_BYTES ? room : MESSAGE_MOST_BYTES);
}

void port_probe(struct port_operation* operation, unsigned from, uint32_t tag, uint32_t mask) {
  command(MESSAGE_PROBE, operation, from, tag, mask, operation, 0);
}

void port_count_unreachable(struct port_operation* operation) {
  command(MESSAGE_COUNT_UNREACHABLE, operation, PORT_ANY, 0, 0, operation, 0);
}

int port_cancel(struct port_operation* operation) {
  command(MESSAGE_CANCEL, operation, PORT_ANY, 0, 0, operation, 0);
  port_wait(operation);
  return operation->status.state == MESSAGE_CANCELLED;
}

const volatile uint32_t* port_word(const struct port_operation* operation) { return &operation->status.state; }

static void check(const struct port_operation* operation) {
  switch (operation->status.state) {
    case MESSAGE_BAD_ADDRESS:
      fail("a message's buffer is no memory that it may write: give it malloc's, a variable's or the stack's");
      break;
    case MESSAGE_UNREACHABLE:
      fail_to((int)operation->status.node);
      break;
    case MESSAGE_REFUSED:
      fail("the card refuses a command: a message is too long for it");
      break;
    default:
      break;
  }
}

int port_done(const struct port_operation* operation) {
  if (operation->status.state == MESSAGE_PENDING) return 0;
  check(operation);
  return 1;
}

void port_wait(const struct port_operation* operation) {
  while (operation->status.state == MESSAGE_PENDING) hal_wait_word(port_word(operation), MESSAGE_PENDING, UINT64_MAX);
  check(operation);
}

unsigned port_source(const struct port_operation* operation) {
  const struct port* port = the_port();
  for (int rank = port->first[operation->status.node]; rank >= 0; rank = port->next[rank])
    if ((uint32_t)hal_rank_process(rank) == operation->status.process) return (unsigned)rank;
  fail("a message came from a process of another job, or its bits were wrong on the way (link.bit_error_rate)");
  return 0;
}
