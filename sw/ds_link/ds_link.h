/* Virtual channels of DS links, with the semantics of occam channels (FACTS.md 3.3) and the calls of the INMOS C
 * libraries: unbuffered, one process at each end, independent in each direction. An output ends when the far end has
 * begun to take its last packet, an input when the whole message has arrived. The card moves the data; the CPU
 * sleeps.
 *
 * A virtual link is a channel each way. Between any two processes of a job there are ds_numbers() of them; number n of
 * one leads to number n of the other. A process may have links with itself, too; ChanOut there wants its input begun
 * before (ds_input). Misuse ends the job with a message.
 */
#ifndef SANVP_DS_LINK_H
#define SANVP_DS_LINK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_channel Channel;

/* ---- channels ---- */
/* Attaches the process to its card; the other calls do so if it has not been called. */
void ds_init(void);
unsigned ds_numbers(void); /* virtual links to each process */
/* The sending and the receiving end of virtual link `number` with process `rank` in this process; always the same
 * object. */
Channel* ds_channel_to(unsigned rank, unsigned number);
Channel* ds_channel_from(unsigned rank, unsigned number);

/* ---- occam's ! and ? ---- */
void ChanOut(Channel* channel, const void* from, int bytes);
/* The message must have exactly this length: both ends of a channel agree on it. */
void ChanIn(Channel* channel, void* to, int bytes);
void ChanOutInt(Channel* channel, int value);
int ChanInInt(Channel* channel);
void ChanOutChar(Channel* channel, unsigned char value);
unsigned char ChanInChar(Channel* channel);
/* A message of any length up to `room` (T9000: variable-length input). @return its length */
size_t ds_in_any(Channel* channel, void* to, size_t room);

/* Time out, and return 1, if nothing has come until then; otherwise 0. */
int ChanInTimeFail(Channel* channel, void* to, int bytes, uint64_t until_ps);
/* ... or if an int comes from `failure` first, which is received. */
int ChanInChanFail(Channel* channel, void* to, int bytes, Channel* failure);

/* ---- occam's ALT: the first channel of a list, which ends with a null, from which something may be taken ---- */
int ProcAltList(Channel** channels);                         /* waits */
int ProcSkipAltList(Channel** channels);                     /* -1 if there is none now */
int ProcTimerAltList(uint64_t until_ps, Channel** channels); /* -1 if there was none until then */

/* ---- in two steps, for callers with several operations in flight ---- */
/* At most one output and one input in flight per channel; the memory must stay until completion. */
void ds_output(Channel* channel, const void* from, size_t bytes);
int ds_output_ended(const Channel* channel);
void ds_input(Channel* channel, void* to, size_t room);
int ds_input_ended(const Channel* channel);
/* Length of the last message, even if it did not fit. */
size_t ds_input_bytes(const Channel* channel);
/* A word that changes with every event on any channel of this process: read it, then the channels, then wait for a
 * change of it. */
const volatile uint32_t* ds_wake_word(void);
/* Events since the last call with this cursor, which starts as 0: rank * ds_numbers() + number of the next virtual link
 * on which an operation completed or a message began to wait for its input. */
int64_t ds_next_event(uint32_t* cursor);
#define DS_NO_EVENT (-1)
#define DS_EVENTS_LOST (-2) /* the card's event list overflowed: check all channels */

#ifdef __cplusplus
}
#endif
#endif
