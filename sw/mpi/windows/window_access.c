/* MPI_Put, MPI_Get: by the card where it reaches the memory and the pieces are large enough, else by messages that the
 * CPU of the target serves. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/type_map.h"
#include "sw/mpi/windows/windows.h"

#define CARD_PIECE_LEAST 256u /* bytes on average, from which on each piece is an operation of the card (A) */

/* Within a node, the bytes up to which the card is faster, which reads and writes them over the same I/O bus. */
#define CARD_NEAR_MOST 64u

/* ---- checks ---- */
struct reach_of_bytes {
  ptrdiff_t low, high;
};

static struct reach_of_bytes bytes_of(ptrdiff_t offset, int count, MPI_Datatype type) {
  const ptrdiff_t first = offset + type->true_lower, last = first + (ptrdiff_t)(count - 1) * type->extent;
  return (struct reach_of_bytes){first < last ? first : last, (first > last ? first : last) + type->true_extent};
}

/* What this rank has attached to a dynamic window: another rank is asked by a message, and checks the same. */
static int check_attached(const struct window_access* access) {
  struct window_cursor cursor = window_cursor((size_t)access->remote_count, access->remote_type);
  ptrdiff_t offset = 0;
  for (size_t bytes; (bytes = window_next(&cursor, SIZE_MAX, &offset)) > 0;)
    if (!window_is_attached(access->window, window_at(access->window, access->displacement + offset), bytes))
      return mpi_fail(access->call, MPI_ERR_RMA_RANGE,
                      "%zu bytes of this rank are accessed that are not attached; call MPI_Win_attach first", bytes);
  return MPI_SUCCESS;
}

static int check_range(const struct window_access* access) {
  const MPI_Win window = access->window;
  if (!window->members) return access->rank == window->comm->rank ? check_attached(access) : MPI_SUCCESS;
  if (access->displacement < 0)
    return mpi_fail(access->call, MPI_ERR_DISP, "the displacement is %td; it must be 0 or more", access->displacement);
  const ptrdiff_t offset = window_offset(window, access->rank, access->displacement);
  const struct reach_of_bytes at = bytes_of(offset, access->remote_count, access->remote_type);
  const uint64_t bytes = window->members[access->rank].bytes;
  if (at.low >= 0 && (uint64_t)at.high <= bytes) return MPI_SUCCESS;
  return mpi_fail(access->call, MPI_ERR_RMA_RANGE, "bytes %td to %td are accessed; the window of rank %d has %llu",
                  at.low, at.high - 1, access->rank, (unsigned long long)bytes);
}

int window_check_remote(const struct window_access* access, int request_based, int* nothing) {
  *nothing = 1;
  MPI_TRY(mpi_check_data(access->call, access->window, access->remote_count, access->remote_type));
  if (access->rank == MPI_PROC_NULL) return MPI_SUCCESS;
  MPI_TRY(window_check_rank(access->call, access->window, access->rank));
  MPI_TRY(window_enter(access->call, access->window, access->rank, request_based));
  *nothing = (size_t)access->remote_count * access->remote_type->bytes == 0;
  return *nothing ? MPI_SUCCESS : check_range(access);
}

int window_check_access(const struct window_access* access, int request_based, int* nothing) {
  MPI_TRY(mpi_check_data(access->call, access->buffer, access->count, access->type));
  MPI_TRY(window_check_remote(access, request_based, nothing));
  const size_t here = (size_t)access->count * access->type->bytes;
  const size_t there = (size_t)access->remote_count * access->remote_type->bytes;
  if (access->rank == MPI_PROC_NULL || here == there) return MPI_SUCCESS;
  return mpi_fail(access->call, MPI_ERR_TRUNCATE, "%zu bytes here are for %zu bytes there; counts and types must agree",
                  here, there);
}

int window_reaches(MPI_Win window, int rank, unsigned what) {
  return window->members && window->members[rank].remote != 0 &&
         (transport_reach(mpi_process(window->comm, rank)) & what) == what;
}

/* ---- both sides, piece by piece ---- */
struct sides {
  struct window_cursor here, there;
  char* buffer;
  ptrdiff_t offset; /* of the target's part, from the base */
  size_t bytes;
};

static struct sides sides_of(const struct window_access* access) {
  return (struct sides){.here = window_cursor((size_t)access->count, access->type),
                        .there = window_cursor((size_t)access->remote_count, access->remote_type),
                        .buffer = (char*)access->buffer,
                        .offset = window_offset(access->window, access->rank, access->displacement),
                        .bytes = (size_t)access->count * access->type->bytes};
}

/* The next piece that is contiguous on both sides. */
static size_t next_piece(struct sides* sides, ptrdiff_t* here, ptrdiff_t* there) {
  struct window_cursor ahead = sides->here;
  const size_t most = window_next(&ahead, SIZE_MAX, here);
  if (most == 0) return 0;
  const size_t bytes = window_next(&sides->there, most, there);
  *there += sides->offset;
  return window_next(&sides->here, bytes, here);
}

/* ---- in memory that this process has: its own, or shared with another rank of the node ---- */
static int is_on_this_node(MPI_Win window, int rank) {
  return hal_rank_node((int)mpi_process(window->comm, rank)) == hal_node();
}

static int is_here(const struct window_access* access) {
  const MPI_Win window = access->window;
  if (access->rank == window->comm->rank) return 1;
  return window->members && window->members[access->rank].shared && is_on_this_node(window, access->rank);
}

static char* memory_here(const struct window_access* access) {
  const MPI_Win window = access->window;
  if (access->rank == window->comm->rank) return window->base;
  return (char*)(uintptr_t)window->members[access->rank].base;
}

static void copy_here(const struct window_access* access, int get) {
  struct sides sides = sides_of(access);
  const uintptr_t base = (uintptr_t)memory_here(access);
  ptrdiff_t here = 0, there = 0;
  for (size_t bytes; (bytes = next_piece(&sides, &here, &there)) > 0;) {
    char* memory = (char*)(base + (uintptr_t)there);
    if (get) {
      memmove(sides.buffer + here, memory, bytes);
    } else {
      memmove(memory, sides.buffer + here, bytes);
      hal_stored(memory, bytes);
    }
  }
}

/* ---- by messages ---- */
/* As many pieces of the target as a message describes, with `most` bytes of data at most. */
static size_t take_runs(struct sides* sides, size_t most, struct window_run* runs, size_t* count) {
  size_t bytes = 0;
  for (*count = 0; *count < WINDOW_RUNS_MOST && (*count + 1) * sizeof *runs + bytes < most;) {
    ptrdiff_t offset = 0;
    const size_t piece = window_next(&sides->there, most - bytes - (*count + 1) * sizeof *runs, &offset);
    if (piece == 0) break;
    runs[(*count)++] = (struct window_run){.offset = sides->offset + offset, .count = piece};
    bytes += piece;
  }
  return bytes;
}

static void put_by_messages(const struct window_access* access, struct sides* sides) {
  struct window_run runs[WINDOW_RUNS_MOST];
  size_t count = 0;
  for (size_t bytes; (bytes = take_runs(sides, WINDOW_MESSAGE_BYTES - sizeof(struct window_head), runs, &count)) > 0;) {
    struct window_head* head = window_message(count, bytes);
    head->kind = REQUEST_PUT;
    memcpy(window_runs(head), runs, count * sizeof *runs);
    window_gather(&sides->here, sides->buffer, window_data(head), bytes);
    window_send(access->window, access->rank, head);
  }
}

/* The destination of an answer: the program's memory, if that is one piece. */
static char* place_of_answer(struct window_operation* operation, struct sides* sides, size_t bytes) {
  struct window_cursor ahead = sides->here;
  ptrdiff_t offset = 0;
  operation->bytes = bytes;
  if (window_next(&ahead, bytes, &offset) == bytes) {
    sides->here = ahead;
    return sides->buffer + offset;
  }
  operation->staging = mpi_memory(bytes);
  operation->buffer = sides->buffer;
  operation->place = sides->here;
  mpi_type_hold(sides->here.type);
  while (bytes > 0) bytes -= window_next(&sides->here, bytes, &offset);
  return operation->staging;
}

static void get_by_messages(const struct window_access* access, struct sides* sides) {
  struct window_run runs[WINDOW_RUNS_MOST];
  size_t count = 0;
  for (size_t bytes; (bytes = take_runs(sides, SIZE_MAX / 2, runs, &count)) > 0;) {
    struct window_operation* operation = window_begin(access->call, access->window, access->rank, NULL);
    struct window_head* head = window_message(count, 0);
    head->kind = REQUEST_GET;
    memcpy(window_runs(head), runs, count * sizeof *runs);
    operation->request =
        window_answer(access->window, access->rank, place_of_answer(operation, sides, bytes), bytes, &head->answer);
    window_send(access->window, access->rank, head);
  }
}

/* ---- by the card ---- */
static size_t pieces_of(const struct window_cursor* cursor) {
  const struct mpi_shape* shape = &cursor->type->map->shape;
  return cursor->type->dense ? 1 : (shape->consecutive ? 1 : shape->runs) * cursor->count;
}

static int pieces_are_large(const struct sides* sides) {
  const MPI_Datatype here = sides->here.type, there = sides->there.type;
  if (here->dense && there->dense) return 1;
  const size_t pieces = pieces_of(&sides->here) + pieces_of(&sides->there);
  return pieces <= 2 || sides->bytes / pieces >= CARD_PIECE_LEAST;
}

static int by_card(const struct window_access* access, struct sides* sides, int get) {
  const MPI_Win window = access->window;
  const unsigned process = mpi_process(window->comm, access->rank);
  const uint64_t base = window->members[access->rank].remote;
  ptrdiff_t here = 0, there = 0;
  for (size_t bytes; (bytes = next_piece(sides, &here, &there)) > 0;) {
    MPI_TRY(window_room(window));
    char* local = sides->buffer + here;
    const uint64_t remote = base + (uint64_t)there;
    struct transport_request* request =
        get ? transport_get_at(process, remote, local, bytes) : transport_put_at(process, remote, local, bytes);
    if (request) {
      window_begin(access->call, window, access->rank, request)->by_card = 1;
      ++window->by_card;
      continue;
    }
    /* This memory is one that the card does not reach. */
    struct sides piece = {.here = window_cursor(bytes, MPI_BYTE),
                          .there = window_cursor(bytes, MPI_BYTE),
                          .buffer = local,
                          .offset = there,
                          .bytes = bytes};
    if (get)
      get_by_messages(access, &piece);
    else
      put_by_messages(access, &piece);
  }
  return MPI_SUCCESS;
}

/* ---- put, get ---- */
static int move(const struct window_access* access, int request_based, int get) {
  int nothing = 0;
  MPI_TRY(window_check_access(access, request_based, &nothing));
  if (nothing) return MPI_SUCCESS;
  if (is_here(access)) {
    copy_here(access, get);
    return MPI_SUCCESS;
  }
  struct sides sides = sides_of(access);
  if (window_reaches(access->window, access->rank, get ? TRANSPORT_GETS : TRANSPORT_PUTS) && pieces_are_large(&sides) &&
      (sides.bytes <= CARD_NEAR_MOST || !is_on_this_node(access->window, access->rank)))
    return by_card(access, &sides, get);
  if (get)
    get_by_messages(access, &sides);
  else
    put_by_messages(access, &sides);
  return MPI_SUCCESS;
}

int window_put(const struct window_access* access, int request_based) { return move(access, request_based, 0); }

int window_get(const struct window_access* access, int request_based) { return move(access, request_based, 1); }
