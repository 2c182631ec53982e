/* What the files of MPI share. */
#ifndef SANVP_MPI_INTERNAL_H
#define SANVP_MPI_INTERNAL_H

#include "sw/mpi/mpi.h"
#include "sw/transport/transport.h"

struct mpi_communicator {
  uint32_t context;    /* of its point-to-point messages; its collective ones have the next */
  int rank, size;      /* size 0: MPI_Init has not been called */
  unsigned* processes; /* [size] of the transport; null: rank and process are the same */
};

/* Element types that operations know. */
enum mpi_kind {
  MPI_KIND_I8,
  MPI_KIND_U8,
  MPI_KIND_I16,
  MPI_KIND_U16,
  MPI_KIND_I32,
  MPI_KIND_U32,
  MPI_KIND_I64,
  MPI_KIND_U64,
  MPI_KIND_FLOAT,
  MPI_KIND_DOUBLE
};

struct mpi_datatype {
  const char* name;
  size_t bytes;
  enum mpi_kind kind;
};

/* inout[i] = in[i] op inout[i] */
struct mpi_op {
  const char* name;
  void (*apply)(const void* in, void* inout, size_t count, enum mpi_kind kind);
};

struct mpi_request {
  struct transport_request* transport; /* null: it had nothing to do (MPI_PROC_NULL) */
  const char* call;                    /* which made it, for messages */
  MPI_Comm comm;
  size_t room; /* bytes of a receive's buffer */
  int receives;
};

/* Reports an error of `call` as the standard's default handler does: with a message, ending the job. */
int mpi_fail(const char* call, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

/* Check arguments of a call. Do not return where they are wrong. */
void mpi_check_comm(const char* call, MPI_Comm comm);
void mpi_check_data(const char* call, const void* buffer, int count, MPI_Datatype type);
void mpi_check_rank(const char* call, int rank, MPI_Comm comm);
void mpi_check_tag(const char* call, int tag);

/* ---- tags of the transport: context << 32 | tag ---- */
#define MPI_TAG_MASK 0xffffffffull
#define MPI_CONTEXT_MASK (~MPI_TAG_MASK)
uint64_t mpi_tag(MPI_Comm comm, int tag);
uint64_t mpi_collective_tag(MPI_Comm comm, int tag);
unsigned mpi_process(MPI_Comm comm, int rank);
int mpi_rank_of(MPI_Comm comm, unsigned process);

/* Waits for a started send or receive and fills in the status. */
int mpi_finish(struct mpi_request* request, MPI_Status* status);
void mpi_set_status(MPI_Status* status, int source, int tag, size_t bytes);

/* ---- messages inside collective operations ---- */
void mpi_collective_send(MPI_Comm comm, int to, int tag, const void* buffer, size_t bytes);
void mpi_collective_receive(MPI_Comm comm, int from, int tag, void* buffer, size_t bytes);
void mpi_collective_exchange(MPI_Comm comm, int peer, int tag, const void* out, void* in, size_t bytes);
enum mpi_collective_tags { MPI_TAG_BARRIER, MPI_TAG_BCAST, MPI_TAG_ALLREDUCE };

/* Costs of the library itself, in instructions (A, calibrated with the 5.5 us of 0 bytes). */
#define MPI_INSTRUCTIONS_CALL 100

#endif
