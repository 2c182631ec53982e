/* The driver of cards that carry messages (models/nic/message_port), whatever their names. Such a card needs little of
 * a driver: it knows only bus addresses, and protects no process from another. */
#include "sw/message_portdrv/message_portdrv.h"

#include <stdio.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/abi/registers/message_port.h"
#include "sw/hal/hal.h"

static struct message_position* position(void) {
  static struct message_position of_this_node;
  return &of_this_node;
}

void hal_driver_boot(void) {
  const uint64_t rom = hal_device(MESSAGE_BAR_ROM);
  struct message_position* found = position();
  if (rom != 0) hal_read_block(rom, found, sizeof *found);
  if (found->magic == MESSAGE_POSITION_MAGIC && strcmp(found->card, hal_card()) == 0) return;
  char text[128];
  snprintf(text, sizeof text, "message_portdrv: the card on this node's bus is no '%s' that carries messages",
           hal_card());
  hal_abort(text);
}

/* After a lost or invalid packet the rest of its job would wait for ever: the driver ends the job. */
void hal_driver_interrupt(void) {
  struct message_complaint complaint;
  hal_read_block(hal_device(MESSAGE_BAR_COMPLAINT), &complaint, sizeof complaint);
  char text[320];
  if (complaint.cause == MESSAGE_PARITY)
    snprintf(text, sizeof text,
             "%s: a packet from node %u had a bit error on its way; its link was disconnected by the parity error, and "
             "the packet is lost; nothing sends it again: lower link.bit_error_rate, or try -s nic.protection=crc",
             position()->card, complaint.node);
  else
    snprintf(text, sizeof text,
             "%s: a packet arrived whose %s is invalid (%u): it had a bit error on its way (link.bit_error_rate), "
             "which these links do not detect; try -s nic.protection=crc",
             position()->card, complaint.field, complaint.value);
  const int known = complaint.process < (uint32_t)hal_process_count();
  if (hal_process_count() > 0) hal_kill(known ? (int)complaint.process : 0, text);
}

static const char* attach(int process, struct message_portdrv_attach* args) {
  if ((unsigned)process >= MESSAGE_PORTS) return "the card has pages for 1024 processes: spread them over more nodes";
  args->page = hal_device(MESSAGE_BAR_PORTS) + (uint64_t)process * MESSAGE_PAGE_BYTES;
  hal_grant(process, args->page, MESSAGE_PAGE_BYTES);
  args->send_setup_ps = position()->send_setup_ps;
  args->receive_setup_ps = position()->receive_setup_ps;
  return NULL;
}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  if (process < 0 || !argument) return -1;
  const char* error = "the driver knows no such request";
  if (request == MESSAGE_PORTDRV_ATTACH) error = attach(process, argument);
  return hal_answer(request, argument, error);
}
