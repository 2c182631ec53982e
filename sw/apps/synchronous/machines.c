/* See synchronous.h. */
#include <stdlib.h>
#include <string.h>

#include "sw/apps/synchronous/synchronous.h"
#include "sw/hal/hal.h"
#include "sw/parix/parix.h"
#include "sw/vcp/vcp.h"

static size_t receive_by_vcp(unsigned from, void* buffer, size_t room) {
  const size_t bytes = vcp_recv(from, buffer, room, NULL);
  return bytes < room ? bytes : room;
}

const struct synchronous by_vcp = {vcp_init, vcp_send, receive_by_vcp};

static void start_parix(void) { GetRoot(); }

static void send_to_node(unsigned to, const void* buffer, size_t bytes) { SendNode((int)to, 0, buffer, (int)bytes); }

static size_t receive_from_node(unsigned from, void* buffer, size_t room) {
  return (size_t)RecvNode((int)from, 0, buffer, (int)room);
}

const struct synchronous by_parix_nodes = {start_parix, send_to_node, receive_from_node};

/* A link to each processor, made when it is first used, by both sides. */
static LinkCB_t* link_to(unsigned processor) {
  static LinkCB_t** links;
  if (!links) links = calloc((size_t)hal_ranks(), sizeof(LinkCB_t*));
  if (!links[processor]) links[processor] = ConnectLink((int)processor, 0, NULL);
  return links[processor];
}

static void send_by_link(unsigned to, const void* buffer, size_t bytes) { SendLink(link_to(to), buffer, (int)bytes); }

static size_t receive_by_link(unsigned from, void* buffer, size_t room) {
  return (size_t)RecvLink(link_to(from), buffer, (int)room);
}

const struct synchronous by_parix_links = {start_parix, send_by_link, receive_by_link};

const struct synchronous* synchronous_of_machine(void) {
  if (strcmp(hal_card(), "vcp") == 0) return &by_vcp;
  if (strcmp(hal_card(), "transputer") == 0) return &by_parix_nodes;
  hal_abort("this program is for Parsytec's machines: moc-2-1, moc-3-1, moc-3-2, gcel-64");
}
