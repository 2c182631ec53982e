/* Handles as Fortran sees them. */
#ifndef SANVP_MPI_FORTRAN_HANDLES_H
#define SANVP_MPI_FORTRAN_HANDLES_H

enum mpi_fortran_kind {
  MPI_FORTRAN_COMM,
  MPI_FORTRAN_GROUP,
  MPI_FORTRAN_TYPE,
  MPI_FORTRAN_OP,
  MPI_FORTRAN_REQUEST,
  MPI_FORTRAN_ERRHANDLER,
  MPI_FORTRAN_INFO,
  MPI_FORTRAN_MESSAGE,
  MPI_FORTRAN_FILE,
  MPI_FORTRAN_WIN
};

struct mpi_fortran_handle {
  enum mpi_fortran_kind kind;
  void* at;
};

/* The predefined ones, numbered from 1 on, ended by a null pointer; made from mpi_types.h (scripts/fortran). */
extern const struct mpi_fortran_handle mpi_fortran_predefined[];

#endif
