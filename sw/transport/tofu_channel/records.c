/* Records and credits as puts into the channel's own memory; room in the queue of the card. */
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/transport/tofu_channel/tofu_channel.h"

void tofu_channel_fail(int result, const char* what) {
  char text[160];
  snprintf(text, sizeof text, "transport: %s: uTofu returns %d", what, result);
  hal_abort(text);
}

static utofu_stadd_t stadd_of(const struct tofu_channel* t, const volatile void* own) {
  return t->base + (utofu_stadd_t)((const volatile char*)own - (const volatile char*)t->taken);
}

int tofu_record_put(struct tofu_channel* t, unsigned to, uint32_t number) {
  struct tofu_peer* peer = &t->peers[to];
  const size_t bytes = peer->bytes[number % TOFU_SLOTS];
  return utofu_put(t->vcq, peer->vcq, stadd_of(t, tofu_record_place(t->stages, to, number)),
                   stadd_of(t, tofu_record_place(t->slots, (unsigned)hal_rank(), number)), bytes,
                   TOFU_RECORD_EDATA(hal_rank(), number, bytes), t->flags | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE,
                   NULL);
}

int tofu_record_credit(struct tofu_channel* t, const struct tofu_peer* peer) {
  return utofu_put_piggyback8(t->vcq, peer->vcq, peer->came, stadd_of(t, &t->taken[hal_rank()]), sizeof *t->taken,
                              TOFU_RECORD_EDATA(hal_rank(), 0, TOFU_CREDIT_BYTES),
                              t->flags | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE, NULL);
}

void tofu_record_poll_left(struct tofu_channel* t) {
  int result;
  while ((result = utofu_poll_tcq(t->vcq, 0, NULL)) != UTOFU_ERR_NOT_FOUND) tofu_channel_check(result, "sending");
}

void tofu_record_wait_for_room(struct tofu_channel* t) {
  uint32_t seen;
  const volatile uint32_t* left = tofu_tcq_word(t->vcq, &seen);
  hal_wait_word(left, seen, UINT64_MAX);
  tofu_record_poll_left(t);
}
