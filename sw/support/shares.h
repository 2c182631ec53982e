/* Shares the few places of a card's table among kinds of uses. Uses of some kinds end late, or only when the program
 * wants it; those of a later kind must always find a place nonetheless, since others wait for them. */
#ifndef SANVP_SW_SHARES_H
#define SANVP_SW_SHARES_H

/* Kinds of uses. Each leaves some places to those after it. */
enum share_kind {
  SHARE_PROGRAM, /* ends when the program wants it, or never: memory of windows, symmetric memory */
  SHARE_MESSAGE, /* ends when another process has done its part: memory of a message */
  SHARE_COPY,    /* ends by itself, soon: the library's copy of small data, of which a put has begun */
  SHARE_KINDS
};

/* The uses of one place, of each kind. */
struct share_uses {
  unsigned count[SHARE_KINDS];
};

/* The table's number of places with uses up to a kind, and their maximum. */
struct share_limits {
  unsigned taken[SHARE_KINDS], most[SHARE_KINDS];
};

/* Whether a place has uses up to this kind. */
static inline int share_has(const struct share_uses* uses, unsigned kind) {
  unsigned sum = 0;
  for (unsigned at = 0; at <= kind; ++at) sum += uses->count[at];
  return sum > 0;
}

static inline int share_is_used(const struct share_uses* uses) { return share_has(uses, SHARE_KINDS - 1); }

/* Whether a place with these uses may get one more of this kind. */
static inline int share_fits(const struct share_limits* limits, const struct share_uses* uses, unsigned kind) {
  for (unsigned at = kind; at < SHARE_KINDS && !share_has(uses, at); ++at)
    if (limits->taken[at] >= limits->most[at]) return 0;
  return 1;
}

static inline void share_begin(struct share_limits* limits, struct share_uses* uses, unsigned kind) {
  for (unsigned at = kind; at < SHARE_KINDS && !share_has(uses, at); ++at) ++limits->taken[at];
  ++uses->count[kind];
}

static inline void share_end(struct share_limits* limits, struct share_uses* uses, unsigned kind) {
  --uses->count[kind];
  for (unsigned at = kind; at < SHARE_KINDS && !share_has(uses, at); ++at) --limits->taken[at];
}

#endif
