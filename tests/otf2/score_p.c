/* Writes an OTF2 archive as Score-P does, by OTF2's library alone: regions of the program around those of MPI,
 * locations whose numbers are no ranks, a clock in nanoseconds that began long ago, communicators by groups of groups.
 *
 * Four ranks: each computes for 50 us, receives from the rank before, sends 1000 bytes to the next one, waits, and adds
 * 8 bytes over all; ranks 1 and 3 then broadcast 64 bytes among them.
 *
 * usage: score_p FOLDER        makes FOLDER/traces.otf2
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

#define RANKS 4
#define BEGIN UINT64_C(81723000000000)
#define LOCATION(rank) ((uint64_t)(rank) << 32)

enum { MAIN, WORK, INIT, IRECV, SEND, WAIT, ALLREDUCE, BCAST, FINALIZE, REGIONS };
static const char* const names[REGIONS] = {"main",     "work",          "MPI_Init",  "MPI_Irecv",   "MPI_Send",
                                           "MPI_Wait", "MPI_Allreduce", "MPI_Bcast", "MPI_Finalize"};
static uint64_t counts[RANKS];

static OTF2_FlushType flush(void* user, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final) {
  (void)user, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}
static OTF2_TimeStamp flushed(void* user, OTF2_FileType type, OTF2_LocationRef location) {
  (void)user, (void)type, (void)location;
  return 0;
}

static void write_events(OTF2_EvtWriter* to, unsigned rank) {
  uint64_t now = BEGIN + rank * 1000;
#define ENTER(region) OTF2_EvtWriter_Enter(to, NULL, now, region)
#define LEAVE(region) OTF2_EvtWriter_Leave(to, NULL, now += 500, region)
  ENTER(MAIN);
  ENTER(INIT), LEAVE(INIT);
  ENTER(WORK), now += 50000, OTF2_EvtWriter_Leave(to, NULL, now, WORK);
  ENTER(IRECV), OTF2_EvtWriter_MpiIrecvRequest(to, NULL, now, 7), LEAVE(IRECV);
  ENTER(SEND), OTF2_EvtWriter_MpiSend(to, NULL, now, (rank + 1) % RANKS, 0, 3, 1000), LEAVE(SEND);
  now += 200; /* between the calls */
  ENTER(WAIT), OTF2_EvtWriter_MpiIrecv(to, NULL, now += 9000, (rank + RANKS - 1) % RANKS, 0, 3, 1000, 7), LEAVE(WAIT);
  ENTER(ALLREDUCE), OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, now);
  OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, now += 20000, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_UNDEFINED_UINT32, 8, 8);
  LEAVE(ALLREDUCE);
  if (rank % 2) {
    ENTER(BCAST), OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, now);
    OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, now += 10000, OTF2_COLLECTIVE_OP_BCAST, 1, 1, rank == 3 ? 128 : 0, 64);
    LEAVE(BCAST);
  }
  ENTER(FINALIZE), LEAVE(FINALIZE);
  LEAVE(MAIN);
}

static void write_definitions(OTF2_GlobalDefWriter* to) {
  const uint64_t all[RANKS] = {LOCATION(0), LOCATION(1), LOCATION(2), LOCATION(3)};
  const uint64_t world[RANKS] = {0, 1, 2, 3}, odd[] = {1, 3};
  OTF2_StringRef text = 0;
  OTF2_GlobalDefWriter_WriteString(to, text, "");
  OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, BEGIN, 1000000, OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, text, text, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (unsigned rank = 0; rank < RANKS; ++rank) {
    OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, text, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(to, LOCATION(rank), text, OTF2_LOCATION_TYPE_CPU_THREAD, counts[rank], rank);
  }
  for (unsigned region = 0; region < REGIONS; ++region) {
    OTF2_GlobalDefWriter_WriteString(to, region + 1, names[region]);
    OTF2_GlobalDefWriter_WriteRegion(to, region, region + 1, region + 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                     region < INIT ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                                     0, 0, 0);
  }
  OTF2_GlobalDefWriter_WriteGroup(to, 0, text, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                  RANKS, all);
  OTF2_GlobalDefWriter_WriteGroup(to, 1, text, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                  RANKS, world);
  OTF2_GlobalDefWriter_WriteGroup(to, 2, text, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                  odd);
  OTF2_GlobalDefWriter_WriteComm(to, 0, text, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(to, 1, text, 2, 0, OTF2_COMM_FLAG_NONE);
}

int main(int argc, char** argv) {
  static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush, .otf2_post_flush = flushed};
  if (argc != 2) return 2;
  OTF2_Archive* const archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (!archive) return 1;
  OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  for (unsigned rank = 0; rank < RANKS; ++rank) {
    OTF2_EvtWriter* const events = OTF2_Archive_GetEvtWriter(archive, LOCATION(rank));
    write_events(events, rank);
    OTF2_EvtWriter_GetNumberOfEvents(events, &counts[rank]);
    OTF2_Archive_CloseEvtWriter(archive, events);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  write_definitions(OTF2_Archive_GetGlobalDefWriter(archive));
  return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
