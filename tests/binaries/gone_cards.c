// As gone.c, by the calls of a card whose driver knows no process's memory: its messages go directly to buffers.
// `gone_cards CARD receive`, `gone_cards CARD send`: rank 0 does so; the other rank has its memory. CARD: vcp, parix,
// ds_link. A third argument: rank 0 maps other memory there.
#include <ds_link.h>
#include <mpi.h>
#include <parix.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <vcp.h>

enum { BYTES = 32 << 10 };

static char there[BYTES];
static int sends, maps_again;

static char* mapped(void* at) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at != NULL ? MAP_FIXED : 0);
  char* const memory = mmap(at, BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  memset(memory, 1, BYTES);
  return memory;
}

// Rank 1 begins its part after that.
static void give_back(char* memory, int rank) {
  if (rank == 0) {
    munmap(memory, BYTES);
    if (maps_again) mapped(memory);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void by_vcp(int rank, char* memory) {
  vcp_init();
  if (rank == 0) {
    VCP_REQUEST* const request = sends ? vcp_isend(1, memory, BYTES) : vcp_irecv(1, memory, BYTES);
    give_back(memory, rank);
    vcp_wait(request, NULL);
  } else {
    give_back(memory, rank);
    if (sends)
      vcp_recv(0, there, BYTES, NULL);
    else
      vcp_send(0, there, BYTES);
  }
}

static void by_parix(int rank, char* memory) {
  int error = 0, result = 0;
  LinkCB_t* const link = ConnectLink(1 - rank, 7, &error);
  AInit(link, 1, 1);
  if (rank == 0) {
    if (sends)
      ASend(link, memory, BYTES, &result);
    else
      ARecv(link, memory, BYTES, &result);
    give_back(memory, rank);
    ASync(link);
  } else {
    give_back(memory, rank);
    if (sends)
      RecvLink(link, there, BYTES);
    else
      SendLink(link, there, BYTES);
  }
}

static void by_ds_link(int rank, char* memory) {
  Channel *to = ds_channel_to(1 - (unsigned)rank, 3), *from = ds_channel_from(1 - (unsigned)rank, 3);
  if (rank == 0) {
    if (sends)
      ds_output(to, memory, BYTES);
    else
      ds_input(from, memory, BYTES);
    give_back(memory, rank);
    while (sends ? !ds_output_ended(to) : !ds_input_ended(from)) MPI_Wtime();
  } else {
    give_back(memory, rank);
    if (sends)
      ChanIn(from, there, BYTES);
    else
      ChanOut(to, there, BYTES);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sends = strcmp(argv[2], "send") == 0;
  maps_again = argc > 3;
  char* const memory = mapped(NULL);
  if (strcmp(argv[1], "vcp") == 0) by_vcp(rank, memory);
  if (strcmp(argv[1], "parix") == 0) by_parix(rank, memory);
  if (strcmp(argv[1], "ds_link") == 0) by_ds_link(rank, memory);
  MPI_Finalize();
  printf("over\n");
  return 0;
}
