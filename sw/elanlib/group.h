/* A group of processes and what its barriers and broadcasts need. */
#ifndef SANVP_ELANLIB_GROUP_H
#define SANVP_ELANLIB_GROUP_H

#include "sw/elanlib/base.h"

#define MOST_ROUNDS 12u /* of a software barrier: 4096 nodes */

/* Seen by all processes of the job on this node. Sequence numbers only grow. */
struct local_sync {
  volatile uint32_t released;
  char pad[CACHE_LINE - 4];
  struct {
    volatile uint32_t arrived;
    char pad[CACHE_LINE - 4];
  } process[ELAN3_PROCESSES_PER_NODE];
};

struct elan_group {
  struct elan_base* base;
  uint32_t sequence; /* of barriers */
  struct local_sync* local;
  /* Software barrier, of the nodes' leaders: flags[round] is put here by the partner of that round. */
  volatile uint32_t* flags; /* a line each */
  E3_Addr flags_address;
  E3_Addr slots; /* struct slot [2][MOST_ROUNDS]: of even and odd barriers */
  unsigned rounds;
  /* Hardware barrier and broadcast. */
  int hardware; /* the nodes are neighbours */
  struct hardware_sync* sync;
};

/* All processes of a node have arrived; then `leader_part` of its first process; then all go on. */
void elan_local_arrive(ELAN_GROUP* group, uint32_t sequence);
void elan_local_release(ELAN_GROUP* group, uint32_t sequence);
void elan_hardware_create(ELAN_GROUP* group);

#endif
