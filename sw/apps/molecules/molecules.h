/* Molecular dynamics of Lennard-Jones atoms in a periodic box that is split among ranks in space. Units are reduced:
 * sigma, epsilon and the atom's mass are 1. */
#ifndef SANVP_APPS_MOLECULES_H
#define SANVP_APPS_MOLECULES_H

#include <stddef.h>

#include "sw/mpi/mpi.h"

#define AXES 3
#define CUTOFF 2.5 /* atoms further apart than this do not interact */

struct box {
  MPI_Comm comm;
  int ranks, rank, neighbours[2 * AXES]; /* below and above, by axis */
  int parts[AXES], at[AXES];             /* of the grid of ranks; this rank's place in it */
  double length[AXES], low[AXES], high[AXES];
};

/* First a rank's own, behind them copies of its neighbours' that are near: ghosts. */
struct atoms {
  size_t own, all, room;
  double (*place)[AXES], (*speed)[AXES], (*force)[AXES];
  double* number; /* an atom's name; ghosts' are unset */
  double* buffer; /* for messages, [2 * room * RECORD] */
};

#define RECORD (2 * AXES + 1) /* place, speed, number: what a message holds of an atom that changes its rank */

/* exchange.c: atoms that have left a rank's part go to its neighbours; ghosts are replaced. */
void molecules_migrate(const struct box* box, struct atoms* atoms);
void molecules_copy_ghosts(const struct box* box, struct atoms* atoms);
/* forces.c: on all own atoms. Returns this rank's share of the potential energy, which is 0 at the cutoff. */
double molecules_forces(const struct box* box, struct atoms* atoms);

#endif
