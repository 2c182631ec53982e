/* See vcp.h. A message longer than the card takes goes in pieces; the first that is shorter than that is the last. */
#include "sw/vcp/vcp.h"

#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/message_port/port.h"

#define TAG 0u /* of this library's messages */

struct vcp_request {
  struct port_operation operation; /* the piece under way */
  int receives;
  unsigned peer;
  char* buffer;
  size_t bytes;             /* to send; of a receive: room */
  size_t moved;             /* by the pieces before */
  char overflow;            /* where a receive without room points to */
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

static void release(struct vcp_request* request) { *(request->next = *free_requests(), free_requests()) = request; }

void vcp_init(void) { port_open("vcp_init", "vcp"); }

void vcp_compute(uint64_t ps) { hal_compute_ps(ps); }

/* Of what is left, or of the room that is left. */
static size_t left(const struct vcp_request* request) {
  return request->bytes > request->moved ? request->bytes - request->moved : 0;
}

static void start_piece(struct vcp_request* request) {
  const size_t rest = left(request);
  const size_t bytes = rest < MESSAGE_MOST_BYTES ? rest : MESSAGE_MOST_BYTES;
  char* at = rest > 0 ? request->buffer + request->moved : &request->overflow;
  if (request->receives)
    port_receive(&request->operation, request->peer, TAG, UINT32_MAX, at, bytes);
  else
    port_send(&request->operation, request->peer, TAG, at, bytes);
}

static struct vcp_request* start(int receives, unsigned peer, void* buffer, size_t bytes) {
  struct vcp_request* request = new_request();
  *request = (struct vcp_request){.receives = receives, .peer = peer, .buffer = buffer, .bytes = bytes};
  start_piece(request);
  return request;
}

VCP_REQUEST* vcp_isend(unsigned to, const void* buffer, size_t bytes) { return start(0, to, (void*)buffer, bytes); }

VCP_REQUEST* vcp_irecv(unsigned from, void* buffer, size_t room) { return start(1, from, buffer, room); }

/* The piece under way is over. Whether the message is; else the next piece is under way. */
static int go_on(struct vcp_request* request) {
  size_t piece = left(request) < MESSAGE_MOST_BYTES ? left(request) : MESSAGE_MOST_BYTES;
  if (request->receives) {
    piece = port_bytes(&request->operation);
    request->peer = port_source(&request->operation);
  }
  request->moved += piece;
  if (piece < MESSAGE_MOST_BYTES) return 1;
  start_piece(request);
  return 0;
}

static size_t finish(struct vcp_request* request, unsigned* sender) {
  const size_t bytes = request->moved;
  if (sender) *sender = request->peer;
  release(request);
  return bytes;
}

size_t vcp_wait(VCP_REQUEST* request, unsigned* sender) {
  do port_wait(&request->operation);
  while (!go_on(request));
  return finish(request, sender);
}

int vcp_test(VCP_REQUEST* request, size_t* bytes, unsigned* sender) {
  if (!port_done(&request->operation) || !go_on(request)) return 0;
  const size_t moved = finish(request, sender);
  if (bytes) *bytes = moved;
  return 1;
}

void vcp_send(unsigned to, const void* buffer, size_t bytes) { vcp_wait(vcp_isend(to, buffer, bytes), NULL); }

size_t vcp_recv(unsigned from, void* buffer, size_t room, unsigned* sender) {
  return vcp_wait(vcp_irecv(from, buffer, room), sender);
}
