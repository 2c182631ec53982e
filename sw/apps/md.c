/* Molecular dynamics: Lennard-Jones atoms melt from a crystal. Space is split among ranks; in each step atoms that have
 * left a rank's part migrate, copies of those near its surface go to the neighbours, forces are computed cell by cell,
 * and all ranks add up the energy, which must be conserved; so must the atoms. Weak scaling: --edge; strong: --all.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/apps/molecules/molecules.h"
#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define DENSITY 0.8442 /* a liquid near its triple point */
#define TEMPERATURE 1.44
#define TIME_STEP 0.004
#define ATOMS_CELL 4 /* of the crystal, whose cells are cubes with an atom on each face */

struct times {
  double forces, exchange, reduce;
};

static double cell_edge(void) { return cbrt(ATOMS_CELL / DENSITY); }

/* @param edge  unit cells of the crystal along an edge: of each rank's part, or where `is_all` of the whole box */
static struct box make_box(size_t edge, int is_all) {
  struct box box = {.parts = {0}};
  MPI_Comm_size(MPI_COMM_WORLD, &box.ranks);
  MPI_Dims_create(box.ranks, AXES, box.parts);
  MPI_Cart_create(MPI_COMM_WORLD, AXES, box.parts, (int[AXES]){1, 1, 1}, 0, &box.comm);
  MPI_Comm_rank(box.comm, &box.rank);
  MPI_Cart_coords(box.comm, box.rank, AXES, box.at);
  for (int axis = 0; axis < AXES; ++axis) {
    const int parts = box.parts[axis];
    box.length[axis] = (double)(is_all ? edge : edge * (size_t)parts) * cell_edge();
    box.low[axis] = box.length[axis] * box.at[axis] / parts;
    box.high[axis] = box.length[axis] * (box.at[axis] + 1) / parts;
    if (box.length[axis] / parts < CUTOFF)
      hal_abort("md: a rank's part is narrower than forces reach; give more cells");
    MPI_Cart_shift(box.comm, axis, 1, &box.neighbours[2 * axis], &box.neighbours[2 * axis + 1]);
  }
  return box;
}

static void* room_for(size_t count, size_t bytes) {
  void* room = calloc(count, bytes);
  if (!room) hal_abort("md: the node's memory is full; give --edge or --all less");
  return room;
}

static struct atoms make_room(const struct box* box) {
  double volume = 1;
  for (int axis = 0; axis < AXES; ++axis) volume *= box->high[axis] - box->low[axis] + 2 * CUTOFF;
  struct atoms atoms = {.room = (size_t)(1.5 * DENSITY * volume) + 100};
  atoms.place = room_for(atoms.room, sizeof *atoms.place);
  atoms.speed = room_for(atoms.room, sizeof *atoms.speed);
  atoms.force = room_for(atoms.room, sizeof *atoms.force);
  atoms.number = room_for(atoms.room, sizeof *atoms.number);
  atoms.buffer = room_for(2 * atoms.room, RECORD * sizeof *atoms.buffer);
  return atoms;
}

/* Between -1 and 1, by an atom's number: the same with any number of ranks. */
static double draw(uint64_t seed, uint64_t number) {
  number = (seed + number + 1) * 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 29) * 0xbf58476d1ce4e5b9u;
  return (double)((number ^ number >> 32) >> 11) / (double)(1ull << 52) - 1;
}

/* Adds the atom at so many half cells of the crystal if it belongs to this rank. Offset by a quarter of a half cell, no
 * atom is on the boundary between two ranks. */
static void add_atom(const struct box* box, struct atoms* atoms, const uint64_t half[AXES], uint64_t number,
                     uint64_t seed) {
  double place[AXES];
  for (int axis = 0; axis < AXES; ++axis) {
    place[axis] = ((double)half[axis] + 0.25) * cell_edge() / 2;
    if (place[axis] < box->low[axis] || place[axis] >= box->high[axis]) return;
  }
  const size_t i = atoms->own++;
  for (int axis = 0; axis < AXES; ++axis) {
    atoms->place[i][axis] = place[axis];
    atoms->speed[i][axis] = draw(seed, AXES * number + (uint64_t)axis);
  }
  atoms->number[i] = (double)number;
}

/* Returns the atoms of all ranks. */
static double fill(const struct box* box, struct atoms* atoms) {
  uint64_t count[AXES], number = 0; /* half cells */
  const uint64_t seed = hal_job_seed("speeds");
  for (int axis = 0; axis < AXES; ++axis) count[axis] = 2 * (uint64_t)(box->length[axis] / cell_edge() + 0.5);
  for (uint64_t z = 0; z < count[2]; ++z)
    for (uint64_t y = 0; y < count[1]; ++y)
      for (uint64_t x = 0; x < count[0]; ++x)
        if ((x + y + z) % 2 == 0) add_atom(box, atoms, (uint64_t[AXES]){x, y, z}, number++, seed);
  return (double)number;
}

static double speeds_squared(const struct atoms* atoms) {
  double sum = 0;
  for (size_t i = 0; i < atoms->own; ++i)
    for (int axis = 0; axis < AXES; ++axis) sum += atoms->speed[i][axis] * atoms->speed[i][axis];
  return sum;
}

/* The crystal as a whole rests, and has its temperature. */
static void set_speeds(const struct box* box, struct atoms* atoms, double all) {
  double sums[AXES] = {0}, squares;
  for (size_t i = 0; i < atoms->own; ++i)
    for (int axis = 0; axis < AXES; ++axis) sums[axis] += atoms->speed[i][axis];
  MPI_Allreduce(MPI_IN_PLACE, sums, AXES, MPI_DOUBLE, MPI_SUM, box->comm);
  for (size_t i = 0; i < atoms->own; ++i)
    for (int axis = 0; axis < AXES; ++axis) atoms->speed[i][axis] -= sums[axis] / all;
  squares = speeds_squared(atoms);
  MPI_Allreduce(MPI_IN_PLACE, &squares, 1, MPI_DOUBLE, MPI_SUM, box->comm);
  const double factor = sqrt(AXES * all * TEMPERATURE / squares);
  for (size_t i = 0; i < atoms->own; ++i)
    for (int axis = 0; axis < AXES; ++axis) atoms->speed[i][axis] *= factor;
}

/* Ghosts, forces, and the energy of all ranks. */
static double look(const struct box* box, struct atoms* atoms, struct times* times) {
  const double start = MPI_Wtime();
  molecules_copy_ghosts(box, atoms);
  const double copied = MPI_Wtime();
  double energy = molecules_forces(box, atoms);
  times->exchange += copied - start;
  times->forces += MPI_Wtime() - copied;
  return energy;
}

static double add_up(const struct box* box, double value, struct times* times) {
  const double start = MPI_Wtime();
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, box->comm);
  times->reduce += MPI_Wtime() - start;
  return value;
}

static void kick(struct atoms* atoms) {
  for (size_t i = 0; i < atoms->own; ++i)
    for (int axis = 0; axis < AXES; ++axis) atoms->speed[i][axis] += TIME_STEP / 2 * atoms->force[i][axis];
}

static void drift(struct atoms* atoms) {
  for (size_t i = 0; i < atoms->own; ++i)
    for (int axis = 0; axis < AXES; ++axis) atoms->place[i][axis] += TIME_STEP * atoms->speed[i][axis];
}

/* Velocity Verlet. Returns the energy of all atoms after it. */
static double step(const struct box* box, struct atoms* atoms, struct times* times) {
  kick(atoms);
  drift(atoms);
  const double start = MPI_Wtime();
  molecules_migrate(box, atoms);
  times->exchange += MPI_Wtime() - start;
  const double energy = look(box, atoms, times);
  kick(atoms);
  return add_up(box, energy + speeds_squared(atoms) / 2, times);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t edge = options_size(&options, "edge", "3", "unit cells (4 atoms) along an edge of each rank's part");
  const size_t all = options_size(&options, "all", "0", "unit cells along an edge of the whole box instead");
  const size_t steps = options_size(&options, "steps", "10", "of time");
  options_check(&options);
  if (steps < 1) hal_abort("md wants --steps of 1 or more");
  MPI_Init(&argc, &argv);
  const struct box box = make_box(all > 0 ? all : edge, all > 0);
  struct atoms atoms = make_room(&box);
  const double count = fill(&box, &atoms);
  set_speeds(&box, &atoms, count);
  struct times times = {0};
  const double potential = add_up(&box, look(&box, &atoms, &times), &times);
  const double before = potential + add_up(&box, speeds_squared(&atoms) / 2, &times);

  double after = before;
  times = (struct times){0};
  MPI_Barrier(box.comm);
  const double start = MPI_Wtime();
  for (size_t i = 0; i < steps; ++i) after = step(&box, &atoms, &times);
  double seconds = MPI_Wtime() - start;

  double sums[2] = {(double)atoms.own, 0}; /* atoms, and their numbers */
  for (size_t i = 0; i < atoms.own; ++i) sums[1] += atoms.number[i];
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, box.comm);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, box.comm);
  MPI_Finalize();
  hal_metric("force_us", times.forces * 1e6 / (double)steps, "us");
  hal_metric("exchange_us", times.exchange * 1e6 / (double)steps, "us");
  hal_metric("reduce_us", times.reduce * 1e6 / (double)steps, "us");
  const int same_atoms = sums[0] == count && sums[1] == count * (count - 1) / 2;
  const int same_energy = fabs(after - before) / count < 1e-3;
  if (box.rank == 0) {
    const double step_us = seconds * 1e6 / (double)steps, rate = count / step_us * 1e6;
    printf("md: %d ranks, %.0f atoms, %zu steps, step_us %.3f, atom-steps/s %.0f\n", box.ranks, count, steps, step_us,
           rate);
    printf("an atom's energy: potential %.7f in the crystal, total %.7f before, %.7f after\n", potential / count,
           before / count, after / count);
    hal_metric("step_us", step_us, "us");
    hal_metric("atom_steps_per_s", rate, "1/s");
    if (!same_atoms) printf("FAIL: %.0f atoms are left of %.0f, or others than those\n", sums[0], count);
    if (!same_energy) printf("FAIL: the energy has not stayed the same\n");
    if (same_atoms && same_energy) printf("PASS\n");
  }
  return same_atoms && same_energy ? 0 : 1;
}
