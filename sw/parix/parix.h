/* Messages in the manner of PARIX, the operating system of Parsytec's GCel (FACTS.md 5): virtual links between two
 * processes, and messages by processor number. All but the A... calls are synchronous: a send returns when the other
 * process has received. Two processes that send to each other first wait for ever: let one send with ASend.
 *
 * A process is one thread of control here, so PARIX's threads and semaphores, and links within a processor, are not
 * there.
 */
#ifndef SANVP_PARIX_H
#define SANVP_PARIX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- where a process is: the root record ---- */
typedef struct {
  int MyProcID, nProcs;
  int MyX, MyY, MyZ;    /* in the partition: processor numbers run along X, then Y */
  int DimX, DimY, DimZ; /* of the partition; as square as its number of processes permits */
} RootProc_t;
typedef struct {
  RootProc_t* ProcRoot;
} Root_t;
/* The first call of a program; further ones cost nothing. */
Root_t* GetRoot(void);
#define GET_ROOT() GetRoot()

/* ---- virtual links ---- */
typedef struct parix_link LinkCB_t;
#define PARIX_REQUEST_MOST 0x3fffffff /* request numbers are 0 to this */
/* Joins two processes that both call it with the same request number; returns when both have. Null, with `*Error` 1,
 * where there is no such processor, or it is this one. */
LinkCB_t* ConnectLink(int Processor, int RequestId, int* Error);
int BreakLink(LinkCB_t* Link);
/* Any number of bytes; of a receive, at most `Size` of them are stored. What was sent, or received; -1: no link. */
int SendLink(LinkCB_t* Link, const void* Data, int Size);
int RecvLink(LinkCB_t* Link, void* Data, int Size);

/* ---- by processor number ---- */
int SendNode(int DestProcessor, int RequestId, const void* Data, int Size);
/* From any processor where SourceProcessor is -1. */
int RecvNode(int SourceProcessor, int RequestId, void* Data, int Size);

/* ---- without waiting: several messages may be under way on a link ---- */
/* Prepares a link for at most so many sends and receives at once. 0, or -1. */
int AInit(LinkCB_t* Link, int Sends, int Receives);
/* The result is 0, or -1 where as many are under way as AInit was told; buffers must stay until ASync. */
int ASend(LinkCB_t* Link, const void* Data, int Size, int* Result);
int ARecv(LinkCB_t* Link, void* Data, int Size, int* Result);
/* Waits for all of them; each one's `*Result` is then what SendLink or RecvLink would have answered. */
int ASync(LinkCB_t* Link);

/* ---- waiting for one of several links ---- */
typedef struct {
  LinkCB_t* Link;
} Option_t;
static inline Option_t ReceiveOption(LinkCB_t* Link) {
  const Option_t option = {Link};
  return option;
}
/* Returns when a message waits on one of the links: the number of the first such option. RecvLink takes it. */
int Select(int Count, Option_t First, ...);
int SelectList(int Count, const Option_t* Options);

#ifdef __cplusplus
}
#endif
#endif
