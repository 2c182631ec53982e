/* Atomic operations on words of a process's memory, on the thread processor of its card. A requester, which
 * may be the process itself, sends a request to this thread's input queue: so all operations on a word, of any kind,
 * are done one after another. (The card's own transactions, FACTS.md 1.3, have no words of 8 bytes and few operations.)
 */
#include "sw/elanlib/firmware/atomic_records.h"
#include "sw/hal/elan3_thread.h"
#include "sw/support/word.h"

/* Requests before it yields to other threads (A): the requests may depend on those. */
#define REQUESTS_MOST 16u

static void answer(const struct atomic_request* request, uint64_t before) {
  const struct atomic_answer answer = {.before = before, .done = 1};
  do {
    elan3_open(request->process);
    elan3_send_transaction(E3_TR_WRITE_BLOCK | E3_TR_SEND_ACK | E3_TR_LAST, request->answer, &answer,
                           ATOMIC_ANSWER_BYTES);
  } while (elan3_close(0) != E3_ACK_OK);
}

/* Little-endian, so a word of 4 bytes is the low half. */
static void serve(struct atomic_request request) {
  uint64_t before = 0;
  elan3_load(request.word, &before, request.width);
  const uint64_t after = word_after((enum word_operation)request.operation, before, request.operand, request.comparand);
  if (after != before) elan3_store(request.word, &after, request.width);
  answer(&request, before);
}

void elan3_thread_main(const struct e3_thread* thread, e3_addr address) {
  (void)address;
  const e3_addr at = thread->argument[0];
  for (uint32_t served = 0;; served = 0) {
    elan3_wait_event(at + (e3_addr)offsetof(struct e3_input_queue, event));
    struct e3_input_queue* queue = elan3_sdram(at, sizeof *queue);
    while (queue->front != queue->back || (queue->state & E3_QUEUE_FULL)) {
      const struct atomic_request request = *(const struct atomic_request*)elan3_sdram(queue->front, sizeof request);
      queue->front = queue->front == queue->top ? queue->base : queue->front + queue->slot_bytes;
      /* While it is full the card does not lock it, so the word is this thread's. */
      if (queue->state & E3_QUEUE_FULL) queue->state = 0;
      serve(request);
      if (++served % REQUESTS_MOST == 0) elan3_break(); /* while processes keep sending requests, it is never empty */
    }
    elan3_break();
  }
}
