/* See vcp.h. */
#include "sw/vcp/vcp.h"

#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/message_port/transfer.h"

#define TAG 0u /* of this library's messages; sw/transport/vcp.c has another */

struct vcp_request {
  struct port_transfer transfer;
  struct vcp_request* next; /* free ones */
};

static struct vcp_request** free_requests(void) {
  static struct vcp_request* list;
  return &list;
}

static struct vcp_request* new_request(void) {
  struct vcp_request** list = free_requests();
  struct vcp_request* request = *list;
  if (request)
    *list = request->next;
  else
    request = aligned_alloc(_Alignof(struct vcp_request), sizeof *request);
  return request;
}

static void release(struct vcp_request* request) {
  struct vcp_request** list = free_requests();
  request->next = *list;
  *list = request;
}

void vcp_init(void) { port_open("vcp_init", "vcp"); }

void vcp_compute(uint64_t ps) { hal_compute_ps(ps); }

VCP_REQUEST* vcp_isend(unsigned to, const void* buffer, size_t bytes) {
  struct vcp_request* request = new_request();
  port_start_send(&request->transfer, to, TAG, buffer, bytes);
  return request;
}

VCP_REQUEST* vcp_irecv(unsigned from, void* buffer, size_t room) {
  struct vcp_request* request = new_request();
  port_start_receive(&request->transfer, from, TAG, UINT32_MAX, buffer, room);
  return request;
}

size_t vcp_wait(VCP_REQUEST* request, unsigned* sender) {
  const size_t bytes = port_finish(&request->transfer);
  if (sender) *sender = request->transfer.peer;
  release(request);
  return bytes;
}

int vcp_test(VCP_REQUEST* request, size_t* bytes, unsigned* sender) {
  if (!port_test(&request->transfer)) return 0;
  if (bytes) *bytes = request->transfer.moved;
  if (sender) *sender = request->transfer.peer;
  release(request);
  return 1;
}

void vcp_send(unsigned to, const void* buffer, size_t bytes) { vcp_wait(vcp_isend(to, buffer, bytes), NULL); }

size_t vcp_recv(unsigned from, void* buffer, size_t room, unsigned* sender) {
  return vcp_wait(vcp_irecv(from, buffer, room), sender);
}
