/* Messages by the virtual communication processor (VCP) of Parsytec's Mesh of Clos (paper 3; FACTS.md 4.4).
 *
 * A message is synchronous: its send is done when the receiver has received it, which a system message reports.
 * Processor and VCP share its set-up: the processor's work while the VCP works takes no additional time.
 */
#ifndef SANVP_VCP_H
#define SANVP_VCP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VCP_ANY UINT32_MAX /* from any process */

/* The first call of a program; later ones do nothing. Processes are the job's ranks (hal_rank, hal_ranks). */
void vcp_init(void);

/* Instructions that take `ps`. */
void vcp_compute(uint64_t ps);

/* Return when the message has been received. Any length, 0 included; to itself only if one of them is asynchronous. */
void vcp_send(unsigned to, const void* buffer, size_t bytes);
/* Returns the message's length; if it exceeds `room`, the buffer has only its beginning. `sender` may be null. */
size_t vcp_recv(unsigned from, void* buffer, size_t room, unsigned* sender);

/* The same without waiting: buffers must stay until vcp_wait has returned or vcp_test has returned 1, which free the
 * request. Messages of one sender are received in the order in which they were sent. */
typedef struct vcp_request VCP_REQUEST;
VCP_REQUEST* vcp_isend(unsigned to, const void* buffer, size_t bytes);
VCP_REQUEST* vcp_irecv(unsigned from, void* buffer, size_t room);
/* For a receive: as vcp_recv. */
size_t vcp_wait(VCP_REQUEST* request, unsigned* sender);
int vcp_test(VCP_REQUEST* request, size_t* bytes, unsigned* sender);

#ifdef __cplusplus
}
#endif
#endif
