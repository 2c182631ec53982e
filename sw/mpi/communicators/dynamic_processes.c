/* Processes outside of the job: a job has the ranks with which it was started, on the nodes of one machine. Each call
 * that would start or find others is refused, through the error handler, with what to do instead. */
#include "sw/mpi/base/checks.h"

#define START_ALL "start all ranks with --np, and make communicators of them by MPI_Comm_split"

static int refuse(const char* call, int code, const char* what) {
  return mpi_fail(call, code, "a job has no %s; " START_ALL, what);
}

/* ---- more processes ---- */
int MPI_Comm_spawn(const char* command, char* argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made,
                   int* codes) {
  static const char call[] = "MPI_Comm_spawn";
  (void)command, (void)argv, (void)most, (void)info, (void)root, (void)codes;
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  *made = MPI_COMM_NULL;
  return refuse(call, MPI_ERR_SPAWN, "processes but those with which it was started");
}

int MPI_Comm_spawn_multiple(int count, char** commands, char*** argvs, const int* most, const MPI_Info* infos, int root,
                            MPI_Comm comm, MPI_Comm* made, int* codes) {
  static const char call[] = "MPI_Comm_spawn_multiple";
  (void)count, (void)commands, (void)argvs, (void)most, (void)infos, (void)root, (void)codes;
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  *made = MPI_COMM_NULL;
  return refuse(call, MPI_ERR_SPAWN, "processes but those with which it was started");
}

/* ---- other jobs ---- */
static const char ports[] = "ports, as no other job runs on the machine";

int MPI_Open_port(MPI_Info info, char* port_name) {
  (void)info;
  MPI_TRY(mpi_check_running("MPI_Open_port"));
  MPI_TRY(mpi_check_result("MPI_Open_port", port_name));
  return refuse("MPI_Open_port", MPI_ERR_PORT, ports);
}

int MPI_Close_port(const char* port_name) {
  MPI_TRY(mpi_check_running("MPI_Close_port"));
  MPI_TRY(mpi_check_result("MPI_Close_port", port_name));
  return refuse("MPI_Close_port", MPI_ERR_PORT, ports);
}

static int meet(const char* call, MPI_Comm comm, MPI_Comm* made) {
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  *made = MPI_COMM_NULL;
  return refuse(call, MPI_ERR_PORT, ports);
}

int MPI_Comm_accept(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
  (void)port_name, (void)info, (void)root;
  return meet("MPI_Comm_accept", comm, made);
}

int MPI_Comm_connect(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
  (void)port_name, (void)info, (void)root;
  return meet("MPI_Comm_connect", comm, made);
}

int MPI_Comm_join(int fd, MPI_Comm* made) {
  (void)fd;
  MPI_TRY(mpi_check_running("MPI_Comm_join"));
  MPI_TRY(mpi_check_result("MPI_Comm_join", made));
  *made = MPI_COMM_NULL;
  return refuse("MPI_Comm_join", MPI_ERR_OTHER, "sockets to other processes");
}

/* ---- their names ---- */
static int name(const char* call, const char* service_name, const char* port_name, int code, const char* what) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, service_name ? port_name : NULL));
  return refuse(call, code, what);
}

int MPI_Publish_name(const char* service_name, MPI_Info info, const char* port_name) {
  (void)info;
  return name("MPI_Publish_name", service_name, port_name, MPI_ERR_SERVICE, "names of services, as no other job asks");
}

int MPI_Unpublish_name(const char* service_name, MPI_Info info, const char* port_name) {
  (void)info;
  return name("MPI_Unpublish_name", service_name, port_name, MPI_ERR_SERVICE, "names of services that were published");
}

int MPI_Lookup_name(const char* service_name, MPI_Info info, char* port_name) {
  (void)info;
  return name("MPI_Lookup_name", service_name, port_name, MPI_ERR_NAME, "names of services that were published");
}
