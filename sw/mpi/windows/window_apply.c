/* Operations of accumulations, by numbers that ranks send to each other. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/windows/windows.h"

static const MPI_Op ops[] = {MPI_SUM,  MPI_PROD, MPI_MAX,  MPI_MIN,    MPI_LAND,   MPI_LOR,     MPI_LXOR,
                             MPI_BAND, MPI_BOR,  MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};

int window_op_number(MPI_Op op) {
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (ops[i] == op) return (int)i;
  return -1;
}

/* Parts of shared windows may begin anywhere, and compiled code relies on alignment. */
static void apply_aligned(MPI_Op op, const char* in, char* inout, const struct window_elements* elements) {
  const size_t most = sizeof(max_align_t[4]) / elements->extent;
  for (size_t done = 0, some; done < elements->count; done += some) {
    _Alignas(max_align_t) char aligned[sizeof(max_align_t[4])];
    some = elements->count - done < most ? elements->count - done : most;
    const size_t bytes = (some - 1) * elements->extent + elements->size;
    char* at = inout + done * elements->extent;
    memcpy(aligned, at, bytes);
    op->apply(in + done * elements->extent, aligned, some, (enum mpi_kind)elements->kind);
    memcpy(at, aligned, bytes);
  }
}

void window_apply(int op, const void* in, void* inout, const struct window_elements* elements) {
  if (elements->count == 0 || ops[op] == MPI_NO_OP) return;
  if (ops[op] == MPI_REPLACE)
    memcpy(inout, in, (elements->count - 1) * elements->extent + elements->size);
  else if ((uintptr_t)inout % elements->align != 0)
    apply_aligned(ops[op], in, inout, elements);
  else
    ops[op]->apply(in, inout, elements->count, (enum mpi_kind)elements->kind);
}
