/* Collective operations of a program, by the machine's own MPI. */
#ifndef SANVP_APPS_GOAL_COLLECTIVE_H
#define SANVP_APPS_GOAL_COLLECTIVE_H

#include "sw/apps/goal/program.h"
#include "sw/mpi/mpi.h"

struct goal_collectives; /* what they need: communicators, buffers */

int goal_is_collective(const char* name);
/* All ranks together, behind MPI_Init. NULL: the program has none. A mistake ends it with a message. */
struct goal_collectives* goal_prepare_collectives(const struct goal_program* program);
void goal_play_collective(struct goal_collectives* of, uint32_t number);
void goal_forget_collectives(struct goal_collectives* collectives);

#endif
