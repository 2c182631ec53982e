/* MPI for the virtual machines: MPI-3.1, and what programs use of MPI-4, with the standard's meaning. A call that is
 * not implemented (CALLS.md) is a linker error that names it, never a call that does nothing. It is built on
 * sw/transport, which says what a network does for it.
 */
#ifndef SANVP_MPI_H
#define SANVP_MPI_H

#include "sw/mpi/mpi_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- environment: environment.c ---- */
int MPI_Init(int* argc, char*** argv);
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int MPI_Query_thread(int* provided);
int MPI_Is_thread_main(int* flag);
int MPI_Initialized(int* flag);
int MPI_Finalize(void);
int MPI_Finalized(int* flag);
int MPI_Abort(MPI_Comm comm, int code);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Get_processor_name(char* name, int* length);
int MPI_Get_version(int* version, int* subversion);
int MPI_Get_library_version(char* version, int* length);
int MPI_Pcontrol(const int level, ...);
int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base);
int MPI_Free_mem(void* base);

/* ---- errors: error_handlers.c, error_codes.c ---- */
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Errhandler_free(MPI_Errhandler* handler);
int MPI_Comm_create_errhandler(MPI_Handler_function* function, MPI_Errhandler* handler);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Comm_call_errhandler(MPI_Comm comm, int code);
int MPI_Error_string(int code, char* text, int* length);
int MPI_Error_class(int code, int* error_class);
int MPI_Add_error_class(int* error_class);
int MPI_Add_error_code(int error_class, int* code);
int MPI_Add_error_string(int code, const char* text);

/* ---- groups: group.c ---- */
int MPI_Group_size(MPI_Group group, int* size);
int MPI_Group_rank(MPI_Group group, int* rank);
int MPI_Group_translate_ranks(MPI_Group group1, int count, const int* ranks1, MPI_Group group2, int* ranks2);
int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result);
int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* made);
int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* made);
int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* made);
int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made);
int MPI_Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made);
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
int MPI_Group_free(MPI_Group* group);

/* ---- communicators: communicator.c, communicator_create.c, intercommunicator.c ---- */
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group);
int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request);
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* info);
int MPI_Comm_get_parent(MPI_Comm* parent);
int MPI_Comm_disconnect(MPI_Comm* comm);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made);
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm* made);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_set_name(MPI_Comm comm, const char* name);
int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length);
int MPI_Comm_test_inter(MPI_Comm comm, int* flag);
int MPI_Comm_remote_size(MPI_Comm comm, int* size);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group);
int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm bridge, int remote_leader, int tag, MPI_Comm* made);
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made);

/* ---- processes outside of the job, which do not exist here: dynamic_processes.c ---- */
int MPI_Comm_spawn(const char* command, char* argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made,
                   int* codes);
int MPI_Comm_spawn_multiple(int count, char** commands, char*** argvs, const int* most, const MPI_Info* infos, int root,
                            MPI_Comm comm, MPI_Comm* made, int* codes);
int MPI_Open_port(MPI_Info info, char* port_name);
int MPI_Close_port(const char* port_name);
int MPI_Comm_accept(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made);
int MPI_Comm_connect(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made);
int MPI_Comm_join(int fd, MPI_Comm* made);
int MPI_Publish_name(const char* service_name, MPI_Info info, const char* port_name);
int MPI_Unpublish_name(const char* service_name, MPI_Info info, const char* port_name);
int MPI_Lookup_name(const char* service_name, MPI_Info info, char* port_name);

/* ---- info of MPI-4; the others are in mpi_windows.h: info.c ---- */
int MPI_Info_get_string(MPI_Info info, const char* key, int* room, char* value, int* flag);
int MPI_Info_create_env(int argc, char* argv[], MPI_Info* info);

/* ---- attributes: attribute_calls.c ---- */
int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* release, int* keyval, void* extra);
int MPI_Keyval_free(int* keyval);
int MPI_Attr_put(MPI_Comm comm, int keyval, void* value);
int MPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag);
int MPI_Attr_delete(MPI_Comm comm, int keyval);
int MPI_Comm_create_keyval(MPI_Copy_function* copy, MPI_Delete_function* release, int* keyval, void* extra);
int MPI_Comm_free_keyval(int* keyval);
int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value);
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag);
int MPI_Comm_delete_attr(MPI_Comm comm, int keyval);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* release, int* keyval,
                           void* extra);
int MPI_Type_free_keyval(int* keyval);
int MPI_Type_set_attr(MPI_Datatype type, int keyval, void* value);
int MPI_Type_get_attr(MPI_Datatype type, int keyval, void* value, int* flag);
int MPI_Type_delete_attr(MPI_Datatype type, int keyval);

/* ---- sending: send.c, buffered.c ---- */
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Rsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Bsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Irsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Ibsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Buffer_attach(void* buffer, int bytes);
int MPI_Buffer_detach(void* buffer, int* bytes);

/* ---- receiving: receive.c, exchange.c, matched.c, status.c ---- */
int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive_buffer, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                 MPI_Comm comm, MPI_Status* status);
int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from, int receive_tag,
                         MPI_Comm comm, MPI_Status* status);
int MPI_Isendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int to, int send_tag,
                  void* receive_buffer, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                  MPI_Comm comm, MPI_Request* request);
int MPI_Isendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from, int receive_tag,
                          MPI_Comm comm, MPI_Request* request);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status);
int MPI_Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status);
int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status);
int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count);
int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count);
int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count);
int MPI_Status_set_cancelled(MPI_Status* status, int flag);

/* ---- ends: wait.c, test.c, request_free.c ---- */
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);
int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status);
int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status);
int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);
int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status);
int MPI_Request_free(MPI_Request* request);
int MPI_Cancel(MPI_Request* request);
int MPI_Test_cancelled(const MPI_Status* status, int* flag);

/* ---- generalized requests: generalized.c ---- */
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request);
int MPI_Grequest_complete(MPI_Request request);

/* ---- persistent requests: send.c ---- */
int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Bsend_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Ssend_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Rsend_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Start(MPI_Request* request);
int MPI_Startall(int count, MPI_Request* requests);

/* ---- collective: a file for each ---- */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Scatterv(const void* send, const int* send_counts, const int* offsets, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                   const int* offsets, MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                  void* receive, const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type,
                  MPI_Comm comm);
int MPI_Alltoallw(const void* send, const int* send_counts, const int* send_offsets, const MPI_Datatype* send_types,
                  void* receive, const int* receive_counts, const int* receive_offsets,
                  const MPI_Datatype* receive_types, MPI_Comm comm);
int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);
int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                 const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iscatterv(const void* send, const int* send_counts, const int* offsets, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                    const int* offsets, MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                   void* receive, const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type,
                   MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoallw(const void* send, const int* send_counts, const int* send_offsets, const MPI_Datatype* send_types,
                   void* receive, const int* receive_counts, const int* receive_offsets,
                   const MPI_Datatype* receive_types, MPI_Comm comm, MPI_Request* request);
int MPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request);
int MPI_Ireduce_scatter(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request* request);
int MPI_Ireduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request);
int MPI_Iscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request);
int MPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request);
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op);
int MPI_Op_free(MPI_Op* op);
int MPI_Op_commutative(MPI_Op op, int* commutes);
int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op);

/* ---- persistent collective operations of MPI-4: persistent_collective.h, persistent_calls.c, persistent_neighbors.c
 * ---- */
int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Bcast_init(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request);
int MPI_Gather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Gatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                     const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request);
int MPI_Scatter_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                     MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Scatterv_init(const void* send, const int* send_counts, const int* offsets, MPI_Datatype send_type,
                      void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request);
int MPI_Allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                       MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                        MPI_Info info, MPI_Request* request);
int MPI_Alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Alltoallv_init(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                       void* receive, const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type,
                       MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Alltoallw_init(const void* send, const int* send_counts, const int* send_offsets,
                       const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                       const int* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm, MPI_Info info,
                       MPI_Request* request);
int MPI_Reduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request);
int MPI_Allreduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_init(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_block_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Scan_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request);
int MPI_Exscan_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request);
int MPI_Neighbor_allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);
int MPI_Neighbor_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                 const int* receive_counts, const int* offsets, MPI_Datatype receive_type,
                                 MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                               int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                               MPI_Request* request);
int MPI_Neighbor_alltoallv_init(const void* send, const int* send_counts, const int* send_offsets,
                                MPI_Datatype send_type, void* receive, const int* receive_counts,
                                const int* receive_offsets, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);
int MPI_Neighbor_alltoallw_init(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                                const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                                const MPI_Aint* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm,
                                MPI_Info info, MPI_Request* request);

/* ---- datatypes: datatype.c, datatype_create.c, datatype_array.c, type_contents.c, pack.c,
 * pack_external.c ---- */
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_indexed(int count, const int* lengths, const int* offsets, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* offsets, MPI_Datatype old,
                             MPI_Datatype* made);
int MPI_Type_create_indexed_block(int count, int length, const int* offsets, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint* offsets, MPI_Datatype old,
                                   MPI_Datatype* made);
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* offsets, const MPI_Datatype* types,
                           MPI_Datatype* made);
int MPI_Type_create_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts, int order,
                             MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_darray(int size, int rank, int dimensions, const int* sizes, const int* distributions,
                           const int* arguments, const int* processes, int order, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made);
int MPI_Type_dup(MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_hindexed(int count, const int* lengths, const MPI_Aint* offsets, MPI_Datatype old, MPI_Datatype* made);
int MPI_Type_struct(int count, const int* lengths, const MPI_Aint* offsets, const MPI_Datatype* types,
                    MPI_Datatype* made);
int MPI_Type_commit(MPI_Datatype* type);
int MPI_Type_free(MPI_Datatype* type);
int MPI_Type_size(MPI_Datatype type, int* size);
int MPI_Type_size_x(MPI_Datatype type, MPI_Count* size);
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent);
int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent);
int MPI_Type_create_f90_real(int digits, int range, MPI_Datatype* made);
int MPI_Type_create_f90_complex(int digits, int range, MPI_Datatype* made);
int MPI_Type_create_f90_integer(int range, MPI_Datatype* made);
int MPI_Type_match_size(int type_class, int size, MPI_Datatype* type);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lower);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint* upper);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent);
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent);
int MPI_Type_set_name(MPI_Datatype type, const char* name);
int MPI_Type_get_name(MPI_Datatype type, char* name, int* length);
int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner);
int MPI_Type_get_contents(MPI_Datatype type, int integers_most, int addresses_most, int types_most, int* integers,
                          MPI_Aint* addresses, MPI_Datatype* types);
int MPI_Address(const void* location, MPI_Aint* address);
int MPI_Get_address(const void* location, MPI_Aint* address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance);
MPI_Aint MPI_Aint_diff(MPI_Aint address1, MPI_Aint address2);
int MPI_Pack(const void* in, int count, MPI_Datatype type, void* packed, int packed_bytes, int* position,
             MPI_Comm comm);
int MPI_Unpack(const void* packed, int packed_bytes, int* position, void* out, int count, MPI_Datatype type,
               MPI_Comm comm);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* bytes);
int MPI_Pack_external(const char* representation, const void* in, int count, MPI_Datatype type, void* packed,
                      MPI_Aint packed_bytes, MPI_Aint* position);
int MPI_Unpack_external(const char* representation, const void* packed, MPI_Aint packed_bytes, MPI_Aint* position,
                        void* out, int count, MPI_Datatype type);
int MPI_Pack_external_size(const char* representation, int count, MPI_Datatype type, MPI_Aint* bytes);

/* ---- topologies: topology.c, cartesian.c, graph.c, distributed_graph.c ---- */
int MPI_Dims_create(int nodes, int dimensions, int* sizes);
int MPI_Topo_test(MPI_Comm comm, int* kind);
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int* sizes, const int* periods, int reorder, MPI_Comm* made);
int MPI_Cartdim_get(MPI_Comm comm, int* dimensions);
int MPI_Cart_get(MPI_Comm comm, int most, int* sizes, int* periods, int* coordinates);
int MPI_Cart_rank(MPI_Comm comm, const int* coordinates, int* rank);
int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int* coordinates);
int MPI_Cart_shift(MPI_Comm comm, int dimension, int distance, int* lower, int* upper);
int MPI_Cart_sub(MPI_Comm comm, const int* keeps, MPI_Comm* made);
int MPI_Cart_map(MPI_Comm comm, int dimensions, const int* sizes, const int* periods, int* rank);
int MPI_Graph_create(MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* made);
int MPI_Graphdims_get(MPI_Comm comm, int* nodes, int* edges);
int MPI_Graph_get(MPI_Comm comm, int index_most, int edges_most, int* index, int* edges);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* count);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int* neighbors);
int MPI_Graph_map(MPI_Comm comm, int nodes, const int* index, const int* edges, int* rank);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int* from, const int* from_weights, int out,
                                   const int* to, const int* to_weights, MPI_Info info, int reorder, MPI_Comm* made);
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int* from, const int* degrees, const int* to,
                          const int* weights, MPI_Info info, int reorder, MPI_Comm* made);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* in, int* out, int* weighted);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int in_most, int* from, int* from_weights, int out_most, int* to,
                             int* to_weights);

/* ---- collective among neighbours: neighborhood.c ---- */
int MPI_Neighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Ineighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                            MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Neighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                            const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Ineighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                             MPI_Request* request);
int MPI_Neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                          MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Ineighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Neighbor_alltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                           void* receive, const int* receive_counts, const int* receive_offsets,
                           MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Ineighbor_alltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                            void* receive, const int* receive_counts, const int* receive_offsets,
                            MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request);
int MPI_Neighbor_alltoallw(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                           const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                           const MPI_Aint* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm);
int MPI_Ineighbor_alltoallw(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                            const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                            const MPI_Aint* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm,
                            MPI_Request* request);

/* ---- handles of Fortran: fortran_handles.c ---- */
MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
MPI_Comm MPI_Comm_f2c(MPI_Fint number);
MPI_Fint MPI_Group_c2f(MPI_Group group);
MPI_Group MPI_Group_f2c(MPI_Fint number);
MPI_Fint MPI_Type_c2f(MPI_Datatype type);
MPI_Datatype MPI_Type_f2c(MPI_Fint number);
MPI_Fint MPI_Op_c2f(MPI_Op op);
MPI_Op MPI_Op_f2c(MPI_Fint number);
MPI_Fint MPI_Request_c2f(MPI_Request request);
MPI_Request MPI_Request_f2c(MPI_Fint number);
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handler);
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint number);
int MPI_Status_c2f(const MPI_Status* status, MPI_Fint* number);
int MPI_Status_f2c(const MPI_Fint* number, MPI_Status* status);
int MPI_Status_c2f08(const MPI_Status* status, MPI_F08_status* made);
int MPI_Status_f082c(const MPI_F08_status* status, MPI_Status* made);
int MPI_Status_f2f08(const MPI_Fint* number, MPI_F08_status* made);
int MPI_Status_f082f(const MPI_F08_status* status, MPI_Fint* number);
MPI_Fint MPI_Message_c2f(MPI_Message message);
MPI_Message MPI_Message_f2c(MPI_Fint number);
MPI_Fint MPI_Info_c2f(MPI_Info info);
MPI_Info MPI_Info_f2c(MPI_Fint number);

#ifdef __cplusplus
}
#endif

#include "sw/mpi/mpi_files.h"
#include "sw/mpi/mpi_tools.h"
#include "sw/mpi/mpi_windows.h"

/* The profiling interface, PMPI_ names of all calls: made while the library is built (scripts/profile_calls.py). */
#ifdef __has_include
#if __has_include(<sw/mpi/pmpi.h>)
#include <sw/mpi/pmpi.h>
#endif
#endif

#endif
