/* The process, memory, groups and events in historic forms. */
#include "sw/elanlib/clients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/base.h"
#include "sw/elanlib/clients_events.h"
#include "sw/elanlib/firmware/tport_records.h"
#include "sw/hal/hal.h"
#include "sw/support/word.h"

#define VERSION "1.4.12"

ELAN_CLIENT_BASE* elan_base;

/* ---- the process ---- */

static int member(void* handle, int number) {
  (void)handle;
  return number; /* of all processes */
}

static ELAN_CLIENT_STATE* make_state(ELAN_BASE* library) {
  ELAN_CLIENT_STATE* state = calloc(1, sizeof *state);
  int* local = calloc(library->node_count, sizeof *local);
  if (!state || !local) hal_abort("elan_baseInit: no memory left");
  for (unsigned i = 0; i < library->node_count; ++i) local[i] = (int)library->neighbour[i];
  *state = (ELAN_CLIENT_STATE){.version = VERSION,
                               .attached = 1,
                               .vp = library->self,
                               .nvp = library->count,
                               .ctx = library->ctx,
                               .localId = (int)library->node_self,
                               .nLocalIds = (int)library->node_count,
                               .maxLocalIds = (int)library->node_count,
                               .localIds = local,
                               .library = library};
  return state;
}

ELAN_CLIENT_BASE* elan_client_baseInit(unsigned flags) {
  if (elan_base) return elan_base;
  ELAN_BASE* library = elan_baseInit();
  ELAN_CLIENT_BASE* base = calloc(1, sizeof *base);
  ELAN_CLIENT_GROUP* group = calloc(1, sizeof *group);
  if (!base || !group) hal_abort("elan_baseInit: no memory left");
  *group = (ELAN_CLIENT_GROUP){.self = (int)library->self,
                               .size = (int)library->count,
                               .lookupFn = member,
                               .handle = group,
                               .library = elan_allGroup(library)};
  *base = (ELAN_CLIENT_BASE){.init = 1,
                             .state = make_state(library),
                             .allGroup = group,
                             .dmaType = DMA_BYTE,
                             .retryCount = E3_DMA_RETRIES,
                             .waitType = -1, /* ELAN_POLL_EVENT there */
                             .flags = flags,
                             .group_hwbcast = elan_hardware(elan_allGroup(library)),
                             .tport_nslots = 64, /* tport.c */
                             .tport_smallmsg = TPORT_EAGER_BYTES,
                             .tport_bigmsg = TPORT_EAGER_BYTES,
                             .tport_stripemsg = SIZE_MAX,
                             .tport_fragsize = SIZE_MAX,
                             .mqueue_nslots = 64,
                             .mqueue_slotsize = E3_QUEUE_MOST_BYTES,
                             .galloc_size = ELAN3_SYMMETRIC_BYTES,
                             .shm_enable = 1};
  base->group_flags = base->group_hwbcast;
  base->galloc = base->gallocElan = base->gallocShm = base;
  elan_base = base;
  return base;
}

const char* elan_version(void) { return VERSION; }

int elan_checkVersion(const char* version) {
  int major = 0, minor = 0;
  return sscanf(version, "%d.%d", &major, &minor) == 2 && major == 1 && minor == 4;
}

int elan_generateCapability(const char* text) {
  (void)text;
  return 0;
}

int elan_nRails(const ELAN_CLIENT_STATE* state) {
  (void)state;
  return 1;
}

uint64_t elan_clock(const ELAN_CLIENT_STATE* state) {
  (void)state;
  return hal_time_ps() / HAL_PS_PER_NS;
}

/* ---- memory ---- */

void* elan_allocMain(ELAN_CLIENT_STATE* state, size_t align, size_t size) {
  return elan3_allocMain(state->ctx, align, size);
}
void elan_free(ELAN_CLIENT_STATE* state, void* main) { elan3_free(state->ctx, main); }
E3_Addr elan_allocElan(ELAN_CLIENT_STATE* state, size_t align, size_t size) {
  return elan3_allocElan(state->ctx, align, size);
}

void* elan_client_gallocMain(ELAN_CLIENT_BASE* base, ELAN_CLIENT_GROUP* group, size_t align, size_t size) {
  (void)group;
  if (align > E3_PAGE_BYTES) hal_abort("elan_gallocMain: memory is aligned to a page of 4 KiB at most");
  return elan_gallocMain(base->state->library, size);
}

E3_Addr elan_client_gallocElan(ELAN_CLIENT_BASE* base, ELAN_CLIENT_GROUP* group, size_t align, size_t size) {
  (void)group;
  return elan3_gallocElan(base->state->ctx, align, size);
}

void elan_gallocFree(ELAN_CLIENT_BASE* base, void* memory) {
  (void)base;
  (void)memory;
}

E3_Addr elan_main2elan(ELAN_CLIENT_STATE* state, const volatile void* pointer) {
  return elan3_main2elan(state->ctx, pointer);
}
int elan_addressable(ELAN_CLIENT_STATE* state, const volatile void* pointer, size_t size) {
  return elan3_addressable(state->ctx, pointer, size);
}

/* ---- events ---- */

static struct elan_client_event* free_events;

ELAN_CLIENT_EVENT* elan_client_event_of(struct elan_client_event event) {
  struct elan_client_event* taken = free_events;
  if (taken)
    free_events = taken->next;
  else if (!(taken = malloc(sizeof *taken)))
    hal_abort("elanlib: no memory for more operations; wait for some that are under way");
  *taken = event;
  return taken;
}

void elan_client_event_free(struct elan_client_event* event) {
  event->next = free_events;
  free_events = event;
}

int elan_client_done(ELAN_CLIENT_EVENT* event, long how) {
  (void)how;
  if (event->kind == CLIENT_SENDS) return elan_tportTxDone(event->message);
  if (event->kind == CLIENT_RECEIVES) return elan_tportRxDone(event->message);
  return *elan_done(event->operation) != 0;
}

void elan_client_wait(ELAN_CLIENT_EVENT* event, long how) {
  (void)how;
  if (event->kind == CLIENT_SENDS) {
    elan_tportTxWait(event->message);
  } else if (event->kind == CLIENT_RECEIVES) {
    elan_tportRxWait(event->message, NULL, NULL, NULL);
  } else if (event->kind == CLIENT_ATOMIC) {
    const uint64_t before = elan_atomicWait(event->operation);
    if (event->result) *event->result = (int)(uint32_t)before;
  } else {
    elan_wait(event->operation, 0);
  }
  elan_client_event_free(event);
}

int elan_client_poll(ELAN_CLIENT_EVENT* event, long how) {
  if (!elan_client_done(event, how)) return 0;
  elan_client_wait(event, how);
  return 1;
}

/* ---- remote memory ---- */

ELAN_CLIENT_EVENT* elan_client_put(ELAN_CLIENT_STATE* state, const void* source, void* dest, size_t size,
                                   unsigned process) {
  ELAN_BASE* base = state->library;
  const E3_Addr there = elan_address(base, dest, size);
  ELAN_EVENT* put = size <= ELAN_SMALL_BYTES ? elan_putSmall(base, source, there, size, process)
                                             : elan_put(base, elan_address(base, source, size), there, size, process);
  return elan_client_event_of((struct elan_client_event){.kind = CLIENT_OPERATION, .operation = put});
}

ELAN_CLIENT_EVENT* elan_client_get(ELAN_CLIENT_STATE* state, const void* source, void* dest, size_t size,
                                   unsigned process) {
  ELAN_BASE* base = state->library;
  return elan_client_event_of((struct elan_client_event){
      .kind = CLIENT_OPERATION,
      .operation = elan_get(base, elan_address(base, source, size), elan_address(base, dest, size), size, process)});
}

/* ---- groups ---- */

void elan_client_gsync(ELAN_CLIENT_GROUP* group) { elan_gsync(group->library); }
void elan_client_hgsync(ELAN_CLIENT_GROUP* group) { elan_hgsync(group->library); }

#define STAGE_BYTES 4096u

/* Piece by piece into a buffer that all processes have at the same address. */
void elan_client_bcast(ELAN_CLIENT_GROUP* group, void* buffer, size_t size, unsigned root, int global) {
  (void)global;
  static char* stage;
  ELAN_CLIENT_STATE* state = elan_base->state;
  if (!stage) stage = elan_gallocMain(state->library, STAGE_BYTES);
  if (!stage) hal_abort("elan_bcast: no memory left for its buffer");
  for (size_t at = 0; at < size; at += STAGE_BYTES) {
    const size_t bytes = size - at < STAGE_BYTES ? size - at : STAGE_BYTES;
    if (group->self == (int)root) {
      memcpy(stage, (char*)buffer + at, bytes);
      for (int to = 0; to < group->size; ++to)
        if (to != group->self) elan_client_wait(elan_client_put(state, stage, stage, bytes, (unsigned)to), 0);
    }
    elan_gsync(group->library); /* it is there */
    if (group->self != (int)root) memcpy((char*)buffer + at, stage, bytes);
    elan_gsync(group->library); /* and read */
  }
}

void elan_client_hbcast(ELAN_CLIENT_GROUP* group, void* buffer, size_t size, unsigned root, int global) {
  if (elan_hardware(group->library))
    elan_hbcast(group->library, buffer, size, root, global);
  else
    elan_client_bcast(group, buffer, size, root, global);
}

/* ---- atomic operations ---- */

ELAN_ATOMIC* elan_client_atomicInit(ELAN_CLIENT_STATE* state, ELAN_CLIENT_QUEUE* queue, int slots, unsigned flags) {
  (void)queue;
  (void)slots;
  (void)flags;
  elan_atomicInit(state->library);
  return (ELAN_ATOMIC*)state;
}

ELAN_CLIENT_EVENT* elan_atomic32(ELAN_ATOMIC* atomic, enum elan_client_atomic_operation operation, void* word,
                                 int value, int comparand, unsigned process, int* result) {
  static const enum word_operation operations[] = {
      [ELAN_ATOMIC_ADD] = WORD_ADD, [ELAN_ATOMIC_SWAP] = WORD_SET, [ELAN_ATOMIC_CSWAP] = WORD_COMPARE_AND_SET};
  ELAN_BASE* base = ((ELAN_CLIENT_STATE*)atomic)->library;
  ELAN_EVENT* event = elan_atomic(base, operations[operation], sizeof(int), elan_address(base, word, sizeof(int)),
                                  (uint32_t)value, (uint32_t)comparand, process);
  return elan_client_event_of((struct elan_client_event){.kind = CLIENT_ATOMIC, .operation = event, .result = result});
}
