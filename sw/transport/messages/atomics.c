/* Atomic operations: all by the card, or all by the owner of the word, which handles their records whenever it is in a
 * call of the library. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

static uint64_t operate(transport_address address, const struct transport_update* update) {
  char* word = messages_memory(address, update->width);
  uint64_t before = 0;
  memcpy(&before, word, update->width);
  const int short_word = update->width == sizeof(uint32_t);
  const uint64_t comparand = short_word ? (uint32_t)update->comparand : update->comparand;
  const uint64_t after = word_after(update->operation, before, update->operand, comparand);
  if (short_word)
    *(volatile uint32_t*)word = (uint32_t)after;
  else
    *(volatile uint64_t*)word = after;
  return before;
}

/* ---- by the card ---- */
struct place {
  struct peer* peer;
  transport_address address;
};

static int is_known(const void* what) {
  const struct place* place = what;
  return messages_remote(place->peer, place->address) != 0;
}

void messages_know_word(struct peer* peer, transport_address remote) {
  if (!messages_state()->channel->atomic) return;
  const struct place place = {peer, remote};
  messages_wait_until(is_known, &place);
}

static void by_card(transport_batch batch, struct peer* peer, transport_address remote,
                    const struct transport_update* update, struct transport_request* request) {
  messages_direct(&(struct direct){.kind = DIRECT_ATOMIC,
                                   .batch = batch,
                                   .peer = peer,
                                   .remote = messages_remote(peer, remote),
                                   .bytes = update->width,
                                   .request = request,
                                   .operation = update->operation,
                                   .operand = update->operand,
                                   .comparand = update->comparand});
}

/* ---- by the owner's CPU ---- */
static void by_record(struct peer* peer, transport_address remote, const struct transport_update* update,
                      const struct transport_request* request) {
  if (!request) messages_must_flush(peer); /* otherwise the answer tells of its end */
  messages_say_head(peer, &(struct record){.kind = RECORD_ATOMIC,
                                           .operation = (uint8_t)update->operation,
                                           .width = (uint8_t)update->width,
                                           .address = remote,
                                           .sender = request ? request->id : 0,
                                           .operand = update->operand,
                                           .comparand = update->comparand});
}

static void check_width(const struct record* head) {
  if (head->width != sizeof(uint32_t) && head->width != sizeof(uint64_t))
    messages_damaged("an operation on a word is of no word's width");
}

void messages_came_signal(const struct record* head, const char* body, size_t bytes) {
  check_width(head);
  messages_copy(messages_memory(head->address, bytes), body, bytes);
  operate(head->word,
          &(struct transport_update){
              .operation = (enum word_operation)head->operation, .width = head->width, .operand = head->operand});
}

void messages_came_atomic(struct peer* peer, const struct record* head) {
  check_width(head);
  const uint64_t before =
      operate(head->address, &(struct transport_update){.operation = (enum word_operation)head->operation,
                                                        .width = head->width,
                                                        .operand = head->operand,
                                                        .comparand = head->comparand});
  if (head->sender != 0)
    messages_say_head(peer, &(struct record){.kind = RECORD_ANSWER, .value = before, .sender = head->sender});
}

void messages_came_answer(const struct record* head) {
  struct transport_request* request = messages_request_of(head->sender);
  request->value = head->value;
  messages_end(request);
}

/* ---- either way ---- */
/* An operation on this process's own word, without a card that performs it: records that arrived while it computed are
 * handled first, as many as one call handles. */
static int is_own(unsigned to) {
  const struct messages* m = messages_state();
  if (to != m->self || m->channel->atomic) return 0;
  messages_progress();
  return 1;
}

static void start(transport_batch batch, struct peer* peer, transport_address remote,
                  const struct transport_update* update, struct transport_request* request) {
  if (messages_state()->channel->atomic)
    by_card(batch, peer, remote, update, request);
  else
    by_record(peer, remote, update, request);
}

void messages_start_atomic(transport_batch batch, struct peer* peer, transport_address remote,
                           const struct transport_update* update) {
  start(batch, peer, remote, update, NULL);
}

uint64_t messages_atomic_now(unsigned to, transport_address remote, const struct transport_update* update) {
  if (is_own(to)) return operate(remote, update);
  struct peer* peer = messages_peer(to);
  messages_know_word(peer, remote);
  struct transport_request* request = messages_request(FETCHES, to, NULL, update->width);
  start(0, peer, remote, update, request);
  messages_wait_until(messages_request_done, request);
  const uint64_t before = request->value;
  messages_release(request);
  return before;
}

void messages_atomic(transport_batch batch, unsigned to, transport_address remote,
                     const struct transport_update* update, void* before) {
  if (is_own(to)) {
    const uint64_t was = operate(remote, update);
    if (before) memcpy(before, &was, update->width);
    return;
  }
  struct peer* peer = messages_peer(to);
  messages_know_word(peer, remote);
  struct transport_request* request = before ? messages_request(FETCHES, to, before, update->width) : NULL;
  start(batch, peer, remote, update, request);
  if (request) messages_leave(batch, request, LEFT_FETCHES);
}
