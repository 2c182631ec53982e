/* Puts, gets and atomic operations by Elanlib, in batches. A transport address is the Elan's. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/elan_memory/copies.h"
#include "sw/transport/elan_memory/elan_memory.h"

#define OUTSTANDING_MOST 64u /* operations of a batch before the oldest is waited for */

/* A put, get or atomic operation under way. */
struct outstanding {
  ELAN_EVENT* event;
  void* before; /* becomes the word's old value, `width` bytes of it; null: not asked for */
  unsigned width;
};

struct batch {
  struct outstanding ring[OUTSTANDING_MOST];
  unsigned first, count;
  uint32_t ended; /* counts what has left the ring; wraps around */
};

struct memory {
  ELAN_BASE* base;
  struct batch batch;  /* number 0 */
  struct batch** more; /* [more_count]: from number 1; null: closed */
  unsigned more_count;
};

/* This process's: each process has its copy of an image. */
static struct memory* state(void) {
  static struct memory memory;
  return &memory;
}

void elan_memory_start(ELAN_BASE* base) { state()->base = base; }

void* elan_memory_symmetric(size_t bytes) { return elan_gallocHeap(state()->base, bytes); }

transport_address elan_memory_address_of(const volatile void* pointer, size_t bytes) {
  return elan_address(state()->base, pointer, bytes);
}

static struct batch* batch_of(transport_batch batch) {
  struct memory* memory = state();
  return batch == 0 ? &memory->batch : memory->more[batch - 1];
}

transport_batch elan_memory_batch_open(void) {
  struct memory* memory = state();
  unsigned number = 0;
  while (number < memory->more_count && memory->more[number]) ++number;
  if (number == memory->more_count) {
    struct batch** more = realloc(memory->more, (number + 1) * sizeof *more);
    if (!more) hal_abort("transport: no memory left for another batch of puts and gets; close some first");
    memory->more = more;
    ++memory->more_count;
  }
  memory->more[number] = calloc(1, sizeof **memory->more);
  if (!memory->more[number])
    hal_abort("transport: no memory left for another batch of puts and gets; close some first");
  return number + 1;
}

void elan_memory_batch_close(transport_batch batch) {
  struct memory* memory = state();
  free(memory->more[batch - 1]);
  memory->more[batch - 1] = NULL;
}

/* It stays in the ring until it has ended, as another thread may ask for the same batch while this one waits; the first
 * of them that sees the end takes it off. */
static void end_oldest(struct batch* batch) {
  const struct outstanding oldest = batch->ring[batch->first];
  const volatile uint32_t* done = elan_done(oldest.event);
  const uint32_t ended = batch->ended, not_yet = 0;
  while (batch->ended == ended && *done == 0) elan_sleep(state()->base, &done, &not_yet, 1);
  if (batch->ended != ended) return;
  ++batch->ended;
  batch->first = (batch->first + 1) % OUTSTANDING_MOST;
  --batch->count;
  const uint64_t before = elan_atomicWait(oldest.event); /* of a put or get: of no meaning */
  if (oldest.before) memcpy(oldest.before, &before, oldest.width);
}

static void remember_as(transport_batch number, struct outstanding outstanding) {
  struct batch* batch = batch_of(number);
  while (batch->count == OUTSTANDING_MOST) end_oldest(batch);
  batch->ring[(batch->first + batch->count++) % OUTSTANDING_MOST] = outstanding;
}

static void remember(transport_batch batch, ELAN_EVENT* event) {
  remember_as(batch, (struct outstanding){.event = event});
}

static ELAN_EVENT* start_put(unsigned to, transport_address remote, const void* local, size_t bytes) {
  ELAN_BASE* base = state()->base;
  return elan_put(base, elan_address(base, local, bytes), (E3_Addr)remote, bytes, to);
}

static ELAN_EVENT* start_get(unsigned from, transport_address remote, const void* local, size_t bytes) {
  ELAN_BASE* base = state()->base;
  return elan_get(base, (E3_Addr)remote, elan_address(base, local, bytes), bytes, from);
}

static void put_now(unsigned to, transport_address remote, const void* local, size_t bytes) {
  struct elan_copy* copy = elan_copy_unless_reached(local, bytes);
  elan_wait(start_put(to, remote, copy ? copy->data : local, bytes), ELAN_POLL_EVENT);
  free(copy);
}

void elan_memory_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes) {
  if (bytes == 0) return;
  if (hal_is_own(local, bytes))
    remember(batch, start_put(to, remote, local, bytes));
  else
    put_now(to, remote, local, bytes);
}

void elan_memory_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local,
                            size_t bytes) {
  if (bytes == 0) return;
  if (bytes <= ELAN_SMALL_BYTES)
    remember(batch, elan_putSmall(state()->base, local, (E3_Addr)remote, bytes, to));
  else
    put_now(to, remote, local, bytes);
}

void elan_memory_get_now(unsigned from, transport_address remote, void* local, size_t bytes) {
  if (bytes == 0) return;
  struct elan_copy* copy = elan_copy_unless_reached(local, bytes);
  elan_wait(start_get(from, remote, copy ? copy->data : local, bytes), ELAN_POLL_EVENT);
  if (copy) elan_copy_bring_back(copy);
  free(copy);
}

void elan_memory_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes) {
  if (bytes == 0) return;
  if (hal_is_own(local, bytes))
    remember(batch, start_get(from, remote, local, bytes));
  else
    elan_memory_get_now(from, remote, local, bytes);
}

void elan_memory_start_atomics(void) { elan_atomicInit(state()->base); }

static ELAN_EVENT* start_atomic(unsigned to, transport_address remote, const struct transport_update* u) {
  return elan_atomic(state()->base, u->operation, u->width, (E3_Addr)remote, u->operand, u->comparand, to);
}

uint64_t elan_memory_atomic_now(unsigned to, transport_address remote, const struct transport_update* update) {
  return elan_atomicWait(start_atomic(to, remote, update));
}

void elan_memory_atomic(transport_batch batch, unsigned to, transport_address remote,
                        const struct transport_update* update, void* before) {
  remember_as(batch, (struct outstanding){start_atomic(to, remote, update), before, update->width});
}

/* ---- a put, whose event starts the atomic operation's DMA: the CPU is not needed in between ---- */
void elan_memory_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local,
                            size_t bytes, int copied, const struct transport_signal* signal) {
  if (bytes == 0) {
    elan_memory_atomic(batch, to, signal->word, &signal->update, NULL);
    return;
  }
  ELAN_BASE* base = state()->base;
  const struct transport_update* u = &signal->update;
  struct elan_copy* copy = bytes <= ELAN_SMALL_BYTES ? NULL : elan_copy_unless_reached(local, bytes);
  ELAN_EVENT* atomic =
      elan_atomicReady(base, u->operation, u->width, (E3_Addr)signal->word, u->operand, u->comparand, to);
  ELAN_EVENT* put = elan_putThen(base, copy ? copy->data : local, (E3_Addr)remote, bytes, to, atomic);
  remember(batch, atomic);
  if (copy || (copied && bytes > ELAN_SMALL_BYTES))
    elan_wait(put, ELAN_POLL_EVENT);
  else
    remember(batch, put);
  free(copy);
}

void elan_memory_quiet(transport_batch number) {
  struct batch* batch = batch_of(number);
  while (batch->count > 0) end_oldest(batch);
}
