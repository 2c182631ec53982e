/* Calls whose arguments differ between C and Fortran: start, time, memory, a value of an info, statuses of both kinds.
 */
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

/* The compiler does not see that this changes nothing. */
void pmpi_f_sync_reg_(const void* buffer) { (void)buffer; }
SANVP_FORTRAN_CALL(mpi_f_sync_reg_)

void pmpi_f_sync_reg_f08ts_(const void* buffer) { (void)buffer; }
SANVP_FORTRAN_CALL(mpi_f_sync_reg_f08ts_)

void pmpi_alloc_mem_(const MPI_Aint* bytes, const MPI_Fint* info, void* base, MPI_Fint* ierror) {
  answer(ierror, MPI_Alloc_mem(*bytes, MPI_Info_f2c(*info), base));
}
SANVP_FORTRAN_CALL(mpi_alloc_mem_)

/* Only Fortran 2008 is told the address of the buffer. */
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

/* Lengths do not count the end of a text, which Fortran's have not. */
void pmpi_info_get_string_(const MPI_Fint* info, const char* key, MPI_Fint* room, char* value, MPI_Fint* flag,
                           MPI_Fint* ierror, size_t key_room, size_t value_room) {
  char* const name = sanvp_fortran_text(key, key_room);
  int length = *room > 0 ? *room + 1 : 0;
  char* const text = calloc((size_t)length + 1, 1);
  const int code = MPI_Info_get_string(MPI_Info_f2c(*info), name, &length, text, flag);
  if (code == MPI_SUCCESS && *flag) {
    if (*room > 0) sanvp_fortran_text_back(value, value_room, text);
    *room = length - 1;
  }
  free(text);
  free(name);
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_info_get_string_)

void pmpi_info_create_env_(MPI_Fint* info, MPI_Fint* ierror) {
  MPI_Info made = MPI_INFO_NULL;
  const int code = MPI_Info_create_env(0, NULL, &made);
  *info = MPI_Info_c2f(made);
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_info_create_env_)

/* ---- more processes: refused ---- */
void pmpi_comm_spawn_(const char* command, const void* argv, const MPI_Fint* most, const MPI_Fint* info,
                      const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* made, MPI_Fint* codes, MPI_Fint* ierror) {
  (void)command, (void)argv, (void)codes;
  MPI_Comm none = MPI_COMM_NULL;
  answer(ierror, MPI_Comm_spawn("", MPI_ARGV_NULL, *most, MPI_Info_f2c(*info), *root, MPI_Comm_f2c(*comm), &none,
                                MPI_ERRCODES_IGNORE));
  *made = MPI_Comm_c2f(none);
}
SANVP_FORTRAN_CALL(mpi_comm_spawn_)

void pmpi_comm_spawn_multiple_(const MPI_Fint* count, const char* commands, const void* argvs, const MPI_Fint* most,
                               const MPI_Fint* infos, const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* made,
                               MPI_Fint* codes, MPI_Fint* ierror) {
  (void)commands, (void)argvs, (void)infos, (void)codes;
  MPI_Comm none = MPI_COMM_NULL;
  answer(ierror, MPI_Comm_spawn_multiple(*count, NULL, MPI_ARGVS_NULL, most, NULL, *root, MPI_Comm_f2c(*comm), &none,
                                         MPI_ERRCODES_IGNORE));
  *made = MPI_Comm_c2f(none);
}
SANVP_FORTRAN_CALL(mpi_comm_spawn_multiple_)

void pmpi_status_f2f08_(const MPI_Fint* numbers, MPI_F08_status* made, MPI_Fint* ierror) {
  answer(ierror, MPI_Status_f2f08(numbers, made));
}
SANVP_FORTRAN_CALL(mpi_status_f2f08_)

void pmpi_status_f082f_(const MPI_F08_status* status, MPI_Fint* made, MPI_Fint* ierror) {
  answer(ierror, MPI_Status_f082f(status, made));
}
SANVP_FORTRAN_CALL(mpi_status_f082f_)
