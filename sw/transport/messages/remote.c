/* Put, get and atomic operations: by the card if it can and the memory is exposed to it, otherwise by records, which
 * the owner of the memory handles whenever it is in a call of the library. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

static int no_more_outstanding(const void* what) {
  (void)what;
  return messages_state()->outstanding == 0;
}

static void must_flush(struct peer* peer) {
  struct messages* m = messages_state();
  if (peer->dirty) return;
  peer->dirty = 1;
  peer->next_dirty = m->dirty;
  m->dirty = peer;
}

/* ---- put ---- */
/* The address by which the card of this process puts to, or gets from, a peer's memory; `local` is exposed then. 0: by
 * records. */
static uint64_t by_card(struct peer* peer, transport_address remote, const void* local, size_t bytes, int offered) {
  if (!offered || peer->intra_node) return 0;
  const uint64_t there = messages_remote(peer, remote);
  return there != 0 && (!local || messages_expose(local, bytes) != 0) ? there : 0;
}

void messages_put(unsigned to, transport_address remote, const void* local, size_t bytes) {
  const struct messages* m = messages_state();
  if (bytes == 0) return;
  if (to == m->self) {
    memmove(messages_memory(remote, bytes), local, bytes);
    return;
  }
  struct peer* peer = messages_peer(to);
  const uint64_t there = by_card(peer, remote, local, bytes, m->puts);
  if (there != 0) {
    messages_direct(&(struct direct){
        .kind = DIRECT_PUT, .peer = peer, .remote = there, .local = (char*)local, .bytes = bytes, .exposed = 1});
    return;
  }
  must_flush(peer);
  messages_say(peer,
               &(struct outgoing){.head = {.kind = RECORD_PUT, .address = remote}, .body = local, .bytes = bytes});
}

static int request_done(const void* request) { return ((const struct transport_request*)request)->done; }

/* Returns when the bytes have left `local`. */
void messages_put_copied(unsigned to, transport_address remote, const void* local, size_t bytes) {
  const struct messages* m = messages_state();
  if (bytes == 0) return;
  if (to == m->self) {
    messages_put(to, remote, local, bytes);
    return;
  }
  struct peer* peer = messages_peer(to);
  const int small = bytes <= SMALL_BYTES;
  const uint64_t there = by_card(peer, remote, small ? NULL : local, bytes, m->puts);
  if (there != 0 && small) {
    messages_direct(&(struct direct){
        .kind = DIRECT_PUT, .peer = peer, .remote = there, .local = (char*)local, .bytes = bytes, .small = 1});
    return;
  }
  struct transport_request* sent = messages_request(FETCHES, to, (char*)local, bytes);
  if (there != 0) {
    messages_direct(&(struct direct){.kind = DIRECT_PUT,
                                     .peer = peer,
                                     .remote = there,
                                     .local = (char*)local,
                                     .bytes = bytes,
                                     .exposed = 1,
                                     .request = sent});
  } else {
    must_flush(peer);
    messages_say(peer,
                 &(struct outgoing){
                     .head = {.kind = RECORD_PUT, .address = remote}, .body = local, .bytes = bytes, .request = sent});
  }
  messages_wait_until(request_done, sent);
  messages_release(sent);
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
  const uint64_t there = by_card(peer, remote, local, bytes, m->gets);
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

void messages_get(unsigned from, transport_address remote, void* local, size_t bytes) {
  struct transport_request* request = bytes > 0 ? get(from, remote, local, bytes) : NULL;
  if (request) messages_leave(request);
}

void messages_get_now(unsigned from, transport_address remote, void* local, size_t bytes) {
  struct transport_request* request = bytes > 0 ? get(from, remote, local, bytes) : NULL;
  if (!request) return;
  messages_wait_until(request_done, request);
  messages_release(request);
}

/* ---- atomic operations ---- */
static uint64_t operate(const struct record* head) {
  char* word = messages_memory(head->address, head->width);
  uint64_t before = 0;
  memcpy(&before, word, head->width);
  const uint64_t comparand = head->width == sizeof(uint32_t) ? (uint32_t)head->comparand : head->comparand;
  const uint64_t after = word_after((enum word_operation)head->operation, before, head->operand, comparand);
  if (head->width == sizeof(uint32_t))
    *(volatile uint32_t*)word = (uint32_t)after;
  else
    *(volatile uint64_t*)word = after;
  return before;
}

struct place {
  struct peer* peer;
  transport_address address;
};

static int is_known(const void* what) {
  const struct place* place = what;
  return messages_remote(place->peer, place->address) != 0;
}

static void by_atomic_of_card(unsigned to, const struct record* head, struct transport_request* request) {
  const struct place place = {messages_peer(to), head->address};
  messages_wait_until(is_known, &place);
  messages_direct(&(struct direct){.kind = DIRECT_ATOMIC,
                                   .peer = place.peer,
                                   .remote = messages_remote(place.peer, head->address),
                                   .bytes = head->width,
                                   .request = request,
                                   .operation = (enum word_operation)head->operation,
                                   .operand = head->operand,
                                   .comparand = head->comparand});
}

void messages_atomic(unsigned to, transport_address remote, enum word_operation operation, unsigned width,
                     uint64_t operand, uint64_t comparand, uint64_t* before) {
  const struct messages* m = messages_state();
  struct record head = {.kind = RECORD_ATOMIC,
                        .operation = (uint8_t)operation,
                        .width = (uint8_t)width,
                        .address = remote,
                        .operand = operand,
                        .comparand = comparand};
  if (to == m->self && !m->channel->atomic) {
    messages_progress(); /* records that arrived while this process computed go first, as many as one call handles */
    const uint64_t was = operate(&head);
    if (before) *before = was;
    return;
  }
  struct transport_request* request = before ? messages_request(FETCHES, to, NULL, width) : NULL;
  if (m->channel->atomic) {
    by_atomic_of_card(to, &head, request);
  } else {
    struct peer* peer = messages_peer(to);
    head.sender = request ? request->id : 0;
    must_flush(peer);
    messages_say_head(peer, &head);
  }
  if (!request) return;
  messages_wait_until(request_done, request);
  *before = request->value;
  messages_release(request);
}

/* ---- quiet ---- */
void messages_quiet(void) {
  struct messages* m = messages_state();
  for (; m->dirty; m->dirty = m->dirty->next_dirty) {
    m->dirty->dirty = 0;
    ++m->outstanding;
    messages_say_head(m->dirty, &(struct record){.kind = RECORD_FLUSH});
  }
  const int before = messages_begin_wait();
  messages_wait_until(no_more_outstanding, NULL);
  messages_end_wait(before);
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
    case RECORD_ATOMIC: {
      if (head->width != sizeof(uint32_t) && head->width != sizeof(uint64_t))
        messages_damaged("an operation on a word is of no word's width");
      const uint64_t before = operate(head);
      if (head->sender != 0)
        messages_say_head(peer, &(struct record){.kind = RECORD_ANSWER, .value = before, .sender = head->sender});
      break;
    }
    case RECORD_ANSWER: {
      struct transport_request* request = messages_request_of(head->sender);
      request->value = head->value;
      messages_end(request);
      break;
    }
    case RECORD_FLUSH:
      messages_say_head(peer, &(struct record){.kind = RECORD_FLUSHED});
      break;
    case RECORD_FLUSHED:
      --m->outstanding;
      ++m->ends;
      break;
    default:
      break;
  }
}
