/* Accumulations. Each element has one place where all operations on it are atomic: for words of 4 and 8 bytes, and the
 * operations that the card knows, the card of the target; for all else its CPU. The standard promises atomicity among
 * the same operations, and MPI_NO_OP, only (MPI-3.1, 11.7.1). */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/windows/windows.h"

/* Elements from which on the CPU of the target accumulates words, where no other rank accesses them (A). */
#define BY_CPU_LEAST 8u

/* ---- what the card knows ---- */
static int word_operation(MPI_Op op, enum word_operation* operation) {
  const struct {
    MPI_Op op;
    enum word_operation operation;
  } known[] = {{MPI_SUM, WORD_ADD},  {MPI_BAND, WORD_AND},    {MPI_BOR, WORD_OR},
               {MPI_BXOR, WORD_XOR}, {MPI_REPLACE, WORD_SET}, {MPI_NO_OP, WORD_FETCH}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].op == op) {
      *operation = known[i].operation;
      return 1;
    }
  return 0;
}

static int is_word(MPI_Datatype basic) {
  return basic->kind == MPI_KIND_I32 || basic->kind == MPI_KIND_U32 || basic->kind == MPI_KIND_I64 ||
         basic->kind == MPI_KIND_U64;
}

static int is_aligned(MPI_Win window, int rank, ptrdiff_t offset, size_t width) {
  return (window->members[rank].base + (uint64_t)offset) % width == 0;
}

static int card_has(MPI_Win window, int rank, MPI_Datatype basic) {
  return !window->accumulate_by_cpu && is_word(basic) && window_reaches(window, rank, TRANSPORT_ATOMICS) &&
         window->members[rank].atomics != 0;
}

/* ---- order: a rank's accumulations of a location happen in the order of the program ---- */
static struct window_operation* operation_of(struct link* link) {
  return LIST_OWNER(link, struct window_operation, link);
}

static int is_at(const struct window_operation* operation, int rank, uint64_t first, size_t bytes) {
  return operation->is_atomic && operation->target == rank && operation->first < first + bytes &&
         first < operation->first + operation->width;
}

/* The card may do two of them in any order: additions whose old values are not wanted may be. */
static int may_swap(const struct window_operation* operation, enum word_operation next, int fetches) {
  return !operation->before && !fetches && operation->operation == next && next != WORD_SET;
}

static int end_atomics(MPI_Win window, int rank, uint64_t first, size_t bytes, enum word_operation next, int fetches) {
  for (struct link *at = window->operations.next, *after = NULL; at != &window->operations; at = after) {
    after = at->next;
    struct window_operation* operation = operation_of(at);
    if (!is_at(operation, rank, first, bytes) || may_swap(operation, next, fetches)) continue;
    MPI_TRY(window_await(operation));
    after = window->operations.next; /* the list may have changed meanwhile */
  }
  return MPI_SUCCESS;
}

static int end_all_atomics(MPI_Win window, int rank) {
  return window->by_card == 0 ? MPI_SUCCESS : end_atomics(window, rank, 0, UINT64_MAX, WORD_SET, 1);
}

/* ---- by the card ---- */
struct word {
  int rank;
  ptrdiff_t offset;
  unsigned width;
  enum word_operation operation;
  uint64_t operand, comparand;
  void* before;
};

static int by_card(const char* call, MPI_Win window, const struct word* word) {
  struct window_target* target = window_target(window, word->rank);
  if (target->accumulates > 0) MPI_TRY(window_complete(call, window, word->rank));
  target->accumulates = 0;
  const struct window_member* member = &window->members[word->rank];
  const uint64_t remote = member->remote + (uint64_t)word->offset;
  MPI_TRY(end_atomics(window, word->rank, remote, word->width, word->operation, word->before != NULL));
  MPI_TRY(window_room(window));
  struct transport_request* request =
      transport_atomic_at(mpi_process(window->comm, word->rank), member->atomics, remote, word->operation, word->width,
                          word->operand, word->comparand);
  struct window_operation* operation = window_begin(call, window, word->rank, request);
  operation->by_card = operation->is_atomic = 1;
  operation->first = remote;
  operation->width = word->width;
  operation->operation = word->operation;
  operation->before = word->before;
  ++window->by_card;
  return MPI_SUCCESS;
}

/* ---- an accumulation, element by element on all sides ---- */
struct elements {
  const struct window_accumulation* what;
  MPI_Datatype basic;
  int op, fetches, reads; /* reads: this rank's elements are used */
  struct window_cursor here, there, old;
  ptrdiff_t offset;
};

static size_t next_one(struct window_cursor* cursor, MPI_Datatype basic, ptrdiff_t* offset) {
  return window_next_elements(cursor, basic, 1, offset);
}

static int words_by_card(struct elements* e, enum word_operation operation) {
  const struct window_access* access = &e->what->access;
  ptrdiff_t there = 0, here = 0, old = 0;
  while (next_one(&e->there, e->basic, &there) > 0) {
    struct word word = {
        .rank = access->rank, .offset = e->offset + there, .width = (unsigned)e->basic->bytes, .operation = operation};
    if (e->reads && next_one(&e->here, e->basic, &here) > 0) memcpy(&word.operand, access->buffer + here, word.width);
    if (e->fetches && next_one(&e->old, e->basic, &old) > 0) word.before = e->what->result + old;
    MPI_TRY(by_card(access->call, access->window, &word));
  }
  return MPI_SUCCESS;
}

/* ---- by the CPU of the target ---- */
static size_t take_runs(struct elements* e, struct window_run* runs, size_t* count) {
  const size_t extent = (size_t)e->basic->extent, most = WINDOW_MESSAGE_BYTES - sizeof(struct window_head);
  size_t elements = 0;
  for (*count = 0; *count < WINDOW_RUNS_MOST;) {
    const size_t used = (*count + 1) * sizeof *runs + elements * extent;
    const size_t room = used < most ? (most - used) / extent : 0;
    ptrdiff_t offset = 0;
    const size_t some = room > 0 ? window_next_elements(&e->there, e->basic, room, &offset) : 0;
    if (some == 0) break;
    runs[(*count)++] = (struct window_run){.offset = e->offset + offset, .count = some};
    elements += some;
  }
  return elements;
}

/* Prepares the place for the old values. */
static void expect_answer(struct elements* e, size_t elements, struct window_head* head) {
  const struct window_access* access = &e->what->access;
  struct window_operation* operation = window_begin(access->call, access->window, access->rank, NULL);
  operation->bytes = elements * (size_t)e->basic->extent;
  operation->staging = mpi_memory(operation->bytes);
  operation->buffer = e->what->result;
  operation->place = e->old;
  operation->basic = e->basic;
  mpi_type_hold(e->old.type);
  operation->request = window_answer(access->window, access->rank, operation->staging, operation->bytes, &head->answer);
  ptrdiff_t offset = 0;
  while (elements > 0) elements -= window_next_elements(&e->old, e->basic, elements, &offset);
}

static int by_messages(struct elements* e) {
  const struct window_access* access = &e->what->access;
  struct window_run runs[WINDOW_RUNS_MOST];
  size_t count = 0;
  MPI_TRY(end_all_atomics(access->window, access->rank));
  for (size_t elements; (elements = take_runs(e, runs, &count)) > 0;) {
    struct window_head* head = window_message(count, e->reads ? elements * (size_t)e->basic->extent : 0);
    head->kind = REQUEST_ACCUMULATE;
    head->op = (uint8_t)e->op;
    head->basic = (uint8_t)e->basic->kind;
    head->extent = (uint32_t)e->basic->extent;
    head->size = (uint32_t)e->basic->true_extent;
    head->align = e->basic->align;
    memcpy(window_runs(head), runs, count * sizeof *runs);
    if (e->reads) window_gather_elements(&e->here, e->basic, access->buffer, window_data(head), elements);
    if (e->fetches) expect_answer(e, elements, head);
    ++window_target(access->window, access->rank)->accumulates;
    window_send(access->window, access->rank, head);
  }
  return MPI_SUCCESS;
}

/* This rank is the target. */
static int by_this_cpu(struct elements* e) {
  const struct window_access* access = &e->what->access;
  char* base = window_at(access->window, e->offset);
  const struct window_elements one = {1, e->basic->kind, (size_t)e->basic->extent, (size_t)e->basic->true_extent,
                                      e->basic->align};
  ptrdiff_t there = 0, here = 0, old = 0;
  MPI_TRY(end_all_atomics(access->window, access->rank));
  while (next_one(&e->there, e->basic, &there) > 0) {
    char* memory = base + there;
    _Alignas(max_align_t) char before[2 * sizeof(long double _Complex)];
    memcpy(before, memory, (size_t)e->basic->true_extent);
    if (e->reads && next_one(&e->here, e->basic, &here) > 0) window_apply(e->op, access->buffer + here, memory, &one);
    if (e->fetches && next_one(&e->old, e->basic, &old) > 0)
      memcpy(e->what->result + old, before, (size_t)e->basic->true_extent);
  }
  return MPI_SUCCESS;
}

/* ---- checks ---- */
static int is_same(MPI_Datatype one, MPI_Datatype other) {
  return one == other || (one && other && one->kind == other->kind && one->kind != MPI_KIND_NONE);
}

static int check_elements(const struct window_accumulation* what, MPI_Datatype basic, MPI_Datatype type,
                          const char* whose) {
  if (is_same(type->basic, basic)) return MPI_SUCCESS;
  return mpi_fail(what->access.call, MPI_ERR_TYPE,
                  "the elements %s are of another predefined datatype than the target's", whose);
}

static int check_op(const struct window_accumulation* what, MPI_Datatype basic) {
  const char* call = what->access.call;
  if (!what->op) return mpi_fail(call, MPI_ERR_OP, "the operation is MPI_OP_NULL");
  if (window_op_number(what->op) < 0)
    return mpi_fail(call, MPI_ERR_OP, "%s cannot be used on a window; take a predefined one", what->op->name);
  return what->op == MPI_REPLACE || what->op == MPI_NO_OP ? MPI_SUCCESS : mpi_check_op(call, what->op, basic);
}

static int check_data(const struct window_accumulation* what, int request_based, int* nothing) {
  const struct window_access* access = &what->access;
  const int reads = what->op != MPI_NO_OP || !what->result_type;
  MPI_TRY(reads ? window_check_access(access, request_based, nothing)
                : window_check_remote(access, request_based, nothing));
  if (*nothing) return MPI_SUCCESS;
  const MPI_Datatype basic = access->remote_type->basic;
  if (!basic)
    return mpi_fail(access->call, MPI_ERR_TYPE, "the target's elements are not all of one predefined datatype");
  MPI_TRY(check_op(what, basic));
  if (reads) MPI_TRY(check_elements(what, basic, access->type, "here"));
  if (!what->result_type) return MPI_SUCCESS;
  MPI_TRY(check_elements(what, basic, what->result_type, "of the result"));
  const size_t result = (size_t)what->result_count * what->result_type->bytes;
  const size_t remote = (size_t)access->remote_count * access->remote_type->bytes;
  if (result == remote) return MPI_SUCCESS;
  return mpi_fail(access->call, MPI_ERR_TRUNCATE, "the result has %zu bytes, the target's data %zu; they must agree",
                  result, remote);
}

/* ---- the calls ---- */
static int words_go_to_the_card(const struct elements* e, enum word_operation* operation) {
  const struct window_access* access = &e->what->access;
  const MPI_Win window = access->window;
  if (!card_has(window, access->rank, e->basic) || !word_operation(e->what->op, operation)) return 0;
  if (!is_aligned(window, access->rank, e->offset, e->basic->bytes)) return 0;
  const size_t elements = (size_t)access->remote_count * (access->remote_type->bytes / e->basic->bytes);
  return elements < BY_CPU_LEAST || window_target(window, access->rank)->lock != MPI_LOCK_EXCLUSIVE;
}

int window_accumulate(const struct window_accumulation* what, int request_based) {
  const struct window_access* access = &what->access;
  int nothing = 0;
  MPI_TRY(check_data(what, request_based, &nothing));
  if (nothing) return MPI_SUCCESS;
  struct elements e = {.what = what,
                       .basic = access->remote_type->basic,
                       .op = window_op_number(what->op),
                       .fetches = what->result_type != NULL,
                       .reads = what->op != MPI_NO_OP,
                       .there = window_cursor((size_t)access->remote_count, access->remote_type),
                       .offset = window_offset(access->window, access->rank, access->displacement)};
  if (e.reads) e.here = window_cursor((size_t)access->count, access->type);
  if (e.fetches) e.old = window_cursor((size_t)what->result_count, what->result_type);
  enum word_operation operation = WORD_FETCH;
  if (words_go_to_the_card(&e, &operation)) return words_by_card(&e, operation);
  return access->rank == access->window->comm->rank ? by_this_cpu(&e) : by_messages(&e);
}

/* ---- MPI_Compare_and_swap ---- */
static int swap_by_message(const struct window_access* access, const void* comparand, void* result, ptrdiff_t offset) {
  const size_t size = access->type->bytes;
  MPI_TRY(end_all_atomics(access->window, access->rank));
  if (access->rank == access->window->comm->rank) {
    char* memory = window_at(access->window, offset);
    const int equal = memcmp(memory, comparand, size) == 0;
    memcpy(result, memory, size);
    if (equal) memcpy(memory, access->buffer, size);
    return MPI_SUCCESS;
  }
  struct window_head* head = window_message(1, 2 * size);
  head->kind = REQUEST_SWAP;
  head->size = head->extent = (uint32_t)size;
  *window_runs(head) = (struct window_run){.offset = offset, .count = 1};
  memcpy(window_data(head), comparand, size);
  memcpy(window_data(head) + size, access->buffer, size);
  struct window_operation* operation = window_begin(access->call, access->window, access->rank, NULL);
  operation->bytes = size;
  operation->request = window_answer(access->window, access->rank, result, size, &head->answer);
  window_send(access->window, access->rank, head);
  return MPI_SUCCESS;
}

static int is_comparable(MPI_Datatype type) {
  return type->predefined && type->kind >= MPI_KIND_I8 && type->kind <= MPI_KIND_BOOL;
}

static int swap(const struct window_access* access, const void* comparand, void* result) {
  int nothing = 0;
  MPI_TRY(window_check_access(access, 0, &nothing));
  MPI_TRY(mpi_check_data(access->call, comparand, 1, access->type));
  MPI_TRY(mpi_check_data(access->call, result, 1, access->type));
  if (!is_comparable(access->type))
    return mpi_fail(access->call, MPI_ERR_TYPE, "the datatype is %s; it must be an integer, logical or byte",
                    access->type->name);
  if (nothing) return MPI_SUCCESS;
  const ptrdiff_t offset = window_offset(access->window, access->rank, access->displacement);
  const size_t width = access->type->bytes;
  if (!card_has(access->window, access->rank, access->type) || !is_aligned(access->window, access->rank, offset, width))
    return swap_by_message(access, comparand, result, offset);
  struct word word = {.rank = access->rank,
                      .offset = offset,
                      .width = (unsigned)width,
                      .operation = WORD_COMPARE_AND_SET,
                      .before = result};
  memcpy(&word.operand, access->buffer, width);
  memcpy(&word.comparand, comparand, width);
  return by_card(access->call, access->window, &word);
}

int MPI_Compare_and_swap(const void* buffer, const void* comparand, void* result, MPI_Datatype type, int to,
                         MPI_Aint offset, MPI_Win window) {
  const struct window_access access = {.call = "MPI_Compare_and_swap",
                                       .window = window,
                                       .buffer = buffer,
                                       .count = 1,
                                       .type = type,
                                       .rank = to,
                                       .displacement = offset,
                                       .remote_count = 1,
                                       .remote_type = type};
  WINDOW_CALL("MPI_Compare_and_swap", window, swap(&access, comparand, result));
}
