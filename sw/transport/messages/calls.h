/* The calls of transport.h, by the files that implement them. */
#ifndef SANVP_TRANSPORT_MESSAGES_CALLS_H
#define SANVP_TRANSPORT_MESSAGES_CALLS_H

#include "sw/transport/messages/state.h"

/* message.c */
struct transport_request* messages_send(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags);
struct transport_request* messages_receive(unsigned from, uint64_t tag, uint64_t mask, void* buffer, size_t bytes);
int messages_test(struct transport_request* request, struct transport_status* status);
void messages_wait(struct transport_request* request, struct transport_status* status);
void messages_wait_any(struct transport_request* const* requests, size_t count);
int messages_probe(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status);
int messages_cancel(struct transport_request* request);

/* memory.c */
void* messages_symmetric(size_t bytes);
transport_address messages_address_of(const volatile void* pointer, size_t bytes);

/* remote.c */
void messages_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes);
void messages_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes);
void messages_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes);
void messages_get_now(unsigned from, transport_address remote, void* local, size_t bytes);

/* atomics.c */
uint64_t messages_atomic_now(unsigned to, transport_address remote, const struct transport_update* update);
void messages_atomic(transport_batch batch, unsigned to, transport_address remote,
                     const struct transport_update* update, void* before);

/* signal.c */
void messages_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes,
                         int copied, const struct transport_signal* signal);

/* batch.c */
transport_batch messages_batch_open(void);
void messages_batch_close(transport_batch batch);
void messages_quiet(transport_batch batch);

/* reach.c */
extern const struct transport_reach_calls messages_reach_calls;

/* progress.c */
void messages_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);
void messages_pause(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps);
void messages_barrier(void);
void messages_serve_threads(void);
int messages_broadcast(void* buffer, size_t bytes, unsigned root);

#endif
