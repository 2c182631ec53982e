/* Elanlib in the forms that programs of QsNET's time call (libelan 1.4; QsNET paper 3.2): the historic names for these
 * are in <elan/elan.h>. Memory of other processes is named by this process's pointer to it, as there: that must be
 * memory of elan_gallocMain or a global variable, which all processes have at the same Elan address.
 */
#ifndef SANVP_ELANLIB_CLIENTS_H
#define SANVP_ELANLIB_CLIENTS_H

#include "sw/elan3lib/elan3/elan3.h"
#include "sw/elanlib/tport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the process ---- */
typedef struct elan_client_state {
  const char* version;
  int attached;
  unsigned vp, nvp; /* this process's number, of how many */
  ELAN3_CTX* ctx;
  void *estate, *cap;
  int debugFlags;
  int localId, nLocalIds, maxLocalIds; /* on this node */
  int* localIds;                       /* [nLocalIds]: the job's processes on this node */
  ELAN_BASE* library;                  /* the same in sanvp's forms */
} ELAN_CLIENT_STATE;

typedef struct elan_client_group {
  int self, size;
  int (*lookupFn)(void* handle, int member); /* its process */
  void* handle;
  ELAN_GROUP* library;
} ELAN_CLIENT_GROUP;

/* What elan_baseInit has set up, and values to hand to other calls, which do without them here. */
typedef struct elan_client_base {
  int init;
  ELAN_CLIENT_STATE* state;
  ELAN_CLIENT_GROUP* allGroup;
  int dmaType, retryCount;
  long waitType;
  unsigned flags;
  size_t group_rbufsize, group_cbufsize;
  int group_maxsegs, group_branch, group_flags, group_hwbcast;
  int tport_nslots, tport_flags, tport_nqxd;
  size_t tport_smallmsg, tport_bigmsg, tport_fragsize, tport_stripemsg;
  int evict_cache, putget_flags, putget_throttle;
  size_t putget_smallputsize, putget_stripeputsize, putget_stripegetsize;
  int mqueue_flags, mqueue_nslots, lock_flags, galloc_flags, shm_flags, shm_enable;
  size_t mqueue_slotsize, galloc_size, gallocElan_size, shm_heapsize;
  void *galloc, *gallocElan, *gallocShm;
  int shm_key, shm_fifodepth;
  size_t shm_fragsize, shm_bigmsg;
} ELAN_CLIENT_BASE;
extern ELAN_CLIENT_BASE* elan_base; /* set by elan_baseInit */

ELAN_CLIENT_BASE* elan_client_baseInit(unsigned flags);
const char* elan_version(void);
int elan_checkVersion(const char* version);    /* whether its first two numbers are the library's */
int elan_generateCapability(const char* text); /* 0: a job has its capability here */
int elan_nRails(const ELAN_CLIENT_STATE* state);
uint64_t elan_clock(const ELAN_CLIENT_STATE* state); /* ns */

/* ---- memory ---- */
void* elan_allocMain(ELAN_CLIENT_STATE* state, size_t align, size_t size);
void elan_free(ELAN_CLIENT_STATE* state, void* main);
E3_Addr elan_allocElan(ELAN_CLIENT_STATE* state, size_t align, size_t size); /* the job's end frees it */
/* Collective over all processes, whatever the group; `align` up to a page. */
void* elan_client_gallocMain(ELAN_CLIENT_BASE* base, ELAN_CLIENT_GROUP* group, size_t align, size_t size);
E3_Addr elan_client_gallocElan(ELAN_CLIENT_BASE* base, ELAN_CLIENT_GROUP* group, size_t align, size_t size);
void elan_gallocFree(ELAN_CLIENT_BASE* base, void* memory); /* stays until the job's end */
E3_Addr elan_main2elan(ELAN_CLIENT_STATE* state, const volatile void* pointer);
int elan_addressable(ELAN_CLIENT_STATE* state, const volatile void* pointer, size_t size);

/* ---- operations under way: of put, get, queues, Tports and atomic operations ---- */
typedef struct elan_client_event ELAN_CLIENT_EVENT;
#define ELAN_WAIT_EVENT 0
int elan_client_poll(ELAN_CLIENT_EVENT* event, long how); /* looks once; frees the event if it is done */
void elan_client_wait(ELAN_CLIENT_EVENT* event, long how);
int elan_client_done(ELAN_CLIENT_EVENT* event, long how); /* frees nothing */

ELAN_CLIENT_EVENT* elan_client_put(ELAN_CLIENT_STATE* state, const void* source, void* dest, size_t size,
                                   unsigned process);
ELAN_CLIENT_EVENT* elan_client_get(ELAN_CLIENT_STATE* state, const void* source, void* dest, size_t size,
                                   unsigned process);

/* ---- groups ---- */
void elan_client_gsync(ELAN_CLIENT_GROUP* group);
void elan_client_hgsync(ELAN_CLIENT_GROUP* group);
/* In software unless the network reaches just this group. */
void elan_client_hbcast(ELAN_CLIENT_GROUP* group, void* buffer, size_t size, unsigned root, int global);
void elan_client_bcast(ELAN_CLIENT_GROUP* group, void* buffer, size_t size, unsigned root, int global);

/* ---- queues: elan_gallocQueue names one, RxInit or mainQueueInit makes it; collective, in the same order ---- */
typedef struct elan_client_queue ELAN_CLIENT_QUEUE;
typedef struct elan_client_queue ELAN_QUEUE_RX;
typedef struct elan_client_queue ELAN_QUEUE_TX;
typedef struct elan_client_queue ELAN_MAIN_QUEUE;
#define ELAN_RAIL_ALL (-1)
#define LIBELAN_QUEUEREUSEBUF 1u
ELAN_CLIENT_QUEUE* elan_client_gallocQueue(ELAN_CLIENT_BASE* base, ELAN_CLIENT_GROUP* group);
ELAN_CLIENT_QUEUE* elan_allocQueue(ELAN_CLIENT_STATE* state);
size_t elan_queueMaxSlotSize(ELAN_CLIENT_STATE* state);
ELAN_QUEUE_RX* elan_queueRxInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int slots, int slot_bytes, int rail,
                                unsigned flags);
int elan_queueRxPoll(ELAN_QUEUE_RX* queue, long how);
/* Into `buffer`; if that is null, into memory of the library, which the call returns, until the next call. */
void* elan_queueRxWait(ELAN_QUEUE_RX* queue, void* buffer, long how);
void elan_queueRxComplete(ELAN_QUEUE_RX* queue);
ELAN_QUEUE_TX* elan_queueTxInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int rail, unsigned flags);
ELAN_CLIENT_EVENT* elan_queueTx(ELAN_QUEUE_TX* queue, unsigned process, const void* message, size_t size, int rail);
ELAN_MAIN_QUEUE* elan_mainQueueInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int slots, int slot_bytes,
                                    unsigned flags);
void elan_client_queueReq(ELAN_MAIN_QUEUE* queue, unsigned process, const void* message, size_t size);
int elan_client_queuePoll(ELAN_MAIN_QUEUE* queue, long how);
void elan_client_queueWait(ELAN_MAIN_QUEUE* queue, void* buffer, long how);

/* ---- Tports: tags of 32 bits ---- */
#define ELAN_TPORT_SHM_DISABLE 0x100
#define ELAN_TPORT_USERCOPY_DISABLE 0x200
ELAN_TPORT* elan_client_tportInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue);
ELAN_CLIENT_EVENT* elan_client_tportTxStart(ELAN_TPORT* tport, int flags, unsigned dest, unsigned sender, int tag,
                                            const void* buffer, size_t size);
int elan_client_tportTxDone(ELAN_CLIENT_EVENT* event);
void elan_client_tportTxWait(ELAN_CLIENT_EVENT* event);
ELAN_CLIENT_EVENT* elan_client_tportRxStart(ELAN_TPORT* tport, int flags, unsigned sender_mask, unsigned sender,
                                            int tag_mask, int tag, void* buffer, size_t size);
int elan_client_tportRxDone(ELAN_CLIENT_EVENT* event);
void* elan_client_tportRxWait(ELAN_CLIENT_EVENT* event, int* sender, int* tag, size_t* size);
int elan_client_tportRxCancel(ELAN_CLIENT_EVENT* event);

/* ---- atomic operations on words of 4 bytes: *result, which may be null, is the old value once elan_wait returns ----
 */
typedef struct elan_client_atomic ELAN_ATOMIC;
enum elan_client_atomic_operation { ELAN_ATOMIC_ADD, ELAN_ATOMIC_SWAP, ELAN_ATOMIC_CSWAP };
ELAN_ATOMIC* elan_client_atomicInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int slots, unsigned flags);
/* CSWAP stores `value` if the word is `comparand`. */
ELAN_CLIENT_EVENT* elan_atomic32(ELAN_ATOMIC* atomic, enum elan_client_atomic_operation operation, void* word,
                                 int value, int comparand, unsigned process, int* result);

#ifdef __cplusplus
}
#endif
#endif
