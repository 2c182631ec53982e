/* Messages in the manner of PARIX, the operating system of Parsytec's GCel (FACTS.md 5): virtual links between two
 * processes, and messages by processor number. All but the A... calls are synchronous: a send returns when the other
 * process has received. Two processes that both send to each other first wait for ever: one should use ASend.
 *
 * A process is one thread of control here, so PARIX's threads, semaphores, and links within a processor are omitted; so
 * are its libraries of virtual topologies and of remote files.
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
/* The first call of a program; later ones cost nothing. */
Root_t* GetRoot(void);
#define GET_ROOT() GetRoot()
#define GETROOT() GetRoot()

/* ---- time: in ticks of 64 us, as the transputer's timer of low priority counts ---- */
#define CLOCK_TICK 15625u /* ticks a second */
unsigned TimeNow(void);
void TimeWait(unsigned until); /* that time of TimeNow, which wraps */
#define TimeAfter(a, b) ((int)((unsigned)(a) - (unsigned)(b)) > 0)

/* ---- virtual links ---- */
typedef struct parix_link LinkCB_t;
#define PARIX_REQUEST_MOST 0x3fffffff /* request numbers are 0 to this */
/* Connects two processes that both call it with the same request number; returns when both have called. Null, with
 * `*Error` 1, if there is no such processor, or it is this one. */
LinkCB_t* ConnectLink(int Processor, int RequestId, int* Error);
int BreakLink(LinkCB_t* Link);
/* The same; one end calls this one, the other the next. */
LinkCB_t* MakeLink(int Processor, int RequestId, int* Error);
LinkCB_t* GetLink(int Processor, int RequestId, int* Error);
/* Any number of bytes; a receive stores at most `Size`. Returns the number of bytes sent or received; -1: no link. */
int SendLink(LinkCB_t* Link, const void* Data, int Size);
int RecvLink(LinkCB_t* Link, void* Data, int Size);

/* ---- by processor number ---- */
int SendNode(int DestProcessor, int RequestId, const void* Data, int Size);
/* From any processor if SourceProcessor is -1. */
int RecvNode(int SourceProcessor, int RequestId, void* Data, int Size);

/* ---- without waiting: several messages may be under way on a link ---- */
/* Prepares a link for at most that many sends and receives at once. Returns 0 or -1. */
int AInit(LinkCB_t* Link, int Sends, int Receives);
/* Returns 0, or -1 if as many are under way as AInit has permitted; buffers must stay until ASync. */
int ASend(LinkCB_t* Link, const void* Data, int Size, int* Result);
int ARecv(LinkCB_t* Link, void* Data, int Size, int* Result);
/* Waits for all of them; the `*Result` of each is then that of SendLink or RecvLink. */
int ASync(LinkCB_t* Link);

/* ---- waiting for one of several links ---- */
typedef struct {
  LinkCB_t* Link;
} Option_t;
static inline Option_t ReceiveOption(LinkCB_t* Link) {
  const Option_t option = {Link};
  return option;
}
/* Waits for a message on one of the links; returns the number of the first such option. RecvLink receives it. */
int Select(int Count, Option_t First, ...);
int SelectList(int Count, const Option_t* Options);

#ifdef __cplusplus
}
#endif
#endif
