/* Attributes from Fortran: values are integers, MPI-1's of the default size, MPI-2's as large as an address. Keys carry
 * Fortran's functions along as C's extra state. */
#include "sw/hal/hal.h"
#include "sw/mpi/fortran/fortran.h"

typedef void copy_of_address(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                             MPI_Fint* flag, MPI_Fint* ierror);
typedef void delete_of_address(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* value, MPI_Aint* extra, MPI_Fint* ierror);
typedef void copy_of_integer(MPI_Fint* object, MPI_Fint* keyval, MPI_Fint* extra, MPI_Fint* value, MPI_Fint* copied,
                             MPI_Fint* flag, MPI_Fint* ierror);
typedef void delete_of_integer(MPI_Fint* object, MPI_Fint* keyval, MPI_Fint* value, MPI_Fint* extra, MPI_Fint* ierror);

/* A key's functions: either both of integers, or both of addresses. */
struct key {
  copy_of_address* copy;
  delete_of_address* release;
  copy_of_integer* copy_integer;
  delete_of_integer* release_integer;
  MPI_Aint extra;
};

static int copy(const struct key* key, MPI_Fint object, int keyval, void* value, void* copied, int* flag) {
  MPI_Fint code = MPI_SUCCESS;
  MPI_Aint extra = key->extra, from = (MPI_Aint)value, to = 0;
  if (key->copy) {
    key->copy(&object, &keyval, &extra, &from, &to, flag, &code);
  } else {
    MPI_Fint short_extra = (MPI_Fint)extra, short_from = (MPI_Fint)from, short_to = 0;
    key->copy_integer(&object, &keyval, &short_extra, &short_from, &short_to, flag, &code);
    to = short_to;
  }
  *(void**)copied = (void*)to;
  return code;
}

static int release(const struct key* key, MPI_Fint object, int keyval, void* value) {
  MPI_Fint code = MPI_SUCCESS;
  MPI_Aint extra = key->extra, of = (MPI_Aint)value;
  if (key->release) {
    key->release(&object, &keyval, &of, &extra, &code);
  } else {
    MPI_Fint short_extra = (MPI_Fint)extra, short_of = (MPI_Fint)of;
    key->release_integer(&object, &keyval, &short_of, &short_extra, &code);
  }
  return code;
}

static int copy_comm(MPI_Comm comm, int keyval, void* key, void* value, void* copied, int* flag) {
  return copy(key, MPI_Comm_c2f(comm), keyval, value, copied, flag);
}
static int delete_comm(MPI_Comm comm, int keyval, void* value, void* key) {
  return release(key, MPI_Comm_c2f(comm), keyval, value);
}
static int copy_type(MPI_Datatype type, int keyval, void* key, void* value, void* copied, int* flag) {
  return copy(key, MPI_Type_c2f(type), keyval, value, copied, flag);
}
static int delete_type(MPI_Datatype type, int keyval, void* value, void* key) {
  return release(key, MPI_Type_c2f(type), keyval, value);
}

static int copy_win(MPI_Win win, int keyval, void* key, void* value, void* copied, int* flag) {
  return copy(key, MPI_Win_c2f(win), keyval, value, copied, flag);
}
static int delete_win(MPI_Win win, int keyval, void* value, void* key) {
  return release(key, MPI_Win_c2f(win), keyval, value);
}

static struct key* key_of(struct key values) {
  struct key* made = malloc(sizeof *made);
  if (!made) hal_abort("MPI: no memory for a key of attributes");
  *made = values;
  return made;
}

static void answer(MPI_Fint* ierror, int code) {
  if (ierror) *ierror = code;
}

/* ---- keys ---- */
void pmpi_keyval_create_(copy_of_integer* copy_fn, delete_of_integer* delete_fn, MPI_Fint* keyval,
                         const MPI_Fint* extra, MPI_Fint* ierror) {
  struct key* key = key_of((struct key){.copy_integer = copy_fn, .release_integer = delete_fn, .extra = *extra});
  answer(ierror, MPI_Keyval_create(copy_comm, delete_comm, keyval, key));
}
SANVP_FORTRAN_CALL(mpi_keyval_create_)

void pmpi_comm_create_keyval_(copy_of_address* copy_fn, delete_of_address* delete_fn, MPI_Fint* keyval,
                              const MPI_Aint* extra, MPI_Fint* ierror) {
  struct key* key = key_of((struct key){.copy = copy_fn, .release = delete_fn, .extra = *extra});
  answer(ierror, MPI_Comm_create_keyval(copy_comm, delete_comm, keyval, key));
}
SANVP_FORTRAN_CALL(mpi_comm_create_keyval_)

void pmpi_type_create_keyval_(copy_of_address* copy_fn, delete_of_address* delete_fn, MPI_Fint* keyval,
                              const MPI_Aint* extra, MPI_Fint* ierror) {
  struct key* key = key_of((struct key){.copy = copy_fn, .release = delete_fn, .extra = *extra});
  answer(ierror, MPI_Type_create_keyval(copy_type, delete_type, keyval, key));
}
SANVP_FORTRAN_CALL(mpi_type_create_keyval_)

void pmpi_win_create_keyval_(copy_of_address* copy_fn, delete_of_address* delete_fn, MPI_Fint* keyval,
                             const MPI_Aint* extra, MPI_Fint* ierror) {
  struct key* key = key_of((struct key){.copy = copy_fn, .release = delete_fn, .extra = *extra});
  answer(ierror, MPI_Win_create_keyval(copy_win, delete_win, keyval, key));
}
SANVP_FORTRAN_CALL(mpi_win_create_keyval_)

/* ---- values ---- */
void pmpi_attr_put_(const MPI_Fint* comm, const MPI_Fint* keyval, const MPI_Fint* value, MPI_Fint* ierror) {
  answer(ierror, MPI_Attr_put(MPI_Comm_f2c(*comm), *keyval, (void*)(MPI_Aint)*value));
}
SANVP_FORTRAN_CALL(mpi_attr_put_)

/* Predefined attributes are addresses of numbers in C. */
static MPI_Aint value_of(int keyval, const void* value) {
  return keyval >= 0 && keyval <= MPI_LASTUSEDCODE ? *(const int*)value : (MPI_Aint)value;
}

void pmpi_attr_get_(const MPI_Fint* comm, const MPI_Fint* keyval, MPI_Fint* value, MPI_Fint* flag, MPI_Fint* ierror) {
  void* found = NULL;
  const int code = MPI_Attr_get(MPI_Comm_f2c(*comm), *keyval, &found, flag);
  if (code == MPI_SUCCESS && *flag) *value = (MPI_Fint)value_of(*keyval, found);
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_attr_get_)

void pmpi_comm_set_attr_(const MPI_Fint* comm, const MPI_Fint* keyval, const MPI_Aint* value, MPI_Fint* ierror) {
  answer(ierror, MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, (void*)*value));
}
SANVP_FORTRAN_CALL(mpi_comm_set_attr_)

void pmpi_comm_get_attr_(const MPI_Fint* comm, const MPI_Fint* keyval, MPI_Aint* value, MPI_Fint* flag,
                         MPI_Fint* ierror) {
  void* found = NULL;
  const int code = MPI_Comm_get_attr(MPI_Comm_f2c(*comm), *keyval, &found, flag);
  if (code == MPI_SUCCESS && *flag) *value = value_of(*keyval, found);
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_comm_get_attr_)

void pmpi_type_set_attr_(const MPI_Fint* type, const MPI_Fint* keyval, const MPI_Aint* value, MPI_Fint* ierror) {
  answer(ierror, MPI_Type_set_attr(MPI_Type_f2c(*type), *keyval, (void*)*value));
}
SANVP_FORTRAN_CALL(mpi_type_set_attr_)

void pmpi_type_get_attr_(const MPI_Fint* type, const MPI_Fint* keyval, MPI_Aint* value, MPI_Fint* flag,
                         MPI_Fint* ierror) {
  void* found = NULL;
  const int code = MPI_Type_get_attr(MPI_Type_f2c(*type), *keyval, &found, flag);
  if (code == MPI_SUCCESS && *flag) *value = value_of(*keyval, found);
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_type_get_attr_)

void pmpi_win_set_attr_(const MPI_Fint* win, const MPI_Fint* keyval, const MPI_Aint* value, MPI_Fint* ierror) {
  answer(ierror, MPI_Win_set_attr(MPI_Win_f2c(*win), *keyval, (void*)*value));
}
SANVP_FORTRAN_CALL(mpi_win_set_attr_)

void pmpi_win_get_attr_(const MPI_Fint* win, const MPI_Fint* keyval, MPI_Aint* value, MPI_Fint* flag,
                        MPI_Fint* ierror) {
  void* found = NULL;
  const int code = MPI_Win_get_attr(MPI_Win_f2c(*win), *keyval, &found, flag);
  if (code == MPI_SUCCESS && *flag) {
    if (*keyval == MPI_WIN_BASE)
      *value = (MPI_Aint)found;
    else if (*keyval == MPI_WIN_SIZE)
      *value = *(const MPI_Aint*)found;
    else
      *value = value_of(*keyval, found);
  }
  answer(ierror, code);
}
SANVP_FORTRAN_CALL(mpi_win_get_attr_)

/* ---- the standard's functions ---- */
void mpi_null_copy_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Fint* extra, MPI_Fint* value, MPI_Fint* copied,
                       MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra, (void)value, (void)copied;
  *flag = 0;
  *ierror = MPI_SUCCESS;
}

void mpi_dup_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Fint* extra, MPI_Fint* value, MPI_Fint* copied, MPI_Fint* flag,
                 MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra;
  *copied = *value;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}

void mpi_null_delete_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Fint* value, MPI_Fint* extra, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}

static void copy_nothing(MPI_Fint* flag, MPI_Fint* ierror) {
  *flag = 0;
  *ierror = MPI_SUCCESS;
}

static void copy_value(const MPI_Aint* value, MPI_Aint* copied, MPI_Fint* flag, MPI_Fint* ierror) {
  *copied = *value;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}

void mpi_comm_null_copy_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                            MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra, (void)value, (void)copied;
  copy_nothing(flag, ierror);
}

void mpi_comm_dup_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                      MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra;
  copy_value(value, copied, flag, ierror);
}

void mpi_comm_null_delete_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* value, MPI_Aint* extra, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}

void mpi_type_null_copy_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                            MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra, (void)value, (void)copied;
  copy_nothing(flag, ierror);
}

void mpi_type_dup_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                      MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra;
  copy_value(value, copied, flag, ierror);
}

void mpi_type_null_delete_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* value, MPI_Aint* extra, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}

void mpi_win_null_copy_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                           MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra, (void)value, (void)copied;
  copy_nothing(flag, ierror);
}

void mpi_win_dup_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copied,
                     MPI_Fint* flag, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)extra;
  copy_value(value, copied, flag, ierror);
}

void mpi_win_null_delete_fn_(MPI_Fint* object, MPI_Fint* keyval, MPI_Aint* value, MPI_Aint* extra, MPI_Fint* ierror) {
  (void)object, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}
