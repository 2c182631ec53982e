/* Teams: each is a sequence of processes with a stride, as all splits of such sequences are. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

#define NUMBERS 0x3fffu /* of teams, for their messages: 14 bits of a tag */

static struct handles* all(void) {
  static struct handles handles;
  return &handles;
}

static void prepare(struct team* team, shmem_team_t handle, struct pe_set set) {
  set.support = &team->support;
  *team = (struct team){.set = set, .handle = handle};
}

/* No process of a node can load or store another's memory, so the shared team is the caller alone. */
static struct team* predefined(shmem_team_t handle) {
  static struct team world, shared;
  if (world.handle != SHMEM_TEAM_WORLD) {
    const unsigned self = transport_self();
    prepare(&world, SHMEM_TEAM_WORLD,
            (struct pe_set){.start = 0, .stride = 1, .size = transport_count(), .self = self, .number = 1});
    prepare(&shared, SHMEM_TEAM_SHARED, (struct pe_set){.start = self, .stride = 1, .size = 1, .number = 2});
  }
  return handle == SHMEM_TEAM_WORLD ? &world : &shared;
}

struct team* shmem_team_of(const char* call, shmem_team_t handle) {
  shmem_check_running(call);
  if (handle == SHMEM_TEAM_WORLD || handle == SHMEM_TEAM_SHARED) return predefined(handle);
  int was = 0;
  struct team* team = handle_object(all(), (uintptr_t)handle, &was);
  if (team) return team;
  if (was) shmem_fail(call, "the team has been destroyed; destroy it after its last call, or split another");
  if (handle == SHMEM_TEAM_INVALID)
    shmem_fail(call, "the team is SHMEM_TEAM_INVALID; only members of a team may call: test the handle first");
  shmem_fail(call, "the team is not valid; pass SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED or one of shmem_team_split_...");
}

/* ---- queries ---- */
int shmem_team_my_pe(shmem_team_t team) {
  return team == SHMEM_TEAM_INVALID ? -1 : (int)shmem_team_set("shmem_team_my_pe", team)->self;
}

int shmem_team_n_pes(shmem_team_t team) {
  return team == SHMEM_TEAM_INVALID ? -1 : (int)shmem_team_set("shmem_team_n_pes", team)->size;
}

static void check_mask(const char* call, long mask, const void* config) {
  if (mask & ~SHMEM_TEAM_NUM_CONTEXTS)
    shmem_fail(call, "the mask names no such field; pass SHMEM_TEAM_NUM_CONTEXTS or 0");
  if (mask && !config) shmem_fail(call, "the mask is not 0, but the configuration is null; pass one, or the mask 0");
}

int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config) {
  const char* call = "shmem_team_get_config";
  shmem_check_running(call);
  if (team == SHMEM_TEAM_INVALID) return 1;
  const struct team* found = shmem_team_of(call, team);
  check_mask(call, config_mask, config);
  if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) config->num_contexts = found->config.num_contexts;
  return 0;
}

/* The index of a process in a set; -1: it is not a member. */
static int place_of(const struct pe_set* set, unsigned pe) {
  const int distance = (int)pe - (int)set->start;
  if (distance % set->stride != 0) return -1;
  const int place = distance / set->stride;
  return place >= 0 && (unsigned)place < set->size ? place : -1;
}

int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  const char* call = "shmem_team_translate_pe";
  shmem_check_running(call);
  if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
  const struct pe_set *from = shmem_team_set(call, src_team), *to = shmem_team_set(call, dest_team);
  return src_pe >= 0 && (unsigned)src_pe < from->size ? place_of(to, pe_of(from, (unsigned)src_pe)) : -1;
}

/* ---- split ---- */
struct wanted {
  struct team* parent;
  int start, stride, size; /* in the parent's numbers */
  const shmem_team_config_t* config;
  long mask;
};

/* The same in all members: from the parent's, and how many splits came before. */
static unsigned next_number(struct team* parent) {
  ++parent->splits;
  return (parent->set.number * 211u + parent->splits) % (NUMBERS - 2u) + 3u;
}

static shmem_team_t make(const char* call, const struct wanted* wanted, unsigned number) {
  const struct pe_set* parent = &wanted->parent->set;
  struct pe_set set = {.start = pe_of(parent, (unsigned)wanted->start),
                       .stride = wanted->size > 1 ? wanted->stride * parent->stride : 1,
                       .size = (unsigned)wanted->size,
                       .number = number};
  const int self = place_of(&set, transport_self());
  if (self < 0) return SHMEM_TEAM_INVALID;
  set.self = (unsigned)self;
  struct team* team = shmem_memory(call, sizeof *team);
  const shmem_team_t handle = (shmem_team_t)handle_give(call, all(), team);
  prepare(team, handle, set);
  if (wanted->mask & SHMEM_TEAM_NUM_CONTEXTS) team->config.num_contexts = wanted->config->num_contexts;
  return handle;
}

static int is_valid(const struct wanted* wanted) {
  const int64_t count = wanted->parent->set.size, last = wanted->start + (int64_t)(wanted->size - 1) * wanted->stride;
  return wanted->size >= 1 && wanted->start >= 0 && wanted->start < count && last >= 0 && last < count &&
         (wanted->stride != 0 || wanted->size == 1);
}

/* The standard only returns a number, which programs do not check. */
static int tell(const struct team* parent, const char* text) {
  if (parent->set.self == 0) fprintf(stderr, "%s; SHMEM_TEAM_INVALID is returned\n", text);
  return 1;
}

int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team) {
  const char* call = "shmem_team_split_strided";
  shmem_check_running(call);
  if (!new_team) shmem_fail(call, "the pointer for the team is null; pass the address of a shmem_team_t");
  *new_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  check_mask(call, config_mask, config);
  const struct wanted wanted = {shmem_team_of(call, parent_team), start, stride, size, config, config_mask};
  const unsigned number = next_number(wanted.parent);
  set_barrier(&wanted.parent->set);
  if (!is_valid(&wanted)) {
    char text[200];
    snprintf(text, sizeof text,
             "%s: start %d, stride %d, size %d is not within the parent's %u members; size is at least 1, and all of "
             "start + i * stride are 0 to %u",
             call, start, stride, size, wanted.parent->set.size, wanted.parent->set.size - 1);
    return tell(wanted.parent, text);
  }
  *new_team = make(call, &wanted, number);
  return 0;
}

int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config, long xaxis_mask,
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config, long yaxis_mask,
                        shmem_team_t* yaxis_team) {
  const char* call = "shmem_team_split_2d";
  shmem_check_running(call);
  if (!xaxis_team || !yaxis_team) shmem_fail(call, "a pointer for a team is null; pass the addresses of shmem_team_t");
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return 1;
  check_mask(call, xaxis_mask, xaxis_config);
  check_mask(call, yaxis_mask, yaxis_config);
  struct team* parent = shmem_team_of(call, parent_team);
  const unsigned x_number = next_number(parent), y_number = next_number(parent);
  set_barrier(&parent->set);
  if (xrange < 1) return tell(parent, "shmem_team_split_2d: xrange is less than 1; pass the length of a row");
  const int count = (int)parent->set.size, self = (int)parent->set.self;
  const int range = xrange < count ? xrange : count; /* of a single row */
  const int x = self % range, row = self - x;
  const struct wanted along_x = {parent, row, 1, count - row < range ? count - row : range, xaxis_config, xaxis_mask};
  const struct wanted along_y = {parent, x, range, (count - x + range - 1) / range, yaxis_config, yaxis_mask};
  *xaxis_team = make(call, &along_x, x_number);
  *yaxis_team = make(call, &along_y, y_number);
  return 0;
}

/* Members may still be in calls of the team, which need nothing of this one. */
void shmem_team_destroy(shmem_team_t team) {
  const char* call = "shmem_team_destroy";
  shmem_check_running(call);
  if (team == SHMEM_TEAM_INVALID) return;
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED)
    shmem_fail(call, "SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED stay; pass one of shmem_team_split_...");
  struct team* found = shmem_team_of(call, team);
  shmem_end_contexts_of(call, found);
  set_barrier(&found->set);
  transport_group_free(found->support.group);
  handle_destroy(all(), (uintptr_t)team);
  free(found);
}

int shmem_team_sync(shmem_team_t team) {
  set_barrier(shmem_team_set("shmem_team_sync", team));
  return 0;
}
