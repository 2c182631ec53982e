/* GM, Myricom's message layer (FACTS.md 2.5). A process opens a port of its card. Sending takes a send token, which
 * comes back with the callback; receiving takes a receive token, a buffer of a size class, which comes back with the
 * message that it took. What arrives is an event, and a client hands every event that it does not know to gm_unknown,
 * which runs the callbacks.
 *
 * Messages of a priority to a port arrive in the order in which they were sent. Memory that the card touches comes from
 * gm_dma_malloc or is registered. A node's id is its number + 1. Misuse ends the job with one line.
 */
#ifndef GM_H
#define GM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gm_port;
typedef size_t gm_size_t;
/* Memory of another process, as hal_bus_address() gives it there; of a native process its pointer is the same. */
typedef uint64_t gm_remote_ptr_t;

enum gm_api_version {
  GM_API_VERSION_1_0 = 0x100,
  GM_API_VERSION_1_3 = 0x103,
  GM_API_VERSION_2_0 = 0x200,
  GM_API_VERSION = 0x200
};

typedef enum gm_status {
  GM_SUCCESS = 0,
  GM_FAILURE = 1,
  GM_INPUT_BUFFER_TOO_SMALL = 2,
  GM_OUTPUT_BUFFER_TOO_SMALL = 3,
  GM_TRY_AGAIN = 4,
  GM_BUSY = 5,
  GM_MEMORY_FAULT = 6,
  GM_INTERRUPTED = 7,
  GM_INVALID_PARAMETER = 8,
  GM_OUT_OF_MEMORY = 9,
  GM_INVALID_COMMAND = 10,
  GM_PERMISSION_DENIED = 11,
  GM_INTERNAL_ERROR = 12,
  GM_UNATTACHED = 13,
  GM_UNSUPPORTED_DEVICE = 14,
  GM_SEND_TIMED_OUT = 15, /* the receiver had no buffer for it */
  GM_SEND_REJECTED = 16,
  GM_SEND_TARGET_PORT_CLOSED = 17,
  GM_SEND_TARGET_NODE_UNREACHABLE = 18,
  GM_SEND_DROPPED = 19
} gm_status_t;

enum gm_priority { GM_LOW_PRIORITY = 0, GM_HIGH_PRIORITY = 1 };

#define GM_NO_SUCH_NODE_ID 0u
#define GM_MTU 4096u
#define GM_MAX_DMA_GRANULARITY 4096u

/* ---- ports ---- */
gm_status_t gm_init(void);
void gm_finalize(void);
/* `port` from 1 to 15; unit 0 is the card. */
gm_status_t gm_open(struct gm_port** to, unsigned unit, unsigned port, const char* name, enum gm_api_version version);
void gm_close(struct gm_port* port);
gm_status_t gm_get_node_id(struct gm_port* port, unsigned* id);
unsigned gm_get_port_id(struct gm_port* port);
unsigned gm_max_node_id_in_use(struct gm_port* port);
unsigned gm_num_ports(struct gm_port* port);
unsigned gm_num_send_tokens(struct gm_port* port);    /* of a port */
unsigned gm_num_receive_tokens(struct gm_port* port); /* of a port */
unsigned gm_send_token_available(struct gm_port* port, enum gm_priority priority);
/* Hosts are called h0, h1, ... */
unsigned gm_host_name_to_node_id(struct gm_port* port, const char* name);
const char* gm_node_id_to_host_name(struct gm_port* port, unsigned id);
const char* gm_strerror(gm_status_t status);
void gm_perror(const char* message, gm_status_t status);

/* ---- size classes: class k holds up to 2^k - 8 bytes, none for k < 3 ---- */
unsigned gm_min_size_for_length(gm_size_t length);
gm_size_t gm_max_length_for_size(unsigned size);

/* ---- memory ---- */
void* gm_dma_malloc(struct gm_port* port, gm_size_t bytes); /* of a page where it is as long; null: no room */
void* gm_dma_calloc(struct gm_port* port, gm_size_t count, gm_size_t bytes);
void gm_dma_free(struct gm_port* port, void* memory);
gm_status_t gm_register_memory(struct gm_port* port, void* memory, gm_size_t bytes);
gm_status_t gm_deregister_memory(struct gm_port* port, void* memory, gm_size_t bytes);

/* ---- sending: the memory stays as it is until the callback ---- */
typedef void (*gm_send_completion_callback_t)(struct gm_port* port, void* context, gm_status_t status);
void gm_send_with_callback(struct gm_port* port, const void* message, unsigned size, gm_size_t length,
                           enum gm_priority priority, unsigned node, unsigned target_port,
                           gm_send_completion_callback_t callback, void* context);
/* To the port of the same number. */
void gm_send_to_peer_with_callback(struct gm_port* port, const void* message, unsigned size, gm_size_t length,
                                   enum gm_priority priority, unsigned node, gm_send_completion_callback_t callback,
                                   void* context);
/* Into registered memory of the process there, without an event for it. */
void gm_directed_send_with_callback(struct gm_port* port, const void* source, gm_remote_ptr_t target, gm_size_t length,
                                    enum gm_priority priority, unsigned node, unsigned target_port,
                                    gm_send_completion_callback_t callback, void* context);
/* The same by its name in GM-2, and the reverse: from registered memory there. The callback means that the bytes are
 * here, and include earlier puts. */
void gm_put(struct gm_port* port, const void* source, gm_remote_ptr_t target, gm_size_t length,
            enum gm_priority priority, unsigned node, unsigned target_port, gm_send_completion_callback_t callback,
            void* context);
void gm_get(struct gm_port* port, gm_remote_ptr_t source, void* target, gm_size_t length, enum gm_priority priority,
            unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context);
/* A message of at most GM_MTU bytes that is sent once, outside the order of others. The callback means that it left;
 * it is lost where the wire damages it, or where the port there is closed or has no buffer for it. */
void gm_datagram_send(struct gm_port* port, const void* message, unsigned size, gm_size_t length, unsigned priority,
                      unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context);
/* After a send to a destination has failed, what follows it waits for one of these, each of which takes a token. */
void gm_resume_sending(struct gm_port* port, enum gm_priority priority, unsigned node, unsigned target_port,
                       gm_send_completion_callback_t callback, void* context);
void gm_drop_sends(struct gm_port* port, enum gm_priority priority, unsigned node, unsigned target_port,
                   gm_send_completion_callback_t callback, void* context);

/* For mappers, on port 1: a struct lanai_route and the packet behind it (sw/gm/mapping.h). */
void gm_raw_send_with_callback(struct gm_port* port, const void* route_and_packet, gm_size_t length,
                               gm_send_completion_callback_t callback, void* context);

/* ---- receiving ---- */
void gm_provide_receive_buffer(struct gm_port* port, void* buffer, unsigned size, enum gm_priority priority);
void gm_provide_receive_buffer_with_tag(struct gm_port* port, void* buffer, unsigned size, enum gm_priority priority,
                                        unsigned tag);
gm_status_t gm_set_acceptable_sizes(struct gm_port* port, enum gm_priority priority, gm_size_t mask);

/* A PEER event came from the port of the same number. A FAST event's bytes are at `message`, not in `buffer`, until the
 * next call of gm_receive; gm_memorize_message brings them there. */
enum gm_recv_event_type {
  GM_NO_RECV_EVENT = 0,
  GM_RECV_EVENT,
  GM_HIGH_RECV_EVENT,
  GM_PEER_RECV_EVENT,
  GM_HIGH_PEER_RECV_EVENT,
  GM_FAST_RECV_EVENT,
  GM_FAST_HIGH_RECV_EVENT,
  GM_FAST_PEER_RECV_EVENT,
  GM_FAST_HIGH_PEER_RECV_EVENT,
  GM_RAW_RECV_EVENT, /* a reply to a mapper, at `message` */
  GM_ALARM_EVENT,
  _GM_SENT_EVENT
};
typedef struct gm_recv {
  void* message;
  void* buffer;
  uint32_t length;
  uint32_t tag;
  uint16_t sender_node_id;
  uint8_t sender_port_id;
  uint8_t size;
  uint8_t type;
} gm_recv_t;
typedef union gm_recv_event {
  gm_recv_t recv;
} gm_recv_event_t;
#define GM_RECV_EVENT_TYPE(event) ((enum gm_recv_event_type)(event)->recv.type)
/* The card's numbers are the host's own. */
#define gm_ntohc(value) (value)
#define gm_ntohs(value) (value)
#define gm_ntohl(value) (value)
#define gm_ntohp(value) (value)

int gm_receive_pending(struct gm_port* port);
/* Never null; GM_NO_RECV_EVENT where there is none. It stays until the next call. */
gm_recv_event_t* gm_receive(struct gm_port* port);
gm_recv_event_t* gm_blocking_receive(struct gm_port* port);
gm_recv_event_t* gm_blocking_receive_no_spin(struct gm_port* port);
/* Handles events that the client does not know. The buffer of a message that it drops returns to the card. */
void gm_unknown(struct gm_port* port, gm_recv_event_t* event);
void* gm_memorize_message(void* message, void* buffer, unsigned length);
/* A word that changes when the next event has come, to wait for several things; and its present value. */
const volatile uint32_t* gm_event_word(struct gm_port* port, uint32_t* seen);

/* ---- time ---- */
uint64_t gm_ticks(struct gm_port* port); /* of 0.5 us */
typedef struct gm_alarm {
  uint64_t at;
  void (*callback)(void* context);
  void* context;
  struct gm_alarm* next;
  int is_set;
} gm_alarm_t;
void gm_initialize_alarm(gm_alarm_t* alarm);
/* The callback is run by gm_unknown; setting it again moves it. */
void gm_set_alarm(struct gm_port* port, gm_alarm_t* alarm, uint64_t microseconds, void (*callback)(void*),
                  void* context);
void gm_cancel_alarm(gm_alarm_t* alarm);

#ifdef __cplusplus
}
#endif
#endif
