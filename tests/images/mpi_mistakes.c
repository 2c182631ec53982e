/* Mistakes of MPI programs, each by its name: each ends the job with a message. */
#include <limits.h>
#include <stdlib.h>

#include "tests/images/mpi_check.h"

static int word;
static MPI_Request request;
static MPI_Datatype type;
static MPI_Comm comm;

static void no_rank(void) { MPI_Send(&word, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD); }
static void bad_tag(void) { MPI_Send(&word, 1, MPI_INT, right, -7, MPI_COMM_WORLD); }
static void bad_count(void) { MPI_Irecv(&word, -2, MPI_INT, left, 0, MPI_COMM_WORLD, &request); }
static void null_buffer(void) { MPI_Send(NULL, 1, MPI_INT, right, 0, MPI_COMM_WORLD); }
static void null_type(void) { MPI_Send(&word, 1, MPI_DATATYPE_NULL, right, 0, MPI_COMM_WORLD); }
static void null_comm(void) { MPI_Barrier(MPI_COMM_NULL); }
static void disconnect_null(void) { MPI_Comm_disconnect(&(MPI_Comm){MPI_COMM_NULL}); }
static void disconnect_world(void) { MPI_Comm_disconnect(&(MPI_Comm){MPI_COMM_WORLD}); }
static void truncated(void) {
  int two[2] = {1, 2};
  MPI_Sendrecv(two, 2, MPI_INT, right, 3, &word, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void uncommitted(void) {
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Send(&word, 1, type, right, 0, MPI_COMM_WORLD);
}
static void freed_type(void) {
  MPI_Type_contiguous(1, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Datatype copy = type;
  MPI_Type_free(&type);
  MPI_Send(&word, 1, copy, right, 0, MPI_COMM_WORLD);
}
static void freed_comm(void) {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm copy = comm;
  MPI_Comm_free(&comm);
  MPI_Send(&word, 1, MPI_INT, right, 0, copy);
}
static void freed_request(void) {
  MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Request copy = request;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&copy, MPI_STATUS_IGNORE);
}
static void freed_group(void) {
  MPI_Group group, copy;
  int size;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  copy = group;
  MPI_Group_free(&group);
  MPI_Group_size(copy, &size);
}
static void free_world(void) {
  comm = MPI_COMM_WORLD;
  MPI_Comm_free(&comm);
}
static void free_int(void) {
  type = MPI_INT;
  MPI_Type_free(&type);
}
static void no_buffer(void) { MPI_Bsend(&word, 1, MPI_INT, right, 0, MPI_COMM_WORLD); }
static void start_twice(void) {
  MPI_Recv_init(&word, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Start(&request);
}
static void start_other(void) {
  MPI_Irecv(&word, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
}
static void not_a_grid(void) { MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &word, &word); }
static void grid_too_large(void) {
  const int size = ranks + 1, period = 0;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &comm);
}
static void no_key(void) { MPI_Attr_put(MPI_COMM_WORLD, 12345, &word); }
static void too_many_pieces(void) {
  const int first = 0;
  MPI_Type_create_indexed_block(INT_MAX, 1, &first, MPI_INT, &type);
}
static void in_place_broadcast(void) { MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD); }
static void in_place_not_at_the_root(void) {
  MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, &word, 1, MPI_INT, 1 - rank, MPI_COMM_WORLD);
}
static void in_place_result(void) { MPI_Scan(&word, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
static void in_place_send(void) { MPI_Send(MPI_IN_PLACE, 1, MPI_INT, right, 0, MPI_COMM_WORLD); }

/* ---- no memory left: the program has it all in pieces, none of which is free ---- */
static void take_all_memory(void) {
  for (size_t bytes = (size_t)1 << 40; bytes > 0; bytes /= 2)
    while (malloc(bytes)) continue;
}
static void no_memory_group(void) {
  MPI_Group group;
  take_all_memory();
  MPI_Comm_group(MPI_COMM_WORLD, &group);
}
static void no_memory_key(void) {
  int key;
  take_all_memory();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
}
static void handle_error(MPI_Comm* at, int* code, ...) { (void)at, (void)code; }
static void no_memory_handler(void) {
  MPI_Errhandler handler;
  take_all_memory();
  MPI_Comm_create_errhandler(handle_error, &handler);
}
static void no_memory_number(void) {
  take_all_memory();
  MPI_Comm_c2f(MPI_COMM_WORLD);
}
static void no_memory_collective(void) {
  take_all_memory();
  MPI_Allreduce(&rank, &word, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void no_memory_split(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* half a collective call cannot return */
  take_all_memory();
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
}
static int query(void* extra, MPI_Status* status) { return (void)extra, (void)status, MPI_SUCCESS; }
static int release(void* extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void* extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }
static void never_complete(void) {
  int index;
  MPI_Grequest_start(query, release, cancel, NULL, &request);
  MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
}
static int fails(MPI_Comm from, int key, void* extra, void* value, void* copied, int* flag) {
  return (void)from, (void)key, (void)extra, (void)value, (void)copied, (void)flag, MPI_ERR_OTHER;
}
static void failing_copy(void) {
  MPI_Comm_create_keyval(fails, MPI_COMM_NULL_DELETE_FN, &word, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, word, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
}
static void init_twice(void) { MPI_Init(NULL, NULL); }
static void after_the_end(void) {
  MPI_Finalize();
  MPI_Comm_rank(MPI_COMM_WORLD, &word);
}
static void give_up(void) { MPI_Abort(MPI_COMM_WORLD, 3); }

static const struct {
  const char* name;
  void (*make)(void);
} mistakes[] = {{"no_rank", no_rank},
                {"bad_tag", bad_tag},
                {"bad_count", bad_count},
                {"null_buffer", null_buffer},
                {"null_type", null_type},
                {"null_comm", null_comm},
                {"disconnect_null", disconnect_null},
                {"disconnect_world", disconnect_world},
                {"truncated", truncated},
                {"uncommitted", uncommitted},
                {"freed_type", freed_type},
                {"freed_comm", freed_comm},
                {"freed_request", freed_request},
                {"freed_group", freed_group},
                {"free_world", free_world},
                {"free_int", free_int},
                {"no_buffer", no_buffer},
                {"start_twice", start_twice},
                {"start_other", start_other},
                {"not_a_grid", not_a_grid},
                {"grid_too_large", grid_too_large},
                {"no_key", no_key},
                {"too_many_pieces", too_many_pieces},
                {"in_place_broadcast", in_place_broadcast},
                {"in_place_not_at_the_root", in_place_not_at_the_root},
                {"in_place_result", in_place_result},
                {"in_place_send", in_place_send},
                {"no_memory_group", no_memory_group},
                {"no_memory_key", no_memory_key},
                {"no_memory_handler", no_memory_handler},
                {"no_memory_number", no_memory_number},
                {"no_memory_collective", no_memory_collective},
                {"no_memory_split", no_memory_split},
                {"never_complete", never_complete},
                {"failing_copy", failing_copy},
                {"init_twice", init_twice},
                {"after_the_end", after_the_end},
                {"give_up", give_up}};

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "before_init") == 0) MPI_Comm_size(MPI_COMM_WORLD, &word);
  if (argc > 1 && strcmp(argv[1], "type_before_init") == 0) MPI_Type_contiguous(1, MPI_INT, &type);
  begin(&argc, &argv);
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i)
    if (argc > 1 && strcmp(argv[1], mistakes[i].name) == 0) mistakes[i].make();
  return finish();
}
