/* Mistakes with windows, each by its name: each ends the job with a message. */
#include "tests/images/mpi_check.h"

static int memory[4], words[4];
static MPI_Win window;
static const MPI_Info no_info = MPI_INFO_NULL;

static void put(int to, MPI_Aint at) { MPI_Put(words, 1, MPI_INT, to, at, 1, MPI_INT, window); }
static void lock(int to) { MPI_Win_lock(MPI_LOCK_SHARED, to, 0, window); }

static MPI_Group group_of(int member) {
  MPI_Group all, one;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &member, &one);
  return one;
}

/* ---- synchronisation ---- */
static void put_without_epoch(void) { put(right, 0); }
static void put_after_the_last_fence(void) {
  MPI_Win_fence(0, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  put(right, 0);
}
static void put_to_another_than_locked(void) {
  lock(rank);
  put(right, 0);
}
static void put_to_another_than_started(void) {
  MPI_Win_post(group_of(rank), 0, window);
  MPI_Win_start(group_of(rank), 0, window);
  put(right, 0);
}
static void lock_twice(void) {
  lock(right);
  lock(right);
}
static void lock_in_a_fence(void) {
  MPI_Win_fence(0, window);
  put(right, 0);
  lock(right);
}
static void lock_with_the_hint_no_locks(void) {
  MPI_Info info;
  MPI_Win other;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(memory, sizeof memory, 1, info, MPI_COMM_WORLD, &other);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, other);
}
static void unlock_without_lock(void) { MPI_Win_unlock(right, window); }
static void unlock_all_without_lock(void) { MPI_Win_unlock_all(window); }
static void flush_without_lock(void) { MPI_Win_flush(right, window); }
static void fence_in_a_lock(void) {
  lock(right);
  MPI_Win_fence(0, window);
}
static void start_twice(void) {
  MPI_Win_start(group_of(right), MPI_MODE_NOCHECK, window);
  MPI_Win_start(group_of(right), MPI_MODE_NOCHECK, window);
}
static void complete_without_start(void) { MPI_Win_complete(window); }
static void wait_without_post(void) { MPI_Win_wait(window); }
static void post_twice(void) {
  MPI_Win_post(group_of(left), 0, window);
  MPI_Win_post(group_of(left), 0, window);
}
static void request_in_a_fence(void) {
  MPI_Request request;
  MPI_Win_fence(0, window);
  MPI_Rput(words, 1, MPI_INT, right, 0, 1, MPI_INT, window, &request);
}
static void free_in_a_lock(void) {
  lock(right);
  MPI_Win_free(&window);
}
static void no_precede_after_a_put(void) {
  MPI_Win_fence(0, window);
  put(right, 0);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
}
static void bad_kind_of_lock(void) { MPI_Win_lock(99, right, 0, window); }
static void bad_assertion(void) { MPI_Win_lock(MPI_LOCK_SHARED, right, MPI_MODE_NOSTORE, window); }

/* ---- windows ---- */
static void null_window(void) { MPI_Win_fence(0, MPI_WIN_NULL); }
static void freed_window(void) {
  MPI_Win copy = window;
  MPI_Win_free(&window);
  MPI_Win_fence(0, copy);
}
static void null_base(void) { MPI_Win_create(NULL, 4, 1, no_info, MPI_COMM_WORLD, &window); }
static void bad_unit(void) { MPI_Win_create(memory, 4, 0, no_info, MPI_COMM_WORLD, &window); }
static void bad_size(void) { MPI_Win_create(memory, -4, 1, no_info, MPI_COMM_WORLD, &window); }
static void shared_on_two_nodes(void) {
  int* base;
  MPI_Win_allocate_shared(4, 1, no_info, MPI_COMM_WORLD, &base, &window);
}
static void attach_to_another_kind(void) { MPI_Win_attach(window, memory, 4); }
static void query_of_another_kind(void) {
  MPI_Aint bytes;
  int unit;
  int* base;
  MPI_Win_shared_query(window, 0, &bytes, &unit, &base);
}
static void attach_twice(void) {
  MPI_Win_create_dynamic(no_info, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory, 8);
  MPI_Win_attach(window, memory + 1, 4);
}
static void detach_what_is_not_attached(void) {
  MPI_Win_create_dynamic(no_info, MPI_COMM_WORLD, &window);
  MPI_Win_detach(window, memory);
}
static void access_own_memory_that_is_not_attached(int get) {
  MPI_Aint address;
  MPI_Win_create_dynamic(no_info, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory, 8);
  MPI_Get_address(memory + 1, &address);
  lock(rank);
  put(rank, address);
  if (get)
    MPI_Get(words, 1, MPI_INT, rank, address + 4, 1, MPI_INT, window);
  else
    MPI_Accumulate(words, 2, MPI_INT, rank, address, 2, MPI_INT, MPI_SUM, window);
}
static void get_from_own_memory_that_is_not_attached(void) { access_own_memory_that_is_not_attached(1); }
static void accumulate_on_own_memory_that_is_not_attached(void) { access_own_memory_that_is_not_attached(0); }
static void access_what_is_not_attached(int get) {
  MPI_Aint address;
  MPI_Win_create_dynamic(no_info, MPI_COMM_WORLD, &window);
  MPI_Get_address(memory, &address);
  MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
  if (rank == 0) {
    lock(1);
    if (get)
      MPI_Get(words, 1, MPI_INT, 1, address, 1, MPI_INT, window);
    else
      put(1, address);
    MPI_Win_unlock(1, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
static void put_to_what_is_not_attached(void) { access_what_is_not_attached(0); }
static void get_from_what_is_not_attached(void) { access_what_is_not_attached(1); }

/* ---- arguments ---- */
static void no_rank(void) {
  MPI_Win_lock_all(0, window);
  put(ranks, 0);
}
static void behind_the_end(void) {
  lock(right);
  put(right, 4);
}
static void before_the_beginning(void) {
  lock(right);
  put(right, -1);
}
static void vector_behind_the_end(void) {
  MPI_Datatype spread;
  MPI_Type_vector(2, 1, 4, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  lock(right);
  MPI_Put(words, 2, MPI_INT, right, 0, 1, spread, window);
}
static void more_here_than_there(void) {
  lock(right);
  MPI_Put(words, 2, MPI_INT, right, 0, 1, MPI_INT, window);
}
static void own_op(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}
static void operation_of_the_program(void) {
  MPI_Op op;
  MPI_Op_create(own_op, 1, &op);
  lock(right);
  MPI_Accumulate(words, 1, MPI_INT, right, 0, 1, MPI_INT, op, window);
}
static void bits_of_a_double(void) {
  double real = 1;
  lock(right);
  MPI_Accumulate(&real, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, MPI_BOR, window);
}
static void other_elements_there(void) {
  lock(right);
  MPI_Accumulate(words, 1, MPI_INT, right, 0, 1, MPI_FLOAT, MPI_SUM, window);
}
static void derived_type_to_fetch(void) {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  lock(right);
  MPI_Fetch_and_op(words, words + 2, pair, right, 0, MPI_SUM, window);
}
static void swap_of_doubles(void) {
  double real[3] = {0};
  lock(right);
  MPI_Compare_and_swap(real, real + 1, real + 2, MPI_DOUBLE, right, 0, window);
}
static void key_of_another_kind(void) {
  int key;
  MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
  MPI_Win_set_attr(window, key, &key);
}

static const struct {
  const char* name;
  void (*make)(void);
} mistakes[] = {
#define MISTAKE(function) \
  { #function, function }
    MISTAKE(put_without_epoch),
    MISTAKE(put_after_the_last_fence),
    MISTAKE(put_to_another_than_locked),
    MISTAKE(put_to_another_than_started),
    MISTAKE(lock_twice),
    MISTAKE(lock_in_a_fence),
    MISTAKE(lock_with_the_hint_no_locks),
    MISTAKE(unlock_without_lock),
    MISTAKE(unlock_all_without_lock),
    MISTAKE(flush_without_lock),
    MISTAKE(fence_in_a_lock),
    MISTAKE(start_twice),
    MISTAKE(complete_without_start),
    MISTAKE(wait_without_post),
    MISTAKE(post_twice),
    MISTAKE(request_in_a_fence),
    MISTAKE(free_in_a_lock),
    MISTAKE(no_precede_after_a_put),
    MISTAKE(bad_kind_of_lock),
    MISTAKE(bad_assertion),
    MISTAKE(null_window),
    MISTAKE(freed_window),
    MISTAKE(null_base),
    MISTAKE(bad_unit),
    MISTAKE(bad_size),
    MISTAKE(shared_on_two_nodes),
    MISTAKE(attach_to_another_kind),
    MISTAKE(query_of_another_kind),
    MISTAKE(attach_twice),
    MISTAKE(detach_what_is_not_attached),
    MISTAKE(put_to_what_is_not_attached),
    MISTAKE(get_from_what_is_not_attached),
    MISTAKE(get_from_own_memory_that_is_not_attached),
    MISTAKE(accumulate_on_own_memory_that_is_not_attached),
    MISTAKE(no_rank),
    MISTAKE(behind_the_end),
    MISTAKE(before_the_beginning),
    MISTAKE(vector_behind_the_end),
    MISTAKE(more_here_than_there),
    MISTAKE(operation_of_the_program),
    MISTAKE(bits_of_a_double),
    MISTAKE(other_elements_there),
    MISTAKE(derived_type_to_fetch),
    MISTAKE(swap_of_doubles),
    MISTAKE(key_of_another_kind),
};

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (size_t i = 0; argc > 1 && i < sizeof mistakes / sizeof *mistakes; ++i)
    if (strcmp(argv[1], mistakes[i].name) == 0) mistakes[i].make();
  return finish();
}
