/* See traffic.h. A rank's messages carry its pattern into a slot of its own at each destination, where there is room
 * for slots, so that what arrived can be checked afterwards. */
#include "sw/apps/traffic/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define WINDOW_MOST 64u
#define ELAN_ROOM (24u << 20) /* for slots, of the card's 64 MiB */
#define MAIN_ROOM (64u << 20)
#define LARGEST_OF_MEAN 8u /* messages of random size are cut off there (A) */

void traffic_options(struct traffic* traffic, struct options* options, const char* bytes, const char* messages) {
  traffic->bytes = options_size(options, "bytes", bytes, "of a message; their mean");
  const char* sizes = options_choice(options, "sizes", "fixed", "fixed|uniform|exponential");
  traffic->messages = (unsigned)options_size(options, "messages", messages, "of each rank");
  traffic->window = (unsigned)options_size(options, "window", "2", "messages of a rank at once");
  traffic->gap_ps = 1000 * (uint64_t)options_size(options, "gap", "0", "ns, mean time between messages; 0: none");
  traffic->elan_memory = strcmp(options_choice(options, "memory", "elan", "main|elan"), "elan") == 0;
  traffic->sizes = strcmp(sizes, "fixed") == 0     ? TRAFFIC_FIXED
                   : strcmp(sizes, "uniform") == 0 ? TRAFFIC_UNIFORM
                                                   : TRAFFIC_EXPONENTIAL;
  if (traffic->window < 1) traffic->window = 1;
  if (traffic->window > WINDOW_MOST) traffic->window = WINDOW_MOST;
  if (traffic->bytes < sizeof(uint64_t)) traffic->bytes = sizeof(uint64_t);
  traffic->self = (unsigned)hal_rank();
  traffic->ranks = (unsigned)hal_ranks();
  traffic->dice.state = 0x5eed + traffic->self;
}

struct run {
  struct traffic* traffic;
  size_t largest;
  unsigned slots; /* at each rank: one for every rank, or one for all */
  E3_Addr out, in, got;
  unsigned char *out_main, *in_main; /* null: Elan memory */
  uint64_t* report;                  /* [ranks][3], symmetric; rank 0's is read */
  uint64_t sent_bytes, start_ps, end_ps;
};

enum { REPORT_BYTES, REPORT_START, REPORT_END, REPORT_WORDS };

static size_t size_of(struct traffic* traffic, size_t largest) {
  size_t size = traffic->bytes;
  if (traffic->sizes == TRAFFIC_UNIFORM) size = 1 + dice_below(&traffic->dice, (unsigned)(2 * traffic->bytes - 1));
  if (traffic->sizes == TRAFFIC_EXPONENTIAL)
    size = 1 + (size_t)dice_exponential(&traffic->dice, (double)traffic->bytes);
  if (size < sizeof(uint64_t)) size = sizeof(uint64_t);
  return size < largest ? size : largest;
}

/* The first eight bytes of a rank's messages. */
static uint64_t mark_of(unsigned rank) { return 0xab00000000000000ull | (uint64_t)rank << 16 | 0x51; }

static E3_Addr allot(struct run* run, size_t bytes, unsigned char** main) {
  ELAN_BASE* base = run->traffic->base;
  if (run->traffic->elan_memory) return elan_gallocElan(base, bytes);
  unsigned char* memory = elan_gallocMain(base, bytes);
  if (main) *main = memory;
  return memory ? elan_address(base, memory, bytes) : 0;
}

static void prepare(struct run* run) {
  struct traffic* traffic = run->traffic;
  run->largest = traffic->sizes == TRAFFIC_FIXED ? traffic->bytes : LARGEST_OF_MEAN * traffic->bytes;
  const size_t room = traffic->elan_memory ? ELAN_ROOM : MAIN_ROOM;
  run->slots = run->largest * traffic->ranks <= room ? traffic->ranks : 1;
  run->out = allot(run, run->largest, &run->out_main);
  run->got = allot(run, run->largest, NULL);
  run->in = allot(run, run->largest * run->slots, &run->in_main);
  run->report = elan_gallocMain(traffic->base, traffic->ranks * REPORT_WORDS * sizeof *run->report);
  if (run->out == 0 || run->in == 0 || run->got == 0 || !run->report)
    hal_abort("no room for the messages: choose smaller --bytes");
  const uint64_t mark = mark_of(traffic->self);
  if (run->out_main)
    memcpy(run->out_main, &mark, sizeof mark);
  else
    elan3_write64_to_sdram(elan_ctx(traffic->base), run->out, mark);
  elan_gsync(elan_allGroup(traffic->base));
}

static ELAN_EVENT* start(struct run* run, struct traffic_message message, size_t bytes) {
  const struct traffic* traffic = run->traffic;
  if (message.reads) return elan_get(traffic->base, run->out, run->got, bytes, message.to);
  const E3_Addr slot = run->in + (E3_Addr)((run->slots > 1 ? traffic->self : 0) * run->largest);
  return elan_put(traffic->base, run->out, slot, bytes, message.to);
}

/* Its messages, some at once, in order. `sent` notes whom it wrote to. */
static void send_all(struct run* run, traffic_pattern pattern, void* context) {
  struct traffic* traffic = run->traffic;
  ELAN_EVENT* window[WINDOW_MOST] = {0};
  run->start_ps = hal_time_ps();
  uint64_t due_ps = run->start_ps;
  for (unsigned i = 0; i < traffic->messages; ++i) {
    const struct traffic_message message = pattern(traffic, i, context);
    const size_t bytes = size_of(traffic, run->largest);
    if (message.to == TRAFFIC_NOBODY) continue;
    if (traffic->gap_ps > 0) {
      due_ps += (uint64_t)dice_exponential(&traffic->dice, (double)traffic->gap_ps);
      const uint64_t now = hal_time_ps();
      if (due_ps > now) hal_sleep_ps(due_ps - now);
    }
    ELAN_EVENT** place = &window[i % traffic->window];
    if (*place) elan_wait(*place, ELAN_POLL_EVENT);
    *place = start(run, message, bytes);
    run->sent_bytes += bytes;
  }
  for (unsigned i = 0; i < traffic->window; ++i)
    if (window[i]) elan_wait(window[i], ELAN_POLL_EVENT);
  run->end_ps = hal_time_ps();
}

/* Whether each slot holds its sender's mark or has never been written. */
static unsigned wrong_slots(const struct run* run) {
  const struct traffic* traffic = run->traffic;
  unsigned wrong = 0;
  for (unsigned rank = 0; rank < run->slots && run->slots > 1; ++rank) {
    uint64_t mark = 0;
    if (run->in_main)
      memcpy(&mark, run->in_main + rank * run->largest, sizeof mark);
    else
      elan3_copy_from_sdram(elan_ctx(traffic->base), run->in + (E3_Addr)(rank * run->largest), &mark, sizeof mark);
    wrong += mark != 0 && mark != mark_of(rank);
  }
  return wrong;
}

static void tell_rank_0(struct run* run) {
  const struct traffic* traffic = run->traffic;
  uint64_t* mine = run->report + traffic->self * REPORT_WORDS;
  mine[REPORT_BYTES] = run->sent_bytes;
  mine[REPORT_START] = run->start_ps;
  mine[REPORT_END] = run->end_ps;
  const size_t bytes = REPORT_WORDS * sizeof *mine;
  const E3_Addr address = elan_address(traffic->base, mine, bytes);
  if (traffic->self != 0) elan_wait(elan_put(traffic->base, address, address, bytes, 0), ELAN_POLL_EVENT);
  elan_gsync(elan_allGroup(traffic->base));
}

static void print(const struct run* run, const char* name) {
  const struct traffic* traffic = run->traffic;
  uint64_t bytes = 0, start_ps = UINT64_MAX, end_ps = 0;
  unsigned active = 0;
  double slowest = 1e30, fastest = 0;
  for (unsigned rank = 0; rank < traffic->ranks; ++rank) {
    const uint64_t* of = run->report + rank * REPORT_WORDS;
    if (of[REPORT_BYTES] == 0) continue;
    ++active;
    bytes += of[REPORT_BYTES];
    if (of[REPORT_START] < start_ps) start_ps = of[REPORT_START];
    if (of[REPORT_END] > end_ps) end_ps = of[REPORT_END];
    const double rate = (double)of[REPORT_BYTES] / ((double)(of[REPORT_END] - of[REPORT_START]) / 1e6);
    if (rate < slowest) slowest = rate;
    if (rate > fastest) fastest = rate;
  }
  if (active == 0) {
    printf("%s: nobody sent anything\n", name);
    return;
  }
  const double total = (double)bytes / ((double)(end_ps - start_ps) / 1e6);
  printf("%s: %u ranks sent %llu bytes in %.1f us\n", name, active, (unsigned long long)bytes,
         (double)(end_ps - start_ps) / 1e6);
  hal_metric("accepted_MBps", total, "MB/s");
  hal_metric("accepted_per_node_MBps", total / active, "MB/s");
  hal_metric("slowest_MBps", slowest, "MB/s");
  hal_metric("fastest_MBps", fastest, "MB/s");
  printf("total_MBps %.2f\nper_rank_MBps %.2f\nslowest_MBps %.2f\nfastest_MBps %.2f\n", total, total / active, slowest,
         fastest);
}

int traffic_run(struct traffic* traffic, traffic_pattern pattern, void* context, const char* name) {
  struct run run = {.traffic = traffic};
  prepare(&run);
  elan_hgsync(elan_allGroup(traffic->base));
  send_all(&run, pattern, context);
  elan_gsync(elan_allGroup(traffic->base));
  const unsigned wrong = wrong_slots(&run);
  tell_rank_0(&run);
  if (traffic->self == 0) print(&run, name);
  if (wrong > 0) printf("FAIL: rank %u has wrong bytes of %u senders\n", traffic->self, wrong);
  if (wrong == 0 && traffic->self == 0) printf("PASS\n");
  return wrong > 0;
}
