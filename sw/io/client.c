/* The client: a request to each server that has a part of the range, all at once; returns when all have replied. The
 * messages are as long as the data. Their contents are ignored: those of the file have been moved before
 * (sw/abi/hal/files.h). */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/io/io.h"
#include "sw/io/protocol.h"
#include "sw/transport/transport.h"

/* Messages under way. */
struct pending {
  struct transport_request** requests;
  size_t count, room;
};

static void add(struct pending* pending, struct transport_request* request) {
  if (pending->count == pending->room) {
    pending->room = pending->room > 0 ? 2 * pending->room : 16;
    pending->requests = realloc(pending->requests, pending->room * sizeof(struct transport_request*));
    if (!pending->requests) hal_abort("files: no memory left for messages to I/O nodes; set host.memory");
  }
  pending->requests[pending->count++] = request;
}

/* A stripe of memory, the same for all messages. */
static char* stripe_of_memory(void) {
  static char* memory;
  if (!memory) memory = calloc(1, hal_io_stripe());
  if (!memory) hal_abort("files: no memory left for a stripe; set host.memory or a smaller io.stripe");
  return memory;
}

static void begin(struct pending* pending, struct io_request* request, unsigned server) {
  const uint64_t stripe = hal_io_stripe();
  const unsigned to = (unsigned)hal_ranks() + server;
  if (request->way != HAL_FILE_READ) add(pending, transport_receive(to, IO_REPLY, UINT64_MAX, NULL, 0));
  add(pending, transport_send(to, IO_REQUEST, request, sizeof *request, 0));
  for (uint64_t done = 0; done < request->bytes;) {
    const uint64_t bytes = io_piece(request->begin + done, request->bytes - done, stripe);
    add(pending, request->way == HAL_FILE_READ ? transport_receive(to, IO_DATA, UINT64_MAX, stripe_of_memory(), bytes)
                                               : transport_send(to, IO_DATA, stripe_of_memory(), bytes, 0));
    done += bytes;
  }
}

static void carry(enum hal_file_way way, uint64_t file, uint64_t from, uint64_t bytes) {
  const unsigned servers = (unsigned)hal_io_servers();
  struct pending pending = {NULL, 0, 0};
  struct io_request requests[servers];
  for (unsigned i = 0; i < servers; ++i) {
    const uint64_t first = io_before(from, hal_io_stripe(), servers, i);
    const uint64_t end = io_before(from + bytes, hal_io_stripe(), servers, i);
    requests[i] = (struct io_request){.way = way, .file = file, .begin = first, .bytes = end - first};
    if (end > first || way == HAL_FILE_SYNC) begin(&pending, &requests[i], i);
  }
  for (size_t i = 0; i < pending.count; ++i) transport_wait(pending.requests[i], NULL);
  free(pending.requests);
}

void io_client_start(void) {
  static int started;
  if (started || hal_io_servers() == 0) return;
  started = 1;
  transport_start();
  transport_leave_out_servers();
  hal_files_go_through(carry);
}
