/* Collective accesses in two phases: the processes exchange data with aggregators, each of which accesses a part of the
 * file in few large requests. Pays where the processes' parts of the file interleave, and requests take time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/files/file.h"
#include "sw/mpi/files/two_phase.h"
#include "sw/mpi/requests/request.h"

/* ---- whether it pays ---- */
static int interleave(const struct mpi_range* ranges, int count) {
  uint64_t end = 0;
  for (int i = 0; i < count; ++i) {
    if (ranges[i].begin == ranges[i].end) continue;
    if (ranges[i].begin < end) return 1;
    end = ranges[i].end;
  }
  return 0;
}

static int pays(MPI_File file, enum hal_file_way way, const struct mpi_range* ranges) {
  const int choice = file->hints.cb[way];
  if (choice != CB_AUTOMATIC) return choice == CB_ENABLE;
  return hal_files_take_time() && interleave(ranges, file->comm->size);
}

/* ---- the plan: all processes make the same ---- */
/* The first rank of each node. */
static int ranks_of_nodes(MPI_Comm comm, int* ranks) {
  int count = 0;
  for (int i = 0; i < comm->size; ++i) {
    const int node = hal_rank_node((int)mpi_process(comm, i));
    int is_new = 1;
    for (int j = 0; j < count && is_new; ++j) is_new = hal_rank_node((int)mpi_process(comm, ranks[j])) != node;
    if (is_new) ranks[count++] = i;
  }
  return count;
}

static void choose_aggregators(struct mpi_plan* plan) {
  MPI_Comm comm = plan->file->comm;
  const int wanted = plan->file->hints.cb_nodes;
  plan->aggregators = mpi_memory((size_t)comm->size * sizeof(int));
  plan->count = wanted > 0 ? wanted : ranks_of_nodes(comm, plan->aggregators);
  if (plan->count > comm->size) plan->count = comm->size;
  for (int i = 0; i < plan->count && wanted > 0; ++i)
    plan->aggregators[i] = (int)((int64_t)i * comm->size / plan->count);
}

/* Equal parts of the file, which begin at whole blocks. */
static void cut(struct mpi_plan* plan) {
  enum { BLOCK = 4096 };
  struct mpi_range all = {UINT64_MAX, 0};
  for (int i = 0; i < plan->file->comm->size; ++i) {
    const struct mpi_range* range = &plan->ranges[i];
    if (range->begin == range->end) continue;
    if (range->begin < all.begin) all.begin = range->begin;
    if (range->end > all.end) all.end = range->end;
  }
  if (all.begin > all.end) all = (struct mpi_range){0, 0};
  plan->all = all;
  const uint64_t part = (all.end - all.begin + (uint64_t)plan->count - 1) / (uint64_t)plan->count;
  plan->part = (part + BLOCK - 1) / BLOCK * BLOCK;
  plan->buffer = (uint64_t)plan->file->hints.cb_buffer_size;
  plan->rounds = (plan->part + plan->buffer - 1) / plan->buffer;
}

struct mpi_range mpi_plan_window(const struct mpi_plan* plan, int aggregator, uint64_t round) {
  const uint64_t begin = plan->all.begin + (uint64_t)aggregator * plan->part, end = begin + plan->part;
  struct mpi_range window = {begin + round * plan->buffer, begin + (round + 1) * plan->buffer};
  if (window.end > end) window.end = end;
  if (window.end > plan->all.end) window.end = plan->all.end;
  if (window.begin > window.end) window.begin = window.end;
  return window;
}

int mpi_ranges_meet(struct mpi_range one, struct mpi_range other) {
  return one.begin < other.end && other.begin < one.end;
}

/* ---- this process's parts ---- */
void mpi_clip(const struct mpi_spans* spans, struct mpi_range window, struct mpi_clipped* to) {
  uint64_t before = 0;
  *to = (struct mpi_clipped){.spans = mpi_memory((spans->count + 1) * sizeof *to->spans),
                             .places = mpi_memory((spans->count + 1) * sizeof *to->places)};
  for (size_t i = 0; i < spans->count; ++i) {
    const struct hal_file_span* span = &spans->all[i];
    const uint64_t begin = span->begin > window.begin ? span->begin : window.begin;
    const uint64_t span_end = span->begin + span->bytes, end = span_end < window.end ? span_end : window.end;
    if (begin < end) {
      to->places[to->count] = before + (begin - span->begin);
      to->spans[to->count++] = (struct hal_file_span){begin, end - begin};
      to->bytes += end - begin;
    }
    before += span->bytes;
  }
}

/* ---- the access ---- */
static struct mpi_range range_of(const struct mpi_spans* spans) {
  if (spans->count == 0) return (struct mpi_range){0, 0};
  struct mpi_range range = {spans->all[0].begin, 0};
  for (size_t i = 0; i < spans->count; ++i) { /* those of a read may overlap */
    const uint64_t begin = spans->all[i].begin, end = begin + spans->all[i].bytes;
    if (begin < range.begin) range.begin = begin;
    if (end > range.end) range.end = end;
  }
  return range;
}

static int agree(MPI_Comm comm, int error) {
  int most = error;
  MPI_Allreduce(&error, &most, 1, MPI_INT, MPI_MAX, comm);
  return most;
}

/* Returns an errno of any process. */
static int exchange(const struct mpi_access* access, struct mpi_plan* plan, const struct mpi_spans* spans, char* data,
                    uint64_t* moved) {
  int error = 0;
  choose_aggregators(plan);
  cut(plan);
  for (uint64_t round = 0; round < plan->rounds; ++round) {
    const int failed = access->way == HAL_FILE_WRITE ? mpi_write_round(plan, round, spans, data)
                                                     : mpi_read_round(plan, round, spans, data, moved);
    if (failed != 0 && error == 0) error = failed;
  }
  free(plan->aggregators);
  if (access->way == HAL_FILE_WRITE) *moved = access->bytes;
  return agree(access->file->comm, error); /* also: all data are where they belong */
}

int mpi_access_make_all(const struct mpi_access* access, MPI_Status* status) {
  MPI_File file = access->file;
  struct mpi_spans spans = mpi_view_spans(&file->view, access->position, access->bytes);
  struct mpi_plan plan = {.file = file};
  const struct mpi_range own = range_of(&spans);
  plan.ranges = mpi_memory((size_t)file->comm->size * sizeof *plan.ranges);
  MPI_Allgather(&own, 2, MPI_UINT64_T, plan.ranges, 2, MPI_UINT64_T, file->comm);
  if (!pays(file, access->way, plan.ranges)) {
    free(plan.ranges);
    free(spans.all);
    return mpi_access_make(access, status);
  }
  int error = MPI_SUCCESS;
  uint64_t bytes = 0;
  char* const staging = mpi_access_staging(access, &error);
  if (error != MPI_SUCCESS) spans.count = 0; /* the others wait for this process */
  const int failed = exchange(access, &plan, &spans, staging, &bytes);
  free(plan.ranges);
  free(spans.all);
  if (error != MPI_SUCCESS) return error;
  struct mpi_moved moved = mpi_access_finish(access, staging, bytes);
  mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, moved.bytes);
  if (failed != 0) return mpi_file_fail_errno(file, access->call, failed, file->name);
  return moved.error;
}
