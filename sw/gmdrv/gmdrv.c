/* The driver of a Myrinet card: loads the control program and the mapper's routes, gives ports to processes, registers
 * memory, and ends processes at fault. */
#include "sw/gmdrv/gmdrv.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/hal/hal.h"

struct card {
  uint64_t sram, registers;
  struct lanai_eeprom identity;
  int owners[LCP_PORTS]; /* processes; -1: none */
  uint32_t opened[LCP_PORTS], openings;
  uint64_t events[LCP_PORTS]; /* bus addresses */
  struct lcp_region regions[LCP_PORTS][LCP_REGIONS];
};

static struct card* the_card(void) {
  static struct card card;
  return &card;
}

static void write_sram(size_t address, const void* from, size_t bytes) {
  hal_write_block(the_card()->sram + address, from, bytes);
}

static size_t port_address(uint32_t port, size_t member) {
  return offsetof(struct lcp_interface, ports) + port * sizeof(struct lcp_port) + member;
}

/* ---- boot ---- */

static uint32_t setting(const char* text) {
  char* end = NULL;
  const double us = strtod(text, &end);
  if (end == text || *end != '\0' || us <= 0 || us > 1e9)
    hal_abort("gmdrv: gm.resend, gm.unreachable and gm.no_buffer are times in microseconds; give a number above 0");
  return (uint32_t)(us * 1000 / LANAI_TICK_NS);
}

static struct lcp_globals globals_of(const struct card* card) {
  struct lcp_globals globals = {.node = card->identity.node, .nodes = card->identity.nodes};
  globals.resend_ticks = setting(HAL_SETTING(
      "gm.resend", "2000",
      "us without an acknowledgement, after which GM sends packets again; more on a crowded network", "assumed"));
  globals.unreachable_ticks =
      setting(HAL_SETTING("gm.unreachable", "30000000", "us without any answer, after which GM gives a node up",
                          "assumed: real GM had many seconds, too; with bit errors of 1e-5 a packet of 4 KB on its "
                          "longest way is hit nine times in ten, and resent each 0.1 s on a crowded network"));
  globals.no_buffer_ticks = setting(HAL_SETTING("gm.no_buffer", "10000000",
                                                "us for which GM offers a message that the receiver has no buffer for",
                                                "assumed: seconds, as real GM"));
  const char* window = HAL_SETTING("gm.window", "8", "packets of a GM connection that are not acknowledged yet",
                                   "assumed: 8 of 4 KB cover the round trip");
  globals.window = (uint32_t)strtoul(window, NULL, 10);
  if (globals.window < 1 || globals.window > 1024) hal_abort("gmdrv: gm.window is a number from 1 to 1024");
  return globals;
}

/* The map file's routes, a piece at a time. */
static void load_routes(const struct card* card) {
  enum { PIECE = 4096 };
  unsigned char piece[PIECE];
  const size_t bytes = (size_t)card->identity.nodes * LANAI_ROUTES * sizeof(struct lanai_route);
  for (size_t done = 0; done < bytes; done += PIECE) {
    const size_t size = bytes - done < PIECE ? bytes - done : PIECE;
    hal_read_block(hal_device(LANAI_BAR_EEPROM) + LANAI_EEPROM_MAP + done, piece, size);
    write_sram(offsetof(struct lcp_interface, routes) + done, piece, size);
  }
}

void hal_driver_boot(void) {
  struct card* card = the_card();
  card->sram = hal_device(LANAI_BAR_SRAM);
  card->registers = hal_device(LANAI_BAR_REGISTERS);
  const uint64_t eeprom = hal_device(LANAI_BAR_EEPROM);
  if (eeprom != 0) hal_read_block(eeprom, &card->identity, sizeof card->identity);
  if (card->identity.magic != LANAI_EEPROM_MAGIC)
    hal_abort("gmdrv: there is no LANai on this node's bus; give the machine nic.type = lanai");
  if (card->identity.nodes > LCP_MOST_NODES) hal_abort("gmdrv: the card's route table has 1024 nodes: use fewer");
  for (uint32_t port = 0; port < LCP_PORTS; ++port) card->owners[port] = -1;
  const struct lcp_globals globals = globals_of(card);
  write_sram(offsetof(struct lcp_interface, globals), &globals, sizeof globals);
  load_routes(card);
  hal_write32(card->registers + LANAI_REG_ROUTES, (uint32_t)offsetof(struct lcp_interface, routes));
  hal_write32(card->registers + LANAI_REG_ROUTE_NODES, card->identity.nodes);
  hal_write32(card->registers + LANAI_REG_INTERRUPT_MASK, LANAI_INT_CRASH | LCP_INT_COMPLAINT);
  const int program = hal_load_firmware("lcp");
  if (program < 0) hal_abort("gmdrv: the control program, firmware/lcp, is missing: build sanvp again");
  hal_write32(card->registers + LANAI_REG_START, (uint32_t)program);
}

/* ---- errors ---- */

static void crashed(void) {
  char why[256], text[320];
  hal_firmware_complaint(why, sizeof why);
  snprintf(text, sizeof text, "the card's %s: mend its program", why);
  for (int process = 0; process < hal_process_count(); ++process) hal_kill(process, text);
}

static void complained(const struct card* card) {
  struct lcp_complaint complaint;
  hal_read_block(card->sram + offsetof(struct lcp_interface, complaint), &complaint, sizeof complaint);
  char text[256];
  if (complaint.kind == LCP_COMPLAINT_MEMORY)
    snprintf(text, sizeof text,
             "GM port %u: a message or buffer of %llu bytes is not in registered memory; take it from gm_dma_malloc or "
             "call gm_register_memory",
             complaint.port, (unsigned long long)complaint.bytes);
  else
    snprintf(text, sizeof text, "GM port %u: there is no node %llu with a port %llu to send to", complaint.port,
             (unsigned long long)complaint.address + 1, (unsigned long long)complaint.bytes);
  if (complaint.port < LCP_PORTS && card->owners[complaint.port] >= 0) hal_kill(card->owners[complaint.port], text);
}

void hal_driver_interrupt(void) {
  const struct card* card = the_card();
  const uint32_t causes = hal_read32(card->registers + LANAI_REG_INTERRUPT);
  hal_write32(card->registers + LANAI_REG_INTERRUPT, causes);
  if (causes & LANAI_INT_CRASH) crashed();
  if (causes & LCP_INT_COMPLAINT) complained(card);
}

/* ---- requests ---- */

static void write_opened(struct card* card, uint32_t port) {
  ++card->opened[port];
  write_sram(port_address(port, offsetof(struct lcp_port, opened)), &card->opened[port], sizeof card->opened[port]);
  ++card->openings;
  write_sram(offsetof(struct lcp_interface, openings), &card->openings, sizeof card->openings);
}

/* The part of its port that a process stores to; the rest is the driver's. */
static const size_t slots_bytes = offsetof(struct lcp_port, regions);
static const size_t routes_bytes = sizeof(((struct lcp_interface*)0)->routes);

static const size_t events_bytes = LCP_EVENT_SLOTS * sizeof(struct lcp_event);

static uint64_t slots_of(const struct card* card, uint32_t port) { return card->sram + port_address(port, 0); }
static uint64_t routes_of(const struct card* card) { return card->sram + offsetof(struct lcp_interface, routes); }

static const char* add_region(struct card* card, uint32_t port, struct lcp_region region) {
  for (uint32_t i = 0; i < LCP_REGIONS; ++i) {
    if (card->regions[port][i].bytes != 0) continue;
    card->regions[port][i] = region;
    write_sram(port_address(port, offsetof(struct lcp_port, regions) + i * sizeof region), &region, sizeof region);
    return NULL;
  }
  return "a port registers 64 pieces of memory: register fewer and larger ones";
}

static const char* open_port(struct card* card, int process, struct gmdrv_open* args) {
  if (args->port == 0 || args->port >= LCP_PORTS) return "ports go from 1 to 15";
  if (card->owners[args->port] >= 0) return "another process of this node has opened that port";
  const uint64_t events = hal_process_memory(process, args->events, events_bytes);
  if (events == 0) return "the events' memory is not the process's own";
  card->events[args->port] = events;
  static const struct lcp_port empty;
  write_sram(port_address(args->port, 0), &empty, offsetof(struct lcp_port, opened));
  write_sram(port_address(args->port, offsetof(struct lcp_port, events)), &events, sizeof events);
  memset(card->regions[args->port], 0, sizeof card->regions[args->port]);
  card->owners[args->port] = process;
  write_opened(card, args->port);
  args->node = card->identity.node;
  args->nodes = card->identity.nodes;
  args->slots = slots_of(card, args->port);
  hal_grant(process, args->slots, slots_bytes);
  return NULL;
}

static int owns(const struct card* card, int process, uint32_t port) {
  return port < LCP_PORTS && card->owners[port] == process;
}

static void shut(struct card* card, uint32_t port) {
  write_opened(card, port);
  hal_revoke(card->owners[port], slots_of(card, port), slots_bytes);
  if (port == GMDRV_MAPPER_PORT) hal_revoke(card->owners[port], routes_of(card), routes_bytes);
  card->owners[port] = -1;
}

static const char* close_port(struct card* card, int process, const struct gmdrv_close* args) {
  if (!owns(card, process, args->port)) return "the process has not opened that port";
  shut(card, args->port);
  return NULL;
}

static const char* register_memory(struct card* card, int process, const struct gmdrv_memory* args) {
  if (!owns(card, process, args->port)) return "the process has not opened that port";
  const uint64_t first = args->bytes > 0 ? hal_process_memory(process, args->pointer, args->bytes) : 0;
  if (first == 0) return "this memory is not the process's own";
  return add_region(card, args->port, (struct lcp_region){first, args->bytes});
}

static void remove_region(struct card* card, uint32_t port, uint32_t i) {
  struct lcp_region* region = &card->regions[port][i];
  *region = (struct lcp_region){0, 0};
  write_sram(port_address(port, offsetof(struct lcp_port, regions) + i * sizeof *region), region, sizeof *region);
}

static const char* deregister_memory(struct card* card, int process, const struct gmdrv_memory* args) {
  if (!owns(card, process, args->port)) return "the process has not opened that port";
  const uint64_t first = hal_process_memory(process, args->pointer, args->bytes);
  for (uint32_t i = 0; first != 0 && i < LCP_REGIONS; ++i) {
    const struct lcp_region* region = &card->regions[args->port][i];
    if (region->first != first || region->bytes != args->bytes) continue;
    remove_region(card, args->port, i);
    return NULL;
  }
  return "this memory is not registered";
}

static const char* serve_mapper(struct card* card, int process, struct gmdrv_mapper* args) {
  if (!owns(card, process, GMDRV_MAPPER_PORT)) return "only the process that has opened port 1 makes the map";
  args->routes = routes_of(card);
  hal_grant(process, args->routes, routes_bytes);
  return NULL;
}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  struct card* card = the_card();
  if (!argument) return -1;
  const char* error = "the driver knows no such request";
  if (request == GMDRV_OPEN) error = open_port(card, process, argument);
  if (request == GMDRV_CLOSE) error = close_port(card, process, argument);
  if (request == GMDRV_REGISTER) error = register_memory(card, process, argument);
  if (request == GMDRV_DEREGISTER) error = deregister_memory(card, process, argument);
  if (request == GMDRV_MAPPER) error = serve_mapper(card, process, argument);
  return hal_answer(request, argument, error);
}

/* Closes a port whose events have no memory any more. */
void hal_driver_unmapped(int process, uint64_t bus_address, size_t bytes) {
  struct card* card = the_card();
  for (uint32_t port = 0; port < LCP_PORTS; ++port) {
    if (!owns(card, process, port)) continue;
    if (hal_overlap(card->events[port], events_bytes, bus_address, bytes)) {
      shut(card, port);
      continue;
    }
    for (uint32_t i = 0; i < LCP_REGIONS; ++i) {
      const struct lcp_region* region = &card->regions[port][i];
      if (hal_overlap(region->first, region->bytes, bus_address, bytes)) remove_region(card, port, i);
    }
  }
}
