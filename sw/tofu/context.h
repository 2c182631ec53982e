/* Shared by the files of the library: the process's view of its card. */
#ifndef SANVP_TOFU_CONTEXT_H
#define SANVP_TOFU_CONTEXT_H

#include "sw/tofu/utofu.h"
#include "sw/tofudrv/tofudrv.h"

/* Queue lengths (A). An MRQ may get a notice from every process of a large machine before it is polled. */
#define ORDER_ENTRIES 1024u
#define MRQ_ENTRIES 8192u

struct vcq {
  uint32_t tni, component;
  uint64_t page; /* bus address */
  struct tofu_order* orders;
  struct tofu_tcq_entry* tcq;
  struct tofu_mrq_entry* mrq;
  uint32_t given;                /* orders so far */
  uint32_t ended;                /* of them, according to the TCQ entries taken so far */
  uint32_t arrived;              /* MRQ entries taken */
  uint8_t wanted[ORDER_ENTRIES]; /* whether the program has requested an order's TCQ notice */
  void* remarks[ORDER_ENTRIES];  /* cbdata */
  uint8_t tags[TOFU_TAGS];       /* in use */
  struct vcq* next;
};

struct tofu_context {
  uint32_t number; /* of the process on its node */
  struct tofu_position position;
  uint64_t gates; /* bus address of the page whose words start the gates */
  int direct;     /* orders are stored to the card; else the card fetches them */
  struct vcq* vcqs[TOFU_TNIS][TOFU_COMPONENTS];
};

/* Asks the driver at the first call. */
struct tofu_context* tofu_context(void);
/* Ends the job with the driver's reason if it refuses. */
void tofu_request(unsigned request, void* argument, const char* what);
/* The same, but returns -1 if the driver refuses. */
int tofu_try(unsigned request, void* argument);

/* Null if the handle is invalid. */
struct vcq* vcq_of(utofu_vcq_hdl_t handle);
/* One more TCQ, or MRQ, entry has been taken. The card is notified of several at a time: until then, the queue seems
 * fuller to it than it is. */
void vcq_took_left(struct vcq* vcq);
void vcq_took_arrived(struct vcq* vcq);

/* A VCQ's id: node, path + 1 (0: none), TNI, queue. */
utofu_vcq_id_t vcq_id_make(uint32_t node, uint32_t path, uint32_t tni, uint32_t queue);
uint32_t vcq_id_node(utofu_vcq_id_t id);
uint32_t vcq_id_path(utofu_vcq_id_t id);
uint32_t vcq_id_tni(utofu_vcq_id_t id);
uint32_t vcq_id_queue(utofu_vcq_id_t id);

/* Coordinates x y z a b c and node numbers. UINT32_MAX: no such node. */
void coords_of(uint32_t node, uint8_t coords[6]);
uint32_t node_at(const uint8_t coords[6]);
/* Number + 1 of an abc point; 0 if the first coordinate is UTOFU_PATH_COORD_NULL, UINT32_MAX if it is invalid. */
uint32_t path_of(const uint8_t abc[3]);

/* Gates of a process for the program, and those after them, which tofu_job.h uses. */
#define PROGRAM_GATES 48u
uint32_t gate_number(uint32_t gate); /* of this process's gate, on its node */

#endif
