/* What a file of this folder exports: the implementation of transport.h for one kind of card. NAME.c defines
 * `const struct transport_implementation transport_NAME`; the build lists them all (cmake/Images.cmake), every program
 * holds them all, and transport_start takes the one for the card that the machine has.
 *
 * An implementation has its own calls, if the card does what transport.h requires (elan.c), or a channel, if the card
 * carries records (channel.h); then messages/ does the rest.
 */
#ifndef SANVP_TRANSPORT_IMPLEMENTATION_H
#define SANVP_TRANSPORT_IMPLEMENTATION_H

#include "sw/transport/transport.h"

struct channel;

/* Access to memory of any process by the cards alone (transport_reach and what follows it): all calls, or none. */
struct transport_reach_calls {
  unsigned (*reach)(unsigned process);
  uint64_t (*expose)(const volatile void* pointer, size_t bytes);
  void (*unexpose)(const volatile void* pointer, size_t bytes); /* null: it stays accessible */
  uint64_t (*atomics_at)(void);
  struct transport_request* (*put)(unsigned to, uint64_t remote, const void* local, size_t bytes);
  struct transport_request* (*get)(unsigned from, uint64_t remote, void* local, size_t bytes);
  struct transport_request* (*atomic)(unsigned to, uint64_t atomics, uint64_t remote, enum word_operation operation,
                                      unsigned width, uint64_t operand, uint64_t comparand);
  int (*fetched)(struct transport_request* request, uint64_t* before, struct transport_status* status);
};

/* The calls of transport.h by the same names; all are required, those on groups only if the network has groups. */
struct transport_calls {
  void (*start)(void);
  struct transport_request* (*send)(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags);
  struct transport_request* (*receive)(unsigned from, uint64_t tag, uint64_t mask, void* buffer, size_t bytes);
  int (*test)(struct transport_request* request, struct transport_status* status);
  void (*wait)(struct transport_request* request, struct transport_status* status);
  void (*wait_any)(struct transport_request* const* requests, size_t count);
  int (*probe)(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status);
  /* Null: no other thread runs between a probe and the next call, so that a receive is as good. */
  struct transport_request* (*take)(const struct transport_status* message, void* buffer);
  int (*cancel)(struct transport_request* request);
  void (*on_deaths)(int (*hopeless)(unsigned peer)); /* null: waits do not end */
  void (*background)(size_t (*make)(struct transport_request** pending, size_t room));
  void* (*symmetric)(size_t bytes);
  transport_address (*address_of)(const volatile void* pointer, size_t bytes);
  transport_batch (*batch_open)(void);
  void (*batch_close)(transport_batch batch);
  void (*put)(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes);
  void (*get)(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes);
  void (*put_copied)(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes);
  void (*get_now)(unsigned from, transport_address remote, void* local, size_t bytes);
  void (*quiet)(transport_batch batch);
  void (*start_atomics)(void);
  uint64_t (*atomic_now)(unsigned to, transport_address remote, const struct transport_update* update);
  void (*atomic)(transport_batch batch, unsigned to, transport_address remote, const struct transport_update* update,
                 void* before);
  void (*put_signal)(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes,
                     int copied, const struct transport_signal* signal);
  void (*look)(void);
  void (*wait_words)(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);
  void (*pause)(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps);
  void (*barrier)(void);
  int (*broadcast)(void* buffer, size_t bytes, unsigned root);
  struct transport_group* (*group)(const unsigned* members,
                                   unsigned count); /* null: it has no groups, nor the next calls */
  void (*group_free)(struct transport_group* group);
  void (*group_barrier)(struct transport_group* group);
  int (*group_broadcast)(struct transport_group* group, void* buffer, size_t bytes, unsigned root);
  void (*serve_threads)(void);               /* hal_serve_threads; null: waits leave nothing half changed */
  const struct transport_reach_calls* reach; /* null: the card does nothing without the CPU there */
};

struct transport_implementation {
  const char* card;     /* as hal_card() names it */
  const char* matching; /* where messages are matched with receives: "card" or "host". If a card has several files, the
                           first by name is used unless -s transport.matching chooses */
  const struct transport_calls* calls; /* null: by the channel */
  const struct channel* channel;
  /* The fastest algorithms of collective operations; if null, and for operations and numbers of ranks that it does not
   * name: tuned/neutral.h (sw/transport/README.md). */
  const struct transport_advice *advice, *advice_for_many;
};

/* Made by the build from the names of the files; null ends it. */
extern const struct transport_implementation* const transport_implementations[];

/* The same for transports from outside of the tree, which sanvp-part makes and which come first; none, unless a program
 * is linked with some. */
extern const struct transport_implementation* const sanvp_own_transports[];

#endif
