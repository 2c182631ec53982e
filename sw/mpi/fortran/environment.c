/* Calls whose arguments differ between C and Fortran: start, time, memory, a value of an info. */
#include <string.h>

#include "sw/mpi/fortran/fortran.h"

static void answer(MPI_Fint* ierror, int code) {
  if (ierror) *ierror = code;
}

void pmpi_init_(MPI_Fint* ierror) { answer(ierror, MPI_Init(NULL, NULL)); }
SANVP_FORTRAN_CALL(mpi_init_)

void pmpi_init_thread_(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* ierror) {
  answer(ierror, MPI_Init_thread(NULL, NULL, *required, provided));
}
SANVP_FORTRAN_CALL(mpi_init_thread_)

void pmpi_pcontrol_(const MPI_Fint* level) { MPI_Pcontrol(*level); }
SANVP_FORTRAN_CALL(mpi_pcontrol_)

double pmpi_wtime_(void) { return MPI_Wtime(); }
SANVP_FORTRAN_CALL(mpi_wtime_)

double pmpi_wtick_(void) { return MPI_Wtick(); }
SANVP_FORTRAN_CALL(mpi_wtick_)

MPI_Aint pmpi_aint_add_(const MPI_Aint* base, const MPI_Aint* distance) { return MPI_Aint_add(*base, *distance); }
SANVP_FORTRAN_CALL(mpi_aint_add_)

MPI_Aint pmpi_aint_diff_(const MPI_Aint* one, const MPI_Aint* other) { return MPI_Aint_diff(*one, *other); }
SANVP_FORTRAN_CALL(mpi_aint_diff_)

void pmpi_alloc_mem_(const MPI_Aint* bytes, const MPI_Fint* info, void* base, MPI_Fint* ierror) {
  answer(ierror, MPI_Alloc_mem(*bytes, MPI_Info_f2c(*info), base));
}
SANVP_FORTRAN_CALL(mpi_alloc_mem_)

/* Where the buffer was, Fortran 2008 alone is told. */
void pmpi_buffer_detach_(void* buffer, MPI_Fint* bytes, MPI_Fint* ierror) {
  (void)buffer;
  void* detached;
  answer(ierror, MPI_Buffer_detach(&detached, bytes));
}
SANVP_FORTRAN_CALL(mpi_buffer_detach_)

void pmpi_buffer_detach_f08_(void** buffer, MPI_Fint* bytes, MPI_Fint* ierror) {
  answer(ierror, MPI_Buffer_detach(buffer, bytes));
}
SANVP_FORTRAN_CALL(mpi_buffer_detach_f08_)

void pmpi_info_get_(const MPI_Fint* info, const char* key, const MPI_Fint* room, char* value, MPI_Fint* flag,
                    MPI_Fint* ierror, size_t key_room, size_t value_room) {
  char* const name = sanvp_fortran_text(key, key_room);
  char* const text = calloc(*room > 0 ? (size_t)*room + 1 : 1, 1);
  const int code = MPI_Info_get(MPI_Info_f2c(*info), name, *room, text, flag);
  if (code == MPI_SUCCESS && *flag) sanvp_fortran_text_back(value, value_room, text);
  free(text);
  free(name);
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_info_get_)
