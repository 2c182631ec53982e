/* Memory that ranks of a node share. The node's shared memory is never given back, so pieces of freed windows are used
 * again: the first rank of a window owns its piece, and names one that is free and large enough, or a new one. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/windows/windows.h"

#define LEAST_BYTES 4096u

struct window_piece {
  struct window_piece* next; /* among this rank's free ones */
  char* memory;
  uint64_t bytes;
  uint32_t owner, number;
  int owned;
};

struct choice {
  uint64_t bytes;
  uint32_t owner, number;
};

static struct window_piece** free_pieces(void) {
  static struct window_piece* list;
  return &list;
}

static struct choice choose(size_t bytes) {
  static uint32_t last;
  uint64_t most = LEAST_BYTES;
  while (most < bytes) most *= 2; /* few sizes, so that pieces are found again */
  for (struct window_piece** link = free_pieces(); *link; link = &(*link)->next) {
    struct window_piece* piece = *link;
    if (piece->bytes != most) continue;
    const struct choice choice = {piece->bytes, piece->owner, piece->number};
    *link = piece->next;
    free(piece);
    return choice;
  }
  return (struct choice){most, transport_self(), ++last};
}

static struct window_piece* piece_of(struct choice choice, int owned) {
  char name[64];
  snprintf(name, sizeof name, "MPI window %u.%u", choice.owner, choice.number);
  char* memory = hal_shared(name, choice.bytes);
  if (!memory) return NULL;
  struct window_piece* piece = mpi_memory(sizeof *piece);
  *piece = (struct window_piece){
      .memory = memory, .bytes = choice.bytes, .owner = choice.owner, .number = choice.number, .owned = owned};
  return piece;
}

struct window_piece* window_piece_of_one(size_t bytes) {
  return piece_of(choose(bytes), 1);
}

struct window_piece* window_piece_take(MPI_Comm comm, size_t bytes) {
  struct choice choice = {0};
  if (comm->rank == 0) choice = choose(bytes);
  if (MPI_Bcast(&choice, sizeof choice, MPI_BYTE, 0, comm) != MPI_SUCCESS) return NULL;
  return piece_of(choice, comm->rank == 0);
}

void window_piece_give(struct window_piece* piece) {
  if (!piece->owned) {
    free(piece);
    return;
  }
  piece->next = *free_pieces();
  *free_pieces() = piece;
}

char* window_piece_memory(const struct window_piece* piece) { return piece->memory; }
