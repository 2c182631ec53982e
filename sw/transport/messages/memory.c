/* Symmetric memory: pieces that every process has, the globals and those of transport_symmetric. A transport address is
 * a piece's number and an offset. If the card does puts and gets, it needs its own addresses: each process is asked for
 * those of its pieces when they are first needed. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

#define PIECE_SHIFT 48u
#define OFFSET_MASK ((UINT64_C(1) << PIECE_SHIFT) - 1)
#define PAGE_BYTES 4096u
#define ASKED 1u       /* in a peer's bases: no card has memory at these addresses */
#define NOT_EXPOSED 2u /* the card cannot reach it */

static void add_piece(char* memory, size_t bytes) {
  struct messages* m = messages_state();
  struct piece* pieces = realloc(m->pieces, (m->piece_count + 1) * sizeof *pieces);
  if (!pieces) hal_abort("MPI and shmem: no memory left");
  m->pieces = pieces;
  m->pieces[m->piece_count++] = (struct piece){memory, bytes};
}

void messages_memory_start(void) {
  size_t bytes;
  char* globals = hal_globals(&bytes);
  add_piece(globals, bytes);
}

void* messages_symmetric(size_t bytes) {
  if (bytes > SIZE_MAX - PAGE_BYTES) return NULL;
  bytes = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  char* memory = bytes > 0 ? aligned_alloc(PAGE_BYTES, bytes) : NULL;
  if (memory) add_piece(memory, bytes);
  return memory;
}

transport_address messages_address_of(const volatile void* pointer, size_t bytes) {
  const struct messages* m = messages_state();
  for (unsigned i = 0; i < m->piece_count; ++i) {
    const uintptr_t offset = (uintptr_t)pointer - (uintptr_t)m->pieces[i].memory;
    if (offset <= m->pieces[i].bytes && bytes <= m->pieces[i].bytes - offset)
      return (uint64_t)i << PIECE_SHIFT | offset;
  }
  hal_abort("transport_address_of: the memory is not symmetric; pass a global or memory of transport_symmetric");
}

char* messages_memory(transport_address address, size_t bytes) {
  const struct messages* m = messages_state();
  const uint64_t piece = address >> PIECE_SHIFT, offset = address & OFFSET_MASK;
  if (piece >= m->piece_count || offset > m->pieces[piece].bytes || bytes > m->pieces[piece].bytes - offset)
    hal_abort(
        "MPI and shmem: another process names memory that this one does not have; is it the same program, or were bits "
        "wrong on the way (link.bit_error_rate)?");
  return m->pieces[piece].memory + offset;
}

/* ---- addresses for the card ---- */
static uint64_t* base_of(struct peer* peer, unsigned piece) {
  if (piece >= peer->base_count) {
    uint64_t* bases = realloc(peer->bases, (piece + 1) * sizeof *bases);
    if (!bases) hal_abort("MPI and shmem: no memory left");
    while (peer->base_count <= piece) bases[peer->base_count++] = 0;
    peer->bases = bases;
  }
  return &peer->bases[piece];
}

uint64_t messages_remote(struct peer* peer, transport_address address) {
  const unsigned piece = (unsigned)(address >> PIECE_SHIFT);
  uint64_t* base = base_of(peer, piece);
  if (*base == 0 && peer->process == messages_state()->self) {
    const struct messages* m = messages_state();
    *base = m->channel->expose(m->card, m->pieces[piece].memory, m->pieces[piece].bytes, SHARE_PROGRAM);
  } else if (*base == 0) {
    *base = ASKED;
    messages_say_head(peer, &(struct record){.kind = RECORD_WHERE, .to = piece});
  }
  return *base == ASKED || *base == NOT_EXPOSED ? 0 : *base + (address & OFFSET_MASK);
}

void messages_came_where(struct peer* peer, const struct record* head) {
  const struct messages* m = messages_state();
  const struct piece* piece = &m->pieces[head->to];
  const uint64_t base =
      head->to < m->piece_count ? m->channel->expose(m->card, piece->memory, piece->bytes, SHARE_PROGRAM) : 0;
  messages_say_head(peer, &(struct record){.kind = RECORD_HERE, .to = head->to, .base = base});
}

void messages_came_here(struct peer* peer, const struct record* head) {
  if (head->to >= messages_state()->piece_count) messages_damaged("it is of memory that this process does not have");
  *base_of(peer, (unsigned)head->to) = head->base != 0 ? head->base : NOT_EXPOSED;
  ++messages_state()->ends;
}
