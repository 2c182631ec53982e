/* See traffic.h. A rank's messages carry its mark into a slot of its own at each destination; if there is no room for
 * slots, all write to one. So the received data can be checked afterwards. */
#include "sw/apps/traffic/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/traffic/sender.h"
#include "sw/hal/hal.h"

#define ELAN_ROOM (24u << 20) /* for slots, of the card's 64 MiB */
#define MAIN_ROOM (64u << 20)
#define LARGEST_OF_MEAN 8u /* messages of exponential size are cut off there (A) */

static enum traffic_law law_of(const char* name) {
  return strcmp(name, "fixed") == 0     ? TRAFFIC_FIXED
         : strcmp(name, "uniform") == 0 ? TRAFFIC_UNIFORM
                                        : TRAFFIC_EXPONENTIAL;
}

void traffic_options(struct traffic* traffic, struct options* options, const char* bytes, const char* messages) {
  traffic->bytes = options_size(options, "bytes", bytes, "of a message; their mean");
  traffic->sizes = law_of(options_choice(options, "sizes", "fixed", "fixed|uniform|exponential"));
  traffic->gap_ps =
      HAL_PS_PER_NS * (uint64_t)options_size(options, "gap", "0", "ns, mean time between messages; 0: none");
  traffic->times = law_of(options_choice(options, "times", "exponential", "fixed|uniform|exponential"));
  traffic->gap_from_end = strcmp(options_choice(options, "gap-from", "start", "start|end"), "end") == 0;
  traffic->window = (unsigned)options_size(options, "window", "1", "messages of a rank at once");
  traffic->messages = (unsigned)options_size(options, "messages", messages, "of each rank, without --measure");
  traffic->measured_ps =
      HAL_PS_PER_US * (uint64_t)options_size(options, "measure", "0", "us; 0: until all have arrived");
  traffic->warmup_ps = HAL_PS_PER_US * (uint64_t)options_size(options, "warmup", "0", "us before --measure");
  traffic->elan_memory = strcmp(options_choice(options, "memory", "elan", "main|elan"), "elan") == 0;
  if (traffic->window < 1) traffic->window = 1;
  if (traffic->gap_from_end && traffic->window > 1)
    hal_abort("--gap-from end counts from the end of the one message under way: give --window 1");
  if (traffic->window > WINDOW_MOST) traffic->window = WINDOW_MOST;
  if (traffic->bytes < sizeof(uint64_t)) traffic->bytes = sizeof(uint64_t);
  traffic->self = (unsigned)hal_rank();
  traffic->ranks = (unsigned)hal_ranks();
  traffic->destinations = dice_for("destinations");
  traffic->size_dice = dice_for("sizes");
  traffic->time_dice = dice_for("times");
}

/* The first eight bytes of a rank's messages. */
static uint64_t mark_of(unsigned rank) { return 0xab00000000000000ull | (uint64_t)rank << 16 | 0x51; }

struct memory {
  E3_Addr address;
  unsigned char* main; /* null: Elan memory */
};

static struct memory allot(const struct traffic* traffic, size_t bytes) {
  if (traffic->elan_memory) return (struct memory){.address = elan_gallocElan(traffic->base, bytes)};
  unsigned char* main = elan_gallocMain(traffic->base, bytes);
  return (struct memory){.address = main ? elan_address(traffic->base, main, bytes) : 0, .main = main};
}

static uint64_t first_word(const struct traffic* traffic, struct memory memory, size_t offset) {
  uint64_t word = 0;
  if (memory.main)
    memcpy(&word, memory.main + offset, sizeof word);
  else
    elan3_copy_from_sdram(elan_ctx(traffic->base), memory.address + (E3_Addr)offset, &word, sizeof word);
  return word;
}

/* Messages leave from here with this rank's mark; data read from elsewhere go to `got`. */
static struct memory prepare(struct traffic* traffic, struct sender* sender) {
  const size_t times = traffic->sizes == TRAFFIC_FIXED ? 1 : traffic->sizes == TRAFFIC_UNIFORM ? 2 : LARGEST_OF_MEAN;
  sender->traffic = traffic;
  sender->largest = times * traffic->bytes;
  sender->slots =
      sender->largest * traffic->ranks <= (traffic->elan_memory ? ELAN_ROOM : MAIN_ROOM) ? traffic->ranks : 1;
  const struct memory out = allot(traffic, sender->largest);
  const struct memory in = allot(traffic, sender->largest * sender->slots);
  sender->out = out.address;
  sender->in = in.address;
  sender->got = allot(traffic, sender->largest).address;
  if (sender->out == 0 || sender->in == 0 || sender->got == 0)
    hal_abort("no room for the messages: choose smaller --bytes");
  uint64_t* words = elan_gallocMain(traffic->base, (traffic->ranks + 1) * sizeof *words);
  if (!words) hal_abort("no room for the messages: choose smaller --bytes");
  memset(words, 0, (traffic->ranks + 1) * sizeof *words);
  sender->closing = (struct closing){.arrived = words + 1, .stop = words};
  const uint64_t mark = mark_of(traffic->self);
  if (out.main)
    memcpy(out.main, &mark, sizeof mark);
  else
    elan3_write64_to_sdram(elan_ctx(traffic->base), out.address, mark);
  return in;
}

/* The number of slots that hold anything but a mark of a rank that writes there; a slot may never have been written. */
static unsigned wrong_slots(const struct sender* sender, struct memory in) {
  const unsigned ranks = sender->traffic->ranks;
  unsigned wrong = 0;
  for (unsigned slot = 0; slot < sender->slots; ++slot) {
    const uint64_t mark = first_word(sender->traffic, in, slot * sender->largest);
    unsigned rank = slot;
    if (sender->slots == 1)
      for (rank = 0; rank < ranks && mark != mark_of(rank);) ++rank;
    wrong += mark != 0 && (rank == ranks || mark != mark_of(rank));
  }
  return wrong;
}

/* A rank's report to rank 0. */
struct report {
  double bytes; /* that count */
  uint64_t from_ps, till_ps;
  uint64_t messages;
};

/* Collective: all ranks' come to rank 0. */
static void gather(const struct sender* sender, struct report* all) {
  const struct traffic* traffic = sender->traffic;
  struct report* mine = &all[traffic->self];
  *mine = (struct report){.bytes = sender->counted_bytes,
                          .from_ps = sender->from_ps,
                          .till_ps = sender->from_ps + sender->counted_ps,
                          .messages = sender->messages};
  const E3_Addr address = elan_address(traffic->base, mine, sizeof *mine);
  if (traffic->self != 0) elan_wait(elan_put(traffic->base, address, address, sizeof *mine, 0), ELAN_POLL_EVENT);
  elan_gsync(elan_allGroup(traffic->base));
}

static double MBps(double bytes, uint64_t ps) { return ps > 0 ? bytes / ((double)ps / HAL_PS_PER_US) : 0; }

static void tell(const char* name, double rate) {
  hal_metric(name, rate, "MB/s");
  printf("%s %.2f\n", name, rate);
}

static void print(const struct traffic* traffic, const struct report* all, const char* name) {
  uint64_t from_ps = UINT64_MAX, till_ps = 0;
  unsigned active = 0;
  double bytes = 0, slowest = 1e30, fastest = 0;
  for (const struct report* one = all; one < all + traffic->ranks; ++one) {
    if (one->messages == 0) continue;
    ++active;
    bytes += one->bytes;
    if (one->from_ps < from_ps) from_ps = one->from_ps;
    if (one->till_ps > till_ps) till_ps = one->till_ps;
    const double rate = MBps(one->bytes, one->till_ps - one->from_ps);
    if (rate < slowest) slowest = rate;
    if (rate > fastest) fastest = rate;
  }
  if (active == 0) {
    printf("%s: no rank sent anything\n", name);
    return;
  }
  const double total = MBps(bytes, till_ps - from_ps);
  printf("%s: %u ranks, %.0f bytes in %.1f us\n", name, active, bytes, (double)(till_ps - from_ps) / HAL_PS_PER_US);
  if (traffic->gap_ps > 0) tell("offered_per_node_MBps", MBps((double)traffic->bytes, traffic->gap_ps));
  tell("accepted_MBps", total);
  tell("accepted_per_node_MBps", total / active);
  tell("slowest_MBps", slowest);
  tell("fastest_MBps", fastest);
}

int traffic_run(struct traffic* traffic, traffic_pattern pattern, void* context, const char* name) {
  struct sender sender = {0};
  const struct memory in = prepare(traffic, &sender);
  struct report* all = elan_gallocMain(traffic->base, traffic->ranks * sizeof *all);
  if (!all) hal_abort("no room for the results: choose smaller --bytes");
  elan_gsync(elan_allGroup(traffic->base));
  elan_hgsync(elan_allGroup(traffic->base));
  sender_run(&sender, pattern, context);
  elan_gsync(elan_allGroup(traffic->base));
  const unsigned wrong = wrong_slots(&sender, in);
  gather(&sender, all);
  if (sender.messages > 0) hal_metric("rank_MBps", MBps(sender.counted_bytes, sender.counted_ps), "MB/s");
  if (traffic->self == 0) print(traffic, all, name);
  if (wrong > 0) printf("FAIL: rank %u has wrong bytes in %u slots\n", traffic->self, wrong);
  if (wrong == 0 && traffic->self == 0) printf("PASS\n");
  return wrong > 0;
}
