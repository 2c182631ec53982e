/* Calls of MPI, as the simulator's checker is told of them. */
#include "sw/mpi/check/checked.h"

#include <stddef.h>

#include "sw/abi/mpi_layout.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/datatypes/type_contents.h"
#include "sw/mpi/datatypes/type_map.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/windows/windows.h"

/* An image's code here is not counted. */
#ifdef __riscv
#define UNTIMED(edge) hal_untimed_##edge()
#else
#define UNTIMED(edge) (void)0
#endif
#ifdef __riscv
#include "sw/hal/riscv/settings.h"
static void ask_for_settings_again(void) { hal_riscv_settings = NULL; }
#else
static void ask_for_settings_again(void) {}
#endif
#define AT(type, member) ((uint32_t)offsetof(struct type, member))

static void tell_layout(void) {
  const struct mpi_check_layout layout = {
      .bytes = sizeof layout,
      .world = (uintptr_t)MPI_COMM_WORLD,
      .self = (uintptr_t)MPI_COMM_SELF,
      .references = AT(mpi_object, references),
      .comm_context = AT(MPI_communicator_, context),
      .comm_rank = AT(MPI_communicator_, rank),
      .comm_size = AT(MPI_communicator_, size),
      .comm_processes = AT(MPI_communicator_, processes),
      .comm_local = AT(MPI_communicator_, local),
      .group_size = AT(MPI_group_, size),
      .group_processes = AT(MPI_group_, processes),
      .type_bytes = AT(MPI_datatype_, bytes),
      .type_lower = AT(MPI_datatype_, lower),
      .type_extent = AT(MPI_datatype_, extent),
      .type_dense = AT(MPI_datatype_, dense),
      .type_committed = AT(MPI_datatype_, committed),
      .type_predefined = AT(MPI_datatype_, predefined),
      .type_name = AT(MPI_datatype_, name),
      .type_map = AT(MPI_datatype_, map),
      .type_contents = AT(MPI_datatype_, contents),
      .map_runs = AT(mpi_map, shape.runs),
      .map_count = AT(mpi_map, count),
      .map_parts = AT(mpi_map, parts),
      .part_offset = AT(mpi_part, offset),
      .part_times = AT(mpi_part, times),
      .part_apart = AT(mpi_part, apart),
      .part_data = AT(mpi_part, bytes),
      .part_map = AT(mpi_part, map),
      .part_bytes = sizeof(struct mpi_part),
      .contents_combiner = AT(mpi_type_contents, combiner),
      .contents_integers_count = AT(mpi_type_contents, integers_count),
      .contents_integers = AT(mpi_type_contents, integers),
      .contents_types_count = AT(mpi_type_contents, types_count),
      .contents_types = AT(mpi_type_contents, types),
      .request_active = AT(MPI_request_, active),
      .request_from = AT(MPI_request_, got.from),
      .request_tag = AT(MPI_request_, got.tag),
      .request_got_bytes = AT(MPI_request_, got.bytes),
      .op_name = AT(MPI_op_, name),
      .op_user = AT(MPI_op_, user),
      .window_comm = AT(MPI_window_, comm),
  };
  const struct hal_checked_call told = {.what = HAL_CHECK_LAYOUT, .arguments = (uintptr_t)&layout};
  hal_check(&told);
}

/* ---- calls from Fortran ---- */
#if defined(__riscv) && defined(SANVP_CHECK_MPI)
/* A call of Fortran is one of C, made by a function of sw/mpi/fortran. Those functions are compiled so that they tell
 * their begin, with the place that they were called from, and their end. */
static _Thread_local struct {
  unsigned depth;
  const void* place; /* of the outermost one */
} in_fortran;

void sanvp_mpi_entered(void* function, void* place);
void sanvp_mpi_entered(void* function, void* place) {
  (void)function;
  if (in_fortran.depth++ == 0) in_fortran.place = place;
}

void sanvp_mpi_left(void* function, void* place);
void sanvp_mpi_left(void* function, void* place) {
  (void)function, (void)place;
  --in_fortran.depth;
}

static const void* of_program(const void* place) { return in_fortran.depth > 0 ? in_fortran.place : place; }
#else
static const void* of_program(const void* place) { return place; }
#endif

/* ---- algorithms of collective operations that change during a run (branches) ---- */
/* What it calls of an image is counted: it is taken back. */
#ifdef __riscv
static int64_t begin_uncounted(void) { return 0; }
static void end_uncounted(int64_t spent) { (void)spent; }
#else
extern int64_t* sanvp_counter; /* sw/hal/spent.c */
static int64_t begin_uncounted(void) {
  const int64_t spent = *sanvp_counter;
  *sanvp_counter = INT64_MIN;
  return spent;
}
static void end_uncounted(int64_t spent) { *sanvp_counter = spent; }
#endif

/* From now on those of the settings as they are now, or those of the start. */
static void take_algorithms(int changed) {
  enum { MOST = 16 };
  static struct mpi_choice others[MOST];
  static int are_read, are_taken;
  if (changed == are_taken) return;
  const int64_t spent = begin_uncounted();
  are_taken = changed;
  size_t count = 0;
  struct mpi_choice* const* all = mpi_choices(&count);
  for (size_t i = 0; i < count; ++i) {
    const struct mpi_choice other = are_read ? others[i] : *all[i];
    others[i] = *all[i];
    *all[i] = other;
  }
  if (!are_read) {
    are_read = 1;
    ask_for_settings_again();
    mpi_collective_start();
  }
  end_uncounted(spent);
}

static int has_other_algorithms(const struct hal_checked_call* call) {
  struct hal_checked_call asks = *call;
  asks.what = MPI_CHECK_ALGORITHMS;
  return hal_check(&asks);
}

void mpi_checked_begin(struct hal_checked_call* call, const uint64_t* words, const void* place, const void* frame) {
  UNTIMED(begin);
  call->what = HAL_CHECK_BEGIN;
  call->id = (uintptr_t)frame;
  call->place = (uintptr_t)of_program(place);
  call->arguments = (uintptr_t)words;
  if (hal_check(call)) {
    tell_layout();
    hal_check(call);
  }
  take_algorithms(has_other_algorithms(call));
  UNTIMED(end);
}

void mpi_checked_end(struct hal_checked_call* call, int64_t result) {
  UNTIMED(begin);
  call->what = HAL_CHECK_END;
  call->result = result;
  hal_check(call);
  take_algorithms(0);
  UNTIMED(end);
}

void mpi_checked_leave(struct hal_checked_call* call) {
  if (call->id != 0 && call->what == HAL_CHECK_BEGIN) mpi_checked_end(call, MPI_ERR_OTHER);
}

int mpi_checked_refusal(const char* name, int error, const void* place) {
  UNTIMED(begin);
  const struct hal_checked_call call = {
      .name = (uintptr_t)name, .place = (uintptr_t)of_program(place), .what = HAL_CHECK_END, .result = error};
  if (hal_checks()) hal_check(&call);
  UNTIMED(end);
  return error;
}

void mpi_checked_copy(const void* buffer, int begins) {
  UNTIMED(begin);
  const struct hal_checked_call told = {.what = MPI_CHECK_COPY, .arguments = (uintptr_t)buffer, .count = begins};
  if (hal_checks()) hal_check(&told);
  UNTIMED(end);
}

#ifdef SANVP_CHECK_MPI
/* Marks the program for `sanvp run --check-mpi`. */
__attribute__((section(".sanvp.check"), used, retain)) static const char is_checked[] = "mpi";
#endif
