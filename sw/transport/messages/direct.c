/* Puts, gets and atomic operations that the card does by itself: a limited number at once; further ones wait. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/state.h"

#define LINE_BYTES 64u /* cards write `done`, which shares no cache line with data that the CPU writes */

struct operation {
  volatile uint32_t done;
  uint32_t spare;
  uint64_t before;
  char small[SMALL_BYTES];
  struct link link;
  struct direct what;
};

static struct operation* operation_take(const struct direct* what) {
  const size_t bytes = (sizeof(struct operation) + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  struct operation* operation = aligned_alloc(LINE_BYTES, bytes);
  if (!operation) hal_abort("MPI and shmem: no memory left for puts and gets; wait for some first");
  *operation = (struct operation){.what = *what};
  if (what->small) {
    memcpy(operation->small, what->local, what->bytes);
    operation->what.local = operation->small;
  }
  return operation;
}

static void tell(const struct operation* operation) {
  if (operation->what.fin != 0)
    messages_say_head(operation->what.peer, &(struct record){.kind = RECORD_FIN, .to = operation->what.fin});
}

uint64_t messages_expose(const void* pointer, size_t bytes) {
  const struct messages* m = messages_state();
  return m->channel->expose(m->card, pointer, bytes, SHARE_MESSAGE);
}

static void unexpose(const void* pointer, size_t bytes, int kind) {
  const struct messages* m = messages_state();
  if (m->channel->unexpose) m->channel->unexpose(m->card, pointer, bytes, kind);
}

void messages_unexpose(const void* pointer, size_t bytes) { unexpose(pointer, bytes, SHARE_MESSAGE); }

/* Small data are in the library's memory, which must be exposed to the card. Other memory has been exposed before. */
static int is_exposed(struct operation* operation) {
  const struct messages* m = messages_state();
  struct direct* what = &operation->what;
  if (what->small && !what->exposed)
    what->exposed = m->channel->expose(m->card, what->local, what->bytes, SHARE_COPY) != 0;
  return !what->small || what->exposed;
}

static enum channel_room begin(struct operation* operation) {
  const struct messages* m = messages_state();
  const struct direct* what = &operation->what;
  if (!is_exposed(operation)) return CHANNEL_FULL; /* until another one has ended */
  switch (what->kind) {
    case DIRECT_PUT:
      return m->channel->put(m->card, what->peer->process, what->remote, what->local, what->bytes, &operation->done);
    case DIRECT_GET:
      return m->channel->get(m->card, what->peer->process, what->remote, what->local, what->bytes, &operation->done);
    case DIRECT_ATOMIC:
      return m->channel->atomic(m->card, what->peer->process, what->remote, what->operation, (unsigned)what->bytes,
                                what->operand, what->comparand, &operation->before, &operation->done);
  }
  return CHANNEL_FULL;
}

static int start(struct operation* operation) {
  struct messages* m = messages_state();
  if (m->direct_count == DIRECT_MOST || begin(operation) != CHANNEL_SENT) return 0;
  list_append(&m->direct_under_way, &operation->link);
  ++m->direct_count;
  if (operation->what.kind == DIRECT_PUT && m->channel->puts_in_order) tell(operation);
  return 1;
}

void messages_direct(const struct direct* direct) {
  struct messages* m = messages_state();
  struct operation* operation = operation_take(direct);
  if (!direct->request) messages_batch_begins(direct->batch);
  if (!list_empty(&m->direct_waiting) || !start(operation)) list_append(&m->direct_waiting, &operation->link);
}

static void end(struct operation* operation) {
  struct messages* m = messages_state();
  const struct direct* what = &operation->what;
  const int given_up = operation->done == CHANNEL_GIVEN_UP;
  list_remove(&operation->link);
  --m->direct_count;
  if (what->exposed) unexpose(what->local, what->bytes, what->small ? SHARE_COPY : SHARE_MESSAGE);
  if (given_up) { /* a waiting caller learns of the death (messages_hopeless) */
    free(operation);
    return;
  }
  if (what->kind != DIRECT_PUT || !m->channel->puts_in_order) tell(operation);
  if (what->request) {
    what->request->value = operation->before;
    messages_end(what->request);
  } else {
    messages_batch_ends(what->batch);
  }
  free(operation);
}

int messages_direct_progress(void) {
  struct messages* m = messages_state();
  int moved = 0;
  for (struct link *at = m->direct_under_way.next, *next = NULL; at != &m->direct_under_way; at = next) {
    struct operation* operation = LIST_OWNER(at, struct operation, link);
    next = at->next;
    if (!operation->done) continue;
    end(operation);
    moved = 1;
  }
  while (!list_empty(&m->direct_waiting)) {
    struct operation* operation = LIST_OWNER(m->direct_waiting.next, struct operation, link);
    list_remove(&operation->link);
    if (!start(operation)) {
      /* Back to the front of the list. */
      operation->link.next = m->direct_waiting.next;
      operation->link.previous = &m->direct_waiting;
      m->direct_waiting.next->previous = &operation->link;
      m->direct_waiting.next = &operation->link;
      break;
    }
    moved = 1;
  }
  return moved;
}
