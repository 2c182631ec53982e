/* What objects of the library look like in a process's memory, for the checker in the simulator (platform/mpi_check),
 * which reads them there: numbers are offsets in bytes. */
#ifndef SANVP_ABI_MPI_LAYOUT_H
#define SANVP_ABI_MPI_LAYOUT_H

/* NOLINTBEGIN(modernize-deprecated-headers): C */
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers) */

/* `what` of a hal_checked_call, besides those of hal.h. MPI_CHECK_COPY: the buffer at address `arguments` is the
 * library's copy of the program's from now on (`count` is 1), or no longer (0). */
/* MPI_CHECK_ALGORITHMS, of a call that has just begun: hal_check returns whether the algorithms of collective
 * operations are those of settings that came during the run. */
enum { MPI_CHECK_COPY = 100, MPI_CHECK_ALGORITHMS };

struct mpi_check_layout {
  uint64_t bytes;       /* of this struct: both sides have the same */
  uint64_t world, self; /* addresses of predefined objects */
  uint32_t references;  /* of any object: uint32_t, 0 where it has been freed */
  uint32_t comm_context, comm_rank, comm_size, comm_processes, comm_local;
  uint32_t group_size, group_processes;
  uint32_t type_bytes, type_lower, type_extent, type_dense, type_committed, type_predefined, type_name;
  uint32_t type_map, type_contents;
  uint32_t map_runs, map_count, map_parts;
  uint32_t part_offset, part_times, part_apart, part_data, part_map, part_bytes; /* part_bytes: of one part's struct */
  uint32_t contents_combiner, contents_integers_count, contents_integers, contents_types_count, contents_types;
  uint32_t request_active, request_from, request_tag, request_got_bytes;
  uint32_t op_name, op_user;
  uint32_t window_comm;
};

#endif
