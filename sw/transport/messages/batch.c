/* Batches: how many puts, gets and atomic operations of each are under way. Operations by records are acknowledged only
 * when a quiet asks each process that was sent some (a flush), of whatever batch. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

transport_batch messages_batch_open(void) {
  struct messages* m = messages_state();
  unsigned number = 0;
  while (number < m->batch_count && m->batches[number] != 0) ++number;
  if (number == m->batch_count) {
    unsigned* batches = realloc(m->batches, (number + 1) * sizeof *batches);
    if (!batches) hal_abort("MPI and shmem: no memory left for another batch of puts and gets; close some first");
    m->batches = batches;
    ++m->batch_count;
  }
  m->batches[number] = 1;
  return number + 1;
}

void messages_batch_close(transport_batch batch) { messages_state()->batches[batch - 1] = 0; }

static unsigned* outstanding_of(transport_batch batch) {
  struct messages* m = messages_state();
  return batch == 0 ? &m->outstanding : &m->batches[batch - 1];
}

void messages_batch_begins(transport_batch batch) { ++*outstanding_of(batch); }

void messages_batch_ends(transport_batch batch) {
  --*outstanding_of(batch);
  ++messages_state()->ends;
}

/* ---- requests of batches ---- */
static void end(struct transport_request* request, enum left how) {
  if (how == LEFT_FETCHES) memcpy(request->buffer, &request->value, request->bytes);
  if (how == LEFT_SIGNALS) messages_signal_now(request);
  messages_release(request);
}

void messages_leave(transport_batch batch, struct transport_request* request, enum left how) {
  if (request->done) {
    end(request, how);
    return;
  }
  request->left = (unsigned)how | (batch + 1);
  messages_batch_begins(batch);
}

/* Its consequences begin before it ends, so that the batch is not quiet in between. */
void messages_end_left(struct transport_request* request) {
  const transport_batch batch = (request->left & LEFT_BATCH) - 1;
  end(request, (enum left)(request->left & ~(unsigned)LEFT_BATCH));
  messages_batch_ends(batch);
}

/* ---- quiet ---- */
void messages_must_flush(struct peer* peer) {
  struct messages* m = messages_state();
  if (peer->dirty) return;
  peer->dirty = 1;
  peer->next_dirty = m->dirty;
  m->dirty = peer;
}

static int is_quiet(const void* batch) {
  const transport_batch number = *(const transport_batch*)batch;
  return messages_state()->flushes == 0 && *outstanding_of(number) == (number == 0 ? 0 : 1);
}

/* The operations that a signal has begun while it waited may have gone by records, too. */
void messages_quiet(transport_batch batch) {
  struct messages* m = messages_state();
  const int before = messages_begin_wait();
  do {
    for (; m->dirty; m->dirty = m->dirty->next_dirty) {
      m->dirty->dirty = 0;
      ++m->flushes;
      messages_say_head(m->dirty, &(struct record){.kind = RECORD_FLUSH});
    }
    messages_wait_until(is_quiet, &batch);
  } while (m->dirty);
  messages_end_wait(before);
}
