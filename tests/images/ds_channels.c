/* Occam's channels between three ranks: rendezvous, alternation, giving up, what is misuse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/ds_link/ds_link.h"
#include "sw/hal/hal.h"

#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      printf("FAIL: rank %d, line %d: %s\n", hal_rank(), __LINE__, #condition); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

#define US 1000000ull
#define BYTES 1000

static void fill(char* data, int seed) {
  for (int i = 0; i < BYTES; ++i) data[i] = (char)(i * 3 + seed);
}

/* An output waits for its input, and an input for its output. */
static void rendezvous(void) {
  char data[BYTES], wanted[BYTES];
  fill(wanted, 1);
  if (hal_rank() == 0) {
    memcpy(data, wanted, BYTES);
    const uint64_t begin = hal_time_ps();
    ChanOut(ds_channel_to(1, 0), data, BYTES);
    EXPECT(hal_time_ps() - begin > 2000 * US);
  } else if (hal_rank() == 1) {
    hal_sleep_ps(2000 * US);
    ChanIn(ds_channel_from(0, 0), data, BYTES);
    EXPECT(memcmp(data, wanted, BYTES) == 0);
  }
}

/* Rank 1 takes what comes from 0 and 2, in the order of arrival. */
static void alternation(uint64_t begin) {
  if (hal_rank() != 1) {
    /* Rank 1 comes out of the rendezvous after 2 ms. */
    const uint64_t start = begin + (hal_rank() == 0 ? 4700 : 4300) * US;
    hal_sleep_ps(start - hal_time_ps());
    for (int i = 0; i < 3; ++i) {
      ChanOutInt(ds_channel_to(1, 1), hal_rank() * 10 + i);
      hal_sleep_ps(1000 * US);
    }
    return;
  }
  Channel* channels[] = {ds_channel_from(0, 1), ds_channel_from(2, 1), NULL};
  EXPECT(ProcSkipAltList(channels) == -1);
  EXPECT(ProcTimerAltList(hal_time_ps() + 100 * US, channels) == -1);
  for (int i = 0; i < 6; ++i) {
    const int ready = ProcAltList(channels);
    EXPECT(ready == (i % 2 == 0 ? 1 : 0));
    EXPECT(ChanInInt(channels[ready]) == (ready == 1 ? 20 : 0) + i / 2);
  }
  EXPECT(ProcSkipAltList(channels) == -1);
}

/* Inputs that are taken back lose nothing. */
static void giving_up(void) {
  if (hal_rank() == 0) {
    hal_sleep_ps(500 * US);
    ChanOutInt(ds_channel_to(1, 2), 42);
    ChanOutInt(ds_channel_to(1, 3), 7);
    ChanOutInt(ds_channel_to(1, 2), 43);
  } else if (hal_rank() == 1) {
    int value = 0;
    Channel* from = ds_channel_from(0, 2);
    EXPECT(ChanInTimeFail(from, &value, (int)sizeof value, hal_time_ps() + 100 * US) == 1);
    EXPECT(ChanInTimeFail(from, &value, (int)sizeof value, hal_time_ps() + 5000 * US) == 0);
    EXPECT(value == 42);
    EXPECT(ChanInChanFail(from, &value, (int)sizeof value, ds_channel_from(0, 3)) == 1);
    EXPECT(ChanInChanFail(from, &value, (int)sizeof value, ds_channel_from(0, 3)) == 0);
    EXPECT(value == 43);
  }
}

/* Messages of any length, empty ones among them, and characters; both ways of a link at once. */
static void lengths(void) {
  static const int sizes[] = {0, 1, 31, 32, 33, 64, 999, BYTES};
  char data[BYTES], wanted[BYTES];
  fill(wanted, 2);
  if (hal_rank() > 1) return;
  const unsigned partner = 1 - (unsigned)hal_rank();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    memset(data, 0, BYTES);
    Channel* from = ds_channel_from(partner, 0);
    ds_input(from, data, BYTES);
    ChanOut(ds_channel_to(partner, 0), wanted, sizes[i]);
    while (!ds_input_ended(from)) hal_sleep_ps(US);
    EXPECT(ds_input_bytes(from) == (size_t)sizes[i]);
    EXPECT(memcmp(data, wanted, (size_t)sizes[i]) == 0);
  }
  if (hal_rank() == 0)
    ChanOutChar(ds_channel_to(1, 0), 'x');
  else
    EXPECT(ChanInChar(ds_channel_from(0, 0)) == 'x');
}

/* A process speaks with itself. */
static void self(void) {
  int value = 0;
  Channel* from = ds_channel_from((unsigned)hal_rank(), 0);
  ds_input(from, &value, sizeof value);
  ChanOutInt(ds_channel_to((unsigned)hal_rank(), 0), 5 + hal_rank());
  while (!ds_input_ended(from)) hal_sleep_ps(US);
  EXPECT(value == 5 + hal_rank());
}

static void misuse(const char* what) {
  static int value;
  if (strcmp(what, "length") == 0) {
    if (hal_rank() == 0) ChanOut(ds_channel_to(1, 0), &value, 4);
    if (hal_rank() == 1) ChanIn(ds_channel_from(0, 0), &value, 2);
  }
  if (strcmp(what, "direction") == 0 && hal_rank() == 0) ChanOutInt(ds_channel_from(1, 0), 1);
  if (strcmp(what, "number") == 0 && hal_rank() == 0) ds_channel_to(1, 1000);
  if (strcmp(what, "twice") == 0 && hal_rank() == 0) {
    ds_input(ds_channel_from(1, 0), &value, sizeof value);
    ds_input(ds_channel_from(1, 0), &value, sizeof value);
  }
  if (strcmp(what, "constant") == 0 && hal_rank() == 0) ChanOut(ds_channel_to(1, 0), "four", 4);
  if (strcmp(what, "unread") == 0 && hal_rank() == 0) ChanOutInt(ds_channel_to(1, 0), 1);
  if (strcmp(what, "wait") == 0 && hal_rank() == 0) ChanInInt(ds_channel_from(1, 0));
}

int main(int argc, char** argv) {
  ds_init();
  const uint64_t begin = hal_time_ps();
  if (argc > 1) {
    misuse(argv[1]);
    return 0;
  }
  rendezvous();
  alternation(begin);
  giving_up();
  lengths();
  self();
  printf("PASS\n");
  return 0;
}
