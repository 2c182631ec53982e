/* Buffers of mpi_f08: contiguous ones as they are, sections as datatypes or as copies (sw/mpi/requests/section.h). */
#include "sw/mpi/fortran/sections.h"

/* An array of assumed size has an unknown last extent, and is contiguous. */
static int is_contiguous(const CFI_cdesc_t* buffer) {
  ptrdiff_t apart = (ptrdiff_t)buffer->elem_len;
  for (int d = 0; d < buffer->rank; ++d) {
    const ptrdiff_t extent = buffer->dim[d].extent;
    if (extent == 0) return 1;
    if (extent != 1 && buffer->dim[d].sm != apart) return 0;
    apart *= extent;
  }
  return 1;
}

static struct mpi_section section_of(const CFI_cdesc_t* buffer) {
  struct mpi_section section = {.base = buffer->base_addr, .element = buffer->elem_len, .rank = buffer->rank};
  for (int d = 0; d < buffer->rank; ++d) {
    section.dimensions[d].extent = buffer->dim[d].extent;
    section.dimensions[d].apart = buffer->dim[d].sm;
  }
  return section;
}

struct sanvp_fortran_typed sanvp_fortran_typed(const char* call, const CFI_cdesc_t* buffer, int count,
                                               MPI_Datatype type) {
  struct sanvp_fortran_typed typed = {.buffer = sanvp_fortran_buffer(buffer->base_addr), .count = count, .type = type};
  if (count < 1 || !type || is_contiguous(buffer)) return typed;
  const struct mpi_section section = section_of(buffer);
  typed.error = sanvp_mpi_section_type(call, &section, (size_t)count, type, &typed.made);
  if (typed.error != MPI_SUCCESS) return typed;
  typed.count = 1;
  typed.type = typed.made;
  return typed;
}

void sanvp_fortran_typed_end(const struct sanvp_fortran_typed* typed) {
  if (typed->made) sanvp_mpi_section_release(typed->made);
}

struct sanvp_fortran_copied sanvp_fortran_copied(const char* call, const CFI_cdesc_t* buffer, enum mpi_staging ways) {
  struct sanvp_fortran_copied copied = {.buffer = sanvp_fortran_buffer(buffer->base_addr)};
  if (is_contiguous(buffer)) return copied;
  const struct mpi_section section = section_of(buffer);
  copied.copy = sanvp_mpi_stage(call, &section, ways);
  if (copied.copy)
    copied.buffer = sanvp_mpi_staged_data(copied.copy);
  else
    copied.error = MPI_ERR_BUFFER;
  return copied;
}

void sanvp_fortran_copied_end(const struct sanvp_fortran_copied* copied, MPI_Request request) {
  if (!copied->copy) return;
  if (request != MPI_REQUEST_NULL)
    sanvp_mpi_unstage_later(copied->copy, request);
  else
    sanvp_mpi_unstage(copied->copy);
}
