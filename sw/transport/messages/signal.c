/* A put and then an atomic operation on a word of the same process, never seen before the bytes of the put. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

/* The signal that follows a put of the card. */
struct signal {
  transport_batch batch;
  struct peer* peer;
  struct transport_signal what;
};

static void start(const struct signal* signal) {
  messages_start_atomic(signal->batch, signal->peer, signal->what.word, &signal->what.update);
}

/* The put has ended. */
void messages_signal_now(struct transport_request* put) {
  struct signal* signal = (struct signal*)(void*)put->buffer;
  start(signal);
  free(signal);
}

static void wait_for(struct transport_request* put) {
  messages_wait_until(messages_request_done, put);
  messages_release(put);
}

/* Puts by the card, and signals when the put has ended; by a record, at once, if the channel keeps the order. */
static void put_by_card(const struct signal* signal, struct direct* put, int copied) {
  const struct messages* m = messages_state();
  put->request = messages_request(FETCHES, put->peer->process, put->local, put->bytes);
  messages_direct(put);
  if (m->channel->puts_in_order && !m->channel->atomic && list_empty(&m->direct_waiting)) {
    start(signal);
    if (copied && !put->small)
      wait_for(put->request);
    else
      messages_leave(signal->batch, put->request, LEFT);
  } else if (copied) { /* not later, since this process may compute for long before its next call */
    wait_for(put->request);
    start(signal);
  } else {
    struct signal* kept = malloc(sizeof *kept);
    if (!kept) hal_abort("MPI and shmem: no memory left for signals; wait for some first");
    *kept = *signal;
    put->request->buffer = (char*)kept;
    messages_leave(signal->batch, put->request, LEFT_SIGNALS);
  }
}

/* Whether data and signal fit into one record, if a CPU handles signals anyway. */
static int fits_record(const struct peer* peer, size_t bytes) {
  return !messages_state()->channel->atomic && record_head_bytes(RECORD_SIGNAL) + bytes <= messages_record_bytes(peer);
}

static void put_by_record(const struct signal* signal, transport_address remote, const void* local, size_t bytes,
                          int copied) {
  const struct transport_update* update = &signal->what.update;
  struct transport_request* sent = messages_request(FETCHES, signal->peer->process, (char*)local, bytes);
  messages_must_flush(signal->peer);
  messages_say(signal->peer, &(struct outgoing){.head = {.kind = RECORD_SIGNAL,
                                                         .operation = (uint8_t)update->operation,
                                                         .width = (uint8_t)update->width,
                                                         .address = remote,
                                                         .operand = update->operand,
                                                         .word = signal->what.word},
                                                .body = local,
                                                .bytes = bytes,
                                                .request = sent});
  if (copied)
    wait_for(sent);
  else
    messages_leave(signal->batch, sent, LEFT);
}

/* Records arrive in order; if the card does the atomic operation, the owner's CPU must have placed the bytes. */
static void put_by_records(const struct signal* signal, transport_address remote, const void* local, size_t bytes) {
  messages_put_by_records(signal->peer, remote, local, bytes);
  if (messages_state()->channel->atomic) messages_quiet(signal->batch);
  start(signal);
}

void messages_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes,
                         int copied, const struct transport_signal* signal) {
  const struct messages* m = messages_state();
  if (to == m->self || bytes == 0) {
    messages_put(batch, to, remote, local, bytes);
    messages_atomic(batch, to, signal->word, &signal->update, NULL);
    return;
  }
  const struct signal what = {batch, messages_peer(to), *signal};
  if (fits_record(what.peer, bytes)) {
    put_by_record(&what, remote, local, bytes, copied);
    return;
  }
  messages_know_word(what.peer, signal->word);
  const int small = bytes <= SMALL_BYTES;
  const uint64_t there = messages_by_card(what.peer, remote, small ? NULL : local, bytes, m->puts);
  if (there == 0) {
    put_by_records(&what, remote, local, bytes);
    return;
  }
  struct direct put = {.kind = DIRECT_PUT,
                       .batch = batch,
                       .peer = what.peer,
                       .remote = there,
                       .local = (char*)local,
                       .bytes = bytes,
                       .small = small,
                       .exposed = !small};
  put_by_card(&what, &put, copied);
}
