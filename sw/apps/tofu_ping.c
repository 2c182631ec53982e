/* Puts, gets and atomic operations between pairs of ranks of a TOFU machine: latency, and bandwidth by 1 to 4
 * interfaces.
 *
 * Ranks i and i + n/2 are partners, of which the first issues the orders. Latency of a put: half of the time there and
 * back, each waiting for the notice; of a get or an atomic: until its data are here. Bandwidth: `count` orders in turn
 * by --tnis interfaces, until the last is answered. Every byte is checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/options.h"
#include "sw/tofu/tofu_job.h"

#define TNIS 4u      /* FACTS.md 6.1 */
#define POINTS 12u   /* the same */
#define COMPONENT 0u /* of the queues of this program */
#define TAG 1u       /* of its buffer, in all ranks */

struct ping {
  utofu_vcq_hdl_t queues[TNIS];
  utofu_vcq_id_t partner[TNIS];
  utofu_stadd_t here, there, word;
  unsigned char* buffer; /* what goes, what comes, and a word */
  size_t bytes;
  unsigned count, tnis;
  int first;
  unsigned long path[TNIS]; /* of the orders of each interface */
};

static void check(int result, const char* what) {
  if (result == UTOFU_SUCCESS) return;
  char text[128];
  snprintf(text, sizeof text, "tofu_ping: %s answers %d", what, result);
  hal_abort(text);
}

static unsigned char pattern(size_t i, unsigned round, int rank) {
  return (unsigned char)(i * 7 + round * 31 + (unsigned)rank * 13);
}

static void fill(struct ping* ping, unsigned round) {
  const int rank = hal_rank();
  hal_untimed_begin();
  for (size_t i = 0; i < ping->bytes; ++i) ping->buffer[i] = pattern(i, round, rank);
  hal_untimed_end();
}

static void verify(const struct ping* ping, unsigned round, int from) {
  size_t wrong = 0;
  hal_untimed_begin();
  for (size_t i = 0; i < ping->bytes; ++i) wrong += ping->buffer[ping->bytes + i] != pattern(i, round, from);
  hal_untimed_end();
  if (wrong > 0) hal_abort("tofu_ping: a byte is wrong");
}

static void put(struct ping* ping, unsigned tni, unsigned long notices) {
  utofu_vcq_hdl_t queue = ping->queues[tni];
  int result;
  for (;;) {
    if (ping->bytes <= 32)
      result = utofu_put_piggyback(queue, ping->partner[tni], ping->buffer, ping->there, ping->bytes, 0,
                                   notices | UTOFU_ONESIDED_FLAG_PATH(ping->path[tni]), NULL);
    else
      result = utofu_put(queue, ping->partner[tni], ping->here, ping->there, ping->bytes, 0,
                         notices | UTOFU_ONESIDED_FLAG_PATH(ping->path[tni]), NULL);
    if (result != UTOFU_ERR_BUSY) break;
    hal_compute_ps(100000);
  }
  check(result, "utofu_put");
}

static void order(struct ping* ping, const char* operation, unsigned tni) {
  const unsigned long notice = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_PATH(ping->path[tni]);
  if (strcmp(operation, "put") == 0)
    put(ping, tni, UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE);
  else if (strcmp(operation, "get") == 0)
    check(utofu_get(ping->queues[tni], ping->partner[tni], ping->there, ping->here, ping->bytes, 0, notice, NULL),
          "utofu_get");
  else
    check(utofu_armw8(ping->queues[tni], ping->partner[tni], UTOFU_ARMW_OP_ADD, 1, ping->word, 0, notice, NULL),
          "utofu_armw8");
}

static struct utofu_mrq_notice answered(struct ping* ping, unsigned tni) {
  struct utofu_mrq_notice notice;
  check(tofu_wait_mrq(ping->queues[tni], &notice), "a notice");
  return notice;
}

/* Waits until the last data given to interface 0 may be changed. */
static void left(struct ping* ping) { check(tofu_wait_tcq(ping->queues[0], NULL), "a TCQ notice"); }

/* Puts there and back. @return ps one way */
static double put_latency(struct ping* ping, int partner) {
  const unsigned long notices = UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_TCQ_NOTICE;
  uint64_t sum = 0;
  for (unsigned round = 0; round <= ping->count; ++round) {
    fill(ping, round);
    tofu_barrier();
    const uint64_t start = hal_time_ps();
    if (ping->first) put(ping, 0, notices);
    answered(ping, 0);
    if (!ping->first) put(ping, 0, notices);
    if (round > 0) sum += hal_time_ps() - start;
    left(ping);
    verify(ping, round, partner);
  }
  return (double)sum / ping->count / 2;
}

static double fetch_latency(struct ping* ping, const char* operation, int partner) {
  uint64_t sum = 0;
  for (unsigned round = 0; round <= ping->count; ++round) {
    fill(ping, round);
    tofu_barrier();
    const uint64_t start = hal_time_ps();
    if (ping->first) {
      order(ping, operation, 0);
      const struct utofu_mrq_notice notice = answered(ping, 0);
      if (round > 0) sum += hal_time_ps() - start;
      if (strcmp(operation, "get") == 0)
        verify(ping, round, partner);
      else if (notice.rmt_value != round)
        hal_abort("tofu_ping: the word is wrong");
    }
    tofu_barrier();
  }
  return (double)sum / ping->count;
}

/* @return bytes per second */
static double bandwidth(struct ping* ping, const char* operation) {
  fill(ping, 0);
  tofu_barrier();
  const uint64_t start = hal_time_ps();
  if (ping->first) {
    for (unsigned i = 0; i < ping->count; ++i) order(ping, operation, i % ping->tnis);
    for (unsigned i = 0; i < ping->count; ++i) answered(ping, i % ping->tnis);
  }
  const uint64_t took = hal_time_ps() - start;
  tofu_barrier();
  return (double)ping->count * (double)ping->bytes / ((double)took * 1e-12);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  struct ping ping = {0};
  const char* operation = options_choice(&options, "operation", "put", "put|get|atomic");
  ping.bytes = options_size(&options, "bytes", "8", "of a message");
  ping.count = (unsigned)options_size(&options, "count", "20", "messages measured");
  ping.tnis = (unsigned)options_size(&options, "tnis", "1", "interfaces that send in turn, for the bandwidth: 1 to 4");
  const char* paths =
      options_text(&options, "path", "0",
                   "abc points, 1 to 12, that each interface goes by first, such as 2,8,4,6; 0: as it chooses");
  options_check(&options);
  if (hal_ranks() % 2 != 0) hal_abort("tofu_ping: ranks are partners in pairs; give it an even number of them");
  if (ping.tnis < 1 || ping.tnis > TNIS) hal_abort("tofu_ping: --tnis goes from 1 to 4");
  for (unsigned tni = 0; tni < TNIS; ++tni) {
    char* end;
    ping.path[tni] = strtoul(paths, &end, 10);
    if (end == paths || ping.path[tni] > POINTS)
      hal_abort("tofu_ping: --path has numbers from 0 to 12, such as 2,8,4,6");
    if (*end == ',') paths = end + 1;
  }
  if (ping.bytes < 1 || ping.count < 1) hal_abort("tofu_ping: give it --bytes and --count of 1 or more");

  const int half = hal_ranks() / 2, self = hal_rank();
  const int partner = (self + half) % hal_ranks();
  ping.first = self < half;
  const size_t word_at = (2 * ping.bytes + 7) / 8 * 8;
  ping.buffer = calloc(1, word_at + 8);
  for (unsigned tni = 0; tni < TNIS; ++tni) {
    check(utofu_create_vcq_with_cmp_id((utofu_tni_id_t)tni, COMPONENT, 0, &ping.queues[tni]), "utofu_create_vcq");
    check(utofu_reg_mem_with_stag(ping.queues[tni], ping.buffer, word_at + 8, TAG, 0, &ping.here), "utofu_reg_mem");
    ping.partner[tni] = tofu_rank_vcq(partner, (utofu_tni_id_t)tni, COMPONENT);
  }
  ping.there = ping.here + ping.bytes;
  ping.word = ping.here + word_at;
  tofu_barrier();

  const double latency =
      strcmp(operation, "put") == 0 ? put_latency(&ping, partner) : fetch_latency(&ping, operation, partner);
  const double rate = strcmp(operation, "atomic") == 0 ? 0 : bandwidth(&ping, operation);
  if (self == 0) {
    printf("%s of %zu bytes: %.1f ns, %.1f MB/s by %u interfaces\n", operation, ping.bytes, latency * 1e-3, rate * 1e-6,
           ping.tnis);
    hal_metric("latency_ns", latency * 1e-3, "ns");
    if (rate > 0) hal_metric("bandwidth_MBps", rate * 1e-6, "MB/s");
  }
  return 0;
}
