/* Elanlib: the library that QsNET's programs used (QsNET paper 3.2, FACTS.md 1.6). Remote put and get, groups
 * with barrier and broadcast, queues. Tagged messages (Tports) are in tport.h. Names and meaning are the historic ones;
 * two things differ: remote memory is named by its Elan address (processes have it at different pointers here), and
 * tags have 64 bits, as the library's later versions had.
 */
#ifndef SANVP_ELAN_H
#define SANVP_ELAN_H

#include <stddef.h>
#include <stdint.h>

#include "sw/elan3lib/elan3lib.h"
#include "sw/support/word.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct elan_base ELAN_BASE;
typedef struct elan_group ELAN_GROUP;
typedef struct elan_event ELAN_EVENT;
typedef struct elan_queue ELAN_QUEUE;

/* ---- base: one for a process ---- */
/* Attaches to the card and sets up what the calls below need. The first call creates it, later ones return the same.
 * Collective: every process of the job calls it, and waits for the others in it. */
ELAN_BASE* elan_baseInit(void);
ELAN3_CTX* elan_ctx(const ELAN_BASE* base);
ELAN_GROUP* elan_allGroup(const ELAN_BASE* base);
/* Whether a process runs on this node: messages to it go through shared memory. */
int elan_sameNode(const ELAN_BASE* base, unsigned process);

/* ---- memory that every process of the job has at the same Elan address: collective, in the same order everywhere ----
 */
void* elan_gallocMain(ELAN_BASE* base, size_t size); /* main memory, zeroed, of whole pages */
void* elan_gallocHeap(ELAN_BASE* base, size_t size); /* the same, not zeroed: for large pieces, of which few are used */
E3_Addr elan_gallocElan(ELAN_BASE* base, size_t size); /* Elan memory */
/* The Elan address of main memory, which the card can reach from now on without a trap. */
E3_Addr elan_address(ELAN_BASE* base, const volatile void* pointer, size_t size);

/* ---- remote memory: each call is one DMA ---- */
#define ELAN_POLL_EVENT 0 /* how to wait: polls a word of main memory, the only way here */
/* Done when the bytes are in the other process's memory. */
ELAN_EVENT* elan_put(ELAN_BASE* base, E3_Addr source, E3_Addr dest, size_t size, unsigned process);
/* Done when the bytes are here. */
ELAN_EVENT* elan_get(ELAN_BASE* base, E3_Addr source, E3_Addr dest, size_t size, unsigned process);
/* As elan_put; then sets an event of the other process. */
ELAN_EVENT* elan_putEvent(ELAN_BASE* base, E3_Addr source, E3_Addr dest, size_t size, unsigned process,
                          E3_Addr dest_event);
/* As elan_put, of up to ELAN_SMALL_BYTES at `value`, which need not stay. */
#define ELAN_SMALL_BYTES 8u
ELAN_EVENT* elan_putSmall(ELAN_BASE* base, const void* value, E3_Addr dest, size_t size, unsigned process);
/* As elan_put, and as elan_putSmall if `size` is up to ELAN_SMALL_BYTES. When the bytes are in place, the card by
 * itself starts an atomic operation of elan_atomicReady, which is this process's until then. */
ELAN_EVENT* elan_putThen(ELAN_BASE* base, const void* source, E3_Addr dest, size_t size, unsigned process,
                         const ELAN_EVENT* atomic);
/* Whether it is done; the event is freed then. */
int elan_poll(ELAN_EVENT* event, int how);
/* Waits and frees the event. */
void elan_wait(ELAN_EVENT* event, int how);
/* A word that becomes 1 when it is done, for waiting for several things at once. */
const volatile uint32_t* elan_done(const ELAN_EVENT* event);

/* Sleeps until one of the words of this process's memory may differ from its seen value: check again. Messages among
 * processes of a node make progress meanwhile. */
void elan_sleep(ELAN_BASE* base, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);

/* ---- atomic operations: done one after another by a thread on the card of the process that owns the word ---- */
/* Starts that thread. Collective; calls after the first do nothing. */
void elan_atomicInit(ELAN_BASE* base);
/* On a word of 4 or 8 bytes, aligned to its width, in the memory of any process, this one as well. Done when it has
 * been done there. */
ELAN_EVENT* elan_atomic(ELAN_BASE* base, enum word_operation operation, unsigned width, E3_Addr word, uint64_t operand,
                        uint64_t comparand, unsigned process);
/* The same, but started by elan_putThen. */
ELAN_EVENT* elan_atomicReady(ELAN_BASE* base, enum word_operation operation, unsigned width, E3_Addr word,
                             uint64_t operand, uint64_t comparand, unsigned process);
/* Waits, returns the word's old value, and frees the event. */
uint64_t elan_atomicWait(ELAN_EVENT* event);

/* ---- progress hooks, run while a process sleeps in a call of these libraries ----
 * `make` does what there is to do, and returns how many words it has put into `words`: they are 0, and there is more to
 * do when one of them is not. It may call what does not sleep; it is not entered again from within itself. */
#define ELAN_BACKGROUND_MOST 256u /* words */
void elan_background(ELAN_BASE* base, unsigned (*make)(const volatile uint32_t** words, unsigned room));
/* Called while TxWait or RxWait of a Tport, a barrier or a broadcast waits and a node of the job is known to be dead:
 * whether that wait is hopeless. It then ends, its event is never freed, and its group is no longer usable. */
void elan_hopeless(ELAN_BASE* base, int (*hopeless)(void));

/* ---- groups: all processes, or some of them (elan_groupCreate, in tport.h) ---- */
unsigned elan_groupSize(const ELAN_GROUP* group);
unsigned elan_groupSelf(const ELAN_GROUP* group); /* this process's place among its members */
/* Not for elan_allGroup. This process's calls on the group must have ended; those of others may still be running. */
void elan_groupFree(ELAN_GROUP* group);
/* Barrier in software: messages that are puts of a word, log2 n rounds. */
void elan_gsync(ELAN_GROUP* group);
/* Barrier in hardware: a network conditional asks all nodes at once, a broadcast releases them. In software if not
 * elan_hardware(). */
void elan_hgsync(ELAN_GROUP* group);
/* Broadcast in hardware of `size` bytes of main memory; the buffer of the member `root` to all. `global`: the buffer is
 * of elan_gallocMain, at the same offset everywhere, so nothing is copied if a node has one member. Only if
 * elan_hardware(). */
void elan_hbcast(ELAN_GROUP* group, void* buffer, size_t size, unsigned root, int global);
/* The same from the root's memory at `source` to all members' at `dest`, the root's own included: Elan memory or main
 * memory that the card can reach, at the same address everywhere. Only if each node has one member. */
void elan_hbcastAt(ELAN_GROUP* group, E3_Addr source, E3_Addr dest, size_t size, unsigned root);
/* Whether the network reaches just this group: its nodes are neighbours, on each there is a member with the same place
 * among the job's processes, and no failed part of the network is in the way. */
int elan_hardware(const ELAN_GROUP* group);

/* ---- queues: messages of up to 320 bytes into slots of another process, in any order of senders ---- */
/* Collective. `slot_bytes`: a multiple of 64, up to 320. Slots are in Elan memory. */
ELAN_QUEUE* elan_gallocQueue(ELAN_BASE* base, unsigned slots, unsigned slot_bytes);
/* Sends `size` bytes to the queue that `process` made in the same place of the program. Waits while as many messages of
 * this queue are on their way. Messages to one process may overtake each other if its queue is full for a while. */
#define ELAN_QUEUE_OUTGOING 8u
ELAN_EVENT* elan_queueReq(ELAN_QUEUE* queue, unsigned process, const void* message, size_t size);
/* Takes the next message; a copy of a whole slot. */
void elan_queueWait(ELAN_QUEUE* queue, void* message, int how);
int elan_queuePoll(ELAN_QUEUE* queue, void* message);
/* A word that becomes 1 when a message comes: for waiting for several things at once. Set it to 0, then poll. */
volatile uint32_t* elan_queueCame(const ELAN_QUEUE* queue);

#ifdef __cplusplus
}
#endif
#endif
