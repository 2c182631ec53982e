/* Memory of windows, and representations of data that the program defines. */
#include "sw/hal/hal.h"
#include "sw/mpi/fortran/fortran.h"

static void answer(MPI_Fint* ierror, int code) {
  if (ierror) *ierror = code;
}

/* ---- memory: its address is a C_PTR, or an integer of the size of one ---- */
typedef int allocation(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window);

static int allocate(allocation* call, const MPI_Aint* bytes, const MPI_Fint* unit, const MPI_Fint* info,
                    const MPI_Fint* comm, void* base, MPI_Fint* win) {
  MPI_Win made = MPI_WIN_NULL;
  const int code = call(*bytes, *unit, MPI_Info_f2c(*info), MPI_Comm_f2c(*comm), base, &made);
  *win = MPI_Win_c2f(made);
  return code;
}

void pmpi_win_allocate_(const MPI_Aint* bytes, const MPI_Fint* unit, const MPI_Fint* info, const MPI_Fint* comm,
                        void* base, MPI_Fint* win, MPI_Fint* ierror) {
  answer(ierror, allocate(MPI_Win_allocate, bytes, unit, info, comm, base, win));
}
SANVP_FORTRAN_CALL(mpi_win_allocate_)

void pmpi_win_allocate_shared_(const MPI_Aint* bytes, const MPI_Fint* unit, const MPI_Fint* info, const MPI_Fint* comm,
                               void* base, MPI_Fint* win, MPI_Fint* ierror) {
  answer(ierror, allocate(MPI_Win_allocate_shared, bytes, unit, info, comm, base, win));
}
SANVP_FORTRAN_CALL(mpi_win_allocate_shared_)

void pmpi_win_shared_query_(const MPI_Fint* win, const MPI_Fint* rank, MPI_Aint* bytes, MPI_Fint* unit, void* base,
                            MPI_Fint* ierror) {
  answer(ierror, MPI_Win_shared_query(MPI_Win_f2c(*win), *rank, bytes, unit, base));
}
SANVP_FORTRAN_CALL(mpi_win_shared_query_)

/* ---- representations: Fortran's functions are C's extra state ---- */
typedef void conversion(void* user, MPI_Fint* type, MPI_Fint* count, void* data, MPI_Offset* position, MPI_Aint* extra,
                        MPI_Fint* ierror);
typedef void extent(MPI_Fint* type, MPI_Aint* bytes, MPI_Aint* extra, MPI_Fint* ierror);

struct representation {
  conversion *read, *write;
  extent* extent;
  MPI_Aint extra;
};

static int convert(struct representation* of, conversion* function, void* user, MPI_Datatype type, int count,
                   void* data, MPI_Offset position) {
  MPI_Fint number = MPI_Type_c2f(type), code = MPI_SUCCESS;
  function(user, &number, &count, data, &position, &of->extra, &code);
  return code;
}

static int read_data(void* user, MPI_Datatype type, int count, void* data, MPI_Offset position, void* of) {
  return convert(of, ((struct representation*)of)->read, user, type, count, data, position);
}
static int write_data(void* user, MPI_Datatype type, int count, void* data, MPI_Offset position, void* of) {
  return convert(of, ((struct representation*)of)->write, user, type, count, data, position);
}
static int extent_of(MPI_Datatype type, MPI_Aint* bytes, void* of) {
  struct representation* representation = of;
  MPI_Fint number = MPI_Type_c2f(type), code = MPI_SUCCESS;
  representation->extent(&number, bytes, &representation->extra, &code);
  return code;
}

/* Known by its address: never called. */
void mpi_conversion_fn_null_(void* user, MPI_Fint* type, MPI_Fint* count, void* data, MPI_Offset* position,
                             MPI_Aint* extra, MPI_Fint* ierror) {
  (void)user, (void)type, (void)count, (void)data, (void)position, (void)extra;
  *ierror = MPI_ERR_CONVERSION;
}

void pmpi_register_datarep_(const char* name, conversion* read, conversion* write, extent* file_extent,
                            const MPI_Aint* extra, MPI_Fint* ierror, size_t room) {
  struct representation* made = malloc(sizeof *made); /* as long as the representation: for ever */
  if (!made) hal_abort("MPI_Register_datarep: no memory");
  *made = (struct representation){.read = read, .write = write, .extent = file_extent, .extra = *extra};
  char* const text = sanvp_fortran_text(name, room);
  answer(ierror,
         MPI_Register_datarep(text, read == mpi_conversion_fn_null_ ? MPI_CONVERSION_FN_NULL : read_data,
                              write == mpi_conversion_fn_null_ ? MPI_CONVERSION_FN_NULL : write_data, extent_of, made));
  free(text);
}
SANVP_FORTRAN_CALL(mpi_register_datarep_)
