/* Shared by the traffic programs (paper 4.3 to 4.7): every rank puts messages into the Elan or main memory of others,
 * some at once, and rank 0 reports the resulting bandwidth.
 */
#ifndef SANVP_APPS_TRAFFIC_H
#define SANVP_APPS_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "sw/elanlib/elan.h"
#include "sw/support/options.h"

/* Random numbers by the run's seed, the job, the rank and their purpose. */
struct dice {
  uint64_t state;
};
struct dice dice_for(const char* consumer);
uint64_t dice_next(struct dice* dice);
unsigned dice_below(struct dice* dice, unsigned limit);
double dice_exponential(struct dice* dice, double mean);

/* The distribution of sizes, or of times between messages, about their mean. Uniform: from 0 to twice the mean. */
enum traffic_law { TRAFFIC_FIXED, TRAFFIC_UNIFORM, TRAFFIC_EXPONENTIAL };

struct traffic {
  ELAN_BASE* base;
  unsigned self, ranks;
  size_t bytes; /* of a message, or their mean */
  enum traffic_law sizes;
  uint64_t gap_ps; /* mean time from one message to the next; 0: as fast as they go */
  enum traffic_law times;
  int gap_from_end;  /* that time counts from the end of the last message, as if a node thinks between two; else from
                        its start, so that at saturation no message waits for its time */
  unsigned window;   /* messages at once */
  unsigned messages; /* of a rank, where nothing is timed */
  /* If `measured_ps` is not 0, what arrives within that time counts, and traffic continues until all ranks' messages
   * that began before its end have arrived; else all messages count. */
  uint64_t warmup_ps, measured_ps;
  int elan_memory;
  struct dice destinations; /* for the pattern */
  struct dice size_dice, time_dice;
};

/* Reads --bytes, --sizes, --gap, --times, --gap-from, --window, --messages, --warmup, --measure and --memory, with
 * these fallbacks.
 */
void traffic_options(struct traffic* traffic, struct options* options, const char* bytes, const char* messages);

/* The destination of this rank's next message, and whether it is a get from there instead. TRAFFIC_NO_RANK: this rank
 * is silent from now on. */
#define TRAFFIC_NO_RANK UINT32_MAX
struct traffic_message {
  unsigned to;
  int reads;
};
typedef struct traffic_message (*traffic_pattern)(struct traffic* traffic, void* context);

/* Collective. Runs it and prints, as rank 0, bandwidths per rank that took part; each rank tells its own as the metric
 * `rank_MBps`. Returns the exit status: 1 if a byte was wrong. */
int traffic_run(struct traffic* traffic, traffic_pattern pattern, void* context, const char* name);

#endif
