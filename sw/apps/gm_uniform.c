/* Uniform traffic by GM (Myrinet paper 4.1): every rank sends messages of one length at one constant rate, each to
 * another rank, chosen at random. `sanvp traffic MACHINE uniform --arrivals constant` offers the same to the network
 * alone.
 *
 * A message's first and last word are the time at which it was due, so the wait for a send token is in its latency.
 */
#include <gm.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "sw/apps/traffic/traffic.h"
#include "sw/hal/hal.h"

#define PORT 8u           /* MPI has the first ones; a process more of a node has the next */
#define SENDS 61u         /* FACTS.md 2.1: send tokens */
#define RECEIVES 253u     /* ... and receive tokens; one is left for a buffer that is being read */
#define TURN_PS 10000000u /* between two checks whether all others have ended (A) */
#define LEAST sizeof(uint64_t)

struct uniform;
struct message {
  struct uniform* uniform;
  unsigned char* bytes;
  struct message* next; /* free */
};

struct uniform {
  struct gm_port* port;
  struct dice destinations;
  size_t bytes;
  unsigned size; /* class of all messages */
  uint64_t gap_ps, due_ps, from_ps, till_ps, end_ps;
  struct message messages[SENDS];
  struct message* free;
  unsigned under_way;
  long sent, came, wrong;
  double counted, latency_ps; /* of those that came from `from_ps` to `till_ps` */
};

static void ended(struct gm_port* port, void* context, gm_status_t status) {
  struct message* message = context;
  (void)port;
  if (status != GM_SUCCESS) hal_abort(gm_strerror(status));
  --message->uniform->under_way;
  message->next = message->uniform->free;
  message->uniform->free = message;
}

static void uniform_send(struct uniform* uniform) {
  struct message* message = uniform->free;
  uniform->free = message->next;
  memcpy(message->bytes, &uniform->due_ps, sizeof uniform->due_ps);
  memcpy(message->bytes + uniform->bytes - LEAST, &uniform->due_ps, sizeof uniform->due_ps);
  const int other = (int)dice_below(&uniform->destinations, (unsigned)hal_ranks() - 1);
  const int to = other < hal_rank() ? other : other + 1;
  gm_send_with_callback(uniform->port, message->bytes, uniform->size, uniform->bytes, GM_LOW_PRIORITY,
                        (unsigned)hal_rank_node(to) + 1, PORT + (unsigned)hal_rank_process(to), ended, message);
  uniform->due_ps += uniform->gap_ps;
  ++uniform->under_way;
  ++uniform->sent;
}

static void uniform_take(struct uniform* uniform, const gm_recv_t* received) {
  const uint64_t now = hal_time_ps();
  const unsigned char* bytes = received->message;
  uint64_t due = 0, last = 0;
  memcpy(&due, bytes, sizeof due);
  memcpy(&last, bytes + uniform->bytes - LEAST, sizeof last);
  ++uniform->came;
  hal_accepted(uniform->bytes, now, now);
  uniform->wrong += received->length != uniform->bytes || due != last || due > now;
  if (now >= uniform->from_ps && now < uniform->till_ps) {
    ++uniform->counted;
    uniform->latency_ps += (double)(now - due);
  }
  gm_provide_receive_buffer(uniform->port, received->buffer, uniform->size, GM_LOW_PRIORITY);
}

static void serve(struct uniform* uniform) {
  while (gm_receive_pending(uniform->port)) {
    gm_recv_event_t* event = gm_receive(uniform->port);
    const enum gm_recv_event_type type = GM_RECV_EVENT_TYPE(event);
    if (type >= GM_RECV_EVENT && type <= GM_FAST_HIGH_PEER_RECV_EVENT)
      uniform_take(uniform, &event->recv);
    else
      gm_unknown(uniform->port, event);
  }
}

/* Until the next event has been served, or that time. */
static void wait_until(struct uniform* uniform, uint64_t until_ps) {
  uint32_t seen = 0;
  const volatile uint32_t* word = gm_event_word(uniform->port, &seen);
  hal_wait_word(word, seen, until_ps);
  serve(uniform);
}

static void uniform_run(struct uniform* uniform) {
  while (hal_time_ps() < uniform->end_ps) {
    const int may_send = uniform->free && gm_send_token_left(uniform->port, GM_LOW_PRIORITY);
    if (may_send && hal_time_ps() >= uniform->due_ps)
      uniform_send(uniform);
    else
      wait_until(uniform, may_send && uniform->due_ps < uniform->end_ps ? uniform->due_ps : uniform->end_ps);
  }
}

/* All messages have arrived when all ranks' sends have ended: MPI's message about it comes after them, by the same
 * card. */
static void finish(struct uniform* uniform) {
  while (uniform->under_way > 0) wait_until(uniform, UINT64_MAX);
  MPI_Request all;
  int over = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  for (MPI_Test(&all, &over, MPI_STATUS_IGNORE); !over; MPI_Test(&all, &over, MPI_STATUS_IGNORE))
    wait_until(uniform, hal_time_ps() + TURN_PS);
  serve(uniform);
}

static void tell(const char* name, double value, const char* unit) {
  hal_metric(name, value, unit);
  double sum = 0;
  MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (hal_rank() == 0) printf("%s %.3f %s\n", name, sum / hal_ranks(), unit);
}

/* Returns whether all messages have arrived, once and whole. */
static int report(const struct uniform* uniform) {
  const double us = (double)(uniform->till_ps - uniform->from_ps) / HAL_PS_PER_US;
  const double per_message = (double)uniform->bytes;
  tell("offered_per_node_MBps", per_message * HAL_PS_PER_US / (double)uniform->gap_ps, "MB/s");
  tell("accepted_per_node_MBps", per_message * uniform->counted / us, "MB/s");
  tell("latency_ns", uniform->counted > 0 ? uniform->latency_ps / uniform->counted / HAL_PS_PER_NS : 0, "ns");
  long mine[2] = {uniform->sent - uniform->came, uniform->wrong}, all[2];
  MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (hal_rank() == 0 && (all[0] != 0 || all[1] != 0))
    printf("FAIL: %ld messages are missing, %ld are wrong\n", all[0], all[1]);
  return all[0] == 0 && all[1] == 0;
}

static void open_port(struct uniform* uniform) {
  const unsigned number = PORT + (unsigned)hal_process();
  if (gm_open(&uniform->port, 0, number, "gm_uniform", GM_API_VERSION) != GM_SUCCESS)
    hal_abort("gm_uniform: its port of the card is in use, or there are too many processes on a node");
  uniform->size = gm_min_size_for_length(uniform->bytes);
  const size_t room = (size_t)1 << uniform->size;
  unsigned char* memory = gm_dma_calloc(uniform->port, SENDS + RECEIVES, room);
  if (!memory) hal_abort("gm_uniform: there is no room for such messages");
  for (struct message* message = uniform->messages; message < uniform->messages + SENDS; ++message, memory += room) {
    *message = (struct message){.uniform = uniform, .bytes = memory, .next = uniform->free};
    uniform->free = message;
  }
  for (unsigned i = 0; i < RECEIVES; ++i)
    gm_provide_receive_buffer(uniform->port, memory + i * room, uniform->size, GM_LOW_PRIORITY);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t bytes = options_size(&options, "bytes", "512", "of a message; at least 8");
  const size_t gap_ns = options_size(&options, "gap", "64000", "ns from one message of a rank to its next");
  const size_t warmup_us = options_size(&options, "warmup", "1000", "us before what is measured, and after it");
  const size_t measure_us = options_size(&options, "measure", "1000", "us that are measured");
  options_check(&options);
  hal_require_card("gm_uniform", "lanai");
  if (hal_ranks() < 2) hal_abort("gm_uniform wants at least two ranks: give --np 2");
  if (bytes < LEAST || gap_ns == 0 || measure_us == 0)
    hal_abort("gm_uniform wants --bytes of at least 8, --gap and --measure of at least 1");

  struct uniform uniform = {.bytes = bytes, .gap_ps = gap_ns * HAL_PS_PER_NS, .destinations = dice_for("destinations")};
  struct dice starts = dice_for("starts");
  MPI_Init(&argc, &argv);
  open_port(&uniform);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t begin = hal_time_ps();
  uniform.due_ps = begin + (dice_next(&starts) % gap_ns) * HAL_PS_PER_NS;
  uniform.from_ps = begin + warmup_us * HAL_PS_PER_US;
  uniform.till_ps = uniform.from_ps + measure_us * HAL_PS_PER_US;
  uniform.end_ps = uniform.till_ps + warmup_us * HAL_PS_PER_US;
  hal_measures(uniform.from_ps, uniform.till_ps);
  uniform_run(&uniform);
  finish(&uniform);
  gm_close(uniform.port);
  const int right = report(&uniform);
  MPI_Finalize();
  if (right && hal_rank() == 0) printf("PASS\n");
  return !right;
}
