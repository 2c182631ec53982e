/* See driver.h. These cards need little of a driver: they know no addresses but the bus's, and protect nobody. */
#include "sw/message_port/driver.h"

#include <stdio.h>
#include <string.h>

#include "models/nic/message_port/registers.h"
#include "sw/hal/driver.h"
#include "sw/hal/hal.h"

static struct message_position* position(void) {
  static struct message_position of_this_node;
  return &of_this_node;
}

void port_driver_boot(const char* name, const char* card) {
  const uint64_t rom = hal_device(MESSAGE_BAR_ROM);
  struct message_position* found = position();
  if (rom != 0) hal_read_block(rom, found, sizeof *found);
  if (found->magic == MESSAGE_POSITION_MAGIC && strcmp(found->card, card) == 0) return;
  char text[128];
  snprintf(text, sizeof text, "%s: there is no such card on this node's bus; give the machine nic.type = %s", name,
           card);
  hal_abort(text);
}

int64_t port_driver_ioctl(int process, unsigned request, void* argument) {
  if (process < 0 || !argument) return -1;
  struct port_attach_request* attach = argument;
  attach->error = NULL;
  if (request != PORT_ATTACH)
    attach->error = "the driver knows no such request";
  else if ((unsigned)process >= MESSAGE_PORTS)
    attach->error = "the card has pages for 1024 processes: spread them over more nodes";
  if (attach->error) return -1;
  attach->page = hal_device(MESSAGE_BAR_PORTS) + (uint64_t)process * MESSAGE_PAGE_BYTES;
  attach->send_setup_ps = position()->send_setup_ps;
  attach->receive_setup_ps = position()->receive_setup_ps;
  return 0;
}
