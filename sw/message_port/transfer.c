/* See transfer.h. */
#include "sw/message_port/transfer.h"

static size_t of_next_piece(const struct port_transfer* transfer) {
  const size_t left = transfer->bytes > transfer->moved ? transfer->bytes - transfer->moved : 0;
  return left < MESSAGE_MOST_BYTES ? left : MESSAGE_MOST_BYTES;
}

static void start_piece(struct port_transfer* transfer) {
  const size_t bytes = of_next_piece(transfer);
  char* at = bytes > 0 ? transfer->buffer + transfer->moved : &transfer->overflow;
  if (transfer->receives)
    port_receive(&transfer->operation, transfer->peer, transfer->tag, transfer->mask, at, bytes);
  else
    port_send(&transfer->operation, transfer->peer, transfer->tag, at, bytes);
}

void port_start_send(struct port_transfer* transfer, unsigned to, uint32_t tag, const void* buffer, size_t bytes) {
  *transfer = (struct port_transfer){.peer = to, .tag = tag, .buffer = (char*)buffer, .bytes = bytes};
  start_piece(transfer);
}

void port_start_receive(struct port_transfer* transfer, unsigned from, uint32_t tag, uint32_t mask, void* buffer,
                        size_t room) {
  *transfer =
      (struct port_transfer){.receives = 1, .peer = from, .tag = tag, .mask = mask, .buffer = buffer, .bytes = room};
  start_piece(transfer);
}

/* The piece under way is over. Returns whether the message is; else starts the next piece. */
static int go_on(struct port_transfer* transfer) {
  size_t piece = of_next_piece(transfer);
  if (transfer->receives) {
    piece = port_bytes(&transfer->operation);
    transfer->peer = port_source(&transfer->operation);
    transfer->tag = transfer->operation.status.tag;
    transfer->mask = UINT32_MAX;
  }
  transfer->moved += piece;
  if (piece < MESSAGE_MOST_BYTES) return 1;
  start_piece(transfer);
  return 0;
}

int port_test(struct port_transfer* transfer) { return port_done(&transfer->operation) && go_on(transfer); }

size_t port_finish(struct port_transfer* transfer) {
  do port_wait(&transfer->operation);
  while (!go_on(transfer));
  return transfer->moved;
}
