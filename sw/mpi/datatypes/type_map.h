/* Type maps: which bytes of memory a datatype picks, in the order in which they are sent. A map is kept as the program
 * made it, as parts that repeat and whose copies have maps themselves; so it takes as much memory and time to make as
 * the constructor's call has arguments, whatever the number of blocks. */
#ifndef SANVP_MPI_TYPE_MAP_H
#define SANVP_MPI_TYPE_MAP_H

#include <stddef.h>

/* The representation of an element in "external32" (MPI-2, 9.5.2): big-endian, unless said otherwise. */
enum mpi_external {
  MPI_EXTERNAL_SAME,
  MPI_EXTERNAL_COMPLEX,       /* of two halves */
  MPI_EXTERNAL_LONG,          /* in 4 bytes */
  MPI_EXTERNAL_UNSIGNED_LONG, /* in 4 bytes */
  MPI_EXTERNAL_WCHAR,         /* in 2 bytes */
  MPI_EXTERNAL_LONG_DOUBLE,   /* as IEEE's of 16 bytes */
  MPI_EXTERNAL_LONG_DOUBLE_COMPLEX
};

#define MPI_QUAD_BYTES 16u /* of a long double in external32 */
#define MPI_EXTERNAL_BYTES(element, form)                                                    \
  ((form) <= MPI_EXTERNAL_COMPLEX                                        ? (size_t)(element) \
   : (form) == MPI_EXTERNAL_LONG || (form) == MPI_EXTERNAL_UNSIGNED_LONG ? (size_t)4         \
   : (form) == MPI_EXTERNAL_WCHAR                                        ? (size_t)2         \
   : (form) == MPI_EXTERNAL_LONG_DOUBLE                                  ? MPI_QUAD_BYTES    \
                                                                         : 2 * MPI_QUAD_BYTES)

/* Consecutive basic elements. */
struct mpi_run {
  ptrdiff_t offset; /* of the first element, in bytes */
  size_t count;
  unsigned element; /* bytes of each */
  enum mpi_external external;
};

/* What is known of a map without a walk through it. Sizes are SIZE_MAX where they are more. */
struct mpi_shape {
  size_t bytes, external_bytes, elements, runs;
  ptrdiff_t low, high;   /* its bytes are in [low, high) */
  ptrdiff_t first, last; /* displacements of the first and the last element */
  unsigned element;      /* bytes of each element; 0: they differ, or it has no element */
  enum mpi_external external;
  int consecutive; /* the bytes follow each other, in order */
  int sorted;      /* displacements never decrease */
  int disjoint;    /* sorted, and no byte is picked twice */
};

/* Copies of a run, or of a map. */
struct mpi_part {
  size_t before;    /* bytes of data in the parts before */
  ptrdiff_t offset; /* of the first copy */
  size_t times;
  ptrdiff_t apart;        /* from one copy to the next */
  size_t bytes, elements; /* of data in a copy */
  struct mpi_map* map;    /* null: a run of elements */
  unsigned element;
  enum mpi_external external;
};

struct mpi_map {
  unsigned references;
  struct mpi_shape shape;
  size_t count;
  struct mpi_part* parts;
};

/* Space for `count` parts. Null: no memory. */
struct mpi_map* mpi_map_new(size_t count);
/* Appends `times` blocks of `count` copies of a map. Merges what is adjacent. Returns 0 if memory does not suffice. */
int mpi_map_append(struct mpi_map* to, ptrdiff_t offset, size_t times, ptrdiff_t apart, size_t count, ptrdiff_t extent,
                   struct mpi_map* map);
/* It has all its parts: finds its shape. */
void mpi_map_end(struct mpi_map* map);
/* Gives back the space of parts that were merged. Returns where the map is now. */
struct mpi_map* mpi_map_fitting(struct mpi_map* map);
struct mpi_map* mpi_map_hold(struct mpi_map* map);
void mpi_map_release(struct mpi_map* map);

/* The run with a byte of the data, and how many of its bytes precede that one. */
struct mpi_run mpi_map_run(const struct mpi_map* map, size_t position, size_t* inside);
/* For sorted maps with data: the last run that begins at or before an offset, or else the first one; and how many bytes
 * of data precede it. */
struct mpi_run mpi_map_run_below(const struct mpi_map* map, ptrdiff_t offset, size_t* before);

/* SIZE_MAX where they are more. */
size_t mpi_bytes_at_most(size_t count, size_t bytes);

#endif
