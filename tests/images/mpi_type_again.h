/* A datatype made once more from what MPI_Type_get_contents says of it. */
#ifndef SANVP_MPI_TYPE_AGAIN_H
#define SANVP_MPI_TYPE_AGAIN_H

#include "tests/images/mpi_check.h"

static MPI_Datatype again(MPI_Datatype type) {
  int integers[64], count_i, count_a, count_t, combiner;
  MPI_Aint addresses[64];
  MPI_Datatype types[16], made = MPI_DATATYPE_NULL;
  EXPECT(MPI_Type_get_envelope(type, &count_i, &count_a, &count_t, &combiner) == MPI_SUCCESS);
  if (combiner == MPI_COMBINER_NAMED) return type;
  EXPECT(MPI_Type_get_contents(type, count_i, count_a, count_t, integers, addresses, types) == MPI_SUCCESS);
  const int n = integers[0], *at = NULL;
  switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS:
      MPI_Type_contiguous(n, types[0], &made);
      break;
    case MPI_COMBINER_VECTOR:
      MPI_Type_vector(n, integers[1], integers[2], types[0], &made);
      break;
    case MPI_COMBINER_HVECTOR:
      MPI_Type_create_hvector(n, integers[1], addresses[0], types[0], &made);
      break;
    case MPI_COMBINER_INDEXED:
      MPI_Type_indexed(n, integers + 1, integers + 1 + n, types[0], &made);
      break;
    case MPI_COMBINER_HINDEXED:
      MPI_Type_create_hindexed(n, integers + 1, addresses, types[0], &made);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      MPI_Type_create_indexed_block(n, integers[1], integers + 2, types[0], &made);
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      MPI_Type_create_hindexed_block(n, integers[1], addresses, types[0], &made);
      break;
    case MPI_COMBINER_STRUCT:
      MPI_Type_create_struct(n, integers + 1, addresses, types, &made);
      break;
    case MPI_COMBINER_SUBARRAY:
      MPI_Type_create_subarray(n, integers + 1, integers + 1 + n, integers + 1 + 2 * n, integers[1 + 3 * n], types[0],
                               &made);
      break;
    case MPI_COMBINER_DARRAY: /* n: the number of processes */
      at = integers + 3;
      MPI_Type_create_darray(n, integers[1], integers[2], at, at + integers[2], at + 2 * integers[2],
                             at + 3 * integers[2], at[4 * integers[2]], types[0], &made);
      break;
    case MPI_COMBINER_RESIZED:
      MPI_Type_create_resized(types[0], addresses[0], addresses[1], &made);
      break;
    case MPI_COMBINER_DUP:
      MPI_Type_dup(types[0], &made);
      break;
    default:
      EXPECT(0);
  }
  for (int i = 0; i < count_t; ++i) { /* each is a new handle, unless it is predefined */
    int a, b, c, kind;
    MPI_Type_get_envelope(types[i], &a, &b, &c, &kind);
    if (kind != MPI_COMBINER_NAMED) MPI_Type_free(&types[i]);
  }
  return made;
}

#endif
