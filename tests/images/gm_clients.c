/* GM as programs of its time use it: one rank sends, the next receives, with loops that know a plain message alone and
 * hand all other events to gm_unknown; tokens that the program keeps; names of nodes; tables of registered pages. */
#include <gm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define EXPECT(what) ((what) ? (void)0 : fail(#what, __LINE__))
enum { PORT = 4, MESSAGES = 12, SMALL = 64, LARGE = 5000, BUFFERS = 8 };

static void fail(const char* what, int line) {
  char text[160];
  snprintf(text, sizeof text, "rank %d, line %d: not so: %s", hal_rank(), line, what);
  hal_abort(text);
}

static struct gm_port* port;
static unsigned self, right, left;

static void sent(struct gm_port* at, void* context, gm_status_t status) {
  EXPECT(at == port && status == GM_SUCCESS);
  --*(int*)context;
}

static gm_u8_t byte_of(unsigned from, unsigned message, unsigned at) {
  return (gm_u8_t)(from * 57 + message * 11 + at);
}
static gm_size_t length_of(unsigned message) { return message % 2 ? LARGE : SMALL; } /* a FAST event, and a plain one */
static unsigned priority_of(unsigned message) { return message % 3 == 0 ? GM_HIGH_PRIORITY : GM_LOW_PRIORITY; }

/* Messages of one priority arrive in order: which one is the next. */
static unsigned next_of[GM_NUM_PRIORITIES];
static unsigned take_number(unsigned priority) {
  unsigned* next = &next_of[priority];
  while (priority_of(*next) != priority) ++*next;
  return (*next)++;
}

static int expected, known_events[64];

/* What a loop knows that has never heard of peers and fast messages. */
static void take(gm_recv_event_t* event, unsigned priority) {
  const unsigned number = take_number(priority);
  const gm_u8_t* bytes = gm_ntohp(event->recv.buffer);
  EXPECT(gm_ntohp(event->recv.message) == bytes); /* a fast message has been brought there */
  EXPECT(gm_ntoh_u32(event->recv.length) == length_of(number));
  EXPECT(gm_ntoh_u16(event->recv.sender_node_id) == left && gm_ntoh_u8(event->recv.sender_port_id) == PORT);
  for (unsigned i = 0; i < length_of(number); ++i) EXPECT(bytes[i] == byte_of(left, number, i));
  memset(gm_ntohp(event->recv.buffer), 0, length_of(number));
  gm_provide_receive_buffer(port, gm_ntohp(event->recv.buffer), gm_ntoh_u8(event->recv.size), priority);
  --expected;
}

static void serve(gm_recv_event_t* event) {
  ++known_events[GM_RECV_EVENT_TYPE(event)];
  switch (GM_RECV_EVENT_TYPE(event)) {
    case GM_RECV_EVENT:
      take(event, GM_LOW_PRIORITY);
      break;
    case GM_HIGH_RECV_EVENT:
      take(event, GM_HIGH_PRIORITY);
      break;
    case GM_NO_RECV_EVENT:
      break;
    default:
      gm_unknown(port, event);
  }
}

static void send_and_receive(gm_u8_t* out, gm_size_t most) {
  const unsigned size = gm_min_size_for_length(most);
  int callbacks = MESSAGES;
  expected = MESSAGES;
  memset(next_of, 0, sizeof next_of);
  for (unsigned i = 0; i < MESSAGES; ++i) {
    gm_u8_t* message = out + i * most;
    for (unsigned at = 0; at < length_of(i); ++at) message[at] = byte_of(self, i, at);
    while (!gm_alloc_send_token(port, priority_of(i))) serve(gm_receive(port));
    if (i % 4 < 2)
      gm_send_to_peer_with_callback(port, message, size, length_of(i), priority_of(i), right, sent, &callbacks);
    else
      gm_send_with_callback(port, message, size, length_of(i), priority_of(i), right, PORT, sent, &callbacks);
    gm_free_send_token(port, priority_of(i));
  }
  while (callbacks > 0 || expected > 0) serve(gm_blocking_receive_no_spin(port));
}

/* Both kinds of special event have come, and each has come again as a plain one. */
static void count_events(void) {
  const int* of = known_events;
  EXPECT(of[GM_FAST_PEER_RECV_EVENT] + of[GM_FAST_HIGH_PEER_RECV_EVENT] == MESSAGES / 2);
  EXPECT(of[GM_PEER_RECV_EVENT] + of[GM_HIGH_PEER_RECV_EVENT] == MESSAGES / 2);
  EXPECT(of[GM_RECV_EVENT] == 8 && of[GM_HIGH_RECV_EVENT] == 4); /* every third has priority */
  EXPECT(of[GM_SENT_TOKENS_EVENT] > 0);
}

/* ---- a message that the loop does not want is dropped, and its buffer serves the next ---- */
static void dropped(gm_u8_t* out) {
  enum { SIZE = 7, TIMES = 3 };
  void* buffer = gm_dma_malloc(port, 1 << SIZE);
  int callbacks = 0, dropped_here = 0;
  gm_provide_receive_buffer(port, buffer, SIZE, GM_LOW_PRIORITY); /* one for all of them */
  for (int i = 0; i < TIMES; ++i) {
    ++callbacks;
    gm_send_with_callback(port, out, SIZE, 100, GM_LOW_PRIORITY, right, PORT, sent, &callbacks);
  }
  while (callbacks > 0 || dropped_here < TIMES) {
    gm_recv_event_t* event = gm_blocking_receive(port);
    if (GM_RECV_EVENT_TYPE(event) == GM_RECV_EVENT) ++dropped_here;
    gm_unknown(port, event);
  }
}

/* ---- ports ---- */
static void versions(void) {
  static const unsigned accepted[] = {GM_API_VERSION_1_0, GM_API_VERSION_1_1,   GM_API_VERSION_1_2,
                                      GM_API_VERSION_1_3, GM_API_VERSION_1_4,   GM_API_VERSION_1_5,
                                      GM_API_VERSION_1_6, GM_API_VERSION_2_0,   GM_API_VERSION_2_0_6,
                                      GM_API_VERSION,     GM_API_VERSION_2_0_12};
  static const unsigned refused[] = {0, 0xff, 0x107, 0x1ff, 0x201, 0x20001, 0x20011, 0x30000};
  struct gm_port* other = NULL;
  for (unsigned i = 0; i < GM_NUM_ELEM(accepted); ++i) {
    EXPECT(gm_open(&other, 0, PORT + 1, "gm_clients", accepted[i]) == GM_SUCCESS);
    gm_close(other);
  }
  for (unsigned i = 0; i < GM_NUM_ELEM(refused); ++i)
    EXPECT(gm_open(&other, 0, PORT + 1, "gm_clients", refused[i]) == GM_INCOMPATIBLE_LIB_AND_DRIVER && other == NULL);
  EXPECT(gm_open(&other, 1, PORT + 1, "gm_clients", GM_API_VERSION_1_1) == GM_NO_SUCH_DEVICE);
  EXPECT(GM_API_MAJOR == 2 && GM_API_MINOR == 0 && GM_API_SUBMINOR == 16);
  EXPECT(strcmp(gm_strerror(GM_INCOMPATIBLE_LIB_AND_DRIVER), "the program wants another version of GM") == 0);
  EXPECT(strcmp(gm_strerror((gm_status_t)GM_NUM_STATUS_CODES), "unknown status") == 0);
}

static void names(void) {
  unsigned id = 0, global = 0;
  char host[GM_MAX_HOST_NAME_LEN + 1], unique[6], mine[6];
  EXPECT(gm_get_node_id(port, &id) == GM_SUCCESS && id == (unsigned)hal_node() + 1);
  EXPECT(gm_get_host_name(port, host) == GM_SUCCESS && strcmp(host, gm_node_id_to_host_name(port, id)) == 0);
  EXPECT(gm_host_name_to_node_id_ex(port, 1000000, host, &global) == GM_SUCCESS && global == id);
  EXPECT(gm_host_name_to_node_id_ex(port, 1000000, "elsewhere", &global) == GM_NO_MATCH);
  EXPECT(gm_node_id_to_host_name_ex(port, 0, right, &host) == GM_SUCCESS);
  EXPECT(gm_host_name_to_node_id(port, host) == right);
  EXPECT(gm_node_id_to_global_id(port, right, &global) == GM_SUCCESS);
  EXPECT(gm_global_id_to_node_id(port, global, &id) == GM_SUCCESS && id == right);
  EXPECT(gm_node_id_to_global_id(port, 9999, &global) == GM_INVALID_PARAMETER);
  EXPECT(gm_node_id_to_unique_id(port, right, unique) == GM_SUCCESS && gm_unique_id(port, mine) == GM_SUCCESS);
  EXPECT(memcmp(unique, mine, sizeof mine) != 0 && gm_unique_id_to_node_id(port, unique, &id) == GM_SUCCESS);
  EXPECT(id == right);
  memset(unique, 1, sizeof unique);
  EXPECT(gm_unique_id_to_node_id(port, unique, &id) == GM_NO_MATCH);
  EXPECT(gm_max_node_id_in_use(port, &id) == GM_SUCCESS && id == (unsigned)hal_nodes());
}

/* ---- tools ---- */
struct page {
  unsigned long number;
  int users;
};

static void tables(void) {
  enum { PAGES = 200 };
  struct gm_hash* by_address =
      gm_create_hash(gm_hash_compare_ptrs, gm_hash_hash_ptr, 0, sizeof(struct page), PAGES / 10, 0);
  for (unsigned long i = 1; i <= PAGES; ++i) {
    struct page page = {i, (int)(i % 7)};
    EXPECT(gm_hash_insert(by_address, (void*)(i * GM_PAGE_LEN), &page) == GM_SUCCESS);
  }
  for (unsigned long i = 1; i <= PAGES; ++i) {
    struct page* page = gm_hash_find(by_address, (void*)(i * GM_PAGE_LEN));
    EXPECT(page && page->number == i && page->users == (int)(i % 7));
    if (i % 2) EXPECT(((struct page*)gm_hash_remove(by_address, (void*)(i * GM_PAGE_LEN)))->number == i);
  }
  for (unsigned long i = 1; i <= PAGES; ++i)
    EXPECT((gm_hash_find(by_address, (void*)(i * GM_PAGE_LEN)) != NULL) == (i % 2 == 0));
  EXPECT(!gm_hash_remove(by_address, (void*)GM_PAGE_LEN));
  gm_hash_rekey(by_address, (void*)(2 * GM_PAGE_LEN), (void*)GM_PAGE_LEN);
  EXPECT(((struct page*)gm_hash_find(by_address, (void*)GM_PAGE_LEN))->number == 2);
  gm_destroy_hash(by_address);

  struct gm_hash* by_number = gm_create_hash(NULL, NULL, sizeof(int), 0, 0, 0); /* keys copied, data as given */
  static int data[3] = {10, 20, 30};
  for (int i = 0; i < 3; ++i) EXPECT(gm_hash_insert(by_number, &i, &data[i]) == GM_SUCCESS);
  for (int i = 0; i < 3; ++i) EXPECT(gm_hash_find(by_number, &i) == &data[i]);
  gm_destroy_hash(by_number);

  struct gm_lookaside* records = gm_create_lookaside(24, 4);
  void* taken[40];
  for (int i = 0; i < 40; ++i) {
    taken[i] = gm_lookaside_zalloc(records);
    for (int at = 0; at < 24; ++at) EXPECT(((char*)taken[i])[at] == 0);
    memset(taken[i], i + 1, 24);
  }
  for (int i = 0; i < 40; ++i) EXPECT(((char*)taken[i])[23] == i + 1);
  gm_lookaside_free(taken[5]);
  EXPECT(gm_lookaside_alloc(records) == taken[5]);
  gm_destroy_lookaside(records);
}

static void numbers(void) {
  EXPECT(gm_log2_roundup(1) == 0 && gm_log2_roundup(4096) == 12 && gm_log2_roundup(4097) == 13);
  EXPECT(gm_crc_str("123456789") == 0xcbf43926); /* CRC-32's check value */
  EXPECT(gm_hton_u32(0x01020304) == gm_ntoh_u32(0x01020304) && gm_ntohll(gm_htonll(5)) == 5);
  EXPECT(gm_mtu(port) == GM_MTU && gm_min_message_size(port) == 3);
}

/* ---- memory ---- */
static void remote_memory(void) {
  char* page = gm_alloc_pages(3 * GM_PAGE_LEN);
  EXPECT(page && GM_ALIGNED(page, GM_PAGE_LEN));
  EXPECT(gm_register_memory_ex(port, page, GM_PAGE_LEN, page + GM_PAGE_LEN) == GM_INVALID_PARAMETER);
  EXPECT(gm_register_memory_ex(port, page, GM_PAGE_LEN, page) == GM_SUCCESS);
  EXPECT(gm_allow_remote_memory_access(port) == GM_SUCCESS);
  EXPECT(gm_deregister_memory(port, page, GM_PAGE_LEN) == GM_SUCCESS);
  gm_free_pages(page, 3 * GM_PAGE_LEN);
}

static void said(gm_status_t status, void* argument) {
  if (hal_rank() == 0) gm_printf("%s %d\n", (const char*)argument, (int)status);
}

int main(void) {
  EXPECT(gm_init() == GM_SUCCESS);
  EXPECT(gm_open(&port, 0, PORT, "gm_clients", GM_API_VERSION_1_1) == GM_SUCCESS);
  self = (unsigned)hal_node() + 1;
  right = (unsigned)hal_rank_node((hal_rank() + 1) % hal_ranks()) + 1;
  left = (unsigned)hal_rank_node((hal_rank() + hal_ranks() - 1) % hal_ranks()) + 1;
  const unsigned size = gm_min_size_for_length(LARGE);
  const gm_size_t most = gm_max_length_for_size(size);
  for (unsigned i = 0; i < 2 * BUFFERS; ++i) gm_provide_receive_buffer(port, gm_dma_calloc(port, 1, most), size, i % 2);
  gm_free_send_tokens(port, GM_LOW_PRIORITY, gm_num_send_tokens(port) / 2);
  gm_free_send_tokens(port, GM_HIGH_PRIORITY, 0);
  EXPECT(gm_send_token_available(port, GM_LOW_PRIORITY) && !gm_alloc_send_token(port, GM_HIGH_PRIORITY));
  gm_free_send_token(port, GM_HIGH_PRIORITY);
  hal_sleep_ps(1000 * HAL_PS_PER_US); /* all have opened their ports by then */
  gm_u8_t* out = gm_dma_malloc(port, MESSAGES * most);
  send_and_receive(out, most);
  count_events();
  dropped(out);
  versions();
  names();
  tables();
  numbers();
  remote_memory();
  hal_sleep_ps(5000 * HAL_PS_PER_US); /* others may still be sending */
  gm_close(port);
  gm_finalize();
  gm_on_exit(said, "PASS");
  gm_on_exit(said, "before it");
  gm_exit(GM_SUCCESS);
}
