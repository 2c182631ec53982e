/* A group of processes and what its barriers and broadcasts need. */
#ifndef SANVP_ELANLIB_GROUP_H
#define SANVP_ELANLIB_GROUP_H

#include "sw/elanlib/base.h"

#define MOST_ROUNDS 12u /* of a software barrier: 4096 nodes */
/* Groups of a process at once, "all" among them: each has a number, and a broadcast virtual process of the driver's.
 * The last two of those are for the group whose root this process was last: its nodes below, and above (broadcast.c).
 */
#define ELAN_GROUPS (ELAN3_BROADCASTS - 2)
#define ELAN_BELOW ELAN_GROUPS
#define ELAN_ABOVE (ELAN_GROUPS + 1)

/* Seen by the group's processes on a node. Sequence numbers only grow. */
struct local_sync {
  volatile uint32_t released;
  volatile uint32_t told; /* pieces of the current broadcast in the leader's stage */
  char pad[CACHE_LINE - 8];
  struct {
    volatile uint32_t arrived;
    char pad[CACHE_LINE - 4];
  } process[ELAN3_PROCESSES_PER_NODE]; /* by place among the job's on the node */
};

/* The state of a process's groups that is at the same Elan address in all their members, by number, and the state that
 * serves all groups, since a process is in one barrier or broadcast at a time. */
struct elan_meetings {
  uint32_t taken;    /* a bit for each number that is in use */
  uint32_t sequence; /* the highest that a group of this process has reached: the next group continues from there */
  /* Software barrier: flags[number][round] is put here by the partner of that round; a line each, with a word for even
   * and one for odd barriers. */
  volatile uint32_t* flags;
  E3_Addr flags_address;
  E3_Addr slots[ELAN_GROUPS]; /* struct slot [2][MOST_ROUNDS]: of even and odd barriers; 0: not allotted */
  /* Hardware barrier. */
  E3_Addr records;             /* struct barrier_record [ELAN_GROUPS] */
  uint32_t threads;            /* a bit for each number whose thread runs here */
  volatile uint32_t* released; /* written by a record's event */
  E3_Addr released_address;
  /* Broadcast. */
  E3_Addr arrivals; /* events that the broadcast DMAs set, each with its word: a line for each slot of the stage */
  volatile uint32_t* came;  /* written by them, one word a line */
  const ELAN_GROUP* beside; /* whose nodes beside this one the last two virtual processes stand for; null: none */
  uint32_t below, above;    /* those; 0: there are no such nodes */
  E3_Addr stage_address;
  int stage_mapped;
  ELAN_GROUP* readers; /* the group whose processes on this node may still read the stage; null: none */
};

struct elan_group {
  struct elan_base* base;
  unsigned number;
  unsigned count, self; /* members; this process's place among them */
  unsigned* members;    /* [count]; null: all processes */
  /* The members on this node, by their index among the job's processes on it. */
  unsigned local[ELAN3_PROCESSES_PER_NODE], local_count;
  unsigned leader; /* meets the other nodes */
  struct local_sync* local_sync;
  /* The other nodes: */
  unsigned* leaders;       /* [nodes] processes */
  unsigned nodes, my_node; /* index into leaders */
  unsigned rounds;         /* of the software barrier */
  int has_slots;           /* its descriptors are written */
  uint32_t puts;           /* of it so far */
  uint32_t sequence;       /* of barriers, and of what else a node's processes do in turn */
  /* Hardware barrier and broadcast. */
  int hardware;             /* the nodes are neighbours, and their leaders have the same place */
  unsigned low, high;       /* nodes */
  uint32_t all_members;     /* broadcast virtual process; 0: not asked for */
  uint32_t last_stage_read; /* sequence number with which readers leave the stage */
};

static inline int elan_leads(const ELAN_GROUP* group) { return group->base->node_self == group->leader; }

/* Once: what all groups share. */
void elan_meetings_start(struct elan_base* base);
void elan_hardware_start(struct elan_base* base);
void elan_broadcast_start(struct elan_base* base);
/* One of these processes, in this order (null: all), with a number that is free in all of them. Its barriers' numbers
 * are larger than `sequence`. */
ELAN_GROUP* elan_group_create(struct elan_base* base, const unsigned* members, unsigned count, unsigned number,
                              uint32_t sequence);

/* All processes of a node have arrived; then the leader's part; then all continue. Each of these returns 0 if a death
 * has made it impossible. */
int elan_local_arrive(ELAN_GROUP* group, uint32_t sequence);
int elan_local_release(ELAN_GROUP* group, uint32_t sequence);
int elan_local_await(ELAN_GROUP* group, const volatile uint32_t* word, uint32_t sequence);
int elan_meet(ELAN_GROUP* group); /* elan_gsync */
int elan_meet_to_broadcast(ELAN_GROUP* group);
/* Broadcast virtual process: the leaders. */
uint32_t elan_all_members(ELAN_GROUP* group);
/* Waits until no process reads this process's stage any more. */
void elan_stage_free(struct elan_base* base);

#endif
