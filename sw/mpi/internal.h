/* Shared by the files of MPI. */
#ifndef SANVP_MPI_INTERNAL_H
#define SANVP_MPI_INTERNAL_H

#include "sw/mpi/layout.h"
#include "sw/mpi/mpi.h"
#include "sw/transport/transport.h"

/* Every object begins with this. A freed object's memory is kept for the next one, so that stale handles are detected.
 */
struct mpi_object {
  unsigned references; /* 0: freed */
};

struct MPI_group_ {
  struct mpi_object object;
  int size, rank;      /* rank: this process's; MPI_UNDEFINED: it is no member */
  unsigned* processes; /* [size] of the transport */
};

struct MPI_errhandler_ {
  struct mpi_object object;
  MPI_Handler_function* function; /* null: a predefined one */
};

struct mpi_attribute {
  struct mpi_attribute* next;
  int keyval;
  void* value;
};

/* A rank's sources and destinations. */
struct mpi_neighbors {
  int in, out;
  int *from, *to;                 /* [in], [out] */
  int *from_weights, *to_weights; /* of a graph that is weighted */
  int weighted;
};

struct mpi_topology {
  int kind;                           /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
  int dimensions;                     /* of a grid; nodes of a graph */
  int *sizes, *periods, *coordinates; /* [dimensions] of a grid; coordinates of this rank */
  int *index, *edges;                 /* of a graph, as in MPI_Graph_create */
  struct mpi_neighbors neighbors;     /* of a distributed graph */
};

struct MPI_communicator_ {
  struct mpi_object object;
  uint32_t context;     /* of its point-to-point messages; collective operations use the next one */
  int rank, size;       /* size 0: MPI does not run */
  unsigned* processes;  /* [size] of the transport; null: rank and process are the same */
  MPI_Comm local;       /* of an intercommunicator: the local group's; the fields above are the other group's. Null: no
                           intercommunicator */
  uint32_t collectives; /* collective operations so far: keeps their messages apart */
  int group_wanted;     /* an operation that the network may do has asked for it */
  struct transport_group* group; /* null: the network does nothing for this communicator, or was not asked */
  struct MPI_errhandler_* handler;
  struct mpi_attribute* attributes;
  struct mpi_topology* topology; /* null: none */
  char name[MPI_MAX_OBJECT_NAME];
};

/* inout[i] = in[i] op inout[i] */
struct MPI_op_ {
  unsigned references; /* 0: freed */
  const char* name;
  int (*apply)(const void* in, void* inout, size_t count, enum mpi_kind kind); /* whether it is defined for the kind */
  MPI_User_function* user;                                                     /* instead, the program's own */
  int commutes;
};

int mpi_check_op(const char* call, MPI_Op op, MPI_Datatype type); /* defined for the type */
void mpi_op_apply(MPI_Op op, const void* in, void* inout, size_t count, MPI_Datatype type);
void mpi_op_hold(MPI_Op op);
void mpi_op_release(MPI_Op op);

struct mpi_schedule; /* of a nonblocking collective operation */
struct mpi_generalized;

/* A send or receive as the program asked for it. */
enum mpi_what {
  SEND_STANDARD,
  SEND_SYNCHRONOUS,
  SEND_BUFFERED,
  RECEIVE,
  COLLECTIVE /* none: what a persistent operation starts is in `buffer` (persistent_collective.h) */
};
struct mpi_message {
  enum mpi_what what;
  void* buffer;
  int count;
  MPI_Datatype type;
  int peer, tag;
};

struct MPI_request_ {
  struct mpi_object object;
  const char* call; /* that made it, for error messages */
  MPI_Comm comm;
  struct mpi_schedule* schedule;       /* of a collective operation */
  struct mpi_generalized* generalized; /* the program's own operation */
  struct transport_request* transport; /* under way; null: done, or nothing to do (MPI_PROC_NULL) */
  struct transport_status got;         /* of a receive that is done */
  struct mpi_message message;
  void* staging;             /* packed data, where the type has gaps */
  struct mpi_staged* staged; /* of a collective operation: copies of sections of arrays (section.h) */
  size_t room;               /* bytes of a receive's buffer */
  uint64_t buffered;         /* number of the buffered send */
  int persistent, active, cancelled;
  struct MPI_request_* next; /* among the free ones, or those that the program freed before their end */
};

/* ---- errors ----
 * mpi_fail reports an error of `call` to the handler of the communicator that the call was given (the one checked last;
 * MPI_COMM_WORLD if it has none), and returns the code: a call ends with it. */
int mpi_fail(const char* call, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));
int mpi_fail_on(MPI_Comm comm, const char* call, int code, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
const char* mpi_present_call(void);   /* the call that was checked last */
const char* mpi_error_name(int code); /* as in the header; valid until the next call */
int mpi_last_error_code(void);        /* the program's codes are above the standard's */

/* Check arguments of a call: return MPI_SUCCESS or the result of mpi_fail. With that, MPI_TRY ends the call. */
#define MPI_TRY(check)                            \
  do {                                            \
    const int MPI_try_ = (check);                 \
    if (MPI_try_ != MPI_SUCCESS) return MPI_try_; \
  } while (0)
int mpi_check_running(const char* call); /* for calls without a communicator */
int mpi_check_comm(const char* call, MPI_Comm comm);
int mpi_check_intra(const char* call, MPI_Comm comm); /* and that it is no intercommunicator */
int mpi_check_data(const char* call, const void* buffer, int count,
                   MPI_Datatype type); /* and that the type is committed */
/* The same of a message, but MPI_NO_TYPE, not reported, if it has no type. */
#define MPI_NO_TYPE (-1)
int mpi_check_message_data(const char* call, const void* buffer, int count, MPI_Datatype type);
int mpi_check_type(const char* call, MPI_Datatype type);
int mpi_check_lone_type(const char* call, MPI_Datatype type); /* of a call without a communicator */
int mpi_check_rank(const char* call, int rank, MPI_Comm comm);
int mpi_check_root(const char* call, int root, MPI_Comm comm);
int mpi_check_tag(const char* call, int tag);
int mpi_check_group(const char* call, MPI_Group group);
int mpi_check_result(const char* call, const void* place); /* a pointer for a result */

int mpi_error_code_of(int error_class,
                      const char* text); /* a code of the library with this text; the same text has the same code */

/* ---- nodes that have died (deaths.c): 1 + the node, 0: none ---- */
void mpi_deaths_start(void);
void mpi_deaths_serve_threads(void);
int mpi_death_among(MPI_Comm comm); /* of its members */
int mpi_death_of(unsigned process); /* because of which it cannot be reached */
/* From now on a collective operation of this communicator waits; null: none does. Returns the previous one. */
MPI_Comm mpi_waits_among(MPI_Comm comm);
/* From now on MPI_ANY_SOURCE means a member of this communicator; null: any process. */
void mpi_any_source_is_of(MPI_Comm comm);
int mpi_fail_dead(MPI_Comm comm, const char* call, int dead); /* as mpi_fail_on */

/* ---- memory of the library, to be freed ----
 * Never null: if none is left, the handler gets MPI_ERR_NO_MEM, and the job ends. */
void* mpi_memory(size_t bytes);
void* mpi_zeroed_memory(size_t bytes);
void* mpi_larger_memory(void* memory, size_t bytes);

/* ---- tags of the transport: context << 32 | tag ---- */
#define MPI_TAG_MASK 0xffffffffull
#define MPI_CONTEXT_MASK (~MPI_TAG_MASK)
uint64_t mpi_tag(MPI_Comm comm, int tag);
uint64_t mpi_collective_tag(MPI_Comm comm, int tag);
unsigned mpi_process(MPI_Comm comm, int rank);
int mpi_rank_of(MPI_Comm comm, unsigned process);

/* ---- communicators and groups ---- */
/* Collective over `parent`, which is no intercommunicator: a context that is unused in it. */
int mpi_agree_context(MPI_Comm parent, uint32_t* context);
/* The same in two steps: what this process proposes for so many communicators (1 or 2), of which all take the highest;
 * marks that as taken. */
#define MPI_CONTEXTS_EACH 2u /* contexts of one communicator: see struct MPI_communicator_ */
uint32_t mpi_next_context(uint32_t communicators);
void mpi_contexts_serve_threads(void); /* with MPI_THREAD_MULTIPLE */
void mpi_context_taken(uint32_t context);
unsigned* mpi_processes_copy(const unsigned* processes, int count);
/* A process's arguments when a communicator is split, and the members of the result. */
struct mpi_member {
  int color, key, rank;
  unsigned process;
  uint32_t next_context;
};
struct mpi_side {
  int size;
  unsigned* processes;
};
uint32_t mpi_members_context(const struct mpi_member* members, int count,
                             uint32_t least); /* a context that all can use */
struct mpi_member mpi_member_self(MPI_Comm comm, int color, int key);
struct mpi_side mpi_members_of(struct mpi_member* members, int count,
                               int color); /* in the order of their keys; sorts `members` */
int mpi_side_rank(struct mpi_side side);   /* of this process, a member */
/* Of intercommunicators. Without attributes. */
MPI_Comm mpi_intercomm_copy(MPI_Comm comm, uint32_t context); /* its local communicators use the next context */
int mpi_intercomm_dup(MPI_Comm comm, MPI_Comm* made);
int mpi_intercomm_split(const char* call, MPI_Comm comm, int color, int key, MPI_Comm* made);
int mpi_intercomm_create_of(MPI_Comm comm, MPI_Group group, MPI_Comm* made);
/* A communicator of `size` processes, whose array it keeps. It gets the parent's handler. */
MPI_Comm mpi_comm_new(MPI_Comm parent, uint32_t context, int rank, int size, unsigned* processes);
void mpi_comm_start(void);         /* makes the predefined ones */
void mpi_comm_hold(MPI_Comm comm); /* one more user: freed when the last one releases it */
void mpi_comm_release(MPI_Comm comm);
MPI_Group mpi_group_new(int size); /* the caller fills in the processes, then calls mpi_group_find_self */
void mpi_group_find_self(MPI_Group group);
int mpi_group_index(MPI_Group group, unsigned process); /* MPI_UNDEFINED: it is no member */
struct mpi_topology* mpi_topology_copy(const struct mpi_topology* topology);
void mpi_topology_free(struct mpi_topology* topology);

/* ---- requests: checked, started, done, concluded ---- */
/* MPI_NO_TYPE: it lacks a type, which is permitted without elements and process. The second gives it one. */
int mpi_check_message(const char* call, const struct mpi_message* message, MPI_Comm comm);
int mpi_complete_message(const char* call, struct mpi_message* message, MPI_Comm comm);
/* A request for the program: it holds its communicator and its type. `message` may be null. */
struct MPI_request_* mpi_request_new(const char* call, MPI_Comm comm, const struct mpi_message* message);
void mpi_request_give(struct MPI_request_* request);
int mpi_check_request(const char* call, MPI_Request* request); /* a null request is valid */
int mpi_start(struct MPI_request_* request);
int mpi_done(MPI_Request request);                          /* does not wait; a null or inactive request is done */
int mpi_has_ended(MPI_Request request);                     /* the same, just after mpi_progress */
struct transport_request* mpi_pending(MPI_Request request); /* what a request that is not done waits for */
void mpi_await(struct MPI_request_* request);
/* Ends a request that is done. The second call also makes the handle null, or a persistent request inactive. */
int mpi_conclude(struct MPI_request_* request, MPI_Status* status);
int mpi_conclude_handle(MPI_Request* request, MPI_Status* status);
/* Copies the data of a receive that is done from the library's memory into the program's buffer, once. */
void mpi_deliver(struct MPI_request_* request);                       /* `request` may be null */
int mpi_peek(const struct MPI_request_* request, MPI_Status* status); /* only the status; `request` may be null */
void mpi_set_status(MPI_Status* status, int source, int tag, size_t bytes);
void mpi_empty_status(MPI_Status* status);
void mpi_finish_orphans(void); /* requests that the program freed before their end */
/* The matching arguments for the transport. */
struct mpi_wanted {
  unsigned from;
  uint64_t tag, mask;
};
struct mpi_wanted mpi_wanted_of(int from, int tag, MPI_Comm comm);
int mpi_check_source(const char* call, int from, int tag, MPI_Comm comm);
/* MPI_Probe, or, with a flag, MPI_Iprobe. */
int mpi_probe(const char* call, int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status,
              struct transport_status* got);

/* ---- generalized requests ---- */
/* An operation of the library that is more than one message, instead of the program's functions. */
struct mpi_kind_of_operation {
  int (*done)(void* extra); /* also sets the request's transport to what a wait watches */
  void (*wait)(void* extra);
  int (*query)(void* extra, MPI_Status* status);
  int (*conclude)(void* extra);   /* frees `extra` */
  void (*give_away)(void* extra); /* the request is freed before its end */
};
MPI_Request mpi_request_of(const char* call, MPI_Comm comm, const struct mpi_kind_of_operation* kind, void* extra);
void* mpi_extra_of(MPI_Request request);
int mpi_generalized_done(const struct mpi_generalized* operation);
/* From now on another thread may complete one that a thread waits for. */
void mpi_generalized_serve_threads(void);
/* Call the program's functions, and return their results. */
int mpi_generalized_query(const struct mpi_generalized* operation, MPI_Status* status);
int mpi_generalized_cancel(const struct mpi_generalized* operation);
int mpi_generalized_free(struct mpi_generalized* operation);
/* An access of a file, which ends at this time (hal_time_ps; 0: it has ended), and has moved these bytes. */
MPI_Request mpi_request_until(const char* call, uint64_t end_ps, size_t bytes);
/* Waits for one. Ends the job if it is the program's and not complete, and no other thread could complete it. */
void mpi_generalized_wait(const struct mpi_generalized* operation);
/* Sleeps until one of those among the requests may have ended; with `others`, requests that wait for messages, it
 * returns earlier, to look for these. Returns 0, and has not slept, if only these may end. */
int mpi_generalized_pause(int count, const MPI_Request* requests, int others);
int mpi_generalized_give_away(struct MPI_request_* request); /* it is freed when it is complete */

/* ---- buffered sends ---- */
int mpi_buffered_send(struct MPI_request_* request);
int mpi_buffered_cancel(const struct MPI_request_* request); /* whether its copy could be cancelled */
void mpi_buffered_finish(void);

#endif
