/* The driver's view of the card, for its own files. */
#ifndef SANVP_TOFUDRV_CARD_H
#define SANVP_TOFUDRV_CARD_H

#include "sw/tofudrv/tofudrv.h"

/* The memory that a control queue reaches. */
struct steering_table {
  struct tofu_steering entries[TOFU_TAGS]; /* the card reads them */
  uint64_t* pages[TOFU_TAGS];              /* page tables of tags in use */
};

struct card {
  struct tofu_position position;
  uint64_t registers;                                       /* bus address of the window */
  struct tofu_queue* queues;                                /* [TOFU_TNIS * TOFU_QUEUES]: the card reads them */
  struct tofu_gate* gates;                                  /* [TOFU_GATES] */
  struct steering_table* steering[TOFU_TNIS * TOFU_QUEUES]; /* of open queues */
};

struct card* the_card(void);
void card_write(const struct card* card, uint32_t reg, uint32_t value);

/* Requests. @return null, or the error */
const char* queue_open(struct card* card, int process, struct tofudrv_open* args);
const char* queue_close(struct card* card, int process, const struct tofudrv_close* args);
const char* memory_register(struct card* card, int process, const struct tofudrv_register* args);
const char* memory_deregister(struct card* card, int process, const struct tofudrv_deregister* args);
const char* gate_set(struct card* card, int process, const struct tofudrv_set_gate* args);

/* Revokes the card's access to memory that a process gives back. */
void memory_revoke(struct card* card, uint32_t index, uint64_t bus_address, uint64_t bytes);
void queues_revoke(struct card* card, int process, uint64_t bus_address, uint64_t bytes);

/* Number of a process's queue in the card's table; UINT32_MAX if it does not exist. */
uint32_t queue_index(int process, uint32_t tni, uint32_t component);

#endif
