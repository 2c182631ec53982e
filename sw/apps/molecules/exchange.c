/* See molecules.h. Axis by axis, so that atoms for a diagonal neighbour pass through a common one. */
#include <string.h>

#include "sw/apps/molecules/molecules.h"
#include "sw/hal/hal.h"

/* The change of an atom's coordinate when it goes this way: around the box, at its end. */
static double wrap(const struct box* box, int axis, int above) {
  if (!above && box->at[axis] == 0) return box->length[axis];
  return above && box->at[axis] == box->parts[axis] - 1 ? -box->length[axis] : 0;
}

/* Sends the first half of the buffer that way, fills the second from the other one. Returns the numbers received. */
static size_t pass_on(const struct box* box, const struct atoms* atoms, int axis, int above, size_t count) {
  MPI_Status status;
  int received;
  const int to = box->neighbours[2 * axis + above], from = box->neighbours[2 * axis + !above];
  const size_t half = atoms->room * RECORD;
  MPI_Sendrecv(atoms->buffer, (int)count, MPI_DOUBLE, to, axis, atoms->buffer + half, (int)half, MPI_DOUBLE, from, axis,
               box->comm, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &received);
  return (size_t)received;
}

static void need_room(const struct atoms* atoms, size_t more) {
  if (atoms->all + more > atoms->room) hal_abort("md: more atoms come to one rank than it has room for");
}

static void pack(const struct atoms* atoms, size_t i, double* to) {
  memcpy(to, atoms->place[i], sizeof atoms->place[i]);
  memcpy(to + AXES, atoms->speed[i], sizeof atoms->speed[i]);
  to[2 * AXES] = atoms->number[i];
}

static void unpack(struct atoms* atoms, size_t i, const double* from) {
  memcpy(atoms->place[i], from, sizeof atoms->place[i]);
  memcpy(atoms->speed[i], from + AXES, sizeof atoms->speed[i]);
  atoms->number[i] = from[2 * AXES];
}

static void migrate(const struct box* box, struct atoms* atoms, int axis, int above) {
  const double shift = wrap(box, axis, above);
  double* out = atoms->buffer;
  for (size_t i = 0; i < atoms->own;) {
    const double place = atoms->place[i][axis];
    if (above ? place < box->high[axis] : place >= box->low[axis]) {
      ++i;
      continue;
    }
    pack(atoms, i, out);
    out[axis] += shift;
    out += RECORD;
    double last[RECORD]; /* takes its place */
    pack(atoms, --atoms->own, last);
    unpack(atoms, i, last);
  }
  atoms->all = atoms->own;
  const size_t come = pass_on(box, atoms, axis, above, (size_t)(out - atoms->buffer)) / RECORD;
  need_room(atoms, come);
  const double* in = atoms->buffer + atoms->room * RECORD;
  for (size_t i = 0; i < come; ++i, in += RECORD) unpack(atoms, atoms->own++, in);
  atoms->all = atoms->own;
}

void molecules_migrate(const struct box* box, struct atoms* atoms) {
  for (int axis = 0; axis < AXES; ++axis)
    for (int above = 0; above < 2; ++above) migrate(box, atoms, axis, above);
}

/* @param count  atoms to choose from: those that this axis has not brought */
static void copy_ghosts(const struct box* box, struct atoms* atoms, int axis, int above, size_t count) {
  const double shift = wrap(box, axis, above), low = box->low[axis] + CUTOFF, high = box->high[axis] - CUTOFF;
  double* out = atoms->buffer;
  for (size_t i = 0; i < count; ++i) {
    const double* place = atoms->place[i];
    if (above ? place[axis] < high : place[axis] >= low) continue;
    memcpy(out, place, AXES * sizeof *out);
    out[axis] += shift;
    out += AXES;
  }
  const size_t come = pass_on(box, atoms, axis, above, (size_t)(out - atoms->buffer)) / AXES;
  need_room(atoms, come);
  memcpy(atoms->place[atoms->all], atoms->buffer + atoms->room * RECORD, come * sizeof *atoms->place);
  atoms->all += come;
}

void molecules_copy_ghosts(const struct box* box, struct atoms* atoms) {
  atoms->all = atoms->own;
  for (int axis = 0; axis < AXES; ++axis) {
    const size_t count = atoms->all;
    for (int above = 0; above < 2; ++above) copy_ghosts(box, atoms, axis, above, count);
  }
}
