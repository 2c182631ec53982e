/* What objects of the library look like in a process's memory, for the checker in the simulator (platform/mpi_check),
 * which reads them there: numbers are offsets in bytes. */
#ifndef SANVP_MPI_CHECK_LAYOUT_H
#define SANVP_MPI_CHECK_LAYOUT_H

/* NOLINTBEGIN(modernize-deprecated-headers): C */
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers) */

struct mpi_check_layout {
  uint64_t bytes;       /* of this struct: both sides have the same */
  uint64_t world, self; /* addresses of predefined objects */
  uint32_t references;  /* of any object: uint32_t, 0 where it has been freed */
  uint32_t comm_context, comm_rank, comm_size, comm_processes, comm_local;
  uint32_t group_size, group_processes;
  uint32_t type_bytes, type_lower, type_extent, type_dense, type_committed, type_predefined, type_name;
  uint32_t type_runs_count, type_runs, type_contents;
  uint32_t run_offset, run_count, run_element, run_bytes; /* run_bytes: of one run */
  uint32_t copies_times, copies_count, copies_apart, copies_runs;
  uint32_t contents_combiner, contents_integers_count, contents_integers, contents_types_count, contents_types;
  uint32_t request_active, request_from, request_tag, request_got_bytes;
  uint32_t op_name, op_user;
  uint32_t window_comm;
};

#endif
