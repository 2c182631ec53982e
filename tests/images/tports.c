/* Properties of Tports, checked by ranks 0 and 1 (and 2, if there is one): order, wildcards, early messages,
 * truncation, probes, cancels, synchronous sends, every size around the limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/tport.h"
#include "sw/hal/hal.h"

#define ALL UINT32_MAX
#define ALL_TAG UINT64_MAX

static ELAN_TPORT* tport;
static ELAN_BASE* base;
static unsigned self;

static void expect(int good, const char* what) {
  if (good) return;
  char text[128];
  snprintf(text, sizeof text, "rank %u: not so: %s", self, what);
  hal_abort(text);
}

static void send(unsigned to, uint64_t tag, const void* buffer, size_t bytes) {
  elan_tportTxWait(elan_tportTxStart(tport, 0, to, self, tag, buffer, bytes));
}

static size_t receive(unsigned mask, unsigned from, uint64_t tag_mask, uint64_t tag, void* buffer, size_t bytes,
                      unsigned* sender, uint64_t* got_tag) {
  size_t size = 0;
  elan_tportRxWait(elan_tportRxStart(tport, 0, mask, from, tag_mask, tag, buffer, bytes), sender, got_tag, &size);
  return size;
}

static void meet(void) { elan_gsync(elan_allGroup(base)); }

static void sizes(void) {
  static const size_t all[] = {0, 1, 63, 64, 65, 279, 280, 281, 287, 288, 289, 4095, 4096, 4097, 70000};
  unsigned char* buffer = malloc(70000);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    for (size_t k = 0; k < all[i]; ++k) buffer[k] = self == 0 ? (unsigned char)(k * 3 + i) : 0;
    if (self == 0) send(1, i, buffer, all[i]);
    if (self == 1) {
      expect(receive(ALL, 0, ALL_TAG, i, buffer, 70000, NULL, NULL) == all[i], "size");
      for (size_t k = 0; k < all[i]; ++k) expect(buffer[k] == (unsigned char)(k * 3 + i), "bytes");
    }
  }
  free(buffer);
}

/* Small and large in alternation, so that eager messages could overtake large ones. */
static void order(void) {
  enum { COUNT = 40, LARGE = 3000 };
  static uint32_t buffers[COUNT][LARGE / 4];
  if (self == 0) {
    ELAN_TPORT_EVENT* events[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
      buffers[i][0] = i;
      events[i] = elan_tportTxStart(tport, 0, 1, 0, 5, buffers[i], i % 2 ? LARGE : 4);
    }
    for (int i = 0; i < COUNT; ++i) elan_tportTxWait(events[i]);
  }
  if (self == 1) {
    hal_sleep_ps(200000000); /* so that the first are early */
    for (uint32_t i = 0; i < COUNT; ++i) {
      buffers[0][0] = COUNT;
      const size_t size = receive(ALL, 0, ALL_TAG, 5, buffers[0], LARGE, NULL, NULL);
      expect(size == (i % 2 ? LARGE : 4) && buffers[0][0] == i, "messages come in the order in which they were sent");
    }
  }
}

static void tags(void) {
  if (self == 0)
    for (uint32_t i = 0; i < 4; ++i) send(1, 0x100 + i, &i, sizeof i);
  if (self == 1) {
    uint32_t value = 9;
    uint64_t tag = 0;
    receive(ALL, 0, ALL_TAG, 0x102, &value, sizeof value, NULL, &tag);
    expect(value == 2 && tag == 0x102, "a tag picks its message out of those that are early");
    receive(ALL, 0, 0xf00, 0x100, &value, sizeof value, NULL, &tag);
    expect(value == 0 && tag == 0x100, "a masked tag takes the first that matches");
    receive(ALL, 0, 0, 0, &value, sizeof value, NULL, &tag);
    expect(value == 1 && tag == 0x101, "an empty mask takes any");
    receive(0, 0, ALL_TAG, 0x103, &value, sizeof value, NULL, &tag);
    expect(value == 3, "an empty mask of the sender takes any sender");
  }
}

static void senders(void) {
  if (self == 1 || self == 2) send(0, 8, &self, sizeof self);
  if (self == 0) {
    unsigned value = 0, sender = 0, seen = 0;
    for (int i = 0; i < 2; ++i) {
      elan_tportRxWait(elan_tportRxStart(tport, ELAN_TPORT_RXANY, ALL, 77, ALL_TAG, 8, &value, sizeof value), &sender,
                       NULL, NULL);
      expect(value == sender, "any sender: its own label comes with it");
      seen |= 1u << sender;
    }
    expect(seen == 6, "any sender: both have come");
  }
}

static void truncation(void) {
  char text[16] = "................";
  if (self == 0) {
    send(1, 9, "0123456789", 10);
    static char large[5000];
    memset(large, 'x', sizeof large);
    send(1, 10, large, sizeof large);
  }
  if (self == 1) {
    expect(receive(ALL, 0, ALL_TAG, 9, text, 4, NULL, NULL) == 10, "a long message tells its own size");
    expect(memcmp(text, "0123....", 8) == 0, "and does not run over the buffer");
    expect(receive(ALL, 0, ALL_TAG, 10, text, 6, NULL, NULL) == 5000, "a large one too");
    expect(memcmp(text, "xxxxxx..", 8) == 0, "and does not run over the buffer either");
  }
}

static void probes(void) {
  if (self == 1) {
    size_t size = 0;
    uint64_t tag = 0;
    elan_tportRxWait(elan_tportRxStart(tport, ELAN_TPORT_RXPROBE | ELAN_TPORT_RXNOWAIT, ALL, 0, ALL_TAG, 11, NULL, 0),
                     NULL, NULL, &size);
    expect(size == ELAN_TPORT_NONE, "a probe finds nothing where there is nothing");
    meet();
    elan_tportRxWait(elan_tportRxStart(tport, ELAN_TPORT_RXPROBE, ALL, 0, 0, 0, NULL, 0), NULL, &tag, &size);
    expect(size == 3 && tag == 11, "a probe tells of the message");
    char text[4] = "";
    expect(receive(ALL, 0, ALL_TAG, 11, text, 3, NULL, NULL) == 3 && strcmp(text, "abc") == 0, "and leaves it there");
  } else {
    meet();
    if (self == 0) send(1, 11, "abc", 3);
  }
}

static void cancels(void) {
  if (self == 1) {
    char text[8] = "";
    ELAN_TPORT_EVENT* first = elan_tportRxStart(tport, 0, ALL, 0, ALL_TAG, 12, text, 4);
    expect(elan_tportRxCancel(first) == 1, "a receive that nothing matched is taken back");
    meet();
    ELAN_TPORT_EVENT* second = elan_tportRxStart(tport, 0, ALL, 0, ALL_TAG, 12, text, 4);
    elan_tportRxWait(second, NULL, NULL, NULL);
    expect(strcmp(text, "now") == 0, "and takes no message");
  } else {
    meet();
    if (self == 0) send(1, 12, "now", 4);
  }
}

static void synchronous(void) {
  if (self == 0) {
    const uint64_t start = hal_time_ps();
    elan_tportTxWait(elan_tportTxStart(tport, ELAN_TPORT_TXSYNC, 1, 0, 13, NULL, 0));
    expect(hal_time_ps() - start > 90000000, "a synchronous send waits for its receive");
  }
  if (self == 1) {
    hal_sleep_ps(100000000);
    receive(ALL, 0, ALL_TAG, 13, NULL, 0, NULL, NULL);
  }
}

/* More messages at once than the queue has slots, from all to all, including messages to oneself. */
static void many(void) {
  enum { COUNT = 100 };
  const unsigned ranks = (unsigned)hal_ranks();
  uint64_t* values = calloc((size_t)ranks * COUNT, sizeof *values);
  ELAN_TPORT_EVENT** events = calloc((size_t)ranks * COUNT, sizeof *events);
  for (uint64_t i = 0; i < COUNT; ++i)
    for (unsigned to = 0; to < ranks; ++to) {
      const uint64_t value = (uint64_t)self << 32 | i;
      elan_tportTxWait(elan_tportTxStart(tport, 0, to, self, i, &value, sizeof value));
    }
  meet();
  for (unsigned from = 0; from < ranks; ++from)
    for (uint64_t i = 0; i < COUNT; ++i)
      events[from * COUNT + i] =
          elan_tportRxStart(tport, 0, ALL, from, ALL_TAG, COUNT - 1 - i, &values[from * COUNT + i], 8);
  for (unsigned from = 0; from < ranks; ++from)
    for (uint64_t i = 0; i < COUNT; ++i) {
      elan_tportRxWait(events[from * COUNT + i], NULL, NULL, NULL);
      expect(values[from * COUNT + i] == ((uint64_t)from << 32 | (COUNT - 1 - i)),
             "each of many messages has its own bytes");
    }
  free(events);
  free(values);
}

int main(void) {
  self = (unsigned)hal_rank();
  base = elan_baseInit();
  tport = elan_tportInit(base);
  if (hal_ranks() < 3) hal_abort("tports wants three ranks");
  static void (*const all[])(void) = {sizes, order, tags, senders, truncation, probes, cancels, synchronous, many};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    all[i]();
    meet();
  }
  if (self == 0) printf("PASS\n");
  return 0;
}
