/* Memory that ranks of a node share. The node's shared memory is never given back, so pieces of freed windows are used
 * again: the first rank of a window owns its piece, and names one that is free and large enough, or a new one. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
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

/* Few sizes, so that pieces are found again. */
static uint64_t size_for(size_t bytes) {
  uint64_t most = LEAST_BYTES;
  while (most < bytes) most *= 2;
  return most;
}

static struct choice choose(size_t bytes) {
  static uint32_t last;
  const uint64_t most = size_for(bytes);
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

static char* memory_of(struct choice choice) {
  char name[64];
  snprintf(name, sizeof name, "MPI window %u.%u", choice.owner, choice.number);
  return hal_shared(name, choice.bytes);
}

static struct window_piece* piece_of(struct choice choice, int owned) {
  char* memory = memory_of(choice);
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

uint32_t window_piece_number(const struct window_piece* piece) { return piece->number; }

int window_piece_show(unsigned owner, uint32_t number, size_t bytes) {
  return memory_of((struct choice){size_for(bytes), owner, number}) != NULL;
}

char* window_piece_memory(const struct window_piece* piece) { return piece->memory; }
