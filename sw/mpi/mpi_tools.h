/* The interface for tools, MPI_T (MPI-3.1, 14.3): algorithms of collective operations as control variables, a count of
 * them as a performance variable. It may be used before MPI_Init and after MPI_Finalize. */
#ifndef SANVP_MPI_TOOLS_H
#define SANVP_MPI_TOOLS_H

#include "sw/mpi/mpi_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct MPI_tool_values_* MPI_T_enum;
typedef struct MPI_tool_control_* MPI_T_cvar_handle;
typedef struct MPI_tool_session_* MPI_T_pvar_session;
typedef struct MPI_tool_counter_* MPI_T_pvar_handle;
#define MPI_T_ENUM_NULL ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
extern struct MPI_tool_counter_ MPI_T_all_handles_;
#define MPI_T_PVAR_ALL_HANDLES (&MPI_T_all_handles_)

enum {
  MPI_T_VERBOSITY_USER_BASIC = 1,
  MPI_T_VERBOSITY_USER_DETAIL,
  MPI_T_VERBOSITY_USER_ALL,
  MPI_T_VERBOSITY_TUNER_BASIC,
  MPI_T_VERBOSITY_TUNER_DETAIL,
  MPI_T_VERBOSITY_TUNER_ALL,
  MPI_T_VERBOSITY_MPIDEV_BASIC,
  MPI_T_VERBOSITY_MPIDEV_DETAIL,
  MPI_T_VERBOSITY_MPIDEV_ALL
};
enum {
  MPI_T_BIND_NO_OBJECT,
  MPI_T_BIND_MPI_COMM,
  MPI_T_BIND_MPI_DATATYPE,
  MPI_T_BIND_MPI_ERRHANDLER,
  MPI_T_BIND_MPI_FILE,
  MPI_T_BIND_MPI_GROUP,
  MPI_T_BIND_MPI_OP,
  MPI_T_BIND_MPI_REQUEST,
  MPI_T_BIND_MPI_WIN,
  MPI_T_BIND_MPI_MESSAGE,
  MPI_T_BIND_MPI_INFO
};
enum {
  MPI_T_SCOPE_CONSTANT,
  MPI_T_SCOPE_READONLY,
  MPI_T_SCOPE_LOCAL,
  MPI_T_SCOPE_GROUP,
  MPI_T_SCOPE_GROUP_EQ,
  MPI_T_SCOPE_ALL,
  MPI_T_SCOPE_ALL_EQ
};
enum {
  MPI_T_PVAR_CLASS_STATE,
  MPI_T_PVAR_CLASS_LEVEL,
  MPI_T_PVAR_CLASS_SIZE,
  MPI_T_PVAR_CLASS_PERCENTAGE,
  MPI_T_PVAR_CLASS_HIGHWATERMARK,
  MPI_T_PVAR_CLASS_LOWWATERMARK,
  MPI_T_PVAR_CLASS_COUNTER,
  MPI_T_PVAR_CLASS_AGGREGATE,
  MPI_T_PVAR_CLASS_TIMER,
  MPI_T_PVAR_CLASS_GENERIC
};

/* ---- start, end, values: tool_controls.c ---- */
int MPI_T_init_thread(int required, int* provided);
int MPI_T_finalize(void);
int MPI_T_enum_get_info(MPI_T_enum values, int* count, char* name, int* name_length);
int MPI_T_enum_get_item(MPI_T_enum values, int index, int* value, char* name, int* name_length);

/* ---- control variables: tool_controls.c ---- */
int MPI_T_cvar_get_num(int* count);
int MPI_T_cvar_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* type, MPI_T_enum* values,
                        char* text, int* text_length, int* bind, int* scope);
int MPI_T_cvar_get_index(const char* name, int* index);
int MPI_T_cvar_handle_alloc(int index, void* object, MPI_T_cvar_handle* handle, int* count);
int MPI_T_cvar_handle_free(MPI_T_cvar_handle* handle);
int MPI_T_cvar_read(MPI_T_cvar_handle handle, void* value);
int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void* value);

/* ---- performance variables: tool_counters.c ---- */
int MPI_T_pvar_get_num(int* count);
int MPI_T_pvar_get_info(int index, char* name, int* name_length, int* verbosity, int* variable_class,
                        MPI_Datatype* type, MPI_T_enum* values, char* text, int* text_length, int* bind, int* readonly,
                        int* continuous, int* atomic);
int MPI_T_pvar_get_index(const char* name, int variable_class, int* index);
int MPI_T_pvar_session_create(MPI_T_pvar_session* session);
int MPI_T_pvar_session_free(MPI_T_pvar_session* session);
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void* object, MPI_T_pvar_handle* handle, int* count);
int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle);
int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value);
int MPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* value);
int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
int MPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value);

/* ---- categories: tool_categories.c ---- */
int MPI_T_category_get_num(int* count);
int MPI_T_category_get_info(int index, char* name, int* name_length, char* text, int* text_length, int* controls,
                            int* counters, int* categories);
int MPI_T_category_get_index(const char* name, int* index);
int MPI_T_category_get_cvars(int index, int most, int* indices);
int MPI_T_category_get_pvars(int index, int most, int* indices);
int MPI_T_category_get_categories(int index, int most, int* indices);
int MPI_T_category_changed(int* stamp);

#ifdef __cplusplus
}
#endif
#endif
