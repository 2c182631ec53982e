/* Windows made and freed; memory attached to dynamic ones. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/communicators/communicator_create.h"
#include "sw/mpi/windows/windows.h"

#define PAGE 4096u
#define ALIGN 64u /* of memory that a window allocates: a cache line */

MPI_Win* window_all(void) {
  static MPI_Win list;
  return &list;
}

static MPI_Win* free_windows(void) {
  static MPI_Win list;
  return &list;
}

struct window_target* window_target(MPI_Win window, int rank) {
  if (window->targets[rank]) return window->targets[rank];
  struct window_target* target = mpi_zeroed_memory(sizeof *target);
  target->rank = rank;
  target->next = window->accessed;
  window->accessed = target;
  return window->targets[rank] = target;
}

/* ---- hints ---- */
static int hint(MPI_Info info, const char* key, const char* value) {
  char text[MPI_MAX_INFO_VAL] = "";
  int flag = 0;
  if (info != MPI_INFO_NULL) MPI_Info_get(info, key, sizeof text - 1, text, &flag);
  return flag && strcmp(text, value) == 0;
}

static int by_cpu(MPI_Info info) {
  const char* place = HAL_SETTING("mpi.accumulate", "card",
                                  "what accumulates words in windows, where the card can: card or cpu, of the target",
                                  "docs/windows.md");
  if (strcmp(place, "card") != 0 && strcmp(place, "cpu") != 0) hal_abort("mpi.accumulate is card or cpu");
  if (hint(info, "sanvp_accumulate", "card")) return 0;
  return strcmp(place, "cpu") == 0 || hint(info, "sanvp_accumulate", "cpu");
}

/* ---- life ---- */
static MPI_Win new_window(MPI_Comm comm, int flavor, MPI_Info info) {
  MPI_Win window = *free_windows();
  if (window)
    *free_windows() = window->next;
  else
    window = mpi_memory(sizeof *window);
  *window = (struct MPI_window_){.object = {1}, .comm = comm, .flavor = flavor, .model = MPI_WIN_UNIFIED, .unit = 1};
  window->targets = mpi_zeroed_memory((size_t)comm->size * sizeof(struct window_target*));
  window->last_waiter = &window->waiters;
  list_init(&window->operations);
  window->no_locks = hint(info, "no_locks", "true");
  window->accumulate_by_cpu = by_cpu(info);
  if (info == MPI_INFO_NULL)
    MPI_Info_create(&window->info);
  else
    MPI_Info_dup(info, &window->info);
  window_set_handler(window, MPI_ERRORS_ARE_FATAL);
  window->next = *window_all();
  *window_all() = window;
  return window;
}

static void free_targets(MPI_Win window) {
  while (window->accessed) {
    struct window_target* target = window->accessed;
    window->accessed = target->next;
    free(target);
  }
  free(window->targets);
}

static void give(MPI_Win window) {
  MPI_Win* link = window_all();
  while (*link != window) link = &(*link)->next;
  *link = window->next;
  if (window->exposed) transport_unexpose(window->base, (size_t)window->bytes);
  if (window->owns_memory) free(window->base);
  if (window->piece) window_piece_give(window->piece);
  while (window->regions) {
    struct window_region* region = window->regions;
    window->regions = region->next;
    free(region);
  }
  free_targets(window);
  free(window->members);
  MPI_Info_free(&window->info);
  mpi_comm_release(window->comm);
  window->object.references = 0;
  window->next = *free_windows();
  *free_windows() = window;
}

/* ---- making ---- */
static int check_new(const char* call, MPI_Comm comm, MPI_Info info, MPI_Win* made) {
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  int keys = 0;
  return info == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_nkeys(info, &keys);
}

static int check_memory(const char* call, MPI_Comm comm, MPI_Aint bytes, int unit) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (bytes < 0) return mpi_fail(call, MPI_ERR_SIZE, "the size is %td; it must be 0 or more", bytes);
  if (unit < 1) return mpi_fail(call, MPI_ERR_DISP, "the displacement unit is %d; it must be 1 or more", unit);
  return MPI_SUCCESS;
}

/* A window without memory yet. Requests of other ranks may come as soon as all ranks have made theirs: the last
 * exchange of what makes it sees to that. */
static int begin(MPI_Comm comm, int flavor, MPI_Info info, MPI_Win* made) {
  uint32_t context = 0;
  MPI_TRY(mpi_agree_context(comm, &context));
  MPI_Comm own = mpi_comm_new(comm, context, comm->rank, comm->size, mpi_processes_copy(comm->processes, comm->size));
  window_service_start();
  *made = new_window(own, flavor, info);
  return MPI_SUCCESS;
}

static int is_neighbour(MPI_Comm comm, int rank) {
  return rank != comm->rank && hal_rank_node((int)mpi_process(comm, rank)) == hal_node();
}

/* What each rank of the node has allocated is accessible only to those that have named it, too. */
static void show_neighbours(MPI_Win window) {
  for (int rank = 0; rank < window->comm->size; ++rank) {
    struct window_member* member = &window->members[rank];
    if (member->shared == 0 || !is_neighbour(window->comm, rank)) continue;
    if (!window_piece_show(mpi_process(window->comm, rank), member->shared, (size_t)member->bytes))
      member->shared = 0; /* it is accessed by messages */
  }
}

static int tell_members(MPI_Win window) {
  const int size = window->comm->size;
  window->members = mpi_memory((size_t)size * sizeof *window->members);
  const uint64_t remote = window->bytes > 0 ? transport_expose(window->base, (size_t)window->bytes) : 0;
  window->exposed = remote != 0;
  const struct window_member own = {.remote = remote,
                                    .atomics = remote != 0 && !window->accumulate_by_cpu ? transport_atomics_at() : 0,
                                    .base = (uint64_t)(uintptr_t)window->base,
                                    .bytes = (uint64_t)window->bytes,
                                    .unit = (uint32_t)window->unit,
                                    .shared = window->piece ? window_piece_number(window->piece) : 0};
  MPI_TRY(MPI_Allgather(&own, sizeof own, MPI_BYTE, window->members, sizeof own, MPI_BYTE, window->comm));
  if (window->flavor == MPI_WIN_FLAVOR_ALLOCATE) show_neighbours(window);
  return MPI_SUCCESS;
}

static int finish(MPI_Win window, int error, MPI_Win* made) {
  *made = window;
  if (error != MPI_SUCCESS) {
    give(window);
    *made = MPI_WIN_NULL;
  }
  return error;
}

static int with_memory(MPI_Win window, void* base, MPI_Aint bytes, int unit, MPI_Win* made) {
  window->base = base;
  window->bytes = bytes;
  window->unit = unit;
  return finish(window, tell_members(window), made);
}

/* ---- MPI_Win_create, MPI_Win_allocate, MPI_Win_create_dynamic ---- */
int MPI_Win_create(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  static const char call[] = "MPI_Win_create";
  MPI_TRY(check_new(call, comm, info, window));
  MPI_TRY(check_memory(call, comm, bytes, unit));
  if (!base && bytes > 0) return mpi_fail(call, MPI_ERR_BASE, "the base is a null pointer");
  MPI_Win made = MPI_WIN_NULL;
  MPI_TRY(begin(comm, MPI_WIN_FLAVOR_CREATE, info, &made));
  return with_memory(made, base, bytes, unit, window);
}

static int write_base(void* place, void* base) {
  memcpy(place, &base, sizeof base);
  return MPI_SUCCESS;
}

static int has_neighbours(MPI_Comm comm) {
  for (int rank = 0; rank < comm->size; ++rank)
    if (is_neighbour(comm, rank)) return 1;
  return 0;
}

/* Shared by the node's ranks, if there are others, and the node has such memory left. */
static void* allocate(MPI_Win window, size_t bytes) {
  if (bytes > 0 && has_neighbours(window->comm)) window->piece = window_piece_of_one(bytes);
  window->owns_memory = !window->piece;
  return window->piece ? window_piece_memory(window->piece) : aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN);
}

int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window) {
  static const char call[] = "MPI_Win_allocate";
  MPI_TRY(check_new(call, comm, info, window));
  MPI_TRY(check_memory(call, comm, bytes, unit));
  MPI_TRY(mpi_check_result(call, base));
  MPI_Win made = MPI_WIN_NULL;
  MPI_TRY(begin(comm, MPI_WIN_FLAVOR_ALLOCATE, info, &made));
  void* memory = allocate(made, (size_t)bytes);
  if (!memory) return finish(made, mpi_fail(call, MPI_ERR_NO_MEM, "no %td bytes left; set host.memory", bytes), window);
  write_base(base, memory);
  return with_memory(made, memory, bytes, unit, window);
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  MPI_TRY(check_new("MPI_Win_create_dynamic", comm, info, window));
  MPI_Win made = MPI_WIN_NULL;
  MPI_TRY(begin(comm, MPI_WIN_FLAVOR_DYNAMIC, info, &made));
  return finish(made, MPI_Barrier(made->comm), window);
}

/* ---- MPI_Win_allocate_shared, MPI_Win_shared_query ---- */
static int check_node(const char* call, MPI_Comm comm) {
  for (int rank = 0; rank < comm->size; ++rank) {
    const int node = hal_rank_node((int)mpi_process(comm, rank));
    if (node == hal_node()) continue;
    return mpi_fail(call, MPI_ERR_RMA_SHARED,
                    "rank %d is on node %d, this rank on node %d; split the communicator by MPI_COMM_TYPE_SHARED", rank,
                    node, hal_node());
  }
  return MPI_SUCCESS;
}

/* The begin of this rank's part, and the bytes of all. The parts follow each other without a gap; each begins a page if
 * all ranks give the hint that they need not. */
struct parts {
  uint64_t mine, all;
};

static int place_parts(MPI_Win window, int may_have_gaps, struct parts* parts) {
  const int size = window->comm->size;
  const uint64_t own = (uint64_t)window->bytes << 1 | (uint64_t)may_have_gaps;
  uint64_t* each = mpi_memory((size_t)size * sizeof *each);
  const int error = MPI_Allgather(&own, 1, MPI_UINT64_T, each, 1, MPI_UINT64_T, window->comm);
  uint64_t gaps = 1;
  for (int rank = 0; rank < size; ++rank) gaps &= each[rank];
  const uint64_t align = gaps ? PAGE : 1;
  *parts = (struct parts){0};
  for (int rank = 0; rank < size; ++rank) {
    if (rank == window->comm->rank) parts->mine = parts->all;
    parts->all += ((each[rank] >> 1) + align - 1) / align * align;
  }
  free(each);
  return error;
}

static int share(const char* call, MPI_Win window, MPI_Info info) {
  struct parts parts = {0};
  MPI_TRY(place_parts(window, hint(info, "alloc_shared_noncontig", "true"), &parts));
  window->piece = window_piece_take(window->comm, (size_t)parts.all);
  if (!window->piece)
    return mpi_fail(call, MPI_ERR_NO_MEM, "the node has no %llu bytes of shared memory left; set host.memory",
                    (unsigned long long)parts.all);
  window->base = window_piece_memory(window->piece) + parts.mine;
  return tell_members(window);
}

int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window) {
  static const char call[] = "MPI_Win_allocate_shared";
  MPI_TRY(check_new(call, comm, info, window));
  MPI_TRY(check_memory(call, comm, bytes, unit));
  MPI_TRY(mpi_check_result(call, base));
  MPI_TRY(check_node(call, comm));
  MPI_Win made = MPI_WIN_NULL;
  MPI_TRY(begin(comm, MPI_WIN_FLAVOR_SHARED, info, &made));
  made->bytes = bytes;
  made->unit = unit;
  const int error = share(call, made, info);
  if (error == MPI_SUCCESS) write_base(base, made->base);
  return finish(made, error, window);
}

static int query(MPI_Win window, int rank, MPI_Aint* bytes, int* unit, void* base) {
  static const char call[] = "MPI_Win_shared_query";
  if (window->flavor != MPI_WIN_FLAVOR_SHARED)
    return mpi_fail(call, MPI_ERR_RMA_FLAVOR, "the window is not one of MPI_Win_allocate_shared");
  MPI_TRY(mpi_check_result(call, bytes && unit && base ? base : NULL));
  if (rank != MPI_PROC_NULL) MPI_TRY(window_check_rank(call, window, rank));
  for (int at = 0; rank == MPI_PROC_NULL && at < window->comm->size; ++at) /* the first that has memory */
    if (window->members[at].bytes > 0) rank = at;
  if (rank == MPI_PROC_NULL) rank = 0;
  const struct window_member* member = &window->members[rank];
  *bytes = (MPI_Aint)member->bytes;
  *unit = (int)member->unit;
  return write_base(base, (void*)(uintptr_t)member->base);
}

int MPI_Win_shared_query(MPI_Win window, int rank, MPI_Aint* bytes, int* unit, void* base) {
  WINDOW_CALL("MPI_Win_shared_query", window, query(window, rank, bytes, unit, base));
}

/* ---- MPI_Win_attach, MPI_Win_detach ---- */
static int check_dynamic(const char* call, MPI_Win window) {
  if (window->flavor == MPI_WIN_FLAVOR_DYNAMIC) return MPI_SUCCESS;
  return mpi_fail(call, MPI_ERR_RMA_FLAVOR, "the window is not one of MPI_Win_create_dynamic");
}

static int attach(MPI_Win window, char* base, MPI_Aint bytes) {
  static const char call[] = "MPI_Win_attach";
  MPI_TRY(check_dynamic(call, window));
  if (bytes < 0) return mpi_fail(call, MPI_ERR_SIZE, "the size is %td; it must be 0 or more", bytes);
  if (bytes == 0) return MPI_SUCCESS;
  if (!base) return mpi_fail(call, MPI_ERR_BASE, "the base is a null pointer");
  for (const struct window_region* at = window->regions; at; at = at->next)
    if (base < at->base + at->bytes && at->base < base + bytes)
      return mpi_fail(call, MPI_ERR_RMA_ATTACH, "memory of this is attached already; detach it first");
  struct window_region* region = mpi_memory(sizeof *region);
  *region = (struct window_region){.next = window->regions, .base = base, .bytes = (size_t)bytes};
  window->regions = region;
  return MPI_SUCCESS;
}

static int detach(MPI_Win window, const char* base) {
  static const char call[] = "MPI_Win_detach";
  MPI_TRY(check_dynamic(call, window));
  struct window_region** link = &window->regions;
  while (*link && (*link)->base != base) link = &(*link)->next;
  struct window_region* region = *link;
  if (!region)
    return mpi_fail(call, MPI_ERR_RMA_ATTACH,
                    "no memory that begins there is attached; pass the base of MPI_Win_attach");
  *link = region->next;
  free(region);
  return MPI_SUCCESS;
}

int MPI_Win_attach(MPI_Win window, void* base, MPI_Aint bytes) {
  WINDOW_CALL("MPI_Win_attach", window, attach(window, base, bytes));
}

int MPI_Win_detach(MPI_Win window, const void* base) { WINDOW_CALL("MPI_Win_detach", window, detach(window, base)); }

/* ---- MPI_Win_free: collective; all that other ranks have asked for has been served ---- */
static int check_ended(MPI_Win window) {
  const char* open = window->locks > 0 || window->lock_all ? "MPI_Win_unlock"
                     : window->started                     ? "MPI_Win_complete"
                     : window->posted                      ? "MPI_Win_wait"
                     : window->fence_used                  ? "MPI_Win_fence"
                                                           : NULL;
  if (!open) return MPI_SUCCESS;
  return mpi_fail("MPI_Win_free", MPI_ERR_RMA_SYNC, "an epoch is open; call %s first", open);
}

static int free_window(MPI_Win* handle) {
  MPI_Win window = *handle;
  MPI_TRY(check_ended(window));
  MPI_TRY(window_attributes_delete("MPI_Win_free", window));
  const int error = window_complete("MPI_Win_free", window, MPI_PROC_NULL);
  const int met = MPI_Barrier(window->comm);
  window_sends_finish();
  *handle = MPI_WIN_NULL;
  const int result = window_result(window, error != MPI_SUCCESS ? error : met);
  give(window);
  return result;
}

int MPI_Win_free(MPI_Win* window) {
  MPI_TRY(mpi_check_result("MPI_Win_free", window));
  MPI_TRY(window_check("MPI_Win_free", *window));
  const MPI_Win it = *window;
  const int error = free_window(window);
  return *window == MPI_WIN_NULL ? error : window_result(it, error);
}
