/* The processor time of a message, by the number of receives posted before the one that it matches.
 *
 * Rank 1 posts receives that no message comes for yet, then one for a message that rank 0 sends; works until that is
 * there, and measures what the call that takes it costs. If the card matches (QsNET), a deep queue costs the card's
 * time; if the host does (GM), it costs the host's. The sends are measured at rank 0, while nothing else is under
 * way.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define WORK_PS HAL_PS_PER_MS /* 1 ms: any message here has come by then */

enum { TAG_READY = 1, TAG_DATA, TAG_FIRST };

static double now_us(void) { return (double)hal_time_ps() / HAL_PS_PER_US; }

/* Microseconds of MPI_Isend and of the MPI_Wait that finds it done. */
static double send_one(const unsigned char* data, int bytes) {
  MPI_Request request;
  MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  double us = -now_us();
  MPI_Isend(data, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &request);
  us += now_us();
  hal_compute_ps(WORK_PS);
  us -= now_us();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return us + now_us();
}

/* ... of MPI_Irecv, and of the MPI_Wait that finds the message come. */
static double receive_one(unsigned char* data, int bytes) {
  MPI_Request request;
  double us = -now_us();
  MPI_Irecv(data, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &request);
  us += now_us();
  MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, MPI_COMM_WORLD);
  hal_compute_ps(WORK_PS);
  us -= now_us();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return us + now_us();
}

/* The mean of `count` messages, behind `depth` receives that match nothing. */
static double measure(int rank, unsigned char* data, int bytes, int depth, int count) {
  MPI_Request* waiting = malloc((size_t)(depth + 1) * sizeof *waiting);
  double us = 0;
  for (int i = 0; rank == 1 && i < depth; ++i)
    MPI_Irecv(NULL, 0, MPI_BYTE, 0, TAG_FIRST + i, MPI_COMM_WORLD, &waiting[i]);
  for (int i = 0; i <= count; ++i) { /* the first is not measured */
    const double one = rank == 0 ? send_one(data, bytes) : receive_one(data, bytes);
    us += i > 0 ? one : 0;
  }
  for (int i = 0; i < depth; ++i) {
    if (rank == 0) MPI_Send(NULL, 0, MPI_BYTE, 1, TAG_FIRST + i, MPI_COMM_WORLD);
    if (rank == 1) MPI_Wait(&waiting[i], MPI_STATUS_IGNORE);
  }
  free(waiting);
  return us / count;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct options options;
  options_init(&options, argc, argv);
  const size_t bytes = options_size(&options, "bytes", "8", "of a message");
  const size_t most = options_size(&options, "depth", "1K", "receives posted before: up to so many");
  const size_t count = options_size(&options, "count", "5", "messages measured of each depth");
  options_check(&options);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) hal_abort("host_overhead wants two ranks: give --np 2");
  unsigned char* data = calloc(1, bytes + 1);
  if (rank == 0) printf("%10s %14s %14s\n", "depth", "send_us", "receive_us");
  for (size_t depth = 0; depth <= most; depth = depth == 0 ? 1 : 4 * depth) {
    double us[2];
    us[rank] = measure(rank, data, (int)bytes, (int)depth, count > 0 ? (int)count : 1);
    MPI_Bcast(&us[0], 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&us[1], 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    if (rank == 0) printf("%10zu %14.3f %14.3f\n", depth, us[0], us[1]);
    hal_metric("send_us", us[0], "us");
    hal_metric("receive_us", us[1], "us");
  }
  free(data);
  MPI_Finalize();
  if (rank == 0) printf("PASS\n");
  return 0;
}
