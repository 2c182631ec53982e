/* Messages by the virtual communication processor (VCP) of Parsytec's Mesh of Clos (paper 3; FACTS.md 4.4).
 *
 * A message is synchronous: its send is done when the receiver has received it, which a system message says. Processor
 * and VCP share its set-up: what the processor does while the VCP works costs no time.
 */
#ifndef SANVP_VCP_H
#define SANVP_VCP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VCP_ANY UINT32_MAX /* from any process */

/* First of all; calls after the first do nothing. Processes are the job's ranks (hal_rank, hal_ranks). */
void vcp_init(void);

/* Instructions that take so long. */
void vcp_compute(uint64_t ps);

/* Return when the message has been received. Any length, 0 included; to itself only with an asynchronous one. */
void vcp_send(unsigned to, const void* buffer, size_t bytes);
/* The message's length; more than `room` where only its beginning is there. `from`, if not null, gets its sender. */
size_t vcp_recv(unsigned from, void* buffer, size_t room, unsigned* sender);

/* The same without waiting: buffers must stay until vcp_wait has returned or vcp_test has answered 1, which give the
 * request back. Messages of one sender are received in the order in which they were sent. */
typedef struct vcp_request VCP_REQUEST;
VCP_REQUEST* vcp_isend(unsigned to, const void* buffer, size_t bytes);
VCP_REQUEST* vcp_irecv(unsigned from, void* buffer, size_t room);
/* Of a receive: as vcp_recv. */
size_t vcp_wait(VCP_REQUEST* request, unsigned* sender);
int vcp_test(VCP_REQUEST* request, size_t* bytes, unsigned* sender);

#ifdef __cplusplus
}
#endif
#endif
