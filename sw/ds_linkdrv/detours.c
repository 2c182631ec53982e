#include "sw/ds_linkdrv/detours.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define NOWHERE UINT32_MAX

static uint32_t next_of(const struct labelling* labelling, uint32_t switch_, uint32_t link) {
  const uint32_t word = labelling_peer(labelling, switch_, link);
  return STC104_PEER_IS_SWITCH(word) ? STC104_PEER_NUMBER(word) : NOWHERE;
}

/* The same, whether or not the cable works. */
static uint32_t cabled_to(const struct labelling* labelling, uint32_t switch_, uint32_t link) {
  const uint32_t word = labelling_peer(labelling, switch_, link);
  return STC104_PEER_IS_SWITCH(word) || STC104_PEER_IS_LOST_SWITCH(word) ? STC104_PEER_NUMBER(word) : NOWHERE;
}

int detours_needed(const struct labelling* labelling) {
  for (uint32_t s = 0; s < labelling->network->switches; ++s)
    for (uint32_t link = 0; link < STC104_LINKS; ++link) {
      const uint32_t word = labelling_peer(labelling, s, link);
      if (!STC104_PEER_IS_LOST_SWITCH(word)) continue;
      if (labelling->network->uplinks == STC104_UPLINKS_FIXED) return 1;
      uint32_t beside = 0;
      while (beside < STC104_LINKS && next_of(labelling, s, beside) != STC104_PEER_NUMBER(word)) ++beside;
      if (beside == STC104_LINKS) return 1;
    }
  return 0;
}

/* Rank by level: the higher the level, the later in the upward order; no two ranks are equal. */
static void rank_by_level(const struct labelling* labelling, uint32_t* rank) {
  const uint32_t switches = labelling->network->switches;
  for (uint32_t s = 0; s < switches; ++s) rank[s] = labelling->level[s] * switches + s;
}

/* Rank by distance: the nearer to the root of its tree, the higher. */
static void rank_by_trees(const struct labelling* labelling, uint32_t* rank, uint32_t* queue) {
  const uint32_t switches = labelling->network->switches;
  memset(rank, 0xff, switches * sizeof *rank);
  for (uint32_t s = 0; s < switches; ++s) {
    if (rank[s] != NOWHERE) continue;
    rank[s] = 0;
    queue[0] = s;
    labelling_spread(labelling, rank, queue, 1);
  }
  for (uint32_t s = 0; s < switches; ++s) rank[s] = (switches - rank[s]) * switches - s;
}

static void point_up(const struct labelling* labelling, struct detours* detours) {
  for (uint32_t s = 0; s < labelling->network->switches; ++s) {
    detours->up[s] = 0;
    for (uint32_t link = 0; link < STC104_LINKS; ++link) {
      const uint32_t next = cabled_to(labelling, s, link);
      if (next != NOWHERE && detours->rank[next] > detours->rank[s]) detours->up[s] |= 1u << link;
    }
  }
}

/* Distances of those from which a way that only goes down leads to the target. */
static void spread_upwards(const struct labelling* labelling, const uint32_t* up, uint32_t* distance, uint32_t* queue,
                           uint32_t target) {
  uint32_t waiting = 0;
  distance[target] = 0;
  queue[waiting++] = target;
  for (uint32_t i = 0; i < waiting; ++i)
    for (uint32_t link = 0; link < STC104_LINKS; ++link) {
      if (!(up[queue[i]] >> link & 1u)) continue;
      const uint32_t above = next_of(labelling, queue[i], link);
      if (above == NOWHERE || distance[above] != NOWHERE) continue;
      distance[above] = distance[queue[i]] + 1;
      queue[waiting++] = above;
    }
}

/* The same for switches from which packets have to go up first. */
static void climb(const struct labelling* labelling, const uint32_t* up, uint32_t* distance, uint8_t* goes_up) {
  const uint32_t switches = labelling->network->switches;
  for (uint32_t s = 0; s < switches; ++s) goes_up[s] = distance[s] == NOWHERE;
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < switches; ++s)
      for (uint32_t link = 0; goes_up[s] && link < STC104_LINKS; ++link) {
        const uint32_t next = next_of(labelling, s, link);
        if (!(up[s] >> link & 1u) || next == NOWHERE) continue;
        const uint32_t beyond = distance[next];
        if (beyond == NOWHERE || beyond + 1 >= distance[s]) continue;
        distance[s] = beyond + 1;
        changed = 1;
      }
  }
}

/* @return whether all switches with hosts that cables join lead to each other */
static int find_ways(struct labelling* labelling, struct detours* detours, uint32_t* scratch, uint32_t* queue) {
  const uint32_t switches = labelling->network->switches;
  int all = 1;
  memset(labelling->distance, 0xff, (size_t)switches * switches * sizeof(uint32_t));
  for (uint32_t target = 0; target < switches; ++target) {
    uint32_t* distance = labelling->distance + (size_t)target * switches;
    spread_upwards(labelling, detours->up, distance, queue, target);
    climb(labelling, detours->up, distance, detours->goes_up + (size_t)target * switches);
    if (labelling->level[target] > 0) continue;
    memset(scratch, 0xff, switches * sizeof *scratch);
    scratch[target] = 0;
    queue[0] = target;
    labelling_spread(labelling, scratch, queue, 1);
    for (uint32_t s = 0; s < switches; ++s)
      if (labelling->level[s] == 0 && scratch[s] != NOWHERE && distance[s] == NOWHERE) all = 0;
  }
  return all;
}

static int goes_up(const struct labelling* labelling, uint32_t switch_, uint32_t target) {
  return labelling->detours->goes_up[(size_t)target * labelling->network->switches + switch_];
}

static int is_good(const struct labelling* labelling, uint32_t switch_, uint32_t link, uint32_t target) {
  const uint32_t* distance = labelling->distance + (size_t)target * labelling->network->switches;
  const int up = goes_up(labelling, switch_, target);
  const uint32_t next = next_of(labelling, switch_, link);
  if (next == NOWHERE || (int)(labelling->detours->up[switch_] >> link & 1u) != up) return 0;
  if (!up && goes_up(labelling, next, target)) return 0; /* once down, it stays so */
  return distance[next] != NOWHERE && distance[next] + 1 == distance[switch_];
}

/* Whether packets to the target pass here, and have to go up. */
static int must_go_up(const struct labelling* labelling, uint32_t switch_, uint32_t target) {
  return labelling->level[target] == 0 && goes_up(labelling, switch_, target) &&
         labelling->distance[(size_t)target * labelling->network->switches + switch_] != NOWHERE;
}

static int serves_all(const struct labelling* labelling, uint32_t switch_, uint32_t link) {
  for (uint32_t target = 0; target < labelling->network->switches; ++target)
    if (must_go_up(labelling, switch_, target) && !is_good(labelling, switch_, link, target)) return 0;
  return 1;
}

/* The switch behind the first working link of a group. */
static uint32_t behind(const struct labelling* labelling, uint32_t switch_, const struct ways* ways) {
  uint32_t link = ways->first;
  while (next_of(labelling, switch_, link) == NOWHERE) ++link;
  return next_of(labelling, switch_, link);
}

static int same_steps(const struct labelling* labelling, uint32_t one, uint32_t other, uint32_t target) {
  while (one != other) {
    if (one == target || other == target) return 0;
    const struct ways a = detours_to_switch(labelling, one, target), b = detours_to_switch(labelling, other, target);
    if (a.first != b.first || a.count != b.count) return 0;
    one = behind(labelling, one, &a);
    other = behind(labelling, other, &b);
  }
  return 1;
}

static int do_the_same(const struct labelling* labelling, uint32_t switch_, uint32_t one, uint32_t other) {
  for (uint32_t target = 0; target < labelling->network->switches; ++target)
    if (must_go_up(labelling, switch_, target) && !same_steps(labelling, one, other, target)) return 0;
  return 1;
}

/* The longest run of adjacent links up that serve all targets and lead to the same further steps, as bits; it includes
 * failed links, since a switch passes over them. */
static uint32_t common_way_up(const struct labelling* labelling, uint32_t switch_) {
  const uint32_t up = labelling->detours->up[switch_];
  uint32_t longest = 0, most = 0;
  for (uint32_t first = 0; first < STC104_LINKS; ++first) {
    uint32_t run = 0, working = 0, before = NOWHERE;
    for (uint32_t link = first; link < STC104_LINKS && up >> link & 1u; ++link) {
      const uint32_t next = next_of(labelling, switch_, link);
      if (next != NOWHERE) {
        if (!serves_all(labelling, switch_, link)) break;
        if (before != NOWHERE && !do_the_same(labelling, switch_, before, next)) break;
        before = next;
        ++working;
      }
      run |= 1u << link;
    }
    if (working > most) longest = run, most = working;
  }
  return longest;
}

/* The common way up; else adjacent cables to one switch. Not if each link up has a share of its own, or leads to
 * another of the switches that universal routing draws. */
static uint32_t group_starts(const struct labelling* labelling, uint32_t switch_) {
  const uint32_t uplinks = labelling->network->uplinks;
  const uint32_t all_up = uplinks == STC104_UPLINKS_GROUPED ? common_way_up(labelling, switch_) : 0;
  uint32_t starts = 1;
  for (uint32_t link = 1; link < STC104_LINKS; ++link) {
    const int was_in = all_up >> (link - 1) & 1u, is_in = all_up >> link & 1u;
    const int shared_out = uplinks == STC104_UPLINKS_FIXED && (labelling->detours->up[switch_] >> link & 1u);
    const int parallel = !shared_out && cabled_to(labelling, switch_, link) == cabled_to(labelling, switch_, link - 1);
    if (was_in != is_in || (!is_in && !parallel)) starts |= 1u << link;
  }
  return starts;
}

/* The highest first: a group depends on the groups above. */
static void make_groups(const struct labelling* labelling, uint32_t* order) {
  const uint32_t switches = labelling->network->switches;
  const uint32_t* rank = labelling->detours->rank;
  for (uint32_t s = 0; s < switches; ++s) {
    uint32_t place = s;
    for (; place > 0 && rank[order[place - 1]] < rank[s]; --place) order[place] = order[place - 1];
    order[place] = s;
  }
  for (uint32_t i = 0; i < switches; ++i) labelling->detours->groups[order[i]] = group_starts(labelling, order[i]);
}

struct detours* detours_make(struct labelling* labelling) {
  const uint32_t switches = labelling->network->switches;
  struct detours* detours = malloc(sizeof *detours);
  uint32_t* scratch = malloc(switches * sizeof *scratch);
  uint32_t* queue = malloc(switches * sizeof *queue);
  if (detours)
    *detours = (struct detours){.rank = malloc(switches * sizeof(uint32_t)),
                                .up = malloc(switches * sizeof(uint32_t)),
                                .goes_up = malloc((size_t)switches * switches),
                                .groups = malloc(switches * sizeof(uint32_t))};
  if (!detours || !scratch || !queue || !detours->rank || !detours->up || !detours->goes_up || !detours->groups)
    hal_abort("ds_linkdrv: the node's memory is full; give it more (host.memory)");
  labelling->detours = detours;
  int found = 0;
  if (labelling->highest > 0) {
    rank_by_level(labelling, detours->rank);
    point_up(labelling, detours);
    found = find_ways(labelling, detours, scratch, queue);
  }
  if (!found) {
    rank_by_trees(labelling, detours->rank, queue);
    point_up(labelling, detours);
    find_ways(labelling, detours, scratch, queue);
  }
  make_groups(labelling, queue);
  free(scratch);
  free(queue);
  return detours;
}

void detours_free(struct detours* detours) {
  if (!detours) return;
  free(detours->rank);
  free(detours->up);
  free(detours->goes_up);
  free(detours->groups);
  free(detours);
}

/* The n-th of the largest groups whose working links all lead to the target; their number in `found`. */
static struct ways largest_group(const struct labelling* labelling, uint32_t switch_, uint32_t target, uint32_t n,
                                 uint32_t* found) {
  struct ways largest = {0};
  uint32_t most = 1;
  *found = 0;
  for (uint32_t first = 0, end; first < STC104_LINKS; first = end) {
    uint32_t working = 0;
    int good = 1;
    for (end = first; end == first || (end < STC104_LINKS && !(labelling->detours->groups[switch_] >> end & 1u));
         ++end) {
      if (next_of(labelling, switch_, end) == NOWHERE) continue;
      ++working;
      good = good && is_good(labelling, switch_, end, target);
    }
    if (!good || working < most) continue;
    if (working > most) *found = 0;
    most = working;
    if ((*found)++ <= n) largest = (struct ways){.first = first, .count = end - first};
  }
  return largest;
}

struct ways detours_to_switch(const struct labelling* labelling, uint32_t switch_, uint32_t target) {
  uint32_t found;
  largest_group(labelling, switch_, target, 0, &found);
  /* Among equally large ones the target decides, which spreads the load. */
  return found == 0 ? (struct ways){0} : largest_group(labelling, switch_, target, target % found, &found);
}
