/* Communicators of all kinds, drawn alike by all processes: each knows the members of all. */
#ifndef PROGRAMS_DRAWN_COMMS_H
#define PROGRAMS_DRAWN_COMMS_H

#include <string.h>

#include "areas.h"

enum { MOST_RANKS = 256, ROOMS = 10 };
struct group {
  int count, ranks[MOST_RANKS]; /* of MPI_COMM_WORLD */
};
struct room {
  MPI_Comm comm; /* null: this process is not in it */
  int inter;
  struct group side[2]; /* of an intracommunicator the first */
};
static struct room rooms[ROOMS];
static int room_count;

static int place_in(const struct group* g, int of_rank) {
  for (int i = 0; i < g->count; ++i)
    if (g->ranks[i] == of_rank) return i;
  return -1;
}
/* The side of a room where this process is. */
static int side_in(const struct room* m) { return m->inter && place_in(&m->side[1], rank) >= 0; }

static void open_room(MPI_Comm comm, int inter, const struct group* a, const struct group* b) {
  struct room* m = &rooms[room_count++];
  *m = (struct room){.comm = comm, .inter = inter, .side = {*a, *b}};
  if (comm == MPI_COMM_NULL) return;
  int count, self, is_inter;
  MPI_Comm_size(comm, &count);
  MPI_Comm_rank(comm, &self);
  MPI_Comm_test_inter(comm, &is_inter);
  const struct group* own_side = &m->side[side_in(m)];
  CHECK(is_inter == inter && count == own_side->count && own_side->ranks[self] == rank);
  if (!inter) return;
  MPI_Comm_remote_size(comm, &count);
  CHECK(count == m->side[!side_in(m)].count);
}

static const struct group no_ranks;

/* Each color becomes a room, while there is place. */
static void split_room(const struct room* m) {
  enum { KEYS = 7 };
  const int colors = 1 + draw(3), id = draw(1 << 20);
  MPI_Comm made = MPI_COMM_NULL;
  int used = 0;
#define COLOR(of_rank) ((int)(word_of(id, of_rank, 1, 0) % (unsigned)(colors + 1)))
#define KEY(of_rank) ((int)(word_of(id, of_rank, 2, 0) % KEYS))
  const int mine = COLOR(rank) == colors ? MPI_UNDEFINED : COLOR(rank);
  if (m->comm != MPI_COMM_NULL) MPI_Comm_split(m->comm, mine, KEY(rank), &made);
  for (int c = 0; c < colors && room_count < ROOMS; ++c) {
    struct group sides[2] = {{0}, {0}};
    for (int at = 0; at < 2 * KEYS * MOST_RANKS; ++at) {
      const int s = at / (KEYS * MOST_RANKS), key = at / MOST_RANKS % KEYS, i = at % MOST_RANKS;
      if (i >= m->side[s].count) continue;
      const int of_rank = m->side[s].ranks[i];
      if (COLOR(of_rank) == c && KEY(of_rank) == key) sides[s].ranks[sides[s].count++] = of_rank;
    }
    const int in = made != MPI_COMM_NULL && mine == c;
    if (sides[0].count == 0 || (m->inter && sides[1].count == 0)) {
      CHECK(!in); /* a rank without a rank on the other side has no communicator */
      continue;
    }
    used |= in;
    open_room(in ? made : MPI_COMM_NULL, m->inter, &sides[0], &sides[1]);
  }
#undef COLOR
#undef KEY
  if (!used && made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

static void copy_room(const struct room* m) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request request;
  const int later = draw(2);
  if (m->comm != MPI_COMM_NULL && later) {
    MPI_Comm_idup(m->comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (m->comm != MPI_COMM_NULL) {
    MPI_Comm_dup(m->comm, &made);
  }
  open_room(made, m->inter, &m->side[0], &m->side[1]);
}

/* Some of them, in any order; made by all, or by these alone. */
static void select_room(const struct room* m) {
  const int alone = draw(2), id = draw(1 << 20);
  struct group g = {0};
  int ranks[MOST_RANKS];
  for (int i = 0; i < m->side[0].count; ++i)
    if (word_of(id, i, 0, 0) % 3) ranks[g.count++] = i;
  if (g.count == 0) return;
  for (int i = g.count - 1; i > 0; --i) {
    const int j = (int)(word_of(id, i, 1, 0) % (unsigned)(i + 1)), was = ranks[i];
    ranks[i] = ranks[j];
    ranks[j] = was;
  }
  for (int i = 0; i < g.count; ++i) g.ranks[i] = m->side[0].ranks[ranks[i]];
  MPI_Comm made = MPI_COMM_NULL;
  if (m->comm != MPI_COMM_NULL) {
    MPI_Group all, part;
    MPI_Comm_group(m->comm, &all);
    MPI_Group_incl(all, g.count, ranks, &part);
    if (!alone)
      MPI_Comm_create(m->comm, part, &made);
    else if (place_in(&g, rank) >= 0)
      MPI_Comm_create_group(m->comm, part, 5, &made);
    MPI_Group_free(&all);
    MPI_Group_free(&part);
  }
  open_room(made, 0, &g, &no_ranks);
}

/* Two halves meet, led by any of them. */
static void face_room(const struct room* m) {
  const int id = draw(1 << 20);
  const struct group* all = &m->side[0];
  struct group sides[2] = {{0}, {0}};
  if (all->count < 2) return;
  for (int i = 0; i < all->count; ++i) {
    struct group* side = &sides[i < 2 ? i : (int)(word_of(id, i, 0, 0) % 2)];
    side->ranks[side->count++] = all->ranks[i];
  }
  MPI_Comm made = MPI_COMM_NULL, half;
  if (m->comm != MPI_COMM_NULL) {
    const int s = place_in(&sides[1], rank) >= 0;
    const int leaders[2] = {id % sides[0].count, id % sides[1].count};
    MPI_Comm_split(m->comm, s, 0, &half);
    MPI_Intercomm_create(half, leaders[s], m->comm, place_in(all, sides[!s].ranks[leaders[!s]]), 3, &made);
    MPI_Comm_free(&half);
  }
  open_room(made, 1, &sides[0], &sides[1]);
}

static void merge_room(const struct room* m) {
  const int first = draw(2);
  struct group g = m->side[first];
  for (int i = 0; i < m->side[!first].count; ++i) g.ranks[g.count++] = m->side[!first].ranks[i];
  MPI_Comm made = MPI_COMM_NULL;
  if (m->comm != MPI_COMM_NULL) MPI_Intercomm_merge(m->comm, side_in(m) != first, &made);
  open_room(made, 0, &g, &no_ranks);
}

static void open_rooms(int size) {
  struct group world = {.count = size};
  MPI_Comm all;
  for (int i = 0; i < size; ++i) world.ranks[i] = i;
  room_count = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  open_room(all, 0, &world, &no_ranks);
  for (int tries = 0; tries < 4 * ROOMS && room_count < ROOMS; ++tries) {
    const int kind = draw(6);
    const struct room m = rooms[draw(room_count)];
    if (kind < 2) split_room(&m);
    if (kind == 2) copy_room(&m);
    if (kind == 3 && !m.inter) select_room(&m);
    if (kind == 4 && !m.inter) face_room(&m);
    if (kind == 5 && m.inter) merge_room(&m);
  }
}

static void close_rooms(void) {
  for (int i = 0; i < room_count; ++i)
    if (rooms[i].comm != MPI_COMM_NULL) MPI_Comm_free(&rooms[i].comm);
}

#endif
