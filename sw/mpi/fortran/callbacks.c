/* Functions of the program, written in Fortran: for operations, errors, and operations of its own as requests. C's
 * functions of these kinds are told nothing that would lead to Fortran's, so each of Fortran's gets a C function of its
 * own. */
#include <stdarg.h>

#include "sw/hal/hal.h"
#include "sw/mpi/fortran/fortran.h"
#include "sw/mpi/requests/request.h"

typedef void operation(void* in, void* inout, int* count, MPI_Fint* type);
typedef void handler(MPI_Fint* object, int* code);

/* One for each place of the tables below. */
#define PLACES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define PLACES_COUNT 16

static operation* operations[PLACES_COUNT];
static handler* handlers[PLACES_COUNT];

static void operate(int place, void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Fint number = MPI_Type_c2f(*type);
  operations[place](in, inout, count, &number);
}

static void handle(int place, MPI_Fint number, int* code) { handlers[place](&number, code); }

#define FUNCTIONS(n)                                                                                    \
  static void operation##n(void* in, void* inout, int* count, MPI_Datatype* type) {                     \
    operate(n, in, inout, count, type);                                                                 \
  }                                                                                                     \
  static void comm_handler##n(MPI_Comm* comm, int* code, ...) { handle(n, MPI_Comm_c2f(*comm), code); } \
  static void win_handler##n(MPI_Win* win, int* code, ...) { handle(n, MPI_Win_c2f(*win), code); }      \
  static void file_handler##n(MPI_File* file, int* code, ...) { handle(n, MPI_File_c2f(*file), code); }
PLACES(FUNCTIONS)

#define OPERATION(n) operation##n,
#define COMM_HANDLER(n) comm_handler##n,
#define WIN_HANDLER(n) win_handler##n,
#define FILE_HANDLER(n) file_handler##n,
static MPI_User_function* const operations_in_c[PLACES_COUNT] = {PLACES(OPERATION)};
static MPI_Handler_function* const comm_handlers[PLACES_COUNT] = {PLACES(COMM_HANDLER)};
static MPI_Win_errhandler_function* const win_handlers[PLACES_COUNT] = {PLACES(WIN_HANDLER)};
static MPI_File_errhandler_function* const file_handlers[PLACES_COUNT] = {PLACES(FILE_HANDLER)};

/* A function keeps its place. */
static int place_of_operation(operation* function) {
  int place = 0;
  while (place < PLACES_COUNT && operations[place] && operations[place] != function) ++place;
  if (place == PLACES_COUNT)
    hal_abort("MPI_Op_create: 16 functions of Fortran are operations; there is no room for more");
  operations[place] = function;
  return place;
}

static int place_of_handler(handler* function) {
  int place = 0;
  while (place < PLACES_COUNT && handlers[place] && handlers[place] != function) ++place;
  if (place == PLACES_COUNT)
    hal_abort(
        "MPI_Comm_create_errhandler, MPI_Win_ or MPI_File_: 16 functions of Fortran are handlers; there is no room for "
        "more");
  handlers[place] = function;
  return place;
}

void pmpi_op_create_(operation* function, const MPI_Fint* commutes, MPI_Fint* op, MPI_Fint* ierror) {
  MPI_Op made = MPI_OP_NULL;
  const int code = MPI_Op_create(operations_in_c[place_of_operation(function)], *commutes, &made);
  *op = MPI_Op_c2f(made);
  if (ierror) *ierror = code;
}
SANVP_FORTRAN_CALL(mpi_op_create_)

#define CREATE_ERRHANDLER(kind, call)                                                      \
  void p##kind##_create_errhandler_(handler* function, MPI_Fint* made, MPI_Fint* ierror) { \
    MPI_Errhandler created = MPI_ERRHANDLER_NULL;                                          \
    const int code = call;                                                                 \
    *made = MPI_Errhandler_c2f(created);                                                   \
    if (ierror) *ierror = code;                                                            \
  }                                                                                        \
  SANVP_FORTRAN_CALL(kind##_create_errhandler_)
CREATE_ERRHANDLER(mpi_comm, MPI_Comm_create_errhandler(comm_handlers[place_of_handler(function)], &created))
CREATE_ERRHANDLER(mpi_win, MPI_Win_create_errhandler(win_handlers[place_of_handler(function)], &created))
CREATE_ERRHANDLER(mpi_file, MPI_File_create_errhandler(file_handlers[place_of_handler(function)], &created))

void pmpi_errhandler_create_(handler* function, MPI_Fint* made, MPI_Fint* ierror) {
  pmpi_comm_create_errhandler_(function, made, ierror);
}
SANVP_FORTRAN_CALL(mpi_errhandler_create_)

/* ---- requests of the program ---- */
struct request {
  void (*query)(MPI_Aint* extra, MPI_Fint* status, MPI_Fint* ierror);
  void (*release)(MPI_Aint* extra, MPI_Fint* ierror);
  void (*cancel)(MPI_Aint* extra, MPI_Fint* complete, MPI_Fint* ierror);
  MPI_Aint extra;
};

static int query(void* of, MPI_Status* status) {
  struct request* request = of;
  MPI_Fint words[sizeof *status / sizeof(MPI_Fint)], code = MPI_SUCCESS;
  MPI_Status_c2f(status, words);
  request->query(&request->extra, words, &code);
  MPI_Status_f2c(words, status);
  return code;
}

static int release(void* of) {
  struct request* request = of;
  MPI_Fint code = MPI_SUCCESS;
  request->release(&request->extra, &code);
  free(request);
  return code;
}

static int cancel(void* of, int complete) {
  struct request* request = of;
  MPI_Fint code = MPI_SUCCESS;
  request->cancel(&request->extra, &complete, &code);
  return code;
}

void pmpi_grequest_start_(void (*query_fn)(MPI_Aint*, MPI_Fint*, MPI_Fint*), void (*free_fn)(MPI_Aint*, MPI_Fint*),
                          void (*cancel_fn)(MPI_Aint*, MPI_Fint*, MPI_Fint*), const MPI_Aint* extra, MPI_Fint* request,
                          MPI_Fint* ierror) {
  struct request* made = malloc(sizeof *made);
  if (!made) hal_abort("MPI_Grequest_start: no memory");
  *made = (struct request){.query = query_fn, .release = free_fn, .cancel = cancel_fn, .extra = *extra};
  MPI_Request started = MPI_REQUEST_NULL;
  const int code = MPI_Grequest_start(query, release, cancel, made, &started);
  *request = MPI_Request_c2f(started);
  if (ierror) *ierror = code;
}
SANVP_FORTRAN_CALL(mpi_grequest_start_)
