/* What every object behind a handle begins with. */
#ifndef SANVP_MPI_OBJECT_H
#define SANVP_MPI_OBJECT_H

/* Every object begins with this. A freed object's memory is kept for the next one, so that stale handles are detected.
 */
struct mpi_object {
  unsigned references; /* 0: freed */
};

#endif
