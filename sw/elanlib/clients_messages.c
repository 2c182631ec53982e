/* Queues and Tports in historic forms. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/base.h"
#include "sw/elanlib/clients.h"
#include "sw/elanlib/clients_events.h"
#include "sw/hal/hal.h"

/* ---- queues ---- */

struct elan_client_queue {
  ELAN_QUEUE* library; /* null: named, not made yet */
  unsigned slot_bytes;
  int is_full; /* a message has been looked at, and not been taken */
  unsigned sends;
  ELAN_EVENT* sending[ELAN_QUEUE_OUTGOING]; /* of elan_queueReq, which answers no event */
  char message[E3_QUEUE_MOST_BYTES];
};

ELAN_CLIENT_QUEUE* elan_allocQueue(ELAN_CLIENT_STATE* state) {
  (void)state;
  ELAN_CLIENT_QUEUE* queue = calloc(1, sizeof *queue);
  if (!queue) hal_abort("elan_allocQueue: no memory left");
  return queue;
}

ELAN_CLIENT_QUEUE* elan_client_gallocQueue(ELAN_CLIENT_BASE* base, ELAN_CLIENT_GROUP* group) {
  (void)group;
  return elan_allocQueue(base->state);
}

size_t elan_queueMaxSlotSize(ELAN_CLIENT_STATE* state) {
  (void)state;
  return E3_QUEUE_MOST_BYTES;
}

ELAN_QUEUE_RX* elan_queueRxInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int slots, int slot_bytes, int rail,
                                unsigned flags) {
  (void)rail;
  (void)flags;
  const unsigned blocks = ((unsigned)slot_bytes + E3_QUEUE_BLOCK - 1) / E3_QUEUE_BLOCK;
  queue->slot_bytes = blocks * E3_QUEUE_BLOCK;
  queue->library = elan_gallocQueue(state->library, slots > 2 ? (unsigned)slots : 2, queue->slot_bytes);
  return queue;
}

int elan_queueRxPoll(ELAN_QUEUE_RX* queue, long how) {
  (void)how;
  if (!queue->is_full) queue->is_full = elan_queuePoll(queue->library, queue->message);
  return queue->is_full;
}

void* elan_queueRxWait(ELAN_QUEUE_RX* queue, void* buffer, long how) {
  if (!elan_queueRxPoll(queue, how)) elan_queueWait(queue->library, queue->message, 0);
  queue->is_full = 0;
  return buffer ? memcpy(buffer, queue->message, queue->slot_bytes) : queue->message;
}

void elan_queueRxComplete(ELAN_QUEUE_RX* queue) { (void)queue; }

static ELAN_QUEUE* made(const char* call, const ELAN_CLIENT_QUEUE* queue) {
  if (!queue->library) hal_abort(call);
  return queue->library;
}

ELAN_QUEUE_TX* elan_queueTxInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int rail, unsigned flags) {
  (void)state;
  (void)rail;
  (void)flags;
  made("elan_queueTxInit: the queue has no slots yet; call elan_queueRxInit first", queue);
  return queue;
}

ELAN_CLIENT_EVENT* elan_queueTx(ELAN_QUEUE_TX* queue, unsigned process, const void* message, size_t size, int rail) {
  (void)rail;
  return elan_client_event_of((struct elan_client_event){
      .kind = CLIENT_OPERATION, .operation = elan_queueReq(queue->library, process, message, size)});
}

ELAN_MAIN_QUEUE* elan_mainQueueInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int slots, int slot_bytes,
                                    unsigned flags) {
  return elan_queueRxInit(state, queue, slots, slot_bytes, ELAN_RAIL_ALL, flags);
}

/* The message may change as soon as it returns: it has been copied. */
void elan_client_queueReq(ELAN_MAIN_QUEUE* queue, unsigned process, const void* message, size_t size) {
  ELAN_EVENT** slot = &queue->sending[queue->sends++ % ELAN_QUEUE_OUTGOING];
  if (*slot) elan_wait(*slot, 0);
  *slot =
      elan_queueReq(made("elan_queueReq: the queue is not one of elan_mainQueueInit", queue), process, message, size);
}

int elan_client_queuePoll(ELAN_MAIN_QUEUE* queue, long how) { return elan_queueRxPoll(queue, how); }
void elan_client_queueWait(ELAN_MAIN_QUEUE* queue, void* buffer, long how) { elan_queueRxWait(queue, buffer, how); }

/* ---- Tports ---- */

ELAN_TPORT* elan_client_tportInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue) {
  (void)queue;
  return elan_tportInit(state->library);
}

ELAN_CLIENT_EVENT* elan_client_tportTxStart(ELAN_TPORT* tport, int flags, unsigned dest, unsigned sender, int tag,
                                            const void* buffer, size_t size) {
  return elan_client_event_of((struct elan_client_event){
      .kind = CLIENT_SENDS,
      .message = elan_tportTxStart(tport, flags & ELAN_TPORT_TXSYNC, dest, sender, (uint32_t)tag, buffer, size)});
}

int elan_client_tportTxDone(ELAN_CLIENT_EVENT* event) { return elan_tportTxDone(event->message); }

void elan_client_tportTxWait(ELAN_CLIENT_EVENT* event) { elan_client_wait(event, 0); }

ELAN_CLIENT_EVENT* elan_client_tportRxStart(ELAN_TPORT* tport, int flags, unsigned sender_mask, unsigned sender,
                                            int tag_mask, int tag, void* buffer, size_t size) {
  return elan_client_event_of((struct elan_client_event){
      .kind = CLIENT_RECEIVES,
      .message =
          elan_tportRxStart(tport, flags, sender_mask, sender, (uint32_t)tag_mask, (uint32_t)tag, buffer, size)});
}

int elan_client_tportRxDone(ELAN_CLIENT_EVENT* event) { return elan_tportRxDone(event->message); }

void* elan_client_tportRxWait(ELAN_CLIENT_EVENT* event, int* sender, int* tag, size_t* size) {
  unsigned from = 0;
  uint64_t label = 0;
  void* where = elan_tportRxWait(event->message, &from, &label, size);
  if (sender) *sender = (int)from;
  if (tag) *tag = (int)(uint32_t)label;
  elan_client_event_free(event);
  return where;
}

int elan_client_tportRxCancel(ELAN_CLIENT_EVENT* event) {
  if (!elan_tportRxCancel(event->message)) return 0;
  elan_client_event_free(event);
  return 1;
}
