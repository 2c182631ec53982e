#include "sw/apps/traffic/sender.h"

#include "sw/hal/hal.h"

static size_t size_of(struct sender* sender) {
  struct traffic* traffic = sender->traffic;
  size_t size = traffic->bytes;
  if (traffic->sizes == TRAFFIC_UNIFORM) size = 1 + dice_below(&traffic->size_dice, (unsigned)(2 * traffic->bytes - 1));
  if (traffic->sizes == TRAFFIC_EXPONENTIAL)
    size = 1 + (size_t)dice_exponential(&traffic->size_dice, (double)traffic->bytes);
  if (size < sizeof(uint64_t)) size = sizeof(uint64_t);
  return size < sender->largest ? size : sender->largest;
}

static uint64_t gap_ps(struct traffic* traffic) {
  const double mean = (double)traffic->gap_ps;
  if (traffic->gap_ps == 0 || traffic->times == TRAFFIC_FIXED) return traffic->gap_ps;
  if (traffic->times == TRAFFIC_EXPONENTIAL) return (uint64_t)dice_exponential(&traffic->time_dice, mean);
  return (uint64_t)(2 * mean * (double)(dice_next(&traffic->time_dice) >> 32) / 4294967296.0);
}

static ELAN_EVENT* start(const struct sender* sender, struct traffic_message message, size_t bytes) {
  const struct traffic* traffic = sender->traffic;
  if (message.reads) return elan_get(traffic->base, sender->out, sender->got, bytes, message.to);
  const E3_Addr slot = sender->in + (E3_Addr)((sender->slots > 1 ? traffic->self : 0) * sender->largest);
  return elan_put(traffic->base, sender->out, slot, bytes, message.to);
}

/* Its bytes count in proportion to the part of its time under way that is in the measured span. Its progress is not
 * known, but the load is the same until it has arrived, so that too much at one end is too little at the other. */
static void count(struct sender* sender, const struct flight* flight, uint64_t end_ps) {
  hal_accepted(flight->bytes, flight->start_ps, end_ps);
  const uint64_t from = flight->start_ps > sender->from_ps ? flight->start_ps : sender->from_ps;
  const uint64_t till = end_ps < sender->till_ps ? end_ps : sender->till_ps;
  if (till > from)
    sender->counted_bytes += (double)flight->bytes * (double)(till - from) / (double)(end_ps - flight->start_ps);
}

/* Completes messages that have arrived. Returns a free entry, or null. */
static struct flight* collect(struct sender* sender) {
  struct flight* place = NULL;
  for (unsigned i = 0; i < sender->traffic->window; ++i) {
    struct flight* flight = &sender->flights[i];
    if (flight->event && *elan_done(flight->event)) {
      elan_wait(flight->event, ELAN_POLL_EVENT);
      flight->event = NULL;
      count(sender, flight, hal_time_ps());
      if (sender->traffic->gap_from_end) sender->due_ps = hal_time_ps() + gap_ps(sender->traffic);
    }
    if (!flight->event && !place) place = flight;
  }
  return place;
}

static void put_word(const struct traffic* traffic, volatile uint64_t* word, unsigned to) {
  *word = 1;
  const E3_Addr address = elan_address(traffic->base, (void*)word, sizeof *word);
  if (to != traffic->self) elan_wait(elan_put(traffic->base, address, address, sizeof *word, to), ELAN_POLL_EVENT);
}

static int counts(const struct sender* sender) {
  for (unsigned i = 0; i < sender->traffic->window; ++i)
    if (sender->flights[i].event && sender->flights[i].start_ps < sender->till_ps) return 1;
  return 0;
}

/* Tells rank 0 once nothing of this rank counts any more; rank 0 tells all when that is so everywhere. Returns whether
 * this rank is to stop. */
static int closed(struct sender* sender, int silent) {
  const struct traffic* traffic = sender->traffic;
  struct closing* closing = &sender->closing;
  if (!closing->told && (silent || hal_time_ps() >= sender->till_ps) && !counts(sender)) {
    put_word(traffic, &closing->arrived[traffic->self], 0);
    closing->told = 1;
  }
  if (traffic->self == 0 && !*closing->stop) {
    unsigned arrived = 0;
    while (arrived < traffic->ranks && closing->arrived[arrived]) ++arrived;
    for (unsigned rank = 0; arrived == traffic->ranks && rank < traffic->ranks; ++rank)
      put_word(traffic, closing->stop, rank);
  }
  return *closing->stop != 0;
}

/* Sleeps until a message arrives, or `until_ps`. Returns whether there is anything to wait for. */
static int sleep_until(const struct sender* sender, uint64_t until_ps) {
  const volatile uint32_t* words[WINDOW_MOST];
  const uint32_t seen[WINDOW_MOST] = {0};
  int waiting = 0;
  for (unsigned i = 0; i < sender->traffic->window; ++i)
    if (sender->flights[i].event) words[waiting++] = elan_done(sender->flights[i].event);
  if (waiting > 0) return hal_wait_words(words, seen, waiting, until_ps), 1;
  const uint64_t now = hal_time_ps();
  if (until_ps == UINT64_MAX) return 0;
  if (until_ps > now) hal_sleep_ps(until_ps - now);
  return 1;
}

/* When to look again though no message has arrived: at the next one's time, and for what ends the traffic. */
static uint64_t next_look(const struct sender* sender, uint64_t due_ps) {
  const uint64_t now = hal_time_ps();
  if (now < sender->till_ps) return due_ps < sender->till_ps ? due_ps : sender->till_ps;
  if (sender->traffic->self != 0 || *sender->closing.stop) return due_ps;
  const uint64_t again_ps = now + sender->traffic->measured_ps / 64 + 1;
  return due_ps < again_ps ? due_ps : again_ps;
}

void sender_run(struct sender* sender, traffic_pattern pattern, void* context) {
  struct traffic* traffic = sender->traffic;
  const int timed = traffic->measured_ps > 0;
  sender->start_ps = hal_time_ps();
  sender->from_ps = timed ? sender->start_ps + traffic->warmup_ps : sender->start_ps;
  sender->till_ps = timed ? sender->from_ps + traffic->measured_ps : UINT64_MAX;
  if (timed) hal_measures(sender->from_ps, sender->till_ps);
  sender->due_ps = sender->start_ps + gap_ps(traffic);
  for (int silent = 0;;) {
    struct flight* place = collect(sender);
    silent = (timed ? closed(sender, silent) : sender->messages == traffic->messages) || silent;
    const int ready = !silent && place;
    if (ready && hal_time_ps() >= sender->due_ps) {
      const struct traffic_message message = pattern(traffic, context);
      silent = message.to == TRAFFIC_NO_RANK;
      if (silent) continue;
      const size_t bytes = size_of(sender);
      *place = (struct flight){.start_ps = hal_time_ps(), .bytes = bytes};
      place->event = start(sender, message, bytes);
      if (!traffic->gap_from_end) sender->due_ps += gap_ps(traffic);
      ++sender->messages;
    } else if (!sleep_until(sender, timed   ? next_look(sender, ready ? sender->due_ps : UINT64_MAX)
                                    : ready ? sender->due_ps
                                            : UINT64_MAX)) {
      break;
    }
  }
  sender->counted_ps = timed ? traffic->measured_ps : hal_time_ps() - sender->start_ps;
}
