/* Buffered sends: a copy travels, and counts against the buffer that the program has attached. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/requests/buffered.h"

struct copy {
  struct copy* next;
  uint64_t number;
  struct transport_request* transport;
  size_t bytes;
  char data[];
};

struct attached {
  void* base;
  size_t bytes, used;
  uint64_t sends; /* number of the last one */
  struct copy* copies;
};

static struct attached* attached(void) {
  static struct attached buffer;
  return &buffer;
}

static void give_back(struct copy** link) {
  struct copy* copy = *link;
  *link = copy->next;
  attached()->used -= copy->bytes + MPI_BSEND_OVERHEAD;
  free(copy);
}

/* Frees the copies of sends that are done; with `wait`, waits until all are. */
static void reclaim(int wait) {
  for (struct copy** link = &attached()->copies; *link;) {
    struct copy* copy = *link;
    if (wait) {
      transport_wait(copy->transport, NULL);
    } else if (!transport_test(copy->transport, NULL)) {
      link = &copy->next;
      continue;
    }
    give_back(link);
  }
}

int mpi_buffered_cancel(const struct MPI_request_* request) {
  struct copy** link = &attached()->copies;
  while (*link && (*link)->number != request->buffered) link = &(*link)->next;
  if (!*link || !transport_cancel((*link)->transport)) return 0;
  give_back(link);
  return 1;
}

int mpi_buffered_send(struct MPI_request_* request) {
  const struct mpi_message* message = &request->message;
  const size_t bytes = (size_t)message->count * message->type->bytes;
  struct attached* buffer = attached();
  reclaim(0);
  if (buffer->used + bytes + MPI_BSEND_OVERHEAD > buffer->bytes)
    return mpi_fail_on(request->comm, request->call, MPI_ERR_BUFFER,
                       "%zu bytes and MPI_BSEND_OVERHEAD do not fit: of %zu attached bytes %zu are in use; attach a "
                       "larger buffer with MPI_Buffer_attach",
                       bytes, buffer->bytes, buffer->used);
  struct copy* copy = mpi_memory(sizeof *copy + bytes);
  mpi_pack(message->buffer, (size_t)message->count, message->type, copy->data);
  copy->bytes = bytes;
  copy->number = request->buffered = ++buffer->sends;
  const unsigned to = mpi_process(request->comm, message->peer);
  const uint64_t tag = mpi_tag(request->comm, message->tag);
  hal_message_sent((int)to, tag, bytes);
  copy->transport = transport_send(to, tag, copy->data, bytes, 0);
  copy->next = buffer->copies;
  buffer->copies = copy;
  buffer->used += bytes + MPI_BSEND_OVERHEAD;
  return MPI_SUCCESS;
}

void mpi_buffered_finish(void) { reclaim(1); }

/* ---- MPI_Buffer_attach ---- */
int MPI_Buffer_attach(void* buffer, int bytes) {
  MPI_TRY(mpi_check_running("MPI_Buffer_attach"));
  if (attached()->base)
    return mpi_fail("MPI_Buffer_attach", MPI_ERR_BUFFER, "a buffer is attached already; call MPI_Buffer_detach first");
  if (!buffer || bytes < 0)
    return mpi_fail("MPI_Buffer_attach", MPI_ERR_BUFFER, "the buffer is a null pointer, or its size %d negative",
                    bytes);
  attached()->base = buffer;
  attached()->bytes = (size_t)bytes;
  return MPI_SUCCESS;
}

/* ---- MPI_Buffer_detach: when all in it has been sent ---- */
int MPI_Buffer_detach(void* buffer, int* bytes) {
  MPI_TRY(mpi_check_running("MPI_Buffer_detach"));
  MPI_TRY(mpi_check_result("MPI_Buffer_detach", buffer && bytes ? buffer : NULL));
  reclaim(1);
  struct attached* present = attached();
  memcpy(buffer, &present->base, sizeof present->base);
  *bytes = (int)present->bytes;
  *present = (struct attached){.sends = present->sends};
  return MPI_SUCCESS;
}
