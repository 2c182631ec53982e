/* Recursive halving and doubling, among the largest power of two of ranks. In each of the first `extra` pairs of ranks,
 * the odd rank first combines the even one's elements with its own; it represents both, so the order of ranks is kept.
 */
#include "sw/mpi/collectives/collective.h"

static void join(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector, struct mpi_team* team,
                 char* other) {
  *team = (struct mpi_team){.size = 1};
  while (2 * team->size <= comm->size) team->size *= 2;
  team->extra = comm->size - team->size;
  team->self = comm->rank - team->extra;
  if (comm->rank >= 2 * team->extra) return;
  team->self = comm->rank % 2 == 0 ? -1 : comm->rank / 2;
  if (team->self < 0) {
    mpi_add_send(schedule, comm->rank + 1, vector->own, vector->bytes);
    return;
  }
  mpi_add_receive(schedule, comm->rank - 1, other, vector->bytes);
  mpi_add_round(schedule);
  mpi_add_combine(schedule, other, vector->own, vector->count);
}

int mpi_team_rank(const struct mpi_team* team, int member) {
  return member < team->extra ? 2 * member + 1 : member + team->extra;
}

static size_t elements_before(const struct mpi_team* team, const struct mpi_vector* vector, int member) {
  return vector->count * (size_t)member / (size_t)team->size;
}

size_t mpi_team_cut(const struct mpi_team* team, const struct mpi_vector* vector, int member) {
  return elements_before(team, vector, member) * vector->stride;
}

/* Sends the result to the ranks that are not in the team. */
static void tell_others(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector,
                        const struct mpi_team* team, const char* result) {
  if (comm->rank >= 2 * team->extra) return;
  mpi_add_round(schedule);
  if (team->self < 0)
    mpi_add_receive(schedule, comm->rank + 1, vector->own, vector->bytes);
  else
    mpi_add_send(schedule, comm->rank - 1, result, vector->bytes);
}

/* In the round of a bit, each member has the combination of its block of ranks, and combines it with the neighbour
 * block's. Both members of a pair combine in the order of their ranks, so all get the same bits. */
void mpi_add_recursive_doubling(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector) {
  struct mpi_team team;
  char *have = vector->own, *other = mpi_vector_room(schedule, vector);
  join(schedule, comm, vector, &team, other);
  for (int bit = 1; team.self >= 0 && bit < team.size; bit *= 2) {
    const int there = team.self ^ bit, peer = mpi_team_rank(&team, there);
    mpi_add_receive(schedule, peer, other, vector->bytes);
    mpi_add_send(schedule, peer, have, vector->bytes);
    mpi_add_round(schedule);
    if (there < team.self) {
      mpi_add_combine(schedule, other, have, vector->count);
    } else {
      mpi_add_combine(schedule, have, other, vector->count);
      char* const both = other;
      other = have;
      have = both;
    }
  }
  tell_others(schedule, comm, vector, &team, have);
  mpi_add_copy(schedule, have, vector->own, vector->bytes);
}

/* Slices of members [low, high): in each round half of them goes to the partner, which sends its part of the others. */
void mpi_add_halving(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, struct mpi_team* team) {
  char* const other = mpi_vector_room(schedule, vector);
  join(schedule, comm, vector, team, other);
  int low = 0, high = team->size;
  for (int bit = team->size / 2; team->self >= 0 && bit > 0; bit /= 2) {
    const int peer = mpi_team_rank(team, team->self ^ bit), upper = team->self & bit;
    const int keep_low = upper ? low + bit : low, keep_high = upper ? high : low + bit;
    const int give_low = upper ? low : low + bit, give_high = upper ? low + bit : high;
    const size_t keep = mpi_team_cut(team, vector, keep_low), kept = mpi_team_cut(team, vector, keep_high) - keep;
    const size_t give = mpi_team_cut(team, vector, give_low), given = mpi_team_cut(team, vector, give_high) - give;
    mpi_add_receive(schedule, peer, other + keep, kept);
    mpi_add_send(schedule, peer, vector->own + give, given);
    mpi_add_round(schedule);
    const size_t elements = elements_before(team, vector, keep_high) - elements_before(team, vector, keep_low);
    mpi_add_combine(schedule, other + keep, vector->own + keep, elements);
    low = keep_low;
    high = keep_high;
  }
}

/* Each member has a slice of the result; in the round of a bit it has those of its block, and gets the neighbour
 * block's. */
void mpi_add_doubling(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector,
                      const struct mpi_team* team) {
  for (int bit = 1; team->self >= 0 && bit < team->size; bit *= 2) {
    const int there = team->self ^ bit, peer = mpi_team_rank(team, there);
    const int mine_low = team->self & -bit, their_low = there & -bit;
    const size_t mine = mpi_team_cut(team, vector, mine_low), theirs = mpi_team_cut(team, vector, their_low);
    mpi_add_receive(schedule, peer, vector->own + theirs, mpi_team_cut(team, vector, their_low + bit) - theirs);
    mpi_add_send(schedule, peer, vector->own + mine, mpi_team_cut(team, vector, mine_low + bit) - mine);
    mpi_add_round(schedule);
  }
  tell_others(schedule, comm, vector, team, vector->own);
}
