/* Tagged messages: sent at once, or announced and fetched. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

void messages_copy(char* to, const char* from, size_t bytes) {
  if (bytes == 0) return;
  memcpy(to, from, bytes);
}

/* Bytes of its sender's window (README.md, Memory) that an unexpected message occupies. */
static size_t kept(size_t bytes) { return EARLY_HEAD_BYTES + bytes; }

/* Stores part of a message from offset `came` on; what exceeds the receive's buffer is dropped. */
static void put_into(struct transport_request* receive, size_t came, const char* body, size_t bytes) {
  if (came < receive->bytes) messages_copy(receive->buffer + came, body, least(bytes, receive->bytes - came));
}

static void label(struct transport_request* receive, unsigned from, uint64_t tag, size_t bytes) {
  receive->got = (struct transport_status){.from = from, .tag = tag, .bytes = bytes};
}

/* ---- sends ---- */
static void send_to_self(struct transport_request* send, int flags) {
  struct messages* m = messages_state();
  struct transport_request* receive = messages_match(m->self, send->tag);
  if (receive) {
    label(receive, m->self, send->tag, send->bytes);
    put_into(receive, 0, send->buffer, send->bytes);
    messages_end(receive);
    messages_end(send);
    return;
  }
  const int copied = send->bytes <= m->eager && !(flags & TRANSPORT_SYNCHRONOUS);
  struct early* early = messages_keep(messages_peer(m->self), copied ? send->bytes : 0);
  early->tag = send->tag;
  early->bytes = send->bytes;
  if (!copied) {
    early->own = send;
    hal_threads_tell(); /* this call waits for a receive: perhaps of another thread that waits in a probe */
    return;
  }
  messages_copy(early->data, send->buffer, send->bytes);
  early->came = send->bytes;
  messages_end(send);
}

static void announce(struct peer* peer, struct transport_request* send) {
  struct messages* m = messages_state();
  const int reachable = m->gets && !peer->intra_node && send->bytes > 0;
  const uint64_t source = reachable ? messages_expose(send->buffer, send->bytes) : 0;
  if (source != 0) send->exposed = send->bytes;
  send->announced = 1;
  messages_say_head(
      peer, &(struct record){
                .kind = RECORD_RTS, .tag = send->tag, .sender = send->id, .bytes = send->bytes, .source = source});
}

struct transport_request* messages_send(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags) {
  const struct messages* m = messages_state();
  struct transport_request* send = messages_request(SENDS, to, (char*)buffer, bytes);
  send->tag = tag;
  if (to == m->self) {
    send_to_self(send, flags);
    return send;
  }
  struct peer* peer = messages_peer(to);
  if (bytes > m->eager || flags & TRANSPORT_SYNCHRONOUS || kept(bytes) > peer->window) {
    announce(peer, send);
    return send;
  }
  peer->window -= (uint32_t)kept(bytes);
  const int whole = record_head_bytes(RECORD_EAGER) + bytes <= messages_record_bytes(peer);
  messages_say(peer,
               &(struct outgoing){.head = {.kind = whole ? RECORD_EAGER : RECORD_FIRST, .tag = tag, .bytes = bytes},
                                  .body = buffer,
                                  .bytes = bytes,
                                  .request = send});
  return send;
}

/* The receiver asks for the data. */
void messages_came_cts(struct peer* peer, const struct record* head) {
  struct transport_request* send = messages_request_of(head->sender);
  const size_t bytes = head->bytes;
  if (send->role != SENDS || bytes > send->bytes) messages_damaged("more bytes are wanted than there are");
  if (bytes == 0) {
    messages_end(send);
    return;
  }
  if (head->source != 0 && messages_expose(send->buffer, bytes) != 0) {
    messages_direct(&(struct direct){.kind = DIRECT_PUT,
                                     .peer = peer,
                                     .remote = head->source,
                                     .local = send->buffer,
                                     .bytes = bytes,
                                     .exposed = 1,
                                     .request = send,
                                     .fin = head->receiver});
    return;
  }
  messages_say(
      peer,
      &(struct outgoing){
          .head = {.kind = RECORD_DATA, .to = head->receiver}, .body = send->buffer, .bytes = bytes, .request = send});
}

/* ---- receives ---- */
/* Fetches an announced message into a receive that has matched it. */
static void fetch(struct peer* peer, struct transport_request* receive, uint32_t sender, uint64_t source) {
  const struct messages* m = messages_state();
  const size_t wanted = least(receive->got.bytes, receive->bytes);
  receive->came = 0;
  receive->bytes = wanted;
  const int by_card = wanted > 0 && !peer->intra_node && (source != 0 || m->puts);
  const uint64_t here = by_card ? messages_expose(receive->buffer, wanted) : 0;
  if (source != 0 && here != 0) {
    messages_direct(&(struct direct){.kind = DIRECT_GET,
                                     .peer = peer,
                                     .remote = source,
                                     .local = receive->buffer,
                                     .bytes = wanted,
                                     .exposed = 1,
                                     .request = receive,
                                     .fin = sender});
    return;
  }
  if (here != 0) receive->exposed = wanted;
  messages_say_head(peer, &(struct record){.kind = RECORD_CTS,
                                           .sender = sender,
                                           .receiver = receive->id,
                                           .bytes = wanted,
                                           .source = m->puts ? here : 0});
  if (wanted == 0) messages_end(receive);
}

/* A receive takes a message that came before it. */
static void early_take(struct transport_request* receive, struct early* early) {
  struct peer* peer = messages_peer(early->from);
  label(receive, early->from, early->tag, early->bytes);
  if (early->own) {
    put_into(receive, 0, early->own->buffer, early->bytes);
    messages_end(early->own);
    messages_end(receive);
  } else if (early->sender != 0) {
    fetch(peer, receive, early->sender, early->source);
  } else {
    put_into(receive, 0, early->data, early->came);
    messages_owe(peer, kept(early->bytes));
    if (early->came < early->bytes)
      peer->inbound = (struct inbound){.receive = receive, .bytes = early->bytes, .came = early->came};
    else
      messages_end(receive);
  }
  messages_forget(early);
}

struct transport_request* messages_receive(unsigned from, uint64_t tag, uint64_t mask, void* buffer, size_t bytes) {
  struct transport_request* receive = messages_request(RECEIVES, from, buffer, bytes);
  receive->tag = tag;
  receive->mask = mask;
  struct early* early = messages_find_early(from, tag, mask);
  if (early)
    early_take(receive, early);
  else
    messages_post(receive);
  return receive;
}

/* ---- what has come ---- */
void messages_came_eager(struct peer* peer, const struct record* head, const char* body, size_t bytes) {
  const size_t all = head->kind == RECORD_EAGER ? bytes : head->bytes;
  if (head->kind == RECORD_FIRST && (all < bytes || all > messages_state()->most_bytes))
    messages_damaged("its message is longer than memory");
  struct transport_request* receive = messages_match(peer->process, head->tag);
  struct early* early = NULL;
  if (receive) {
    label(receive, peer->process, head->tag, all);
    put_into(receive, 0, body, bytes);
    messages_owe(peer, kept(all));
    if (bytes == all) messages_end(receive);
  } else {
    early = messages_keep(peer, all);
    early->tag = head->tag;
    early->bytes = all;
    early->came = bytes;
    messages_copy(early->data, body, bytes);
  }
  if (bytes < all) peer->inbound = (struct inbound){.receive = receive, .early = early, .bytes = all, .came = bytes};
}

void messages_came_more(struct peer* peer, const char* body, size_t bytes) {
  struct inbound* inbound = &peer->inbound;
  if (bytes > inbound->bytes - inbound->came) messages_damaged("it goes on with a message that has all its bytes");
  if (inbound->receive) {
    put_into(inbound->receive, inbound->came, body, bytes);
  } else {
    messages_copy(inbound->early->data + inbound->came, body, bytes);
    inbound->early->came += bytes;
  }
  inbound->came += bytes;
  if (inbound->came == inbound->bytes && inbound->receive) messages_end(inbound->receive);
}

void messages_came_rts(struct peer* peer, const struct record* head) {
  if (head->bytes > messages_state()->most_bytes) messages_damaged("its message is longer than memory");
  struct transport_request* receive = messages_match(peer->process, head->tag);
  if (receive) {
    label(receive, peer->process, head->tag, head->bytes);
    fetch(peer, receive, head->sender, head->source);
    return;
  }
  struct early* early = messages_keep(peer, 0);
  early->tag = head->tag;
  early->bytes = head->bytes;
  early->sender = head->sender;
  early->source = head->source;
}

/* Data of a rendezvous: exactly as many bytes arrive as were asked for. */
void messages_came_data(const struct record* head, const char* body, size_t bytes) {
  struct transport_request* request = messages_request_of((uint32_t)head->to);
  if (bytes > request->bytes - request->came) messages_damaged("more bytes come than were asked for");
  messages_copy(request->buffer + request->came, body, bytes);
  request->came += bytes;
  if (request->came == request->bytes) messages_end(request);
}

void messages_came_fin(const struct record* head) { messages_end(messages_request_of((uint32_t)head->to)); }

/* ---- requests of the program ---- */
static int request_done(const void* request) { return ((const struct transport_request*)request)->done; }

static void finish(struct transport_request* request, struct transport_status* status) {
  if (status && request->role == RECEIVES) *status = request->got;
  messages_release(request);
}

static int request_hopeless(const void* request) {
  return messages_hopeless(((const struct transport_request*)request)->peer) != 0;
}

/* Ends a request whose peer is dead. Memory that the card or a peer may still access is not released. */
static void give_up(struct transport_request* request, struct transport_status* status) {
  if (status) status->dead = messages_hopeless(request->peer);
  if (request->role != RECEIVES || list_empty(&request->link)) return;
  list_remove(&request->link);
  messages_release(request);
}

void messages_wait(struct transport_request* request, struct transport_status* status) {
  const int before = messages_begin_wait();
  messages_wait_unless(request_done, request_hopeless, request);
  messages_end_wait(before);
  if (request->done)
    finish(request, status);
  else
    give_up(request, status);
}

int messages_test(struct transport_request* request, struct transport_status* status) {
  if (!request->done) messages_progress();
  if (!request->done && messages_hopeless(request->peer) == 0) return 0;
  if (request->done)
    finish(request, status);
  else
    give_up(request, status);
  return 1;
}

struct several {
  struct transport_request* const* requests;
  size_t count;
  uint64_t until; /* higher request numbers are newer: they reuse storage of requests that the background has ended */
};

static int any_done(const void* what) {
  const struct several* several = what;
  int some = 0;
  for (size_t i = 0; i < several->count; ++i) {
    if (!several->requests[i]) continue;
    if (several->requests[i]->done || several->requests[i]->number > several->until) return 1;
    some = 1;
  }
  return !some;
}

static int some_hopeless(const void* what) {
  const struct several* several = what;
  for (size_t i = 0; i < several->count; ++i)
    if (several->requests[i] && request_hopeless(several->requests[i])) return 1;
  return 0;
}

void messages_wait_any(struct transport_request* const* requests, size_t count) {
  const int before = messages_begin_wait();
  messages_wait_unless(any_done, some_hopeless, &(struct several){requests, count, messages_state()->requests});
  messages_end_wait(before);
}

struct wanted {
  unsigned from;
  uint64_t tag, mask;
};

static int is_early(const void* what) {
  const struct wanted* wanted = what;
  return messages_find_early(wanted->from, wanted->tag, wanted->mask) != NULL;
}

static int wanted_hopeless(const void* wanted) { return messages_hopeless(((const struct wanted*)wanted)->from) != 0; }

int messages_probe(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status) {
  const struct wanted wanted = {from, tag, mask};
  if (wait) {
    const int before = messages_begin_wait();
    messages_wait_unless(is_early, wanted_hopeless, &wanted);
    messages_end_wait(before);
  } else {
    messages_progress();
  }
  const struct early* early = messages_find_early(from, tag, mask);
  if (!early && status) status->dead = messages_hopeless(from);
  if (!early) return 0;
  if (status) *status = (struct transport_status){.from = early->from, .tag = early->tag, .bytes = early->bytes};
  return 1;
}

/* ---- what is taken back ---- */
static struct early* early_of(const struct peer* peer, uint32_t sender, const struct transport_request* own) {
  for (const struct link* at = peer->early.next; at != &peer->early; at = at->next) {
    struct early* early = LIST_OWNER(at, struct early, peer_link);
    if (early->sender == sender && early->own == own) return early;
  }
  return NULL;
}

/* Comes after the RTS. If that has been matched, the sender is notified anyway. */
void messages_came_cancel(struct peer* peer, const struct record* head) {
  struct early* early = early_of(peer, head->sender, NULL);
  if (!early) return;
  messages_forget(early);
  messages_say_head(peer, &(struct record){.kind = RECORD_CANCELLED, .to = head->sender});
}

void messages_came_cancelled(const struct record* head) {
  struct transport_request* send = messages_request_of((uint32_t)head->to);
  send->cancelled = 1;
  messages_end(send);
}

static int take_send_back(struct transport_request* send) {
  const struct messages* m = messages_state();
  if (send->peer == m->self) {
    struct early* early = early_of(messages_peer(m->self), 0, send);
    if (early) messages_forget(early);
    return early != NULL;
  }
  if (!send->announced || send->done) return 0; /* it needs no receive */
  messages_say_head(messages_peer(send->peer), &(struct record){.kind = RECORD_CANCEL, .sender = send->id});
  const int before = messages_begin_wait();
  messages_wait_until(request_done, send);
  messages_end_wait(before);
  return send->cancelled;
}

int messages_cancel(struct transport_request* request) {
  if (request->role == SENDS) {
    if (!take_send_back(request)) return 0;
  } else if (list_empty(&request->link)) {
    return 0;
  } else {
    list_remove(&request->link);
  }
  messages_release(request);
  return 1;
}
