/* Messages over a channel that has no room as often as it likes, and wakes for no reason: all that is sent comes, in
 * order, and a process that waits is woken. Elanlib's queues are the channel behind it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"
#include "sw/transport/messages/messages.h"

extern const struct transport_implementation transport_elan_queues;

/* ---- the channel ---- */
static uint64_t dice;
static int refused; /* without a reason: there may be room at once */

static unsigned roll(unsigned sides) {
  dice = dice * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(dice >> 33) % sides;
}

static const struct channel* real(void) { return transport_elan_queues.channel; }

static void* start(void) { return real()->start(); }
static size_t record_bytes(const void* self) { return real()->record_bytes(self); }

/* What there is room for, one time in three. */
static int has_no_room(void) {
  const int no_room = roll(3) != 0;
  refused |= no_room;
  return no_room;
}

static enum channel_room refuse(void) { return roll(2) ? CHANNEL_FULL : CHANNEL_PEER_FULL; }

static enum channel_room send(void* self, unsigned to, const struct channel_record* record) {
  return has_no_room() ? refuse() : real()->send(self, to, record);
}

static const void* receive(void* self, unsigned* from, size_t* bytes) { return real()->receive(self, from, bytes); }
static void release(void* self) { real()->release(self); }

static void sleep_or_not(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  if (!refused && roll(2)) real()->sleep(self, words, seen, count);
  refused = 0;
  hal_sleep_ps(1000 * (uint64_t)roll(1000)); /* up to a microsecond */
}

static uint64_t expose(void* self, const volatile void* pointer, size_t bytes, int kind) {
  return roll(4) == 0 ? 0 : real()->expose(self, pointer, bytes, kind); /* not always */
}

static enum channel_room put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                             volatile uint32_t* done) {
  return has_no_room() ? refuse() : real()->put(self, to, remote, local, bytes, done);
}

static enum channel_room get(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                             volatile uint32_t* done) {
  return has_no_room() ? refuse() : real()->get(self, from, remote, local, bytes, done);
}

/* ---- the messages ---- */
#define TIMES 40u
#define BYTES_MOST 3000u

struct message {
  struct transport_request* request;
  unsigned char bytes[BYTES_MOST];
};

static unsigned self, count;
static const struct transport_calls* calls = &messages_calls;

/* What the nth message from one to another is like. */
static unsigned size_of(unsigned from, unsigned to, unsigned n) {
  const unsigned sizes[] = {0, 1, 7, 100, 289, 700, 1024, BYTES_MOST};
  return sizes[(from * 5 + to * 3 + n * 7) % (sizeof sizes / sizeof *sizes)];
}
static unsigned char byte_of(unsigned from, unsigned n, size_t i) { return (unsigned char)(from * 31 + n * 7 + i * 3); }

static void fail(const char* what, unsigned from, unsigned n) {
  printf("FAIL: %s: message %u from %u\n", what, n, from);
  exit(1);
}

static void check(const struct message* message, const struct transport_status* status, unsigned from, unsigned n) {
  if (status->from != from || status->tag != n / 2) fail("label", from, n);
  if (status->bytes != size_of(from, self, n)) fail("size", from, n);
  for (size_t i = 0; i < status->bytes; ++i)
    if (message->bytes[i] != byte_of(from, n, i)) fail("bytes", from, n);
}

/* Two messages have each tag: they must come in order. Receives of a tag are posted before, after, or while they come,
 * and the tags in an order of their own. */
static void exchange(void) {
  struct message* out = calloc((size_t)count * TIMES, sizeof *out);
  struct message* in = calloc((size_t)count * TIMES, sizeof *in);
  for (unsigned n = 0; n < TIMES; ++n)
    for (unsigned to = 0; to < count; ++to) {
      struct message* message = &out[to * TIMES + n];
      for (size_t i = 0; i < BYTES_MOST; ++i) message->bytes[i] = byte_of(self, n, i);
      message->request =
          calls->send(to, n / 2, message->bytes, size_of(self, to, n), roll(5) == 0 ? TRANSPORT_SYNCHRONOUS : 0);
      const unsigned tag = (TIMES / 2 - 1 - n / 2), half = n % 2, from = (to + self) % count;
      struct message* receive = &in[from * TIMES + tag * 2 + half];
      receive->request = calls->receive(from, tag, UINT64_MAX, receive->bytes, BYTES_MOST);
    }
  for (unsigned n = 0; n < TIMES; ++n)
    for (unsigned from = 0; from < count; ++from) {
      struct message* message = &in[from * TIMES + n];
      struct transport_status status = {0};
      calls->wait(message->request, &status);
      check(message, &status, from, n);
    }
  for (unsigned i = 0; i < count * TIMES; ++i) calls->wait(out[i].request, NULL);
  free(out);
  free(in);
}

/* ---- remote memory: each has a part of all others' ---- */
#define PART 512u

static void remote(void) {
  unsigned char* memory = calls->symmetric((size_t)count * PART);
  uint64_t* sum = calls->symmetric(sizeof *sum);
  *sum = 0;
  const transport_batch batch = calls->batch_open();
  calls->barrier();
  unsigned char mine[PART], back[PART];
  for (unsigned round = 0; round < 5; ++round) {
    memset(mine, (int)(self * 16 + round), sizeof mine);
    for (unsigned to = 0; to < count; ++to) {
      const transport_address part = calls->address_of(memory + self * PART, PART);
      const struct transport_signal add = {
          .word = calls->address_of(sum, sizeof *sum),
          .update = {.operation = WORD_ADD, .width = sizeof *sum, .operand = self + 1, .comparand = 0}};
      if (round % 2) {
        calls->put_signal(batch, to, part, mine, PART, (int)(to % 2), &add);
      } else {
        calls->put(batch, to, part, mine, PART);
        calls->atomic(batch, to, add.word, &add.update, NULL);
      }
    }
    calls->quiet(batch);
    calls->barrier();
    for (unsigned from = 0; from < count; ++from) {
      calls->get_now(from, calls->address_of(memory + self * PART, PART), back, PART);
      if (memcmp(mine, back, PART) != 0) fail("what was put is not got", from, round);
      if (memory[from * PART + PART - 1] != from * 16 + round) fail("put", from, round);
    }
    if (*sum != (uint64_t)(round + 1) * count * (count + 1) / 2) fail("sum", 0, round);
    calls->barrier();
  }
}

int main(void) {
  static struct channel flaky;
  flaky = (struct channel){.start = start,
                           .record_bytes = record_bytes,
                           .send = send,
                           .receive = receive,
                           .release = release,
                           .sleep = sleep_or_not,
                           .expose = expose,
                           .put = put,
                           .get = get,
                           .eager_bytes = 1024};
  self = (unsigned)hal_rank();
  count = (unsigned)hal_ranks();
  dice = self + 1;
  messages_use(&flaky);
  calls->start();
  exchange();
  calls->barrier();
  remote();
  calls->barrier();
  if (self == 0) printf("PASS\n");
  return 0;
}
