/* The server of an I/O node: a process of each job, behind its ranks. It takes requests in the order in which they
 * arrive, and the disk in the order in which it has taken them; data of further requests arrive while the disk works.
 */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/io/protocol.h"
#include "sw/transport/transport.h"

/* An answer to be sent when the disk has done its part. */
struct answer {
  unsigned to;
  uint64_t tag, bytes, end_ps;
};

/* A ring of answers, in the order of their ends: the disk serves requests one after the other. */
static struct {
  struct answer* all;
  size_t first, count, room;
} answers;

static void add_answer(struct answer answer) {
  if (answers.count == answers.room) {
    const size_t room = answers.room > 0 ? 2 * answers.room : 64;
    struct answer* more = malloc(room * sizeof *more);
    if (!more) hal_abort("I/O server: no memory left for requests; set host.memory");
    for (size_t i = 0; i < answers.count; ++i) more[i] = answers.all[(answers.first + i) % answers.room];
    free(answers.all);
    answers.all = more;
    answers.first = 0;
    answers.room = room;
  }
  answers.all[(answers.first + answers.count++) % answers.room] = answer;
}

static char* memory;

static void send_first(void) {
  const struct answer answer = answers.all[answers.first];
  answers.first = (answers.first + 1) % answers.room;
  --answers.count;
  hal_file_wait(answer.end_ps);
  transport_wait(transport_send(answer.to, answer.tag, memory, answer.bytes, 0), NULL);
}

static void send_those_due(void) {
  while (answers.count > 0 && answers.all[answers.first].end_ps <= hal_time_ps()) send_first();
}

static void request_take(unsigned from) {
  struct io_request request;
  const uint64_t stripe = hal_io_stripe();
  uint64_t end_ps = 0;
  transport_wait(transport_receive(from, IO_REQUEST, UINT64_MAX, &request, sizeof request), NULL);
  for (uint64_t done = 0; done < request.bytes;) {
    const uint64_t bytes = io_piece(request.begin + done, request.bytes - done, stripe);
    if (request.way == HAL_FILE_WRITE)
      transport_wait(transport_receive(from, IO_DATA, UINT64_MAX, memory, bytes), NULL);
    end_ps = hal_disk_begin((enum hal_file_way)request.way, request.file, request.begin + done, bytes);
    if (request.way == HAL_FILE_READ) add_answer((struct answer){from, IO_DATA, bytes, end_ps});
    done += bytes;
  }
  if (request.way == HAL_FILE_SYNC) end_ps = hal_disk_begin(HAL_FILE_SYNC, request.file, 0, 0);
  if (request.way != HAL_FILE_READ) add_answer((struct answer){from, IO_REPLY, 0, end_ps});
}

int main(void) {
  struct transport_status status;
  memory = calloc(1, hal_io_stripe());
  if (!memory) hal_abort("I/O server: no memory left for a stripe; set host.memory or a smaller io.stripe");
  transport_start();
  hal_ends_waits_for_the_dead();
  for (;;) {
    if (transport_probe(TRANSPORT_ANY, IO_REQUEST, UINT64_MAX, answers.count == 0, &status))
      request_take(status.from);
    else
      send_first();
    send_those_due();
  }
}
