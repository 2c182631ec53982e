/* Many large messages in flight at once, each from and to separate memory, in all modes, on two communicators, in an
 * order that all ranks draw equally; some ranks post their receives first, some their sends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MESSAGES = 160, ROUNDS = 3 };
static int size;

struct message {
  int from, to, tag, bytes, mode, reversed;
  char *out, *in;
};

static unsigned draw(unsigned most) {
  static unsigned state = 12345;
  state = state * 1103515245u + 12345u;
  return (state >> 8) % most;
}

static char byte_of(int message, int i, int round) { return (char)(message * 7 + i * 3 + round); }

static int start_receives(struct message* all, const MPI_Comm* comms, MPI_Request* requests) {
  int count = 0;
  for (int m = 0; m < MESSAGES; ++m) {
    if (all[m].to != rank) continue;
    all[m].in = malloc(all[m].bytes + 1);
    memset(all[m].in, -1, all[m].bytes + 1);
    const int from = all[m].reversed ? size - 1 - all[m].from : all[m].from;
    MPI_Irecv(all[m].in, all[m].bytes, MPI_BYTE, from, all[m].tag, comms[all[m].reversed], &requests[count++]);
  }
  return count;
}

static int start_sends(struct message* all, int round, const MPI_Comm* comms, MPI_Request* requests) {
  int count = 0;
  for (int m = 0; m < MESSAGES; ++m) {
    if (all[m].from != rank) continue;
    const int to = all[m].reversed ? size - 1 - all[m].to : all[m].to, bytes = all[m].bytes, tag = all[m].tag;
    const MPI_Comm comm = comms[all[m].reversed];
    char* out = all[m].out = malloc(bytes + 1);
    for (int i = 0; i < bytes; ++i) out[i] = byte_of(m, i, round);
    if (all[m].mode == 0) MPI_Isend(out, bytes, MPI_BYTE, to, tag, comm, &requests[count++]);
    if (all[m].mode == 1) MPI_Issend(out, bytes, MPI_BYTE, to, tag, comm, &requests[count++]);
    if (all[m].mode == 2) MPI_Ibsend(out, bytes, MPI_BYTE, to, tag, comm, &requests[count++]);
    if (all[m].mode == 3) MPI_Bsend(out, bytes, MPI_BYTE, to, tag, comm);
  }
  return count;
}

static void wait_for(int count, MPI_Request* requests, int way) {
  int done, *indices = malloc((count + 1) * sizeof *indices);
  if (way == 0) MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int ended = 0; way == 1 && ended < count; ++ended) MPI_Waitany(count, requests, indices, MPI_STATUS_IGNORE);
  for (int ended = 0; way == 2 && ended < count; ended += done)
    MPI_Waitsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
  free(indices);
}

int main(int argc, char** argv) {
  static const int sizes[] = {0, 1, 8, 200, 288, 289, 512, 4000, 4096, 5000, 9000, 16384, 30000};
  static struct message all[MESSAGES];
  static MPI_Request requests[2 * MESSAGES + 1];
  MPI_Comm comms[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  for (int round = 0; round < ROUNDS; ++round) {
    int room = 0, count;
    for (int m = 0; m < MESSAGES; ++m) {
      all[m] = (struct message){(int)draw(size), (int)draw(size), (int)draw(3), sizes[draw(13)],
                                (int)draw(4),    (int)draw(2),    NULL,         NULL};
      if (all[m].from == rank) room += all[m].bytes + MPI_BSEND_OVERHEAD;
    }
    void* buffer = malloc(room + 1);
    MPI_Buffer_attach(buffer, room + 1);
    const int receives_first = (int)(draw(2) + rank) % 2;
    count = receives_first ? start_receives(all, comms, requests) : start_sends(all, round, comms, requests);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[count++]);
    count += receives_first ? start_sends(all, round, comms, requests + count)
                            : start_receives(all, comms, requests + count);
    wait_for(count, requests, round % 3);
    MPI_Buffer_detach(&buffer, &room);
    for (int m = 0; m < MESSAGES; ++m) {
      for (int i = 0; all[m].in && i < all[m].bytes; ++i) CHECK(all[m].in[i] == byte_of(m, i, round));
      CHECK(!all[m].in || all[m].in[all[m].bytes] == (char)-1);
      free(all[m].in), free(all[m].out);
    }
    free(buffer);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS windows on %d ranks\n", size);
  return MPI_Finalize();
}
