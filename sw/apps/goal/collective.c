/* Collective operations of a program, by the machine's own MPI. Data are bytes; those of reductions are numbers that
 * are added, where their size allows it. What prepares an operation takes no time: it is none of the program's. */
#include "sw/apps/goal/collective.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

struct prepared;
typedef void play(const struct goal_collectives* of, const struct prepared* with);

struct prepared {
  play* play;
  MPI_Comm comm;
  int root, given, taken; /* bytes of this rank's part */
  MPI_Datatype element;   /* of a reduction */
  int elements, element_bytes;
  int *send_counts, *send_places, *receive_counts, *receive_places; /* by rank */
};

struct goal_collectives {
  const struct goal_program* program;
  MPI_Comm* comms; /* as the program numbers them; the first is of all ranks */
  struct prepared* prepared;
  char *sent, *received; /* of all operations; zeros */
};

static void* room_for(size_t count, size_t each) {
  void* const room = calloc(count + 1, each);
  if (!room) hal_abort("goal: there is no room for collective operations");
  return room;
}

static int size_at(const struct goal_sizes* sizes, int rank) {
  if (sizes->count == 0) return 0;
  return sizes->bytes[sizes->count == 1 ? 0 : rank];
}

/* What it gives, and what it takes: one of the two is left out where they are alike, and by MPI_IN_PLACE. */
static int given(const struct goal_collective* one, int rank) {
  return size_at(one->gives.count ? &one->gives : &one->takes, rank);
}
static int taken(const struct goal_collective* one, int rank) {
  return size_at(one->takes.count ? &one->takes : &one->gives, rank);
}

/* ---- operations ---- */
static void barrier(const struct goal_collectives* of, const struct prepared* with) {
  (void)of;
  MPI_Barrier(with->comm);
}
static void bcast(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Bcast(of->sent, with->given, MPI_BYTE, with->root, with->comm);
}
static void gather(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Gather(of->sent, with->given, MPI_BYTE, of->received, with->taken, MPI_BYTE, with->root, with->comm);
}
static void gatherv(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Gatherv(of->sent, with->given, MPI_BYTE, of->received, with->receive_counts, with->receive_places, MPI_BYTE,
              with->root, with->comm);
}
static void scatter(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Scatter(of->sent, with->given, MPI_BYTE, of->received, with->taken, MPI_BYTE, with->root, with->comm);
}
static void scatterv(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Scatterv(of->sent, with->send_counts, with->send_places, MPI_BYTE, of->received, with->taken, MPI_BYTE,
               with->root, with->comm);
}
static void allgather(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Allgather(of->sent, with->given, MPI_BYTE, of->received, with->given, MPI_BYTE, with->comm);
}
static void allgatherv(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Allgatherv(of->sent, with->given, MPI_BYTE, of->received, with->receive_counts, with->receive_places, MPI_BYTE,
                 with->comm);
}
static void alltoall(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Alltoall(of->sent, with->given, MPI_BYTE, of->received, with->given, MPI_BYTE, with->comm);
}
static void alltoallv(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Alltoallv(of->sent, with->send_counts, with->send_places, MPI_BYTE, of->received, with->receive_counts,
                with->receive_places, MPI_BYTE, with->comm);
}
static MPI_Op operation(const struct prepared* with) { return with->element == MPI_BYTE ? MPI_BOR : MPI_SUM; }
static void reduce(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Reduce(of->sent, of->received, with->elements, with->element, operation(with), with->root, with->comm);
}
static void allreduce(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Allreduce(of->sent, of->received, with->elements, with->element, operation(with), with->comm);
}
static void scan(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Scan(of->sent, of->received, with->elements, with->element, operation(with), with->comm);
}
static void exscan(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Exscan(of->sent, of->received, with->elements, with->element, operation(with), with->comm);
}
static void reduce_scatter(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Reduce_scatter(of->sent, of->received, with->send_counts, with->element, operation(with), with->comm);
}
static void reduce_scatter_block(const struct goal_collectives* of, const struct prepared* with) {
  MPI_Reduce_scatter_block(of->sent, of->received, with->elements, with->element, operation(with), with->comm);
}

static const struct kind {
  const char* name;
  play* play;
  int has_root, reduces;
} kinds[] = {{"barrier", barrier, 0, 0},
             {"bcast", bcast, 1, 0},
             {"gather", gather, 1, 0},
             {"gatherv", gatherv, 1, 0},
             {"scatter", scatter, 1, 0},
             {"scatterv", scatterv, 1, 0},
             {"allgather", allgather, 0, 0},
             {"allgatherv", allgatherv, 0, 0},
             {"alltoall", alltoall, 0, 0},
             {"alltoallv", alltoallv, 0, 0},
             {"reduce", reduce, 1, 1},
             {"allreduce", allreduce, 0, 1},
             {"scan", scan, 0, 1},
             {"exscan", exscan, 0, 1},
             {"reduce_scatter", reduce_scatter, 0, 1},
             {"reduce_scatter_block", reduce_scatter_block, 0, 1}};
#define KINDS (sizeof kinds / sizeof *kinds)

static const struct kind* kind_of(const char* name) {
  for (size_t i = 0; i < KINDS; ++i)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

int goal_is_collective(const char* name) { return kind_of(name) != NULL; }

/* ---- preparation ---- */
static MPI_Comm* make_communicators(const struct goal_program* program) {
  MPI_Comm* const comms = room_for(program->communicator_count + 1, sizeof(MPI_Comm));
  comms[0] = MPI_COMM_WORLD;
  MPI_Group all, some;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (uint32_t i = 0; i < program->communicator_count; ++i) {
    const struct goal_sizes* const ranks = &program->communicators[i].ranks;
    MPI_Group_incl(all, (int)ranks->count, ranks->bytes, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &comms[i + 1]);
    MPI_Group_free(&some);
  }
  MPI_Group_free(&all);
  return comms;
}

/* One behind the other. @return the end of the last */
static size_t place(int** counts, int** places, int ranks, const struct goal_collective* one, int is_sent, int unit) {
  *counts = room_for((size_t)ranks, sizeof(int));
  *places = room_for((size_t)ranks, sizeof(int));
  size_t end = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    (*counts)[rank] = (is_sent ? given(one, rank) : taken(one, rank)) / unit;
    (*places)[rank] = (int)end;
    end += (size_t)(*counts)[rank];
  }
  return end * (size_t)unit;
}

static int is_multiple(const struct goal_sizes* sizes, int of) {
  for (uint32_t i = 0; i < sizes->count; ++i)
    if (sizes->bytes[i] % of != 0) return 0;
  return 1;
}

/* @return bytes that it needs at most, at either side */
static size_t prepare(const struct goal_collective* one, MPI_Comm comm, struct prepared* with) {
  const struct kind* const kind = kind_of(one->name);
  if (comm == MPI_COMM_NULL) hal_abort("goal: a rank has a collective operation of a communicator that it is not in");
  if (kind->has_root && one->root < 0) hal_abort("goal: a collective operation lacks its root: give it as `root 0`");
  int ranks = 0, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  with->play = kind->play;
  with->comm = comm;
  with->root = one->root;
  with->given = given(one, rank);
  with->taken = taken(one, rank);
  with->element_bytes = 1;
  with->element = MPI_BYTE;
  if (kind->reduces && is_multiple(&one->gives, sizeof(double))) {
    with->element = MPI_DOUBLE;
    with->element_bytes = sizeof(double);
  } else if (kind->reduces && is_multiple(&one->gives, sizeof(float))) {
    with->element = MPI_FLOAT;
    with->element_bytes = sizeof(float);
  }
  with->elements = with->given / with->element_bytes;
  const size_t sent = place(&with->send_counts, &with->send_places, ranks, one, 1, with->element_bytes);
  const size_t received = place(&with->receive_counts, &with->receive_places, ranks, one, 0, with->element_bytes);
  return sent > received ? sent : received;
}

struct goal_collectives* goal_prepare_collectives(const struct goal_program* program) {
  if (program->collective_count == 0 && program->communicator_count == 0) return NULL;
  struct goal_collectives* const made = room_for(1, sizeof *made);
  size_t largest = 0;
  made->program = program;
  made->comms = make_communicators(program);
  made->prepared = room_for(program->collective_count, sizeof *made->prepared);
  for (uint32_t i = 0; i < program->collective_count; ++i) {
    const struct goal_collective* const one = &program->collectives[i];
    const size_t bytes = prepare(one, made->comms[one->communicator], &made->prepared[i]);
    if (bytes > largest) largest = bytes;
  }
  made->sent = room_for(largest, 1);
  made->received = room_for(largest, 1);
  return made;
}

void goal_play_collective(struct goal_collectives* of, uint32_t number) {
  const struct prepared* const with = &of->prepared[number];
  hal_untimed_end();
  with->play(of, with);
  hal_untimed_begin();
}

void goal_forget_collectives(struct goal_collectives* collectives) {
  if (!collectives) return;
  for (uint32_t i = 0; i < collectives->program->collective_count; ++i) {
    free(collectives->prepared[i].send_counts);
    free(collectives->prepared[i].send_places);
    free(collectives->prepared[i].receive_counts);
    free(collectives->prepared[i].receive_places);
  }
  for (uint32_t i = 1; i <= collectives->program->communicator_count; ++i)
    if (collectives->comms[i] != MPI_COMM_NULL) MPI_Comm_free(&collectives->comms[i]);
  free(collectives->comms);
  free(collectives->prepared);
  free(collectives->sent);
  free(collectives->received);
  free(collectives);
}
