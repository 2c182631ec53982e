/* GM, Myricom's message layer (FACTS.md 2.5). A process opens a port of its card. Sending takes a send token, which
 * comes back with the callback; receiving takes a receive token, a buffer of a size class, which comes back with the
 * message that it took. What arrives is an event, and a client hands every event that it does not know to gm_unknown,
 * which runs the callbacks. Calls of
 * the historic library that are not here are in README.md.
 *
 * Messages of a priority to a port arrive in the order in which they were sent. Memory that the card touches comes from
 * gm_dma_malloc or is registered. A node's id is its number + 1. Misuse ends the job with one line.
 */
#ifndef GM_H
#define GM_H

#include <stddef.h>
#include <stdint.h>

#include "sw/gm/gm_types.h"
#include "sw/gm/gm_utilities.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions ---- */
/* gm_open accepts each of these; a program may define GM_API_VERSION as one of them before it includes this file. */
#define GM_API_VERSION_1_0 0x100
#define GM_API_VERSION_1_1 0x101
#define GM_API_VERSION_1_2 0x102
#define GM_API_VERSION_1_3 0x103
#define GM_API_VERSION_1_4 0x104
#define GM_API_VERSION_1_5 0x105
#define GM_API_VERSION_1_6 0x106
#define GM_API_VERSION_2_0 0x200
#define GM_API_VERSION_2_0_6 0x20006
#define GM_API_VERSION_2_0_12 0x2000c
#define GM_API_VERSION_2_0_16 0x20010
#ifndef GM_API_VERSION
#define GM_API_VERSION GM_API_VERSION_2_0_16
#endif
#if GM_API_VERSION < GM_API_VERSION_1_0 || GM_API_VERSION > GM_API_VERSION_2_0_16
#error "GM_API_VERSION must be one of GM_API_VERSION_1_0 to GM_API_VERSION_2_0_16"
#endif
/* Up to 2.0 a version has two bytes, later ones have three. */
#define GM_API_MAJOR (GM_API_VERSION > 0xffff ? GM_API_VERSION >> 16 : GM_API_VERSION >> 8)
#define GM_API_MINOR ((GM_API_VERSION > 0xffff ? GM_API_VERSION >> 8 : GM_API_VERSION) & 0xff)
#define GM_API_SUBMINOR (GM_API_VERSION > 0xffff ? GM_API_VERSION & 0xff : 0)
enum gm_api_version {
  _GM_API_VERSION_1_0 = GM_API_VERSION_1_0,
  _GM_API_VERSION_1_1 = GM_API_VERSION_1_1,
  _GM_API_VERSION_1_2 = GM_API_VERSION_1_2,
  _GM_API_VERSION_1_3 = GM_API_VERSION_1_3,
  _GM_API_VERSION_1_4 = GM_API_VERSION_1_4,
  _GM_API_VERSION_1_5 = GM_API_VERSION_1_5,
  _GM_API_VERSION_1_6 = GM_API_VERSION_1_6,
  _GM_API_VERSION_2_0 = GM_API_VERSION_2_0,
  _GM_API_VERSION_2_0_6 = GM_API_VERSION_2_0_6,
  _GM_API_VERSION_2_0_12 = GM_API_VERSION_2_0_12,
  _GM_API_VERSION_2_0_16 = GM_API_VERSION_2_0_16
};

struct gm_port;

enum gm_priority { GM_LOW_PRIORITY = 0, GM_HIGH_PRIORITY = 1, GM_NUM_PRIORITIES = 2 };

#define GM_NO_SUCH_NODE_ID 0u
#define GM_MTU 4096u
#define GM_RDMA_GRANULARITY 64
#define GM_MAX_DMA_GRANULARITY 8
#define GM_DMA_GRANULARITY GM_MAX_DMA_GRANULARITY
#define GM_MAX_HOST_NAME_LEN 128
#define GM_MAX_PORT_NAME_LEN 32
#define GM_MAX_YP_STRING_LEN 128

/* ---- ports ---- */
gm_status_t gm_init(void);
void gm_finalize(void);
/* `port` from 1 to 15; unit 0 is the card. GM_BUSY: another process has the port; GM_NO_SUCH_DEVICE: another unit;
 * GM_INCOMPATIBLE_LIB_AND_DRIVER: `version` is none of those above. */
gm_status_t gm_open(struct gm_port** to, unsigned unit, unsigned port, const char* name, unsigned version);
void gm_close(struct gm_port* port);
gm_status_t gm_get_node_id(struct gm_port* port, unsigned* id);
unsigned gm_get_port_id(struct gm_port* port);
/* Ids of nodes go from 1 to this. */
gm_status_t gm_max_node_id_in_use(struct gm_port* port, unsigned* id);
gm_status_t gm_max_node_id_inuse(struct gm_port* port, unsigned* id);
gm_status_t gm_max_node_id(struct gm_port* port, unsigned* id);
unsigned gm_num_ports(struct gm_port* port);
unsigned gm_num_send_tokens(struct gm_port* port);    /* of a port */
unsigned gm_num_receive_tokens(struct gm_port* port); /* of a port */
unsigned gm_mtu(struct gm_port* port);
char* gm_strerror(gm_status_t status);
void gm_perror(const char* message, gm_status_t status);

/* Tokens that the program manages: those that it returns with gm_free_send_token(s), all at first, are allocated by
 * gm_alloc_send_token: 0 if none is left. For a program that calls neither, gm_send_token_available tells whether it
 * may send; after the first gm_free_send_token(s), whether gm_alloc_send_token would give one. Each send takes a token
 * until its callback. */
int gm_send_token_available(struct gm_port* port, unsigned priority);
/* Whether the port itself has a token left, whatever tokens the program manages. Not in the historic library. */
unsigned gm_send_token_left(struct gm_port* port, unsigned priority);
int gm_alloc_send_token(struct gm_port* port, unsigned priority);
void gm_free_send_token(struct gm_port* port, unsigned priority);
void gm_free_send_tokens(struct gm_port* port, unsigned priority, unsigned count);

/* ---- names of nodes ---- */
/* Hosts are called h0, h1, ... The timeouts are not needed: each node knows all names. */
unsigned gm_host_name_to_node_id(struct gm_port* port, const char* name);
char* gm_node_id_to_host_name(struct gm_port* port, unsigned id);
gm_status_t gm_host_name_to_node_id_ex(struct gm_port* port, unsigned timeout_us, const char* name, unsigned* id);
gm_status_t gm_node_id_to_host_name_ex(struct gm_port* port, unsigned timeout_us, unsigned id,
                                       char (*name)[GM_MAX_HOST_NAME_LEN + 1]);
gm_status_t gm_get_host_name(struct gm_port* port, char name[GM_MAX_HOST_NAME_LEN]);
/* A node's id is the same on all nodes. */
gm_status_t gm_node_id_to_global_id(struct gm_port* port, unsigned id, unsigned* global_id);
gm_status_t gm_global_id_to_node_id(struct gm_port* port, unsigned global_id, unsigned* id);
/* The card's address of six bytes: 00:60:dd, Myricom's, and the node's id. */
gm_status_t gm_node_id_to_unique_id(struct gm_port* port, unsigned id, char unique[6]);
gm_status_t gm_unique_id_to_node_id(struct gm_port* port, char unique[6], unsigned* id);
gm_status_t gm_unique_id(struct gm_port* port, char unique[6]);
gm_status_t gm_get_unique_board_id(struct gm_port* port, char unique[6]);
gm_status_t gm_get_mapper_unique_id(struct gm_port* port, char unique[6]); /* of the node with the lowest id */

/* ---- size classes: class k holds up to 2^k - 8 bytes, none for k < 3 ---- */
unsigned gm_min_size_for_length(gm_size_t length);
gm_size_t gm_max_length_for_size(unsigned size);
unsigned gm_min_message_size(struct gm_port* port); /* the smallest class */

/* ---- memory ---- */
void* gm_dma_malloc(struct gm_port* port, gm_size_t bytes); /* of a page if it is as long; null: no room */
void* gm_dma_calloc(struct gm_port* port, gm_size_t count, gm_size_t bytes);
void gm_dma_free(struct gm_port* port, void* memory);
gm_status_t gm_register_memory(struct gm_port* port, void* memory, gm_size_t bytes);
gm_status_t gm_deregister_memory(struct gm_port* port, void* memory, gm_size_t bytes);
/* The card uses the process's own addresses: `as` must be `memory`, else GM_INVALID_PARAMETER. */
gm_status_t gm_register_memory_ex(struct gm_port* port, void* memory, gm_size_t bytes, void* as);
/* Registered memory may be written and read from elsewhere in any case: always GM_SUCCESS. */
gm_status_t gm_allow_remote_memory_access(struct gm_port* port);

/* ---- sending: the memory stays as it is until the callback ---- */
typedef void (*gm_send_completion_callback_t)(struct gm_port* port, void* context, gm_status_t status);
void gm_send_with_callback(struct gm_port* port, const void* message, unsigned size, gm_size_t length,
                           unsigned priority, unsigned node, unsigned target_port,
                           gm_send_completion_callback_t callback, void* context);
/* To the port of the same number. */
void gm_send_to_peer_with_callback(struct gm_port* port, const void* message, unsigned size, gm_size_t length,
                                   unsigned priority, unsigned node, gm_send_completion_callback_t callback,
                                   void* context);
/* Into registered memory of the process there, without an event for it. */
void gm_directed_send_with_callback(struct gm_port* port, const void* source, gm_remote_ptr_t target, gm_size_t length,
                                    unsigned priority, unsigned node, unsigned target_port,
                                    gm_send_completion_callback_t callback, void* context);
/* The same by its name in GM-2, and the reverse: from registered memory there. The callback means that the bytes are
 * here, and include earlier puts. */
void gm_put(struct gm_port* port, const void* source, gm_remote_ptr_t target, gm_size_t length, unsigned priority,
            unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context);
void gm_get(struct gm_port* port, gm_remote_ptr_t source, void* target, gm_size_t length, unsigned priority,
            unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context);
/* A message of at most GM_MTU bytes that is sent once, outside the order of others. The callback means that it left; it
 * is lost if the wire damages it, or if the port there is closed or has no buffer for it. */
void gm_datagram_send(struct gm_port* port, const void* message, unsigned size, gm_size_t length, unsigned priority,
                      unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context);
/* A datagram of up to 4 bytes, which are an argument: the callback's context is then not the message. */
void gm_datagram_send_4(struct gm_port* port, gm_u32_t message, unsigned size, gm_size_t length, unsigned priority,
                        unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context);
/* After a send to a destination has failed, later sends to it wait for one of these, each of which takes a token. */
void gm_resume_sending(struct gm_port* port, unsigned priority, unsigned node, unsigned target_port,
                       gm_send_completion_callback_t callback, void* context);
void gm_drop_sends(struct gm_port* port, unsigned priority, unsigned node, unsigned target_port,
                   gm_send_completion_callback_t callback, void* context);

/* For mappers, on port 1: a struct lanai_route and the packet behind it (sw/gm/mapping.h). */
void gm_raw_send_with_callback(struct gm_port* port, const void* route_and_packet, gm_size_t length,
                               gm_send_completion_callback_t callback, void* context);

/* ---- receiving ---- */
void gm_provide_receive_buffer(struct gm_port* port, void* buffer, unsigned size, unsigned priority);
void gm_provide_receive_buffer_with_tag(struct gm_port* port, void* buffer, unsigned size, unsigned priority,
                                        unsigned tag);
gm_status_t gm_set_acceptable_sizes(struct gm_port* port, enum gm_priority priority, gm_size_t mask);

/* A PEER event came from the port of the same number. A FAST event's bytes are at `message`, not in `buffer`, until the
 * next call of gm_receive; gm_memorize_message brings them there. gm_unknown makes either a plain one, so a program
 * needs to know GM_RECV_EVENT and, if it provides buffers of high priority, GM_HIGH_RECV_EVENT. Types without a comment
 * are never reported here. */
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
  GM_RAW_RECV_EVENT,    /* a reply to a mapper, at `message` */
  GM_ALARM_EVENT,       /* for gm_unknown */
  GM_SENT_TOKENS_EVENT, /* for gm_unknown, which runs callbacks */
  GM_SENDS_FAILED_EVENT,
  GM_SENT_EVENT,
  _GM_SLEEP_EVENT,
  GM_BAD_SEND_DETECTED_EVENT,
  GM_SEND_TOKEN_VIOLATION_EVENT,
  GM_RECV_TOKEN_VIOLATION_EVENT,
  GM_BAD_RECV_TOKEN_EVENT,
  GM_ALARM_VIOLATION_EVENT,
  GM_REJECTED_SEND_EVENT,
  GM_ORPHANED_SEND_EVENT,
  GM_BAD_RESEND_DETECTED_EVENT,
  GM_DROPPED_SEND_EVENT,
  GM_BAD_SEND_VMA_EVENT,
  GM_BAD_RECV_VMA_EVENT,
  _GM_FLUSHED_ALARM_EVENT,
  GM_IGNORE_RECV_EVENT,
  GM_ETHERNET_RECV_EVENT,
  GM_FATAL_FIRMWARE_ERROR_EVENT
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
int gm_receive_pending(struct gm_port* port);
/* The type of the next event, and its sender if it is a message; GM_NO_RECV_EVENT if no event is pending. */
int gm_next_event_peek(struct gm_port* port, gm_u16_t* sender);
/* Never null; GM_NO_RECV_EVENT if no event is pending. It stays until the next call. */
gm_recv_event_t* gm_receive(struct gm_port* port);
gm_recv_event_t* gm_blocking_receive(struct gm_port* port);
gm_recv_event_t* gm_blocking_receive_no_spin(struct gm_port* port);
/* Handles events that the client does not know: runs callbacks and alarms. A PEER or FAST event comes again with the
 * next gm_receive, as GM_RECV_EVENT or GM_HIGH_RECV_EVENT, with its bytes in `buffer`. A message that is one of these
 * already is dropped, and its buffer returns to the card. */
void gm_unknown(struct gm_port* port, gm_recv_event_t* event);
void gm_handle_sent_tokens(struct gm_port* port, gm_recv_event_t* event); /* GM_SENT_TOKENS_EVENT alone */
void* gm_memorize_message(void* message, void* buffer, unsigned length);
/* A word that changes when the next event has come, for waits for several things; and its present value. */
const volatile uint32_t* gm_event_word(struct gm_port* port, uint32_t* seen);

/* ---- time ---- */
gm_u64_t gm_ticks(struct gm_port* port); /* of 0.5 us */
typedef struct gm_alarm {
  uint64_t at;
  void (*callback)(void* context);
  void* context;
  struct gm_alarm* next;
  int is_set;
} gm_alarm_t;
void gm_initialize_alarm(gm_alarm_t* alarm);
/* The callback is run by gm_unknown; setting it again moves it. */
void gm_set_alarm(struct gm_port* port, gm_alarm_t* alarm, gm_u64_t microseconds, void (*callback)(void*),
                  void* context);
void gm_cancel_alarm(gm_alarm_t* alarm);
void gm_flush_alarm(struct gm_port* port); /* the card's own timer: nothing to do, alarms are the library's */

#ifdef __cplusplus
}
#endif
#endif
