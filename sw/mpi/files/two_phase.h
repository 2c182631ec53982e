/* Collective accesses in two phases. */
#ifndef SANVP_MPI_TWO_PHASE_H
#define SANVP_MPI_TWO_PHASE_H

#include "sw/mpi/files/file.h"

struct mpi_range { /* of the file */
  uint64_t begin, end;
};

/* Which rank accesses which part of the file: aggregator i has [begin + i * part, begin + (i + 1) * part), and takes
 * `buffer` bytes of it in each round. */
struct mpi_plan {
  MPI_File file;
  struct mpi_range* ranges; /* [ranks]: around what each of them accesses */
  int count;
  int* aggregators; /* [count]: ranks */
  struct mpi_range all;
  uint64_t part, buffer, rounds;
};

struct mpi_range mpi_plan_window(const struct mpi_plan* plan, int aggregator, uint64_t round);
int mpi_ranges_meet(struct mpi_range one, struct mpi_range other);

/* A process's spans in a window. To be freed: `spans`, `places`. */
struct mpi_clipped {
  struct hal_file_span* spans;
  uint64_t* places; /* of each span's data in the process's buffer. For a write, one follows the other */
  size_t count;
  uint64_t bytes;
};
void mpi_clip(const struct mpi_spans* spans, struct mpi_range window, struct mpi_clipped* to);

/* Return an errno. `moved` counts the bytes before the file's end. */
int mpi_write_round(const struct mpi_plan* plan, uint64_t round, const struct mpi_spans* spans, const char* data);
int mpi_read_round(const struct mpi_plan* plan, uint64_t round, const struct mpi_spans* spans, char* data,
                   uint64_t* moved);

#endif
