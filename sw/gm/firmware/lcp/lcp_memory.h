/* The control program's own memory and the calls of its parts. All of it is in SRAM, behind the part that the host
 * sees. */
#ifndef SANVP_GM_LCP_MEMORY_H
#define SANVP_GM_LCP_MEMORY_H

#include "sw/gm/firmware/lcp/packet.h"
#include "sw/gm/lcp.h"
#include "sw/hal/lanai.h"

#define NONE 0xffffu
#define CONNECTIONS 2048u /* of each kind (A) */
#define CONNECTION_SLOTS 4096u
#define RECORDS 64u        /* of a port: its send slots */
#define CARD_PORT 0u       /* its connections carry answers to gets: no process can open it */
#define SEND_ANSWER 0x100u /* kinds of its records, beside enum lcp_send_type */
#define DATAGRAMS (LCP_PORTS * RECORDS)
#define SEND_BUFFERS 4u
#define RECEIVE_BUFFERS 64u
#define EVENT_BUFFERS 64u
#define RDMA_JOBS 256u

/* A send, from the reading of its slot to its end. */
struct record {
  struct lcp_send_slot what;
  uint32_t first;   /* sequence number of its first packet */
  uint32_t packets; /* it takes */
  uint32_t opened;  /* lcp_port.opened of its time */
  uint32_t route;   /* chosen when its first packet left; 0: not yet */
  uint32_t since;   /* GET: when anything was last heard of it */
  uint16_t next;    /* in its connection's queue, or among those that are asked for */
  uint16_t port;
  uint16_t get;    /* number, of a get and of what answers it */
  uint8_t is_over; /* GET: the answer has come before the acknowledgement */
};

/* A connection as its sender knows it: from a port here to a port of a node, of a priority. All packets of it have
 * numbers, and a packet is the same whenever it is sent. */
struct sender {
  uint32_t key;
  uint32_t acked;                            /* the next number that the receiver expects */
  uint32_t sent;                             /* the next one to be sent */
  uint32_t end;                              /* the next one to be given to a new message */
  uint32_t resend_at, heard_at, progress_at; /* ticks */
  uint32_t timed, timed_at;                  /* its acknowledgement is being timed, since then; 0: none is */
  uint32_t not_before;                       /* a refusal's back-off; 0: none */
  uint32_t back_off;
  uint32_t route; /* that packets under way have taken */
  uint16_t session;
  uint16_t head, tail, at; /* records; `at` is that of packet `sent` */
  uint8_t ready;           /* it is in the queue of those to be served */
  uint8_t watched;         /* it is in the list that the timer checks */
  uint8_t stopped;         /* by an error, until LCP_SEND_RESUME or LCP_SEND_DROP */
  uint8_t unheard;         /* it has been retransmitted since the last answer */
  uint8_t doublings;       /* of the timeout until retransmission */
  uint16_t next_watched;
};

/* ... and as its receiver does. */
struct receiver {
  uint32_t key;
  uint32_t expected;
  uint64_t address; /* of the message that is coming in: its buffer */
  uint32_t tag, done;
  uint16_t session;
  uint16_t next_ack; /* list of those that owe an answer */
  uint8_t in_message, owes, gap_told;
  uint8_t answer; /* subtype */
  uint8_t size;   /* class of the message that is coming in */
};

struct token {
  uint64_t address;
  uint32_t tag;
  uint16_t next;
};

/* A port as the control program knows it. */
struct port {
  uint32_t opened;
  uint16_t next_send, next_receive, next_event;
  uint16_t free_record, free_token;
  uint16_t asked; /* gets that have been acknowledged and not been answered */
  uint16_t gets;  /* numbers given */
  uint16_t waiting[LCP_PRIORITIES][LCP_SIZES], last_waiting[LCP_PRIORITIES][LCP_SIZES]; /* tokens */
  uint8_t done[RECORDS][2]; /* completed sends that are not reported yet: handle, status */
  uint8_t done_count, telling;
  uint8_t region;    /* that the last address was in */
  uint32_t alarm_at; /* 0: none */
  struct record records[RECORDS];
  struct token tokens[LCP_RECEIVE_SLOTS];
};

enum rdma_kind { RDMA_PAYLOAD, RDMA_EVENT, RDMA_ANSWER /* a get: earlier puts are in memory now */ };
struct rdma_job {
  uint64_t host;
  uint32_t sram, bytes;
  uint8_t kind, port;
  uint16_t buffer; /* a receive buffer (NONE: keep it), or an event buffer */
};

enum buffer_state { BUFFER_FREE, BUFFER_FILLING, BUFFER_READY, BUFFER_LEAVING };
struct send_buffer {
  struct packet packet;
  uint32_t bytes, route;
  uint16_t port, datagram; /* its record; NONE: a packet of a connection */
  uint8_t state;
};

/* A mapping packet that leaves: the host's mapper has made it, or this program as a reply. */
#define RAW_PACKETS 16u
enum raw_state { RAW_WANTED, RAW_FETCHING, RAW_READY };
struct raw {
  struct lanai_route route; /* comes from the host in one piece with the packet */
  struct packet packet;
  uint64_t address;
  uint32_t bytes, opened;
  uint8_t state, port, handle, from_host;
};

enum busy_with { BUSY_NOT, BUSY_PACKET, BUSY_ANSWER, BUSY_RAW, BUSY_FETCHING_RAW };

struct lcp {
  struct lcp_interface shared;

  struct port ports[LCP_PORTS];
  uint32_t openings; /* lcp_interface.openings when open_ports was found */
  uint8_t open_ports[LCP_PORTS], open_count;
  uint32_t untold; /* a bit for each port with ends that wait for an event slot */
  uint16_t sender_slots[CONNECTION_SLOTS], receiver_slots[CONNECTION_SLOTS];
  struct sender senders[CONNECTIONS];
  struct receiver receivers[CONNECTIONS];
  uint32_t sender_count, receiver_count;

  uint16_t ready[CONNECTIONS]; /* senders to be served, in a circle */
  uint32_t ready_first, ready_count;
  struct {
    uint16_t port, record;
  } datagrams[DATAGRAMS]; /* to be sent, in a circle */
  uint32_t datagram_first, datagram_count;
  uint32_t answers;    /* to gets, under way */
  uint32_t round_trip; /* ticks: round-trip time, the mean of about the last eight */
  uint16_t watched;    /* senders that the timer checks */
  uint32_t timer_at;   /* 0: not set */

  struct send_buffer send_buffers[SEND_BUFFERS];
  uint32_t fill, leave;         /* the next one to be filled, and to be sent */
  uint32_t sdma_busy, sending;  /* what: of enum busy_with */
  struct raw raws[RAW_PACKETS]; /* from the mapper, and replies to mappers */
  uint32_t raw_fetch, raw_leave, raw_end;
  struct packet answer;
  uint16_t first_ack, last_ack;

  struct packet receive_buffers[RECEIVE_BUFFERS];
  struct rdma_job jobs[RDMA_JOBS];
  uint32_t job_first, job_count, rdma_busy;
  struct lcp_event events[EVENT_BUFFERS];
  uint8_t free_events[EVENT_BUFFERS];
  uint32_t free_event_count;
};

/* The pool of in-transit packets has the end of SRAM (Myrinet paper 4.1: 512 KB). */
_Static_assert(sizeof(struct lcp) <= LANAI_SRAM_BYTES - (512u << 10), "the control program does not fit into SRAM");

/* At SRAM address 0: a constant of the code of a LANai. */
extern struct lcp* lcp_memory __attribute__((visibility("hidden")));
static inline struct lcp* lcp(void) { return lcp_memory; }

/* The outcome of a received packet: its buffer is free; is still needed; or the packet is treated as not received. */
enum verdict { DONE, KEPT, REFUSED };

/* connection.c */
uint16_t sender_of(uint32_t node, uint32_t port, uint32_t target, uint32_t priority); /* made if new; NONE: no room */
uint16_t sender_known(uint32_t node, uint32_t port, uint32_t target, uint32_t priority);
struct receiver* receiver_of(const struct packet_header* header); /* null: no room */
void acknowledged(const struct packet_header* header);
void serve(uint16_t sender);
void await_answer(struct sender* sender, uint32_t now); /* its first packet that wants one leaves */
void stop(struct sender* sender, enum lcp_status status);
void resume(uint16_t sender, int drop);
void look_at_time(void);
void want_timer(uint32_t at);

/* send.c */
/* Counts the packet in a buffer as sent, and starts to bring `bytes` of the host's behind the first `before`. */
void fetch(struct send_buffer* buffer, uint64_t host, uint32_t before, uint32_t bytes);
void start_sdma(void);
void sdma_done(void);
void start_send(void);
void send_done(void);

/* receive.c */
void receive_packet(void);
int has_room(void); /* for a payload and an event */
enum verdict refuse(struct receiver* receiver, enum packet_subtype why);
void queue_payload(const struct packet* packet, unsigned port, uint32_t skip, uint64_t host);
enum verdict deliver(const struct packet* packet, uint64_t buffer, uint32_t tag); /* a message of one packet */

/* get.c */
enum verdict take_get(struct receiver* receiver, const struct packet* packet);
enum verdict take_got(const struct packet* packet);
void answer(const struct packet* packet);
void ask(struct port* port, uint16_t record); /* its request has been acknowledged */
void look_at_gets(uint32_t now);

/* datagram.c */
void queue_datagram(unsigned port, const struct lcp_send_slot* slot);
int prepare_datagram(struct send_buffer* buffer); /* 0: none is waiting */
void datagram_left(struct send_buffer* buffer);
enum verdict take_datagram(const struct packet* packet);

/* rdma.c */
void queue_rdma(struct rdma_job job);
void start_rdma(void);
void rdma_done(void);
uint16_t take_event_buffer(void); /* NONE: none is free */
void send_event(unsigned port, uint16_t buffer, uint32_t data_bytes);

/* ports.c */
void poll_ports(void);
uint16_t take_record(unsigned port, const struct lcp_send_slot* slot); /* NONE: none is free */
void release_record(unsigned port, uint16_t record);
void append(unsigned port, const struct lcp_send_slot* slot); /* to its connection's queue */
int is_registered(unsigned port, uint64_t address, uint64_t bytes);
void complete(unsigned port, uint32_t opened, uint8_t handle, enum lcp_status status);
void tell_done(unsigned port);
struct token* match(unsigned port, unsigned priority, unsigned size); /* takes it; null: none matches */
void release_token(unsigned port, const struct token* token);
void put_back(unsigned port, unsigned priority, unsigned size, uint64_t address, uint32_t tag); /* the next to match */
void alarms(uint32_t now);

/* mapping.c */
void receive_mapping(const struct packet* packet, uint32_t bytes);
void take_raw(unsigned port, const struct lcp_send_slot* slot);
int send_reply(void);
int raw_sdma(void); /* fetches the next raw packet; 0: none is waiting */
void raw_filled(void);

#endif
