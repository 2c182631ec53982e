/* Put and get: by the card if it can and the memory is exposed to it, otherwise by records, which the owner of the
 * memory handles whenever it is in a call of the library. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

/* ---- put ---- */
uint64_t messages_by_card(struct peer* peer, transport_address remote, const void* local, size_t bytes, int offered) {
  if (!offered || peer->intra_node) return 0;
  const uint64_t there = messages_remote(peer, remote);
  return there != 0 && (!local || messages_expose(local, bytes) != 0) ? there : 0;
}

void messages_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes) {
  const struct messages* m = messages_state();
  if (bytes == 0) return;
  if (to == m->self) {
    memmove(messages_memory(remote, bytes), local, bytes);
    return;
  }
  struct peer* peer = messages_peer(to);
  const uint64_t there = messages_by_card(peer, remote, local, bytes, m->puts);
  if (there != 0) {
    messages_direct(&(struct direct){.kind = DIRECT_PUT,
                                     .batch = batch,
                                     .peer = peer,
                                     .remote = there,
                                     .local = (char*)local,
                                     .bytes = bytes,
                                     .exposed = 1});
    return;
  }
  messages_must_flush(peer);
  messages_say(peer,
               &(struct outgoing){.head = {.kind = RECORD_PUT, .address = remote}, .body = local, .bytes = bytes});
}

int messages_request_done(const void* request) { return ((const struct transport_request*)request)->done; }

static void wait_and_release(struct transport_request* request) {
  messages_wait_until(messages_request_done, request);
  messages_release(request);
}

void messages_put_by_records(struct peer* peer, transport_address remote, const void* local, size_t bytes) {
  struct transport_request* sent = messages_request(FETCHES, peer->process, (char*)local, bytes);
  messages_must_flush(peer);
  messages_say(peer,
               &(struct outgoing){
                   .head = {.kind = RECORD_PUT, .address = remote}, .body = local, .bytes = bytes, .request = sent});
  wait_and_release(sent);
}

/* Returns when the bytes have left `local`. */
void messages_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local,
                         size_t bytes) {
  const struct messages* m = messages_state();
  if (bytes == 0) return;
  if (to == m->self) {
    messages_put(batch, to, remote, local, bytes);
    return;
  }
  struct peer* peer = messages_peer(to);
  const int small = bytes <= SMALL_BYTES;
  const uint64_t there = messages_by_card(peer, remote, small ? NULL : local, bytes, m->puts);
  if (there == 0) {
    messages_put_by_records(peer, remote, local, bytes);
    return;
  }
  struct transport_request* sent = small ? NULL : messages_request(FETCHES, to, (char*)local, bytes);
  messages_direct(&(struct direct){.kind = DIRECT_PUT,
                                   .batch = batch,
                                   .peer = peer,
                                   .remote = there,
                                   .local = (char*)local,
                                   .bytes = bytes,
                                   .small = small,
                                   .exposed = !small,
                                   .request = sent});
  if (sent) wait_and_release(sent);
}

/* ---- get ---- */
static int few_record_gets(const void* what) {
  (void)what;
  return messages_state()->record_gets < RECORD_GETS_MOST;
}

/* The request that ends when the bytes are here; null if there is nothing to wait for. */
static struct transport_request* get(unsigned from, transport_address remote, void* local, size_t bytes) {
  struct messages* m = messages_state();
  if (from == m->self) {
    memmove(local, messages_memory(remote, bytes), bytes);
    return NULL;
  }
  struct peer* peer = messages_peer(from);
  const uint64_t there = messages_by_card(peer, remote, local, bytes, m->gets);
  struct transport_request* request = messages_request(FETCHES, from, local, bytes);
  if (there != 0) {
    messages_direct(&(struct direct){.kind = DIRECT_GET,
                                     .peer = peer,
                                     .remote = there,
                                     .local = local,
                                     .bytes = bytes,
                                     .exposed = 1,
                                     .request = request});
    return request;
  }
  messages_wait_until(few_record_gets, NULL);
  ++m->record_gets;
  request->by_records = 1;
  messages_say_head(peer,
                    &(struct record){.kind = RECORD_GET, .address = remote, .sender = request->id, .bytes = bytes});
  return request;
}

void messages_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes) {
  struct transport_request* request = bytes > 0 ? get(from, remote, local, bytes) : NULL;
  if (request) messages_leave(batch, request, LEFT);
}

void messages_get_now(unsigned from, transport_address remote, void* local, size_t bytes) {
  struct transport_request* request = bytes > 0 ? get(from, remote, local, bytes) : NULL;
  if (request) wait_and_release(request);
}

/* ---- requests of other processes ---- */
void messages_came_remote(struct peer* peer, const struct record* head, const char* body, size_t bytes) {
  struct messages* m = messages_state();
  switch (head->kind) {
    case RECORD_PUT:
      messages_copy(messages_memory(head->address, bytes), body, bytes);
      break;
    case RECORD_GET:
      messages_say(peer, &(struct outgoing){.head = {.kind = RECORD_DATA, .to = head->sender},
                                            .body = messages_memory(head->address, head->bytes),
                                            .bytes = head->bytes});
      break;
    case RECORD_ATOMIC:
      messages_came_atomic(peer, head);
      break;
    case RECORD_SIGNAL:
      messages_came_signal(head, body, bytes);
      break;
    case RECORD_ANSWER:
      messages_came_answer(head);
      break;
    case RECORD_FLUSH:
      messages_say_head(peer, &(struct record){.kind = RECORD_FLUSHED});
      break;
    case RECORD_FLUSHED:
      --m->flushes;
      ++m->ends;
      break;
    default:
      break;
  }
}
