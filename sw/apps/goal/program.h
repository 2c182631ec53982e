/* A rank's part of a GOAL file: operations, and which of them wait for which (platform/goal has the format). */
#ifndef SANVP_APPS_GOAL_PROGRAM_H
#define SANVP_APPS_GOAL_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#define GOAL_ANY (-1) /* rank or tag of a receive */
#define GOAL_CPUS 256

enum goal_kind { GOAL_SEND, GOAL_RECEIVE, GOAL_CALC, GOAL_COLLECTIVE };

struct goal_operation {
  uint64_t size; /* bytes, or nanoseconds of a calc, or a collective operation's place among those */
  int64_t partner, tag;
  uint32_t waits_for;   /* how many operations */
  uint32_t dependences; /* the first of those that wait for it; 0: none */
  enum goal_kind kind;
  uint8_t cpu;
};

/* `after` waits for the operation in whose list this is. Lists end with 0, so place 0 is not used. */
struct goal_dependence {
  uint32_t after, next;
  int at_start; /* for its start only: irequires */
};

/* Bytes of one message to or from each rank of a communicator; one: the same for all. */
struct goal_sizes {
  int* bytes;
  uint32_t count, room;
};

struct goal_collective {
  char name[24];         /* "allreduce" */
  int root;              /* below 0: none */
  uint32_t communicator; /* 0: all ranks; else 1 + its place */
  struct goal_sizes gives, takes;
};

struct goal_communicator {
  struct goal_sizes ranks; /* not bytes: ranks */
};

struct goal_program {
  struct goal_operation* operations;
  uint32_t count, room;
  struct goal_dependence* dependences;
  uint32_t dependence_count, dependence_room;
  uint64_t largest; /* bytes of a message of this rank */
  struct goal_collective* collectives;
  uint32_t collective_count, collective_room;
  struct goal_communicator* communicators;
  uint32_t communicator_count, communicator_room;
};

/* This rank's part. A mistake in the file ends the program with its place. */
struct goal_program goal_read(const char* file);
void goal_forget(struct goal_program* program);

/* An array with room for one more. */
void* goal_grown(void* array, uint32_t count, uint32_t* room, size_t each);

#endif
