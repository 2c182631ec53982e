/* MPI_T, and the calls that tell what there is: versions, threads, info, statuses of Fortran. With an argument, a call
 * that is refused: spawn, port, name, join. */
#include "tests/images/mpi_check.h"

/* ---- control variables: the algorithms of collective operations ---- */
static int index_of(const char* name) {
  int index = -1;
  EXPECT(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS);
  return index;
}

static int value_of(MPI_T_enum values, const char* wanted) {
  char name[64];
  int count = 0, value = -1, length = 0;
  EXPECT(MPI_T_enum_get_info(values, &count, NULL, &length) == MPI_SUCCESS && count > 1 && length > 1);
  for (int i = 0; i < count; ++i) {
    length = sizeof name;
    EXPECT(MPI_T_enum_get_item(values, i, &value, name, &length) == MPI_SUCCESS && length == (int)strlen(name) + 1);
    if (strcmp(name, wanted) == 0) return value;
  }
  EXPECT(MPI_T_enum_get_item(values, count, &value, name, &length) == MPI_T_ERR_INVALID_ITEM);
  return -1;
}

static double broadcast_time(void) {
  static char data[64];
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < 8; ++i) MPI_Bcast(data, sizeof data, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - start;
}

static void controls(void) {
  char name[32], text[128];
  int count = 0, name_length = sizeof name, text_length = 4, verbosity = 0, bind = -1, scope = -1, items = 0;
  MPI_Datatype type;
  MPI_T_enum values;
  MPI_T_cvar_handle handle;
  EXPECT(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count == 10);
  const int index = index_of("mpi.bcast");
  EXPECT(MPI_T_cvar_get_info(index, name, &name_length, &verbosity, &type, &values, text, &text_length, &bind,
                             &scope) == MPI_SUCCESS);
  EXPECT(strcmp(name, "mpi.bcast") == 0 && name_length == 10 && strlen(text) == 3 && text_length > 4);
  EXPECT(type == MPI_INT && bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_ALL_EQ);
  EXPECT(verbosity == MPI_T_VERBOSITY_TUNER_BASIC);
  EXPECT(MPI_T_cvar_handle_alloc(index, NULL, &handle, &items) == MPI_SUCCESS && items == 1);
  int chosen = -1;
  EXPECT(MPI_T_cvar_read(handle, &chosen) == MPI_SUCCESS && chosen == value_of(values, "auto"));
  /* It acts: a tree, and the network or the algorithm that auto takes, need other times. */
  const int other = value_of(values, "scatter-allgather");
  const double before = broadcast_time();
  EXPECT(MPI_T_cvar_write(handle, &other) == MPI_SUCCESS && MPI_T_cvar_read(handle, &chosen) == MPI_SUCCESS);
  EXPECT(chosen == other);
  if (ranks > 2) EXPECT(broadcast_time() > before * 1.01);
  const int none = 99, automatic = 0;
  EXPECT(MPI_T_cvar_write(handle, &none) == MPI_T_ERR_INVALID);
  EXPECT(MPI_T_cvar_write(handle, &automatic) == MPI_SUCCESS);
  EXPECT(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS && handle == MPI_T_CVAR_HANDLE_NULL);
  EXPECT(MPI_T_cvar_get_index("mpi.nothing", &items) == MPI_T_ERR_INVALID_NAME);
  EXPECT(MPI_T_cvar_handle_alloc(count, NULL, &handle, &items) == MPI_T_ERR_INVALID_INDEX);
}

/* ---- performance variables ---- */
static unsigned long long read_counter(MPI_T_pvar_session session, const char* name) {
  MPI_T_pvar_handle handle;
  int index = -1, count = 0;
  unsigned long long value = ~0ull;
  EXPECT(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
  EXPECT(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS && count == 1);
  EXPECT(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
  EXPECT(MPI_T_pvar_start(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
  EXPECT(MPI_T_pvar_reset(session, handle) == MPI_T_ERR_PVAR_NO_WRITE);
  EXPECT(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS && handle == MPI_T_PVAR_HANDLE_NULL);
  return value;
}

static void counters(void) {
  static const char name[] = "mpi.world_collectives";
  MPI_T_pvar_session session;
  int count = 0, readonly = 0, continuous = 0, atomic = 1, variable_class = -1, sum = 0;
  MPI_Request request;
  EXPECT(MPI_T_pvar_get_num(&count) == MPI_SUCCESS && count == 1);
  EXPECT(MPI_T_pvar_get_info(0, NULL, NULL, NULL, &variable_class, NULL, NULL, NULL, NULL, NULL, &readonly, &continuous,
                             &atomic) == MPI_SUCCESS);
  EXPECT(readonly == 1 && continuous == 1 && atomic == 0 && variable_class == MPI_T_PVAR_CLASS_COUNTER);
  EXPECT(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
  EXPECT(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
  const unsigned long long before = read_counter(session, name);
  for (int i = 0; i < 3; ++i) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  EXPECT(read_counter(session, name) == before + 3);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  EXPECT(read_counter(session, name) == before + 4);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && session == MPI_T_PVAR_SESSION_NULL);
}

static void categories(void) {
  int count = 0, index = -1, here = -1, others = -1, none = -1, stamp = -1, length = 0, indices[16];
  EXPECT(MPI_T_category_get_num(&count) == MPI_SUCCESS && count == 2);
  EXPECT(MPI_T_category_get_index("mpi.algorithms", &index) == MPI_SUCCESS);
  EXPECT(MPI_T_category_get_info(index, NULL, NULL, NULL, &length, &here, &others, &none) == MPI_SUCCESS);
  EXPECT(here == 10 && others == 0 && none == 0 && length > 1);
  EXPECT(MPI_T_category_get_cvars(index, 16, indices) == MPI_SUCCESS);
  for (int i = 0; i < here; ++i) EXPECT(indices[i] == i);
  EXPECT(MPI_T_category_changed(&stamp) == MPI_SUCCESS);
}

/* ---- what there is ---- */
static void environment(void) {
  int version = 0, subversion = 0, length = 0, level = -1, flag = -1;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  EXPECT(MPI_Get_version(&version, &subversion) == MPI_SUCCESS);
  EXPECT(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  EXPECT(MPI_Get_library_version(text, &length) == MPI_SUCCESS && length == (int)strlen(text) && length > 0);
  EXPECT(MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_FUNNELED);
  EXPECT(MPI_Is_thread_main(&flag) == MPI_SUCCESS && flag == 1);
  EXPECT(MPI_Pcontrol(2, "anything", 7) == MPI_SUCCESS);
  const MPI_Aint here = MPI_Aint_add((MPI_Aint)text, 5);
  EXPECT(here == (MPI_Aint)&text[5] && MPI_Aint_diff(here, (MPI_Aint)text) == 5);
}

static void statuses(void) {
  MPI_Status status, back;
  MPI_F08_status fortran;
  MPI_Fint integers[sizeof(MPI_Status) / sizeof(MPI_Fint)];
  int elements = 0;
  memset(&status, 0, sizeof status);
  status.MPI_SOURCE = 3, status.MPI_TAG = 4, status.MPI_ERROR = MPI_ERR_OTHER;
  MPI_Status_set_elements(&status, MPI_INT, 5);
  EXPECT(MPI_Status_c2f08(&status, &fortran) == MPI_SUCCESS && fortran.MPI_SOURCE == 3 && fortran.MPI_TAG == 4);
  EXPECT(MPI_Status_f082f(&fortran, integers) == MPI_SUCCESS && integers[0] == 3 && integers[2] == MPI_ERR_OTHER);
  fortran.MPI_SOURCE = -1;
  EXPECT(MPI_Status_f2f08(integers, &fortran) == MPI_SUCCESS);
  EXPECT(MPI_Status_f082c(&fortran, &back) == MPI_SUCCESS && back.MPI_SOURCE == 3);
  MPI_Get_elements(&back, MPI_INT, &elements);
  EXPECT(elements == 5);
}

static void infos(void) {
  MPI_Info info, at_start;
  char value[16] = "untouched";
  int room = 0, flag = -1, keys = -1;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "vermilion");
  EXPECT(MPI_Info_get_string(info, "colour", &room, NULL, &flag) == MPI_SUCCESS && flag && room == 10);
  room = 4;
  EXPECT(MPI_Info_get_string(info, "colour", &room, value, &flag) == MPI_SUCCESS && flag && room == 10);
  EXPECT(strcmp(value, "ver") == 0);
  EXPECT(MPI_Info_get_string(info, "colour", &room, value, &flag) == MPI_SUCCESS && strcmp(value, "vermilion") == 0);
  room = 7;
  EXPECT(MPI_Info_get_string(info, "shape", &room, value, &flag) == MPI_SUCCESS && !flag && room == 7);
  EXPECT(strcmp(value, "vermilion") == 0);
  MPI_Info_free(&info);
  EXPECT(MPI_Info_create_env(0, NULL, &at_start) == MPI_SUCCESS);
  EXPECT(MPI_Info_get_nkeys(at_start, &keys) == MPI_SUCCESS && keys == 0 && MPI_Info_free(&at_start) == MPI_SUCCESS);
}

/* ---- other processes: there are none ---- */
static void refused(void) {
  MPI_Comm comm, made = MPI_COMM_WORLD;
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  EXPECT(MPI_Comm_spawn("worker", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, comm, &made, MPI_ERRCODES_IGNORE) ==
         MPI_ERR_SPAWN);
  EXPECT(made == MPI_COMM_NULL);
  EXPECT(MPI_Comm_spawn_multiple(1, NULL, MPI_ARGVS_NULL, NULL, NULL, 0, comm, &made, MPI_ERRCODES_IGNORE) ==
         MPI_ERR_SPAWN);
  EXPECT(MPI_Open_port(MPI_INFO_NULL, port) == MPI_ERR_PORT && MPI_Close_port(port) == MPI_ERR_PORT);
  EXPECT(MPI_Comm_accept(port, MPI_INFO_NULL, 0, comm, &made) == MPI_ERR_PORT);
  EXPECT(MPI_Comm_connect(port, MPI_INFO_NULL, 0, comm, &made) == MPI_ERR_PORT);
  EXPECT(MPI_Comm_join(0, &made) == MPI_ERR_OTHER);
  EXPECT(MPI_Publish_name("x", MPI_INFO_NULL, port) == MPI_ERR_SERVICE);
  EXPECT(MPI_Unpublish_name("x", MPI_INFO_NULL, port) == MPI_ERR_SERVICE);
  EXPECT(MPI_Lookup_name("x", MPI_INFO_NULL, port) == MPI_ERR_NAME);
  MPI_Comm_free(&comm);
}

static void refused_by(const char* call) {
  MPI_Comm made;
  char port[MPI_MAX_PORT_NAME] = "";
  if (strcmp(call, "spawn") == 0)
    MPI_Comm_spawn("worker", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
  if (strcmp(call, "port") == 0) MPI_Open_port(MPI_INFO_NULL, port);
  if (strcmp(call, "name") == 0) MPI_Lookup_name("x", MPI_INFO_NULL, port);
  if (strcmp(call, "join") == 0) MPI_Comm_join(0, &made);
}

int main(int argc, char** argv) {
  int provided = -1, count = 0;
  EXPECT(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED);
  EXPECT(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_FUNNELED);
  EXPECT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SINGLE);
  EXPECT(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
  EXPECT(provided == MPI_THREAD_FUNNELED);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  if (argc > 1) refused_by(argv[1]);
  controls();
  counters();
  categories();
  environment();
  statuses();
  infos();
  refused();
  EXPECT(MPI_T_finalize() == MPI_SUCCESS);
  finish();
  EXPECT(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && MPI_T_finalize() == MPI_SUCCESS); /* initialized twice */
  EXPECT(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED && MPI_T_finalize() != MPI_SUCCESS);
  return 0;
}
