/* Tports: messages with tags, matched by a thread on the card (QsNET paper 3.2, FACTS.md 1.6). Messages from one sender
 * that match the same receive are received in the order in which they were sent.
 */
#ifndef SANVP_TPORT_H
#define SANVP_TPORT_H

#include "sw/elanlib/elan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct elan_tport ELAN_TPORT;
typedef struct elan_tport_event ELAN_TPORT_EVENT;

/* Flags, may be added. */
#define ELAN_TPORT_TXSYNC 1  /* the send is done when it is matched */
#define ELAN_TPORT_RXANY 2   /* from any sender: RxStart's mask for the sender is ignored */
#define ELAN_TPORT_RXPROBE 4 /* reports the first message that matches, and leaves it where it is */
/* With RXPROBE: returns at once, even if no message matches. Without: takes the first matching message if it has
 * arrived and has exactly the size of the buffer, so that a probed message is taken only once. */
#define ELAN_TPORT_RXNOWAIT 8
/* The sender's location, if the caller knows it (elan_sameNode): the receive is faster then. */
#define ELAN_TPORT_RXNEAR 16 /* on this node: its messages come through memory */
#define ELAN_TPORT_RXFAR 32  /* on another node: through the card */
#define ELAN_TPORT_RXBUF 64  /* RxWait may answer with a buffer of the library's own, see there */

#define ELAN_TPORT_NONE UINT32_MAX /* size that is reported where there is no message: RXPROBE, RXNOWAIT */

/* Collective. One per process. */
ELAN_TPORT* elan_tportInit(ELAN_BASE* base);

/* From now on several threads of this process may be in calls (hal_serve_threads). */
void elan_tportServeThreads(ELAN_TPORT* tport);

/* Sends `size` bytes to process `dest`, labelled with `sender` and `tag`. `buffer` must stay unchanged until TxWait. */
ELAN_TPORT_EVENT* elan_tportTxStart(ELAN_TPORT* tport, int flags, unsigned dest, unsigned sender, uint64_t tag,
                                    const void* buffer, size_t size);
/* Waits until the buffer may be used again, and gives the event back. */
void elan_tportTxWait(ELAN_TPORT_EVENT* event);
int elan_tportTxDone(ELAN_TPORT_EVENT* event); /* whether TxWait would return at once */
/* Cancels a send that no receive has matched, and frees its event. Returns 0, and the event stays, if it has been
 * matched, or needs no receive to end. Waits for the matching thread of the receiver's card; on the same node for the
 * receiver. */
int elan_tportTxCancel(ELAN_TPORT_EVENT* event);

/* Receives a message with (its sender & sender_mask) == (sender & sender_mask), and the same of the tag. Bytes beyond
 * `size` are lost; RxWait returns the message's own size. */
ELAN_TPORT_EVENT* elan_tportRxStart(ELAN_TPORT* tport, int flags, unsigned sender_mask, unsigned sender,
                                    uint64_t tag_mask, uint64_t tag, void* buffer, size_t size);
/* Waits for it, returns its envelope (each may be null), and frees the event. Returns the message's address: the buffer
 * of RxStart. With RXBUF it may be in one of the library's, whole, which must be given to elan_tportBufFree. */
void* elan_tportRxWait(ELAN_TPORT_EVENT* event, unsigned* sender, uint64_t* tag, size_t* size);
int elan_tportRxDone(ELAN_TPORT_EVENT* event);
int elan_tportRxNone(const ELAN_TPORT_EVENT* event); /* of one that is done: whether RxWait will report NONE */
/* Frees what RxWait has returned; nothing happens if that is the caller's own buffer. */
void elan_tportBufFree(ELAN_TPORT* tport, void* buffer);
/* Cancels a receive. Returns 0, and the event stays, if a message has matched it already. */
int elan_tportRxCancel(ELAN_TPORT_EVENT* event);

/* A word that differs from 0 when the event is done, for waiting for several things at once. */
const volatile uint32_t* elan_tportWord(const ELAN_TPORT_EVENT* event);
/* Sleeps until something may have changed for any of these events (null ones are skipped): test each with TxDone or
 * RxDone again. Returns at once if one is done. */
void elan_tportWaitAny(ELAN_TPORT* tport, ELAN_TPORT_EVENT* const* events, size_t count);

/* ---- remote memory as events: those of put and get end with TxDone and TxWait, of atomic operations with RxDone and
 * RxWait. Not in the historic library ---- */
/* `source` and `dest` are memory of this process, and stay; up to ELAN_SMALL_BYTES that are put are copied. */
ELAN_TPORT_EVENT* elan_tportPut(ELAN_TPORT* tport, const void* source, E3_Addr dest, size_t size, unsigned process);
ELAN_TPORT_EVENT* elan_tportGet(ELAN_TPORT* tport, E3_Addr source, void* dest, size_t size, unsigned process);
/* As elan_atomic, by the queue that the other process has told of. */
ELAN_TPORT_EVENT* elan_tportAtomic(ELAN_TPORT* tport, E3_Addr atomics, enum word_operation operation, unsigned width,
                                   E3_Addr word, uint64_t operand, uint64_t comparand, unsigned process);
uint64_t elan_tportBefore(const ELAN_TPORT_EVENT* event); /* the old value: once it is done, before RxWait */
/* The address of the queue of this process's thread for atomic operations, started by the first call. Not collective:
 * the process tells others of it. */
E3_Addr elan_atomicQueue(ELAN_BASE* base);

/* A group of some processes: `members` in the order of their places, this one among them. Collective over them alone:
 * by messages they agree on a number that is free in all of them (the historic library's way is not known, so neither
 * is this name). Null, in all of them, if no number is free: a process is in at most 16 groups, elan_allGroup among
 * them. Its messages have the tag's highest two bits set: leave those to it. */
ELAN_GROUP* elan_groupCreate(ELAN_TPORT* tport, const unsigned* members, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
