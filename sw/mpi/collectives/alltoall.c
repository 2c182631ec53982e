/* A block from every rank to every rank. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, LINEAR, PAIRWISE, BRUCK };
MPI_CHOICE(alltoall, "linear", "pairwise", "bruck");

/* All at once; each rank begins with a different destination. */
static void linear(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                   const struct mpi_block* in) {
  for (int i = 1; i < comm->size; ++i) {
    const int from = mpi_to_rank(comm, comm->rank, comm->size - i);
    mpi_add_receive(schedule, from, in[from].at, in[from].bytes);
  }
  for (int i = 1; i < comm->size; ++i) {
    const int to = mpi_to_rank(comm, comm->rank, i);
    mpi_add_send(schedule, to, out[to].at, out[to].bytes);
  }
}

/* One message out and one in at a time. */
static void pairwise(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                     const struct mpi_block* in) {
  for (int i = 1; i < comm->size; ++i) {
    const int to = mpi_to_rank(comm, comm->rank, i), from = mpi_to_rank(comm, comm->rank, comm->size - i);
    mpi_add_receive(schedule, from, in[from].at, in[from].bytes);
    mpi_add_send(schedule, to, out[to].at, out[to].bytes);
    mpi_add_round(schedule);
  }
}

/* A block for the rank i places ahead travels in the rounds of the bits that are set in i. */
static void bruck(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                  const struct mpi_block* in) {
  const size_t size = (size_t)comm->size, bytes = out->bytes;
  char* all = mpi_schedule_room(schedule, size * bytes);
  char* going = mpi_schedule_room(schedule, size * bytes);
  char* coming = mpi_schedule_room(schedule, size * bytes);
  for (size_t i = 1; i < size; ++i)
    mpi_add_copy(schedule, out[mpi_to_rank(comm, comm->rank, (int)i)].at, all + i * bytes, bytes);
  for (size_t bit = 1; bit < size; bit *= 2) {
    size_t count = 0;
    for (size_t i = bit; i < size; ++i)
      if (i & bit) mpi_add_copy(schedule, all + i * bytes, going + count++ * bytes, bytes);
    mpi_add_receive(schedule, mpi_to_rank(comm, comm->rank, (int)(size - bit)), coming, count * bytes);
    mpi_add_send(schedule, mpi_to_rank(comm, comm->rank, (int)bit), going, count * bytes);
    mpi_add_round(schedule);
    count = 0;
    for (size_t i = bit; i < size; ++i)
      if (i & bit) mpi_add_copy(schedule, coming + count++ * bytes, all + i * bytes, bytes);
  }
  for (size_t i = 1; i < size; ++i)
    mpi_add_own(schedule, comm, (struct mpi_block){all + i * bytes, bytes},
                in[mpi_to_rank(comm, comm->rank, (int)(size - i))]);
}

/* Bruck's algorithm needs blocks of equal size. */
static void build(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out, const struct mpi_block* in,
                  int even) {
  if (comm->local) {
    mpi_inter_add_blocks(schedule, comm, out, in);
    return;
  }
  int chosen =
      even ? mpi_choose(&mpi_alltoall_choice, out->bytes, comm->size) : mpi_chosen(&mpi_alltoall_choice, SIZE_MAX);
  if (chosen == AUTO || (chosen == BRUCK && !even)) chosen = LINEAR; /* others do not know this rank's sizes */
  mpi_add_own(schedule, comm, out[comm->rank], in[comm->rank]);
  if (chosen == PAIRWISE) pairwise(schedule, comm, out, in);
  if (chosen == BRUCK && out->bytes > 0) bruck(schedule, comm, out, in);
  if (chosen == LINEAR) linear(schedule, comm, out, in);
}

/* In place: the receive buffer holds the data to send, so a copy of it is sent. */
static void copy_blocks(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block* out) {
  for (int i = 0; i < comm->size; ++i) {
    void* copy = mpi_schedule_room(schedule, out[i].bytes);
    mpi_copy_now(copy, out[i].at, out[i].bytes);
    out[i].at = copy;
  }
}

static int open(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                int receive_count, MPI_Datatype receive_type, MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_data(call, receive, receive_count, receive_type));
  const int in_place = send == MPI_IN_PLACE && !comm->local;
  if (in_place) {
    send = receive;
    send_count = receive_count;
    send_type = receive_type;
  }
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const size_t size = (size_t)comm->size;
  const void* data = mpi_packed(schedule, send, size * (size_t)send_count, send_type);
  struct mpi_block* out = mpi_even_blocks(schedule, comm, (void*)data, (size_t)send_count * send_type->bytes);
  if (data == receive) copy_blocks(schedule, comm, out);
  void* place = mpi_to_unpack(schedule, receive, size * (size_t)receive_count, receive_type);
  struct mpi_block* in = mpi_even_blocks(schedule, comm, place, (size_t)receive_count * receive_type->bytes);
  build(schedule, comm, out, in, 1);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Alltoall ---- */
int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open("MPI_Alltoall", send, send_count, send_type, receive, receive_count, receive_type, comm, &schedule));
  return mpi_schedule_make(schedule);
}

/* ---- MPI_Ialltoall ---- */
int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Ialltoall";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open(call, send, send_count, send_type, receive, receive_count, receive_type, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}

static int open_v(const char* call, const void* send, const int* send_counts, const int* send_offsets,
                  MPI_Datatype send_type, void* receive, const int* receive_counts, const int* receive_offsets,
                  MPI_Datatype receive_type, MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, receive_offsets, receive_type));
  const int in_place = send == MPI_IN_PLACE && !comm->local;
  if (in_place) {
    send = receive;
    send_counts = receive_counts;
    send_offsets = receive_offsets;
    send_type = receive_type;
  }
  MPI_TRY(mpi_check_counts(call, comm, send, send_counts, send_offsets, send_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  struct mpi_block* out = mpi_packed_blocks(schedule, comm, send, send_counts, send_offsets, send_type);
  if (in_place) copy_blocks(schedule, comm, out);
  build(schedule, comm, out,
        mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, receive_offsets, receive_type), 0);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Alltoallv, MPI_Ialltoallv ---- */
int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                  void* receive, const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type,
                  MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open_v("MPI_Alltoallv", send, send_counts, send_offsets, send_type, receive, receive_counts, receive_offsets,
                 receive_type, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                   void* receive, const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type,
                   MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Ialltoallv";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open_v(call, send, send_counts, send_offsets, send_type, receive, receive_counts, receive_offsets,
                 receive_type, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}

/* A type for each rank; offsets in bytes. */
static struct mpi_block block_w(struct mpi_schedule* schedule, const void* buffer, int count, int offset,
                                MPI_Datatype type, int fill) {
  char* at = (char*)buffer + offset;
  void* data =
      fill ? mpi_to_unpack(schedule, at, (size_t)count, type) : (void*)mpi_packed(schedule, at, (size_t)count, type);
  return (struct mpi_block){data, (size_t)count * type->bytes};
}

static int check_w(const char* call, MPI_Comm comm, const void* buffer, const int* counts, const int* offsets,
                   const MPI_Datatype* types) {
  if (!counts || !offsets || !types)
    return mpi_fail(call, MPI_ERR_ARG, "the counts, the offsets or the types are a null pointer");
  for (int i = 0; i < comm->size; ++i) MPI_TRY(mpi_check_data(call, buffer, counts[i], types[i]));
  return MPI_SUCCESS;
}

static int open_w(const char* call, const void* send, const int* send_counts, const int* send_offsets,
                  const MPI_Datatype* send_types, void* receive, const int* receive_counts, const int* receive_offsets,
                  const MPI_Datatype* receive_types, MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  const int in_place = send == MPI_IN_PLACE && !comm->local;
  if (in_place) {
    send = receive;
    send_counts = receive_counts;
    send_offsets = receive_offsets;
    send_types = receive_types;
  }
  MPI_TRY(check_w(call, comm, receive, receive_counts, receive_offsets, receive_types));
  MPI_TRY(check_w(call, comm, send, send_counts, send_offsets, send_types));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  struct mpi_block* out = mpi_schedule_room(schedule, (size_t)comm->size * sizeof *out);
  struct mpi_block* in = mpi_schedule_room(schedule, (size_t)comm->size * sizeof *in);
  for (int i = 0; i < comm->size; ++i) {
    out[i] = block_w(schedule, send, send_counts[i], send_offsets[i], send_types[i], 0);
    in[i] = block_w(schedule, receive, receive_counts[i], receive_offsets[i], receive_types[i], 1);
  }
  if (in_place) copy_blocks(schedule, comm, out);
  build(schedule, comm, out, in, 0);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Alltoallw, MPI_Ialltoallw ---- */
int MPI_Alltoallw(const void* send, const int* send_counts, const int* send_offsets, const MPI_Datatype* send_types,
                  void* receive, const int* receive_counts, const int* receive_offsets,
                  const MPI_Datatype* receive_types, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open_w("MPI_Alltoallw", send, send_counts, send_offsets, send_types, receive, receive_counts, receive_offsets,
                 receive_types, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Ialltoallw(const void* send, const int* send_counts, const int* send_offsets, const MPI_Datatype* send_types,
                   void* receive, const int* receive_counts, const int* receive_offsets,
                   const MPI_Datatype* receive_types, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Ialltoallw";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open_w(call, send, send_counts, send_offsets, send_types, receive, receive_counts, receive_offsets,
                 receive_types, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}
