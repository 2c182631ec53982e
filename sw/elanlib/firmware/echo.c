/* The smallest useful firmware: sends each message that arrives in an input queue back to its sender. Argument 0 of
 * the thread is the address of the queue.
 */
#include "sw/elanlib/firmware/echo_records.h"
#include "sw/hal/elan3_thread.h"

static void answer(e3_addr slot) {
  const struct echo_message* message = elan3_sdram(slot, sizeof *message + ECHO_MOST_BYTES);
  const char* data = (const char*)(message + 1);
  do {
    elan3_open(message->process);
    for (uint32_t sent = 0; sent < message->bytes; sent += E3_BLOCK_BYTES) {
      const uint32_t left = message->bytes - sent;
      elan3_send_transaction(E3_TR_WRITE_BLOCK, message->to + sent, data + sent,
                             left < E3_BLOCK_BYTES ? left : E3_BLOCK_BYTES);
    }
    elan3_send_transaction(E3_TR_SET_EVENT, message->event, 0, 0);
  } while (elan3_close(0) != E3_ACK_OK);
}

void elan3_thread_main(const struct e3_thread* thread, e3_addr address) {
  (void)address;
  const e3_addr at = thread->argument[0];
  for (;;) {
    /* Each packet sets the event once. */
    elan3_wait_event(at + (e3_addr)offsetof(struct e3_input_queue, event));
    struct e3_input_queue* queue = elan3_sdram(at, sizeof *queue);
    answer(queue->front);
    queue->front = queue->front == queue->top ? queue->base : queue->front + queue->slot_bytes;
    queue->state &= ~E3_QUEUE_FULL;
  }
}
