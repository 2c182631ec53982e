/* Windows (windows/) and info. */
#ifndef SANVP_MPI_WINDOWS_H
#define SANVP_MPI_WINDOWS_H

#include "sw/mpi/mpi_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- info: info.c ---- */
int MPI_Info_create(MPI_Info* info);
int MPI_Info_dup(MPI_Info info, MPI_Info* made);
int MPI_Info_free(MPI_Info* info);
int MPI_Info_set(MPI_Info info, const char* key, const char* value);
int MPI_Info_delete(MPI_Info info, const char* key);
int MPI_Info_get(MPI_Info info, const char* key, int room, char* value, int* flag);
int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* flag);
int MPI_Info_get_nkeys(MPI_Info info, int* count);
int MPI_Info_get_nthkey(MPI_Info info, int index, char* key);

/* ---- windows ---- */
int MPI_Win_create(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window);
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window);
int MPI_Win_free(MPI_Win* window);
int MPI_Win_get_group(MPI_Win window, MPI_Group* group);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* release, int* keyval,
                          void* extra);
int MPI_Win_free_keyval(int* keyval);
int MPI_Win_set_attr(MPI_Win window, int keyval, void* value);
int MPI_Win_get_attr(MPI_Win window, int keyval, void* value, int* flag);
int MPI_Win_delete_attr(MPI_Win window, int keyval);
int MPI_Win_set_name(MPI_Win window, const char* name);
int MPI_Win_get_name(MPI_Win window, char* name, int* length);
int MPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handler);
int MPI_Win_set_errhandler(MPI_Win window, MPI_Errhandler handler);
int MPI_Win_get_errhandler(MPI_Win window, MPI_Errhandler* handler);
int MPI_Win_call_errhandler(MPI_Win window, int code);
int MPI_Win_get_info(MPI_Win window, MPI_Info* info);
int MPI_Win_set_info(MPI_Win window, MPI_Info info);
int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window);
int MPI_Win_shared_query(MPI_Win window, int rank, MPI_Aint* bytes, int* unit, void* base);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window);
int MPI_Win_attach(MPI_Win window, void* base, MPI_Aint bytes);
int MPI_Win_detach(MPI_Win window, const void* base);
int MPI_Win_flush_local(int rank, MPI_Win window);
int MPI_Win_flush_local_all(MPI_Win window);
int MPI_Win_sync(MPI_Win window);
int MPI_Win_fence(int assertion, MPI_Win window);
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window);
int MPI_Win_complete(MPI_Win window);
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win window);
int MPI_Win_wait(MPI_Win window);
int MPI_Win_test(MPI_Win window, int* flag);
int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win window);
int MPI_Win_unlock(int rank, MPI_Win window);
int MPI_Win_lock_all(int assertion, MPI_Win window);
int MPI_Win_unlock_all(MPI_Win window);
int MPI_Win_flush(int rank, MPI_Win window);
int MPI_Win_flush_all(MPI_Win window);
int MPI_Put(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
            MPI_Datatype remote_type, MPI_Win window);
int MPI_Get(void* buffer, int count, MPI_Datatype type, int from, MPI_Aint offset, int remote_count,
            MPI_Datatype remote_type, MPI_Win window);
int MPI_Accumulate(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
                   MPI_Datatype remote_type, MPI_Op op, MPI_Win window);
int MPI_Fetch_and_op(const void* buffer, void* result, MPI_Datatype type, int to, MPI_Aint offset, MPI_Op op,
                     MPI_Win window);
int MPI_Compare_and_swap(const void* buffer, const void* comparand, void* result, MPI_Datatype type, int to,
                         MPI_Aint offset, MPI_Win window);

int MPI_Get_accumulate(const void* buffer, int count, MPI_Datatype type, void* result, int result_count,
                       MPI_Datatype result_type, int to, MPI_Aint offset, int remote_count, MPI_Datatype remote_type,
                       MPI_Op op, MPI_Win window);
int MPI_Rput(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
             MPI_Datatype remote_type, MPI_Win window, MPI_Request* request);
int MPI_Rget(void* buffer, int count, MPI_Datatype type, int from, MPI_Aint offset, int remote_count,
             MPI_Datatype remote_type, MPI_Win window, MPI_Request* request);
int MPI_Raccumulate(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint offset, int remote_count,
                    MPI_Datatype remote_type, MPI_Op op, MPI_Win window, MPI_Request* request);
int MPI_Rget_accumulate(const void* buffer, int count, MPI_Datatype type, void* result, int result_count,
                        MPI_Datatype result_type, int to, MPI_Aint offset, int remote_count, MPI_Datatype remote_type,
                        MPI_Op op, MPI_Win window, MPI_Request* request);
MPI_Fint MPI_Win_c2f(MPI_Win window);
MPI_Win MPI_Win_f2c(MPI_Fint number);

#ifdef __cplusplus
}
#endif
#endif
