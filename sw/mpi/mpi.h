/* MPI for the virtual machines, a first part: what stands here is implemented, with the standard's meaning. What does
 * not is not declared yet. Upper half of sw/transport, which says what a network does for it.
 */
#ifndef SANVP_MPI_H
#define SANVP_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles: addresses of objects of the library ---- */
typedef struct mpi_communicator* MPI_Comm;
typedef const struct mpi_datatype* MPI_Datatype;
typedef const struct mpi_op* MPI_Op;
typedef struct mpi_request* MPI_Request;
typedef struct {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  size_t bytes_; /* of the message */
} MPI_Status;

extern struct mpi_communicator mpi_comm_world_;
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD (&mpi_comm_world_)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)

extern const struct mpi_datatype mpi_char_, mpi_signed_char_, mpi_unsigned_char_, mpi_byte_, mpi_short_,
    mpi_unsigned_short_, mpi_int_, mpi_unsigned_, mpi_long_, mpi_unsigned_long_, mpi_long_long_,
    mpi_unsigned_long_long_, mpi_float_, mpi_double_;
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_CHAR (&mpi_char_)
#define MPI_SIGNED_CHAR (&mpi_signed_char_)
#define MPI_UNSIGNED_CHAR (&mpi_unsigned_char_)
#define MPI_BYTE (&mpi_byte_)
#define MPI_SHORT (&mpi_short_)
#define MPI_UNSIGNED_SHORT (&mpi_unsigned_short_)
#define MPI_INT (&mpi_int_)
#define MPI_UNSIGNED (&mpi_unsigned_)
#define MPI_LONG (&mpi_long_)
#define MPI_UNSIGNED_LONG (&mpi_unsigned_long_)
#define MPI_LONG_LONG (&mpi_long_long_)
#define MPI_LONG_LONG_INT (&mpi_long_long_)
#define MPI_UNSIGNED_LONG_LONG (&mpi_unsigned_long_long_)
#define MPI_FLOAT (&mpi_float_)
#define MPI_DOUBLE (&mpi_double_)

extern const struct mpi_op mpi_sum_, mpi_prod_, mpi_max_, mpi_min_;
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_SUM (&mpi_sum_)
#define MPI_PROD (&mpi_prod_)
#define MPI_MAX (&mpi_max_)
#define MPI_MIN (&mpi_min_)

/* ---- values ---- */
#define MPI_VERSION 1
#define MPI_SUBVERSION 3
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-32766)
#define MPI_TAG_UB_VALUE 0x7fffffff
#define MPI_MAX_PROCESSOR_NAME 64
#define MPI_IN_PLACE ((void*)1)

enum {
  MPI_SUCCESS,
  MPI_ERR_BUFFER,
  MPI_ERR_COUNT,
  MPI_ERR_TYPE,
  MPI_ERR_TAG,
  MPI_ERR_COMM,
  MPI_ERR_RANK,
  MPI_ERR_REQUEST,
  MPI_ERR_ROOT,
  MPI_ERR_OP,
  MPI_ERR_TRUNCATE,
  MPI_ERR_ARG,
  MPI_ERR_OTHER,
  MPI_ERR_LASTCODE
};

/* ---- environment: environment.c ---- */
int MPI_Init(int* argc, char*** argv);
int MPI_Initialized(int* flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int code);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Get_processor_name(char* name, int* length);

/* ---- communicators: communicator.c ---- */
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_size(MPI_Comm comm, int* size);

/* ---- point to point: send.c, receive.c, wait.c ---- */
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive_buffer, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                 MPI_Comm comm, MPI_Status* status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);

/* ---- collective: barrier.c, broadcast.c, allreduce.c ---- */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/* ---- datatypes: datatype.c ---- */
int MPI_Type_size(MPI_Datatype type, int* size);

#ifdef __cplusplus
}
#endif
#endif
