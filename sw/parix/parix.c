/* Processes, virtual links, messages by processor number: see parix.h. */
#include "sw/parix/parix.h"

#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/parix/parix_link.h"

static int least(size_t got, int room) { return got < (size_t)room ? (int)got : room; }

Root_t* GetRoot(void) {
  static RootProc_t process;
  static Root_t root = {&process};
  if (process.nProcs > 0) return &root;
  port_open("parix", "transputer");
  const int count = hal_ranks();
  int width = 1;
  for (int divisor = 1; divisor * divisor <= count; ++divisor)
    if (count % divisor == 0) width = count / divisor;
  process = (RootProc_t){.MyProcID = hal_rank(),
                         .nProcs = count,
                         .MyX = hal_rank() % width,
                         .MyY = hal_rank() / width,
                         .DimX = width,
                         .DimY = count / width,
                         .DimZ = 1};
  return &root;
}

/* Whether this is the number of another process. */
static int is_other(int processor) {
  const RootProc_t* process = GetRoot()->ProcRoot;
  return processor >= 0 && processor < process->nProcs && processor != process->MyProcID;
}

static int is_request(int request) { return request >= 0 && request <= PARIX_REQUEST_MOST; }

static int bytes_send(unsigned to, uint32_t tag, const void* data, int size) {
  struct port_transfer transfer;
  port_start_send(&transfer, to, tag, data, (size_t)size);
  port_finish(&transfer);
  return size;
}

static int receive(unsigned from, uint32_t tag, void* data, int size) {
  struct port_transfer transfer;
  port_start_receive(&transfer, from, tag, UINT32_MAX, data, (size_t)size);
  return least(port_finish(&transfer), size);
}

LinkCB_t* ConnectLink(int Processor, int RequestId, int* Error) {
  const int good = is_other(Processor) && is_request(RequestId);
  if (Error) *Error = !good;
  if (!good) return NULL;
  LinkCB_t* link = calloc(1, sizeof *link);
  link->peer = (unsigned)Processor;
  link->tag = TAG_LINK | (uint32_t)RequestId;
  char nothing = 0;
  if (hal_rank() < Processor)
    bytes_send(link->peer, link->tag, &nothing, 0);
  else
    receive(link->peer, link->tag, &nothing, 0);
  return link;
}

int BreakLink(LinkCB_t* Link) {
  if (!Link) return -1;
  ASync(Link);
  free(Link->under_way);
  free(Link);
  return 0;
}

int SendLink(LinkCB_t* Link, const void* Data, int Size) {
  if (!Link || Size < 0) return -1;
  return bytes_send(Link->peer, Link->tag, Data, Size);
}

int RecvLink(LinkCB_t* Link, void* Data, int Size) {
  if (!Link || Size < 0) return -1;
  return receive(Link->peer, Link->tag, Data, Size);
}

int SendNode(int DestProcessor, int RequestId, const void* Data, int Size) {
  if (!is_other(DestProcessor) || !is_request(RequestId) || Size < 0) return -1;
  return bytes_send((unsigned)DestProcessor, TAG_NODE | (uint32_t)RequestId, Data, Size);
}

int RecvNode(int SourceProcessor, int RequestId, void* Data, int Size) {
  if ((SourceProcessor != -1 && !is_other(SourceProcessor)) || !is_request(RequestId) || Size < 0) return -1;
  GetRoot();
  return receive(SourceProcessor == -1 ? PORT_ANY : (unsigned)SourceProcessor, TAG_NODE | (uint32_t)RequestId, Data,
                 Size);
}

LinkCB_t* MakeLink(int Processor, int RequestId, int* Error) { return ConnectLink(Processor, RequestId, Error); }
LinkCB_t* GetLink(int Processor, int RequestId, int* Error) { return ConnectLink(Processor, RequestId, Error); }

/* ---- time ---- */

#define TICK_PS (HAL_PS_PER_S / CLOCK_TICK)

unsigned TimeNow(void) { return (unsigned)(hal_time_ps() / TICK_PS); }

void TimeWait(unsigned until) {
  const int left = (int)(until - TimeNow());
  if (left > 0) hal_sleep_ps((uint64_t)left * TICK_PS - hal_time_ps() % TICK_PS);
}
