/* Virtual channels of DS links, with the semantics of occam channels (FACTS.md 3.3) and the calls of the INMOS C
 * libraries: unbuffered, one process at each end, each direction by itself. An output ends when the far end has begun
 * to consume its last packet, an input when the whole message is here. The card moves the data; the CPU sleeps.
 *
 * A virtual link is a channel each way. Between any two processes of a job there are ds_numbers() of them; number n of
 * one leads to number n of the other. A process may have links with itself, too; there the input must be begun
 * (ds_input) before ChanOut. Misuse ends the job with a message.
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
/* Attaches the process to its card; the other calls do so if needed. */
void ds_init(void);
unsigned ds_numbers(void); /* virtual links to each process */
/* The sending and the receiving end here of virtual link `number` with process `rank`; always the same object. */
Channel* ds_channel_to(unsigned rank, unsigned number);
Channel* ds_channel_from(unsigned rank, unsigned number);

/* ---- occam's ! and ? ---- */
void ChanOut(Channel* channel, const void* from, int bytes);
/* The message must have exactly this length: the two ends of a channel agree on their messages. */
void ChanIn(Channel* channel, void* to, int bytes);
void ChanOutInt(Channel* channel, int value);
int ChanInInt(Channel* channel);
void ChanOutChar(Channel* channel, unsigned char value);
unsigned char ChanInChar(Channel* channel);
/* A message of any length up to `room` (T9000: variable-length input). @return its length */
size_t ds_in_any(Channel* channel, void* to, size_t room);

/* Time out and return 1 if nothing has arrived until then; else 0. */
int ChanInTimeFail(Channel* channel, void* to, int bytes, uint64_t until_ps);
/* The same if an int arrives from `failure` first, which is consumed. */
int ChanInChanFail(Channel* channel, void* to, int bytes, Channel* failure);

/* ---- occam's ALT: the first channel of a list, which ends with a null, from which something may be taken ---- */
int ProcAltList(Channel** channels);                         /* waits */
int ProcSkipAltList(Channel** channels);                     /* -1 if none is ready */
int ProcTimerAltList(uint64_t until_ps, Channel** channels); /* -1 if none was ready until then */

/* ---- in two steps, to have several operations under way (a library's own processes) ---- */
/* One output and one input at a time on each channel; the memory must stay until they end. */
void ds_output(Channel* channel, const void* from, size_t bytes);
int ds_output_ended(const Channel* channel);
void ds_input(Channel* channel, void* to, size_t room);
int ds_input_ended(const Channel* channel);
/* Length of the last message, also if the buffer was smaller. */
size_t ds_input_bytes(const Channel* channel);
/* A word that changes after every event on any channel of this process: read it, then test the channels, then wait for
 * it. */
const volatile uint32_t* ds_wake_word(void);
/* The next event since the last call with this cursor, which begins with 0: rank * ds_numbers() + number of a virtual
 * link on which an operation has ended, or a message waits for its input, or for the first ds_channel_to or _from of
 * the link here. */
int64_t ds_next_event(uint32_t* cursor);
#define DS_NO_EVENT (-1)
#define DS_EVENTS_LOST (-2) /* the card's list has overflowed: check all channels */

#ifdef __cplusplus
}
#endif
#endif
