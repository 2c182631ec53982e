/* GM, call by call: order by priority, whatever happens on the wire; directed sends; alarms; what errors say. */
#include <gm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define EXPECT(what) ((what) ? (void)0 : fail(#what, __LINE__))
enum { PORT = 4, MESSAGES = 40, BUFFERS = 100, SIZE = 13, US_PS = 1000000 };

static struct gm_port* port;
static unsigned right, left; /* node ids */
static int pending, statuses[32];
static unsigned arrived[2];

static void fail(const char* what, int line) {
  char text[160];
  snprintf(text, sizeof text, "rank %d, line %d: not so: %s", hal_rank(), line, what);
  hal_abort(text);
}

static void ended(struct gm_port* at, void* context, gm_status_t status) {
  EXPECT(at == port);
  *(int*)context = (int)status;
  --pending;
}

/* Message i of a priority from a rank. */
static size_t length_of(unsigned priority, unsigned i) { return 8 + (i * 1237u + priority * 501u) % 8000u; }
static unsigned char byte_of(unsigned from, unsigned priority, unsigned i, size_t at) {
  return (unsigned char)(from * 31u + priority * 17u + i * 7u + at * 3u + at / 255u);
}

static void check(const gm_recv_event_t* event) {
  const int type = event->recv.type;
  const unsigned priority = type == GM_HIGH_RECV_EVENT || type == GM_HIGH_PEER_RECV_EVENT ||
                            type == GM_FAST_HIGH_RECV_EVENT || type == GM_FAST_HIGH_PEER_RECV_EVENT;
  const unsigned i = arrived[priority]++;
  const unsigned char* bytes = event->recv.message;
  EXPECT(event->recv.sender_node_id == left && event->recv.sender_port_id == PORT && event->recv.tag == priority + 5);
  EXPECT(event->recv.length == length_of(priority, i)); /* the next one in order, once */
  for (size_t at = 0; at < event->recv.length; ++at) EXPECT(bytes[at] == byte_of(left - 1, priority, i, at));
  gm_provide_receive_buffer_with_tag(port, event->recv.buffer, SIZE, priority ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY,
                                     event->recv.tag);
}

static void serve(void) {
  gm_recv_event_t* event = gm_blocking_receive(port);
  if (event->recv.type >= GM_RECV_EVENT && event->recv.type <= GM_FAST_HIGH_PEER_RECV_EVENT)
    check(event);
  else
    gm_unknown(port, event);
}

static void wait_until_quiet(void) {
  while (pending > 0) serve();
}

/* ---- the ring: MESSAGES of each priority to the right ---- */

static void ring(void) {
  const size_t most = gm_max_length_for_size(SIZE);
  unsigned char* out = gm_dma_malloc(port, 2 * MESSAGES * most);
  int status[2 * MESSAGES];
  for (unsigned i = 0; i < 2 * MESSAGES; ++i) {
    const unsigned priority = i % 2, number = i / 2;
    unsigned char* message = out + i * most;
    for (size_t at = 0; at < length_of(priority, number); ++at)
      message[at] = byte_of((unsigned)hal_node(), priority, number, at);
    while (!gm_send_token_available(port, GM_LOW_PRIORITY)) serve();
    ++pending;
    gm_send_to_peer_with_callback(port, message, SIZE, length_of(priority, number),
                                  priority ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY, right, ended, &status[i]);
  }
  wait_until_quiet();
  for (unsigned i = 0; i < 2 * MESSAGES; ++i) EXPECT(status[i] == GM_SUCCESS);
  while (arrived[0] < MESSAGES || arrived[1] < MESSAGES) serve();
  gm_dma_free(port, out);
}

enum { DATAGRAMS = 20, DATAGRAM_SIZE = 11, DATAGRAM_BYTES = 2000, DATAGRAM_FAST = 100 };
static unsigned datagrams_here, next_datagram;

/* In their order, each whole; some may be missing. */
static void check_datagram(const gm_recv_event_t* event) {
  const unsigned char* bytes = event->recv.message;
  EXPECT(event->recv.size == DATAGRAM_SIZE && event->recv.sender_node_id == left && bytes[0] >= next_datagram);
  EXPECT(event->recv.length == (bytes[0] % 2 ? DATAGRAM_BYTES : DATAGRAM_FAST));
  for (size_t at = 1; at < event->recv.length; ++at) EXPECT(bytes[at] == byte_of(left - 1, 5, bytes[0], at));
  next_datagram = bytes[0] + 1u;
  ++datagrams_here;
}

/* ---- directed sends, gets: between a rank's window and its right neighbour's ---- */

enum { WINDOW = 40000 };

/* Tells one neighbour an address, waits for the other's and answers it. Nothing of check() fits these messages: those
 * of each direction come by a class of their own. */
static gm_remote_ptr_t meet(unsigned to, unsigned from, const unsigned char* memory) {
  const unsigned size = to == left ? 6 : 5;
  uint64_t* told = gm_dma_malloc(port, sizeof *told);
  uint64_t* in = gm_dma_malloc(port, 64);
  int status = GM_FAILURE;
  *told = hal_bus_address(memory);
  gm_provide_receive_buffer(port, in, size, GM_LOW_PRIORITY);
  ++pending;
  gm_send_with_callback(port, told, size, sizeof *told, GM_LOW_PRIORITY, to, PORT, ended, &status);
  uint64_t there = 0;
  while (there == 0) {
    gm_recv_event_t* event = gm_blocking_receive(port);
    if (event->recv.type < GM_RECV_EVENT || event->recv.type > GM_FAST_HIGH_PEER_RECV_EVENT) {
      gm_unknown(port, event);
      continue;
    }
    if (event->recv.size == DATAGRAM_SIZE) { /* the left one may begin earlier */
      check_datagram(event);
      continue;
    }
    EXPECT(event->recv.size == size && event->recv.sender_node_id == from);
    there = *(const uint64_t*)event->recv.message;
  }
  wait_until_quiet();
  EXPECT(status == GM_SUCCESS);
  return there;
}

/* ... the right one's. And waits until the left one has got as far. */
static gm_remote_ptr_t learn(const unsigned char* memory) { return meet(left, right, memory); }
static void wait_for_left(void) { meet(right, left, (const unsigned char*)port); }

static void directed(void) {
  unsigned char* window = gm_dma_calloc(port, 1, WINDOW);
  const gm_remote_ptr_t there = learn(window);
  unsigned char* data = gm_dma_malloc(port, WINDOW);
  for (size_t i = 0; i < WINDOW; ++i) data[i] = byte_of((unsigned)hal_node(), 2, 0, i);
  ++pending;
  gm_directed_send_with_callback(port, data, there + 1, WINDOW - 1, GM_LOW_PRIORITY, right, PORT, ended, &statuses[1]);
  wait_until_quiet();
  EXPECT(statuses[1] == GM_SUCCESS);
  const volatile unsigned char* seen = window;
  while (seen[WINDOW - 1] != byte_of(left - 1, 2, 0, WINDOW - 2)) hal_sleep_ps(US_PS);
  EXPECT(seen[0] == 0);
  for (size_t i = 1; i < WINDOW; ++i) EXPECT(seen[i] == byte_of(left - 1, 2, 0, i - 1));
}

static void get(gm_remote_ptr_t from, void* to, size_t bytes) {
  ++pending;
  gm_get(port, from, to, bytes, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
  EXPECT(statuses[0] == GM_SUCCESS);
}

/* Pieces of the window there; the end of what is just being put there; and as many at once as there are tokens. */
static void gets(void) {
  const unsigned many = gm_num_send_tokens(port);
  const size_t lengths[] = {0, 1, 4096, 4097, WINDOW - 3};
  enum { PIECE = 600 };
  unsigned char* window = gm_dma_malloc(port, WINDOW);
  unsigned char* data = gm_dma_malloc(port, WINDOW);
  unsigned char* got = gm_dma_calloc(port, 1, WINDOW);
  for (size_t i = 0; i < WINDOW; ++i) window[i] = byte_of((unsigned)hal_node(), 3, 1, i);
  const gm_remote_ptr_t there = learn(window);
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    get(there + 3, got, lengths[i]);
    for (size_t at = 0; at < WINDOW; ++at) EXPECT(got[at] == (at < lengths[i] ? byte_of(right - 1, 3, 1, at + 3) : 0));
    memset(got, 0, WINDOW);
  }
  wait_for_left(); /* it has read */
  for (size_t i = 0; i < WINDOW; ++i) data[i] = byte_of((unsigned)hal_node(), 4, 2, i);
  pending = 2;
  gm_put(port, data, there, WINDOW, GM_HIGH_PRIORITY, right, PORT, ended, &statuses[0]);
  gm_get(port, there + WINDOW - PIECE, got, PIECE, GM_HIGH_PRIORITY, right, PORT, ended, &statuses[1]);
  wait_until_quiet();
  EXPECT(statuses[0] == GM_SUCCESS && statuses[1] == GM_SUCCESS);
  EXPECT(memcmp(data + WINDOW - PIECE, got, PIECE) == 0);
  pending = (int)many;
  for (unsigned i = 0; i < many; ++i)
    gm_get(port, there + i * PIECE, got + i * PIECE, PIECE, GM_LOW_PRIORITY, right, PORT, ended, &statuses[i % 32]);
  wait_until_quiet();
  EXPECT(memcmp(data, got, many * PIECE) == 0);
  wait_for_left();
}

/* On a wire that lets no packet of 4 KB through: the answer is given up here, and there when this port is closed. */
static void impatient(void) {
  unsigned char* window = gm_dma_malloc(port, WINDOW);
  unsigned char* got = gm_dma_malloc(port, WINDOW);
  const gm_remote_ptr_t there = learn(window);
  for (int i = 0; i < 2; ++i) {
    ++pending;
    gm_get(port, there, got, GM_MTU, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
    wait_until_quiet();
    EXPECT(statuses[0] == GM_SEND_TIMED_OUT);
  }
}

/* ---- datagrams: to the right ---- */

static void send_datagrams(void) {
  unsigned char* out = gm_dma_malloc(port, DATAGRAMS << DATAGRAM_SIZE);
  for (unsigned i = 0; i < DATAGRAMS; ++i) {
    unsigned char* message = out + (i << DATAGRAM_SIZE);
    const size_t length = i % 2 ? DATAGRAM_BYTES : DATAGRAM_FAST;
    message[0] = (unsigned char)i;
    for (size_t at = 1; at < length; ++at) message[at] = byte_of((unsigned)hal_node(), 5, i, at);
    ++pending;
    gm_datagram_send(port, message, DATAGRAM_SIZE, length, GM_HIGH_PRIORITY, right, PORT, ended, &statuses[0]);
  }
}

/* Until nothing has come for a while. */
static void take_datagrams(void) {
  for (;;) {
    uint32_t seen = 0;
    const volatile uint32_t* word = gm_event_word(port, &seen);
    if (!hal_wait_word(word, seen, hal_time_ps() + 40000ull * US_PS)) return;
    gm_recv_event_t* event = gm_receive(port);
    if (event->recv.type >= GM_RECV_EVENT && event->recv.type <= GM_FAST_HIGH_PEER_RECV_EVENT)
      check_datagram(event);
    else
      gm_unknown(port, event);
  }
}

static void datagrams(void) {
  unsigned char* in = gm_dma_malloc(port, DATAGRAMS << DATAGRAM_SIZE);
  for (unsigned i = 0; i < DATAGRAMS; ++i)
    gm_provide_receive_buffer(port, in + (i << DATAGRAM_SIZE), DATAGRAM_SIZE, GM_HIGH_PRIORITY);
  learn(in); /* it has buffers */
  send_datagrams();
  take_datagrams();
  printf("%u of %d datagrams\n", datagrams_here, DATAGRAMS);
  EXPECT(pending == 0 && statuses[0] == GM_SUCCESS);
  /* There is no buffer for the one, and the port of the other is closed. */
  pending = 2;
  gm_datagram_send(port, in, 7, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  gm_datagram_send(port, in, 6, 8, GM_LOW_PRIORITY, right, 9, ended, &statuses[1]);
  wait_until_quiet();
  EXPECT(statuses[0] == GM_SUCCESS && statuses[1] == GM_SUCCESS);
}

/* ---- alarms ---- */

static void rang(void* context) {
  *(uint64_t*)context = hal_time_ps();
  --pending;
}

static void alarms(void) {
  gm_alarm_t late, early, never;
  uint64_t at[2] = {0, 0}, no = 0;
  gm_initialize_alarm(&late);
  gm_initialize_alarm(&early);
  gm_initialize_alarm(&never);
  const uint64_t begin = hal_time_ps();
  pending = 2;
  gm_set_alarm(port, &late, 200, rang, &at[1]);
  gm_set_alarm(port, &early, 50, rang, &at[0]);
  gm_set_alarm(port, &never, 100, rang, &no);
  gm_cancel_alarm(&never);
  wait_until_quiet();
  EXPECT(no == 0);
  for (int i = 0; i < 2; ++i) {
    const uint64_t us = (at[i] - begin) / US_PS;
    EXPECT(us >= (i ? 200u : 50u) && us < (i ? 220u : 70u));
  }
}

/* ---- errors ---- */

static void errors(void) {
  unsigned char* data = gm_dma_calloc(port, 1, 64);
  /* Port 9 is closed; what follows waits, and is dropped. */
  pending = 2;
  gm_send_with_callback(port, data, 6, 8, GM_LOW_PRIORITY, right, 9, ended, &statuses[0]);
  gm_send_with_callback(port, data, 6, 8, GM_LOW_PRIORITY, right, 9, ended, &statuses[1]);
  while (pending > 1) serve();
  EXPECT(statuses[0] == GM_SEND_TARGET_PORT_CLOSED);
  ++pending;
  gm_drop_sends(port, GM_LOW_PRIORITY, right, 9, ended, &statuses[2]);
  wait_until_quiet();
  EXPECT(statuses[1] == GM_SEND_DROPPED && statuses[2] == GM_SUCCESS);
  /* Or it goes on, into the same error. */
  pending = 2;
  gm_send_with_callback(port, data, 6, 8, GM_HIGH_PRIORITY, right, 9, ended, &statuses[0]);
  gm_send_with_callback(port, data, 6, 8, GM_HIGH_PRIORITY, right, 9, ended, &statuses[1]);
  while (pending > 1) serve();
  ++pending;
  gm_resume_sending(port, GM_HIGH_PRIORITY, right, 9, ended, &statuses[2]);
  wait_until_quiet();
  EXPECT(statuses[1] == GM_SEND_TARGET_PORT_CLOSED && statuses[2] == GM_SUCCESS);
  /* A size class without buffers: needs -s gm.no_buffer. */
  pending = 1;
  gm_send_with_callback(port, data, 7, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
  EXPECT(statuses[0] == GM_SEND_TIMED_OUT);
  pending = 1;
  gm_resume_sending(port, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
  /* Memory that is not registered there. */
  pending = 1;
  gm_directed_send_with_callback(port, data, 0x1000, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
  EXPECT(statuses[0] == GM_SEND_REJECTED);
  pending = 1;
  gm_resume_sending(port, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
  pending = 1;
  gm_get(port, 0x1000, data, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
  EXPECT(statuses[0] == GM_SEND_REJECTED);
  pending = 1;
  gm_resume_sending(port, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  wait_until_quiet();
}

static void sizes(void) {
  EXPECT(gm_min_size_for_length(0) == 3 && gm_min_size_for_length(1) == 4 && gm_min_size_for_length(8) == 4);
  EXPECT(gm_min_size_for_length(9) == 5 && gm_max_length_for_size(5) == 24 && gm_max_length_for_size(2) == 0);
  EXPECT(gm_min_size_for_length(4088) == 12 && gm_min_size_for_length(4089) == 13);
  EXPECT(gm_num_send_tokens(port) == 61 && gm_num_receive_tokens(port) == 254);
  EXPECT(gm_host_name_to_node_id(port, "h3") == 4 && gm_host_name_to_node_id(port, "x") == GM_NO_SUCH_NODE_ID);
}

int main(int argc, char** argv) {
  static char unregistered[64];
  const char* what = argc > 1 ? argv[1] : "all";
  gm_init();
  EXPECT(gm_open(&port, 0, PORT, "gm_calls", GM_API_VERSION_1_3) == GM_SUCCESS);
  struct gm_port* other = NULL;
  EXPECT(gm_open(&other, 0, PORT, "gm_calls", GM_API_VERSION_1_3) == GM_BUSY && other == NULL);
  EXPECT(gm_open(&other, 0, 16, "gm_calls", GM_API_VERSION_1_3) == GM_INVALID_PARAMETER);
  right = (unsigned)hal_rank_node((hal_rank() + 1) % hal_ranks()) + 1;
  left = (unsigned)hal_rank_node((hal_rank() + hal_ranks() - 1) % hal_ranks()) + 1;
  const size_t most = gm_max_length_for_size(SIZE);
  unsigned char* in = gm_dma_malloc(port, BUFFERS * most);
  for (unsigned i = 0; i < BUFFERS; ++i)
    gm_provide_receive_buffer_with_tag(port, in + i * most, SIZE, i % 2 ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY,
                                       5 + i % 2);
  hal_sleep_ps(1000ull * US_PS); /* all have opened their ports by then */
  if (strcmp(what, "memory") == 0) {
    gm_send_with_callback(port, unregistered, 6, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
    wait_until_quiet();
  }
  if (strcmp(what, "tokens") == 0)
    for (;;) gm_send_with_callback(port, in, 6, 8, GM_LOW_PRIORITY, right, PORT, ended, &statuses[0]);
  if (strcmp(what, "node") == 0)
    gm_send_with_callback(port, in, 6, 8, GM_LOW_PRIORITY, 1000, PORT, ended, &statuses[0]);
  sizes();
  if (strcmp(what, "impatient") == 0)
    impatient();
  else
    ring();
  const int all = strcmp(what, "all") == 0;
  if (all || strcmp(what, "get") == 0) {
    directed();
    gets();
  }
  if (all || strcmp(what, "datagrams") == 0) datagrams();
  if (all) {
    alarms();
    errors();
  }
  hal_sleep_ps(20000ull * US_PS); /* others may still be sending */
  gm_close(port);
  if (hal_rank() == 0) printf("PASS\n");
  return 0;
}
