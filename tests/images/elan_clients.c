/* Elanlib as programs of QsNET's time use it, by <elan/elan.h>: what the base says, put and get by pointers, Tports,
 * queues in both of their forms, broadcast, atomic operations. */
#include <elan/elan.h>
#include <elan3/elan3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define EXPECT(what) ((what) ? (void)0 : fail(#what, __LINE__))
enum { SMALL = 4, LARGE = 20000, COUNT = 12 };

static ELAN_BASE* base;
static ELAN_STATE* state;
static unsigned self, all, right, left;
static int global_word; /* at the same Elan address in all processes */

static void fail(const char* what, int line) {
  char text[160];
  snprintf(text, sizeof text, "rank %d, line %d: not so: %s", hal_rank(), line, what);
  hal_abort(text);
}

static unsigned char byte_of(unsigned from, unsigned number, size_t at) {
  return (unsigned char)(from * 41 + number * 7 + at + at / 251);
}
static void fill(unsigned char* bytes, size_t count, unsigned number) {
  for (size_t i = 0; i < count; ++i) bytes[i] = byte_of(self, number, i);
}
static void check(const unsigned char* bytes, size_t count, unsigned from, unsigned number) {
  for (size_t i = 0; i < count; ++i) EXPECT(bytes[i] == byte_of(from, number, i));
}

static void what_the_base_says(void) {
  EXPECT(base == elan_base && base->init && elan_checkVersion(ELAN_VERSION) && !elan_checkVersion("2.0"));
  EXPECT(elan_baseInit() == base && elan_baseInit(0) == base);
  EXPECT(state->vp == (unsigned)hal_rank() && state->nvp == (unsigned)hal_ranks() && state->attached);
  EXPECT(base->allGroup->self == (int)self && base->allGroup->size == (int)all);
  EXPECT(base->allGroup->lookupFn(base->allGroup->handle, 1) == 1);
  EXPECT(base->waitType == ELAN_POLL_EVENT && base->dmaType == DMA_BYTE && base->retryCount > 0);
  EXPECT(base->tport_bigmsg == 288 && base->tport_nslots > 0 && elan_nRails(state) == 1);
  EXPECT(elan3_process(state->ctx) == self && elan_queueMaxSlotSize(state) == 320);
  EXPECT(state->nLocalIds == 1 ? state->localIds[0] == (int)self : state->localId < state->nLocalIds);
  const uint64_t before = elan_clock(state);
  hal_sleep_ps(5 * HAL_PS_PER_US);
  const uint64_t slept = elan_clock(state) - before;
  EXPECT(slept >= 5000 && slept < 6000);
}

static void put_and_get(void) {
  unsigned char* window = elan_gallocMain(base, base->allGroup, 64, 2 * LARGE);
  unsigned char* mine = elan_allocMain(state, 64, LARGE);
  EXPECT(window && mine && elan_addressable(state, mine, LARGE) && elan_main2elan(state, window) != 0);
  fill(mine, LARGE, 1);
  elan_wait(elan_put(state, mine, window, LARGE, right), base->waitType);
  elan_hgsync(base->allGroup);
  check(window, LARGE, left, 1);
  ELAN_EVENT* got = elan_get(state, window, mine, LARGE, right); /* what I have put there */
  while (!elan_poll(got, 5)) hal_sleep_ps(HAL_PS_PER_US);
  check(mine, LARGE, self, 1);
  elan_gsync(base->allGroup);
  const int value = (int)self + 100;
  ELAN_EVENT* put = elan_put(state, &value, &global_word, sizeof value, right);
  while (!elan_done(put, 0)) hal_sleep_ps(HAL_PS_PER_US);
  elan_wait(put, ELAN_WAIT_EVENT);
  elan_gsync(base->allGroup);
  EXPECT(global_word == (int)left + 100);
  elan_free(state, mine);
  elan_gallocFree(base, window);
}

static ELAN_TPORT* port;

static void tagged_messages(void) {
  static unsigned char out[COUNT][LARGE / 4], in[COUNT][LARGE / 4];
  ELAN_EVENT *sends[COUNT], *receives[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    const size_t bytes = i % 2 ? LARGE / 4 : SMALL;
    fill(out[i], bytes, (unsigned)i);
    receives[i] = elan_tportRxStart(port, 0, 0, 0, -1, i, in[i], sizeof in[i]); /* from any process */
    sends[i] = elan_tportTxStart(port, i % 3 ? 0 : ELAN_TPORT_TXSYNC, right, self, i, out[i], bytes);
  }
  for (int i = COUNT - 1; i >= 0; --i) {
    int sender = -1, tag = -1;
    size_t size = 0;
    while (!elan_tportRxDone(receives[i])) hal_sleep_ps(HAL_PS_PER_US);
    EXPECT(elan_tportRxWait(receives[i], &sender, &tag, &size) == in[i]);
    EXPECT(sender == (int)left && tag == i && size == (size_t)(i % 2 ? LARGE / 4 : SMALL));
    check(in[i], size, left, (unsigned)i);
  }
  for (int i = 0; i < COUNT; ++i)
    if (i % 2)
      elan_tportTxWait(sends[i]);
    else
      while (!elan_poll(sends[i], 1)) hal_sleep_ps(HAL_PS_PER_US);
  ELAN_EVENT* never = elan_tportRxStart(port, ELAN_TPORT_RXANY, 0, 0, -1, 999, in[0], SMALL);
  EXPECT(elan_tportRxCancel(never));
}

static void queues(void) {
  enum { SLOT = 100, MESSAGES = 20 };
  char message[320], got[320];
  ELAN_QUEUE* named = elan_gallocQueue(base, base->allGroup);
  ELAN_QUEUE_RX* receiver = elan_queueRxInit(state, named, 32, SLOT, ELAN_RAIL_ALL, 0);
  ELAN_QUEUE_TX* sender = elan_queueTxInit(state, named, ELAN_RAIL_ALL, LIBELAN_QUEUEREUSEBUF);
  for (unsigned i = 0; i < MESSAGES; ++i) {
    fill((unsigned char*)message, SLOT, i);
    elan_wait(elan_queueTx(sender, right, message, SLOT, ELAN_RAIL_ALL), ELAN_POLL_EVENT);
  }
  for (unsigned i = 0; i < MESSAGES; ++i) {
    while (!elan_queueRxPoll(receiver, 0)) hal_sleep_ps(HAL_PS_PER_US);
    EXPECT(elan_queueRxPoll(receiver, 0)); /* looking takes nothing */
    const char* where = elan_queueRxWait(receiver, i % 2 ? got : NULL, ELAN_POLL_EVENT);
    EXPECT(i % 2 == 0 || where == got);
    check((const unsigned char*)where, SLOT, left, i);
    elan_queueRxComplete(receiver);
  }
  ELAN_MAIN_QUEUE* main_queue = elan_mainQueueInit(state, elan_allocQueue(state), 16, 320, 0);
  for (unsigned i = 0; i < MESSAGES; ++i) {
    fill((unsigned char*)message, sizeof message, i);
    elan_queueReq(main_queue, right, message, sizeof message);
    memset(message, 0, sizeof message); /* it has been copied */
    elan_queueWait(main_queue, got, 0);
    check((const unsigned char*)got, sizeof got, left, i);
  }
  elan_gsync(base->allGroup);
}

static void broadcasts(void) {
  static unsigned char bytes[LARGE];
  for (unsigned root = 0; root < all && root < 3; ++root) {
    if (self == root) fill(bytes, LARGE, root + 50);
    if (root % 2)
      elan_bcast(base->allGroup, bytes, LARGE, root, 0);
    else
      elan_hbcast(base->allGroup, bytes, LARGE, root, 0);
    check(bytes, LARGE, root, root + 50);
  }
}

static void atomics(void) {
  ELAN_ATOMIC* atomic = elan_atomicInit(state, elan_gallocQueue(base, base->allGroup), 16, 0);
  global_word = 1000;
  elan_gsync(base->allGroup);
  int before = 0;
  elan_wait(elan_atomic32(atomic, ELAN_ATOMIC_ADD, &global_word, 5, 0, 0, &before), base->waitType);
  EXPECT(before >= 1000 && before < 1000 + 5 * (int)all && before % 5 == 0);
  elan_gsync(base->allGroup);
  if (self == 0) {
    EXPECT(*(volatile int*)&global_word == 1000 + 5 * (int)all);
    elan_wait(elan_atomic32(atomic, ELAN_ATOMIC_CSWAP, &global_word, 7, -1, 0, &before), base->waitType);
    EXPECT(before == 1000 + 5 * (int)all && *(volatile int*)&global_word == before);
    elan_wait(elan_atomic32(atomic, ELAN_ATOMIC_SWAP, &global_word, 7, 0, 0, NULL), base->waitType);
    EXPECT(*(volatile int*)&global_word == 7);
  }
  elan_gsync(base->allGroup);
}

int main(void) {
  EXPECT(elan_generateCapability("N0C64-64-64N0-0R1b") == 0);
  base = elan_baseInit(0);
  state = base->state;
  self = state->vp;
  all = state->nvp;
  right = (self + 1) % all;
  left = (self + all - 1) % all;
  ELAN_QUEUE* queue = elan_gallocQueue(base, base->allGroup);
  port = elan_tportInit(state, queue, base->tport_nslots, base->tport_smallmsg, base->tport_bigmsg,
                        base->tport_stripemsg, base->waitType, base->retryCount, &base->shm_key, base->shm_fifodepth,
                        base->shm_fragsize, ELAN_TPORT_SHM_DISABLE | ELAN_TPORT_USERCOPY_DISABLE);
  elan_gsync(base->allGroup);
  what_the_base_says();
  put_and_get();
  tagged_messages();
  queues();
  broadcasts();
  atomics();
  elan_hgsync(base->allGroup);
  if (self == 0) printf("PASS\n");
  return 0;
}
