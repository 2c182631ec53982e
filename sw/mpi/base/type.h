/* The object behind MPI_Datatype. */
#ifndef SANVP_MPI_TYPE_H
#define SANVP_MPI_TYPE_H

#include "sw/mpi/mpi_types.h"

/* Element types that operations distinguish. */
enum mpi_kind {
  MPI_KIND_NONE, /* not predefined */
  MPI_KIND_I8,
  MPI_KIND_U8,
  MPI_KIND_I16,
  MPI_KIND_U16,
  MPI_KIND_I32,
  MPI_KIND_U32,
  MPI_KIND_I64,
  MPI_KIND_U64,
  MPI_KIND_BYTE,
  MPI_KIND_BOOL,
  MPI_KIND_FLOAT,
  MPI_KIND_DOUBLE,
  MPI_KIND_LONG_DOUBLE,
  MPI_KIND_FLOAT_COMPLEX,
  MPI_KIND_DOUBLE_COMPLEX,
  MPI_KIND_LONG_DOUBLE_COMPLEX,
  MPI_KIND_FLOAT_INT,
  MPI_KIND_DOUBLE_INT,
  MPI_KIND_LONG_INT,
  MPI_KIND_2INT,
  MPI_KIND_SHORT_INT,
  MPI_KIND_LONG_DOUBLE_INT,
  MPI_KIND_2FLOAT,
  MPI_KIND_2DOUBLE
};

struct MPI_datatype_ {
  unsigned references; /* 0: freed (struct mpi_object) */
  size_t bytes;        /* of data in one; SIZE_MAX: more than an address space holds */
  enum mpi_kind kind;
  ptrdiff_t lower, extent;           /* extent: from one element to the next */
  ptrdiff_t true_lower, true_extent; /* of the data alone */
  int dense;                         /* elements follow each other without gaps, in order, from byte 0 */
  int committed, predefined;
  int sticky_lower, sticky_upper; /* bounds set by MPI_LB, MPI_UB, MPI_Type_create_resized */
  size_t align;                   /* the strictest of its elements */
  struct mpi_map* map;            /* which bytes it picks */
  MPI_Datatype basic;             /* the predefined type of all elements; null: they differ, or it has no element */
  struct mpi_attribute* attributes;
  struct mpi_type_contents* contents; /* how the program made it (type_contents.h); null: it is predefined */
  struct MPI_datatype_* next;         /* among the free ones */
  char name[MPI_MAX_OBJECT_NAME];
};

static inline int mpi_is_dense(MPI_Datatype type) { return type->dense; }
static inline ptrdiff_t mpi_extent(MPI_Datatype type) { return type->extent; }
static inline ptrdiff_t mpi_true_lower(MPI_Datatype type) { return type->true_lower; }
static inline ptrdiff_t mpi_true_extent(MPI_Datatype type) { return type->true_extent; }

#endif
