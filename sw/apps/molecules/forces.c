/* See molecules.h. Atoms are sorted into cells that are not narrower than the cutoff, with a shell of cells for ghosts;
 * each pair of neighbouring cells is gone through once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/molecules/molecules.h"
#include "sw/hal/hal.h"

#define NONE (-1)
#define FORWARD 13 /* of a cell's 26 neighbours: each pair of cells has one that is the other's */

struct cells {
  int count[AXES]; /* without the shell */
  double width[AXES];
  int *first, *next; /* by cell, by atom: a list's */
};

static const int forward[FORWARD][AXES] = {{1, 0, 0},  {0, 1, 0},  {1, 1, 0},  {-1, 1, 0}, {0, 0, 1},
                                           {1, 0, 1},  {-1, 0, 1}, {0, 1, 1},  {1, 1, 1},  {-1, 1, 1},
                                           {0, -1, 1}, {1, -1, 1}, {-1, -1, 1}};

static size_t cell_at(const struct cells* cells, int x, int y, int z) {
  return (size_t)((z * (cells->count[1] + 2) + y) * (cells->count[0] + 2) + x);
}

static int along(const struct box* box, const struct cells* cells, const double* place, int axis) {
  const int at = (int)floor((place[axis] - box->low[axis]) / cells->width[axis]) + 1, last = cells->count[axis] + 1;
  return at < 0 ? 0 : at > last ? last : at;
}

static struct cells sort(const struct box* box, const struct atoms* atoms) {
  struct cells cells;
  size_t all = 1;
  for (int axis = 0; axis < AXES; ++axis) {
    const double length = box->high[axis] - box->low[axis];
    cells.count[axis] = (int)(length / CUTOFF);
    cells.width[axis] = length / cells.count[axis];
    all *= (size_t)cells.count[axis] + 2;
  }
  cells.first = malloc(all * sizeof *cells.first);
  cells.next = malloc((atoms->all + 1) * sizeof *cells.next);
  if (!cells.first || !cells.next) hal_abort("md: the node's memory is full; give --edge or --all less");
  for (size_t i = 0; i < all; ++i) cells.first[i] = NONE;
  for (size_t i = 0; i < atoms->all; ++i) {
    const double* place = atoms->place[i];
    const size_t cell =
        cell_at(&cells, along(box, &cells, place, 0), along(box, &cells, place, 1), along(box, &cells, place, 2));
    cells.next[i] = cells.first[cell];
    cells.first[cell] = (int)i;
  }
  return cells;
}

/* Forces between atom i and those of a list. Returns this rank's share of their energy: half of it with a ghost. */
static double with_list(struct atoms* atoms, const int* next, size_t i, int first) {
  const double at_cutoff = 1 / (CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF);
  const double lost = 4 * at_cutoff * (at_cutoff - 1);
  const double x = atoms->place[i][0], y = atoms->place[i][1], z = atoms->place[i][2];
  double energy = 0, fx = 0, fy = 0, fz = 0;
  for (int j = first; j != NONE; j = next[j]) {
    const double dx = x - atoms->place[j][0], dy = y - atoms->place[j][1], dz = z - atoms->place[j][2];
    const double square = dx * dx + dy * dy + dz * dz;
    if (square >= CUTOFF * CUTOFF) continue;
    const int ghosts = (i >= atoms->own) + ((size_t)j >= atoms->own);
    if (ghosts == 2) continue;
    const double inverse = 1 / square, sixth = inverse * inverse * inverse;
    const double force = 48 * sixth * (sixth - 0.5) * inverse;
    energy += (ghosts ? 0.5 : 1) * (4 * sixth * (sixth - 1) - lost);
    fx += force * dx;
    fy += force * dy;
    fz += force * dz;
    atoms->force[j][0] -= force * dx;
    atoms->force[j][1] -= force * dy;
    atoms->force[j][2] -= force * dz;
  }
  atoms->force[i][0] += fx;
  atoms->force[i][1] += fy;
  atoms->force[i][2] += fz;
  return energy;
}

static int in_shell(const struct cells* cells, const int at[AXES]) {
  for (int axis = 0; axis < AXES; ++axis)
    if (at[axis] == 0 || at[axis] == cells->count[axis] + 1) return 1;
  return 0;
}

static int exists(const struct cells* cells, const int at[AXES]) {
  for (int axis = 0; axis < AXES; ++axis)
    if (at[axis] < 0 || at[axis] > cells->count[axis] + 1) return 0;
  return 1;
}

static double around_cell(struct atoms* atoms, const struct cells* cells, const int at[AXES]) {
  double energy = 0;
  const int first = cells->first[cell_at(cells, at[0], at[1], at[2])], is_shell = in_shell(cells, at);
  for (int i = first; i != NONE && !is_shell; i = cells->next[i])
    energy += with_list(atoms, cells->next, (size_t)i, cells->next[i]);
  for (int n = 0; n < FORWARD; ++n) {
    const int to[AXES] = {at[0] + forward[n][0], at[1] + forward[n][1], at[2] + forward[n][2]};
    if (!exists(cells, to) || (is_shell && in_shell(cells, to))) continue;
    const int others = cells->first[cell_at(cells, to[0], to[1], to[2])];
    for (int i = first; i != NONE; i = cells->next[i]) energy += with_list(atoms, cells->next, (size_t)i, others);
  }
  return energy;
}

double molecules_forces(const struct box* box, struct atoms* atoms) {
  const struct cells cells = sort(box, atoms);
  memset(atoms->force, 0, atoms->all * sizeof *atoms->force);
  double energy = 0;
  for (int z = 0; z <= cells.count[2] + 1; ++z)
    for (int y = 0; y <= cells.count[1] + 1; ++y)
      for (int x = 0; x <= cells.count[0] + 1; ++x) energy += around_cell(atoms, &cells, (int[AXES]){x, y, z});
  free(cells.first);
  free(cells.next);
  return energy;
}
