/* Synchronous messages of whichever of Parsytec's machines a program runs on: by the VCP of the Mesh of Clos, or by
 * PARIX on the GCel. For the programs of the Mesh of Clos paper.
 */
#ifndef SANVP_APPS_SYNCHRONOUS_H
#define SANVP_APPS_SYNCHRONOUS_H

#include <stddef.h>

struct synchronous {
  void (*start)(void);
  void (*send)(unsigned to, const void* buffer, size_t bytes); /* returns when it has been received */
  size_t (*receive)(unsigned from, void* buffer, size_t room); /* the bytes that are there */
};

extern const struct synchronous by_vcp, by_parix_nodes, by_parix_links;

/* The calls of this machine's card; ends the program if it has none. */
const struct synchronous* synchronous_of_machine(void);

/* Ping-pong between rank 0 and another, every byte checked: all of vcp_ping and parix_ping. Returns the program's
 * status. */
int pingpong(int argc, char** argv, const struct synchronous* (*choose)(const char* by), const char* choices);

#endif
