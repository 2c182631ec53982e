/* Groups of some processes: their members agree on a number.
 *
 * In round r each member sends its knowledge to the one 2^r places further on: the numbers that are free in all members
 * it knows of, and the highest barrier number of these. Receiving the same twice changes nothing, so any count of
 * members works. A process that returns has data of all others: the call is a barrier. */
#include <stdlib.h>

#include "sw/elanlib/group.h"
#include "sw/elanlib/tport.h"

#define TAG_GROUP (3ull << 62)
#define TAG_COUNT_SHIFT 32 /* members, to tell groups apart where programs mix up their order */
#define ALL_NUMBERS ((uint32_t)(1ull << ELAN_GROUPS) - 1)

struct proposal {
  uint32_t free;     /* numbers, a bit each */
  uint32_t sequence; /* the highest of any barrier */
};

/* Returns 0 if a member has died, since then it cannot complete. */
static int exchange(ELAN_TPORT* tport, const unsigned* members, unsigned to, unsigned from, uint64_t tag,
                    const struct proposal* mine, struct proposal* theirs, unsigned self) {
  ELAN_TPORT_EVENT* sent = elan_tportTxStart(tport, 0, members[to], members[self], tag, mine, sizeof *mine);
  ELAN_TPORT_EVENT* heard =
      elan_tportRxStart(tport, 0, UINT32_MAX, members[from], UINT64_MAX, tag, theirs, sizeof *theirs);
  if (!elan_tportRxWait(heard, NULL, NULL, NULL)) return 0;
  elan_tportTxWait(sent);
  return 1;
}

ELAN_GROUP* elan_groupCreate(ELAN_TPORT* tport, const unsigned* members, unsigned count) {
  struct elan_base* base = elan_baseInit();
  struct proposal agreed = {.free = ALL_NUMBERS & ~base->meetings->taken, .sequence = base->meetings->sequence};
  unsigned self = 0;
  while (members[self] != base->self) ++self;
  for (unsigned distance = 1; distance < count; distance *= 2) {
    const uint64_t tag = TAG_GROUP | (uint64_t)count << TAG_COUNT_SHIFT | distance;
    const struct proposal mine = agreed;
    struct proposal theirs;
    if (!exchange(tport, members, (self + distance) % count, (self + count - distance) % count, tag, &mine, &theirs,
                  self))
      return NULL;
    agreed.free &= theirs.free;
    if ((int32_t)(theirs.sequence - agreed.sequence) > 0) agreed.sequence = theirs.sequence;
  }
  if (agreed.free == 0) return NULL;
  return elan_group_create(base, members, count, (unsigned)__builtin_ctz(agreed.free), agreed.sequence);
}
