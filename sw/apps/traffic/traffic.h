/* What the traffic programs share (paper 4.3 to 4.7): every rank puts messages into the Elan or main memory of others,
 * some at once, and the bandwidth that came of it is told by rank 0.
 */
#ifndef SANVP_APPS_TRAFFIC_H
#define SANVP_APPS_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "sw/elanlib/elan.h"
#include "sw/support/options.h"

/* Numbers that look random and are the same everywhere. */
struct dice {
  uint64_t state;
};
uint64_t dice_next(struct dice* dice);
unsigned dice_below(struct dice* dice, unsigned limit);
double dice_exponential(struct dice* dice, double mean);

enum traffic_sizes { TRAFFIC_FIXED, TRAFFIC_UNIFORM, TRAFFIC_EXPONENTIAL };

struct traffic {
  ELAN_BASE* base;
  unsigned self, ranks;
  size_t bytes; /* of a message, or their mean */
  enum traffic_sizes sizes;
  unsigned messages; /* of a rank */
  unsigned window;   /* at once */
  uint64_t gap_ps;   /* mean time from one message to the next; 0: as fast as they go */
  int elan_memory;
  struct dice dice;
};

/* Reads --bytes, --sizes, --messages, --window, --gap and --memory, with these fallbacks. */
void traffic_options(struct traffic* traffic, struct options* options, const char* bytes, const char* messages);

/* Where message `index` of this rank goes, and whether it is a get from there instead. TRAFFIC_NOBODY: it is left out.
 */
#define TRAFFIC_NOBODY UINT32_MAX
struct traffic_message {
  unsigned to;
  int reads;
};
typedef struct traffic_message (*traffic_pattern)(struct traffic* traffic, unsigned index, void* context);

/* Collective. Runs it and prints, as rank 0, bandwidths per rank that took part. Answers the exit status: 1 where a
 * byte was wrong. */
int traffic_run(struct traffic* traffic, traffic_pattern pattern, void* context, const char* name);

#endif
