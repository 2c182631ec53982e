/* The layout of a type's data in memory. */
#ifndef SANVP_MPI_LAYOUT_H
#define SANVP_MPI_LAYOUT_H

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

/* Consecutive basic elements. */
struct mpi_run {
  ptrdiff_t offset; /* of the first element, in bytes */
  size_t count;
  unsigned element; /* bytes of each */
  enum mpi_external external;
};

struct MPI_datatype_ {
  unsigned references; /* 0: freed (struct mpi_object) */
  size_t bytes;        /* of data in one; SIZE_MAX: more than an address space holds */
  enum mpi_kind kind;
  ptrdiff_t lower, extent;           /* extent: from one element to the next */
  ptrdiff_t true_lower, true_extent; /* of the data alone */
  int dense;                         /* elements follow each other without gaps, in order, from byte 0 */
  int committed, predefined;
  int no_walk;                    /* packing takes no walk through `runs`: dense, or copies */
  int sticky_lower, sticky_upper; /* bounds set by MPI_LB, MPI_UB, MPI_Type_create_resized */
  size_t align;                   /* the strictest of its elements */
  size_t runs_count;
  struct mpi_run* runs; /* in the order in which data are sent */
  struct mpi_attribute* attributes;
  struct mpi_type_contents* contents; /* how the program made it (type_contents.h); null: it is predefined */
  char name[MPI_MAX_OBJECT_NAME];
};

/* Very many copies of a few runs, stored once: what `runs` points to where runs_count is 0 and there are data. */
struct mpi_copies {
  size_t times, count;
  ptrdiff_t apart; /* bytes from one copy to the next */
  struct mpi_run runs[];
};
static inline const struct mpi_copies* mpi_copies_of(MPI_Datatype type) {
  return type->runs_count == 0 && type->bytes > 0 ? (const struct mpi_copies*)type->runs : NULL;
}
static inline size_t mpi_runs_of(MPI_Datatype type) {
  const struct mpi_copies* copies = mpi_copies_of(type);
  return copies ? copies->times * copies->count : type->runs_count;
}
static inline struct mpi_run mpi_run_at(MPI_Datatype type, size_t index) {
  const struct mpi_copies* copies = mpi_copies_of(type);
  if (!copies) return type->runs[index];
  struct mpi_run run = copies->runs[index % copies->count];
  run.offset += (ptrdiff_t)(index / copies->count) * copies->apart;
  return run;
}

static inline int mpi_is_dense(MPI_Datatype type) { return type->dense; }
static inline ptrdiff_t mpi_extent(MPI_Datatype type) { return type->extent; }
static inline ptrdiff_t mpi_true_lower(MPI_Datatype type) { return type->true_lower; }
static inline ptrdiff_t mpi_true_extent(MPI_Datatype type) { return type->true_extent; }

/* SIZE_MAX where they are more. */
size_t mpi_bytes_at_most(size_t count, size_t bytes);
/* `count` elements to and from bytes without gaps. They take no simulated time. */
void mpi_pack(const void* from, size_t count, MPI_Datatype type, void* to);
void mpi_unpack(const void* from, void* to, size_t count, MPI_Datatype type);
/* The same of copies. */
void mpi_pack_copies(const char* from, size_t count, MPI_Datatype type, char* to);
/* Into one element: its first bytes, at most all. Returns how many. */
size_t mpi_unpack_copies(MPI_Datatype type, char* element, const char* from, size_t bytes);
/* Basic elements in the first `bytes` bytes of data; SIZE_MAX: the last of them is incomplete. And the inverse. */
size_t mpi_elements_in(MPI_Datatype type, size_t bytes);
size_t mpi_bytes_of(MPI_Datatype type, size_t elements);
/* The first `bytes` bytes: perhaps fewer elements than `count`, and the last one perhaps incomplete. */
void mpi_unpack_bytes(const void* from, size_t bytes, void* to, MPI_Datatype type);

#endif
