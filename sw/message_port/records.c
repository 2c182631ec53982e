/* See records.h.
 *
 * A send is copied to a slot of its process, which is free again when that process's card has put it into a receive.
 * Receives for any sender are posted at all times; a record that finds none waits in the card.
 */
#include "sw/message_port/records.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/message_port/port.h"

#define TAG 0x80000000u    /* sw/vcp and sw/parix have others */
#define RECORD_BYTES 4096u /* some 400 us on the Mesh of Clos' links beside some 20 us of set-up (A) */
#define SLOTS 2u           /* of each process: one on its way, and one that the card begins with at once (A) */
#define RECEIVES 8u        /* (A) */

struct slot {
  struct port_operation operation;
  _Alignas(8) char bytes[RECORD_BYTES];
};

struct records {
  struct slot** slots;               /* [ranks][SLOTS], made when they are first used */
  struct slot* receives[RECEIVES];   /* in the order in which they were posted: so the card takes them */
  unsigned given_out;                /* between receive and release: which of them */
  struct port_operation unreachable; /* counts sends that did not reach their node ... */
  uint32_t unreachable_seen;         /* ... as far as they have been looked at */
  const volatile uint32_t* deaths;   /* that this process knows of */
  unsigned* refused;                 /* processes whose records were refused since the last sleep */
  unsigned refused_count;
  unsigned char* is_refused; /* by rank */
};

static void post(struct slot* receive) {
  port_receive(&receive->operation, PORT_ANY, TAG, UINT32_MAX, receive->bytes, RECORD_BYTES);
}

static void* aligned(size_t count, size_t bytes) {
  void* memory = aligned_alloc(_Alignof(struct port_operation), count * bytes);
  if (!memory) hal_abort("transport: the node's memory is full: give it more, -s host.memory=512MiB");
  return memory;
}

static void* start(void) {
  static struct records records;
  port_open("transport_start", hal_card());
  const size_t ranks = (size_t)hal_job_processes();
  records.slots = calloc(ranks * SLOTS, sizeof *records.slots);
  records.refused = calloc(ranks, sizeof *records.refused);
  records.is_refused = calloc(ranks, 1);
  struct slot* receives = aligned(RECEIVES, sizeof *receives);
  for (unsigned i = 0; i < RECEIVES; ++i) post(records.receives[i] = &receives[i]);
  port_count_unreachable(&records.unreachable);
  records.deaths = hal_deaths();
  return &records;
}

static size_t record_bytes(const void* self) {
  (void)self;
  return RECORD_BYTES;
}

/* A record that does not reach its node is lost, and nothing on these machines sends it again: from now on that node is
 * dead for this process. */
static int is_lost(const struct slot* slot, unsigned to) {
  if (slot->operation.status.state != MESSAGE_UNREACHABLE) return 0;
  hal_count_as_dead(hal_rank_node((int)to));
  return 1;
}

static void find_lost(struct records* records) {
  records->unreachable_seen = records->unreachable.status.state;
  for (unsigned i = 0; i < (unsigned)hal_job_processes() * SLOTS; ++i)
    if (records->slots[i]) is_lost(records->slots[i], i / SLOTS);
}

static struct slot* free_slot(struct records* records, unsigned to) {
  for (unsigned i = 0; i < SLOTS; ++i) {
    struct slot** slot = &records->slots[to * SLOTS + i];
    if (!*slot) {
      *slot = aligned(1, sizeof **slot);
      return *slot;
    }
    if (is_lost(*slot, to) || port_done(&(*slot)->operation)) return *slot;
  }
  return NULL;
}

static enum channel_room port_record_send(void* self, unsigned to, const struct channel_record* record) {
  struct records* records = self;
  if (*records->deaths != 0 && hal_is_dead(hal_rank_node((int)to))) return CHANNEL_SENT; /* it vanishes */
  struct slot* slot = free_slot(records, to);
  if (!slot) {
    if (!records->is_refused[to]) records->refused[records->refused_count++] = to;
    records->is_refused[to] = 1;
    return CHANNEL_PEER_FULL;
  }
  memcpy(slot->bytes, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(slot->bytes + record->head_bytes, record->body, record->body_bytes);
  const size_t bytes = record->head_bytes + record->body_bytes;
  port_send(&slot->operation, to, TAG, slot->bytes, bytes);
  return CHANNEL_SENT;
}

/* Index of the first completed one of the first `count` receives; `count` if none is. */
static unsigned first_done(const struct records* records, unsigned count) {
  unsigned at = 0;
  while (at < count && !port_done(&records->receives[at]->operation)) ++at;
  return at;
}

/* Records of one process complete, and are handed out, in order. Several may end while this looks: one that was found
 * is the first only if, after that, those before it are still not done. */
static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct records* records = self;
  if (records->unreachable.status.state != records->unreachable_seen) find_lost(records);
  unsigned found = first_done(records, RECEIVES);
  if (found == RECEIVES) return NULL;
  for (unsigned before = first_done(records, found); before < found; before = first_done(records, found))
    found = before;
  records->given_out = found;
  struct slot* first = records->receives[found];
  *from = port_source(&first->operation);
  *bytes = port_bytes(&first->operation);
  if (*bytes > RECORD_BYTES)
    hal_abort("transport: a record came that is longer than any; bits were wrong on its way (link.bit_error_rate)");
  return first->bytes;
}

static void release(void* self) {
  struct records* records = self;
  struct slot* released = records->receives[records->given_out];
  for (unsigned i = records->given_out; i + 1 < RECEIVES; ++i) records->receives[i] = records->receives[i + 1];
  post(records->receives[RECEIVES - 1] = released);
}

static void sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct records* records = self;
  const unsigned most = count + 1 + RECEIVES + records->refused_count * SLOTS;
  const volatile uint32_t* all[most];
  uint32_t all_seen[most];
  unsigned used = 0;
  for (; used < count; ++used) {
    all[used] = words[used];
    all_seen[used] = seen[used];
  }
  all[used] = port_word(&records->unreachable);
  all_seen[used++] = records->unreachable_seen;
  for (unsigned i = 0; i < RECEIVES; ++i, ++used) {
    all[used] = port_word(&records->receives[i]->operation);
    all_seen[used] = MESSAGE_PENDING;
  }
  for (; records->refused_count > 0; --records->refused_count) {
    const unsigned to = records->refused[records->refused_count - 1];
    records->is_refused[to] = 0;
    for (unsigned i = 0; i < SLOTS; ++i, ++used) {
      all[used] = port_word(&records->slots[to * SLOTS + i]->operation);
      all_seen[used] = MESSAGE_PENDING;
    }
  }
  hal_wait_words(all, all_seen, (int)used, UINT64_MAX);
}

const struct channel records_channel = {.start = start,
                                        .record_bytes = record_bytes,
                                        .send = port_record_send,
                                        .receive = receive,
                                        .release = release,
                                        .sleep = sleep};
