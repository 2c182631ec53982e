/* Handles, types and constants of MPI. */
#ifndef SANVP_MPI_TYPES_H
#define SANVP_MPI_TYPES_H

/* NOLINTBEGIN(modernize-*): C */
#include <stddef.h>
#include <stdint.h>

#include "sw/abi/mpi_numbers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles: addresses of objects of the library ---- */
typedef struct MPI_communicator_* MPI_Comm;
typedef struct MPI_group_* MPI_Group;
typedef struct MPI_datatype_* MPI_Datatype;
typedef struct MPI_op_* MPI_Op;
typedef struct MPI_request_* MPI_Request;
typedef struct MPI_errhandler_* MPI_Errhandler;
typedef struct MPI_info_* MPI_Info;
typedef struct MPI_matched_* MPI_Message;
typedef struct MPI_window_* MPI_Win;
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;
#define MPI_F_STATUS_SIZE ((int)(sizeof(MPI_Status) / sizeof(MPI_Fint)))
typedef struct {
  MPI_Fint MPI_SOURCE, MPI_TAG, MPI_ERROR;
  MPI_Fint cancelled_;
  size_t bytes_;
} MPI_F08_status; /* of Fortran 2008: the same bytes */
#define MPI_F08_STATUS_IGNORE ((MPI_F08_status*)0)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status*)0)
#define MPI_F_STATUS_IGNORE ((MPI_Fint*)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint*)0)

/* Handles are addresses of objects. */
extern struct MPI_communicator_ MPI_comm_world_, MPI_comm_self_;
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD (&MPI_comm_world_)
#define MPI_COMM_SELF (&MPI_comm_self_)
extern struct MPI_group_ MPI_group_empty_;
#define MPI_GROUP_NULL ((MPI_Group)0)
#define MPI_GROUP_EMPTY (&MPI_group_empty_)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
/* For MPI_Comm_spawn. */
#define MPI_ARGV_NULL ((char**)0)
#define MPI_ARGVS_NULL ((char***)0)
#define MPI_ERRCODES_IGNORE ((int*)0)
extern struct MPI_errhandler_ MPI_errors_are_fatal_, MPI_errors_return_;
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0)
#define MPI_ERRORS_ARE_FATAL (&MPI_errors_are_fatal_)
#define MPI_ERRORS_RETURN (&MPI_errors_return_)
#define MPI_INFO_NULL ((MPI_Info)0)
extern struct MPI_info_ MPI_info_env_;
#define MPI_INFO_ENV (&MPI_info_env_)
extern struct MPI_matched_ MPI_message_no_proc_;
#define MPI_MESSAGE_NULL ((MPI_Message)0)
#define MPI_MESSAGE_NO_PROC (&MPI_message_no_proc_)
#define MPI_WIN_NULL ((MPI_Win)0)

/* ---- predefined datatypes ---- */
extern struct MPI_datatype_ MPI_char_, MPI_signed_char_, MPI_unsigned_char_, MPI_byte_, MPI_packed_, MPI_short_,
    MPI_unsigned_short_, MPI_int_, MPI_unsigned_, MPI_long_, MPI_unsigned_long_, MPI_long_long_,
    MPI_unsigned_long_long_, MPI_float_, MPI_double_, MPI_long_double_, MPI_wchar_, MPI_bool_, MPI_int8_, MPI_uint8_,
    MPI_int16_, MPI_uint16_, MPI_int32_, MPI_uint32_, MPI_int64_, MPI_uint64_, MPI_aint_, MPI_offset_, MPI_count_,
    MPI_float_complex_, MPI_double_complex_, MPI_long_double_complex_, MPI_float_int_, MPI_double_int_, MPI_long_int_,
    MPI_two_int_, MPI_short_int_, MPI_long_double_int_, MPI_lb_, MPI_ub_, MPI_cxx_bool_, MPI_cxx_float_complex_,
    MPI_cxx_double_complex_, MPI_cxx_long_double_complex_;
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_CHAR (&MPI_char_)
#define MPI_SIGNED_CHAR (&MPI_signed_char_)
#define MPI_UNSIGNED_CHAR (&MPI_unsigned_char_)
#define MPI_BYTE (&MPI_byte_)
#define MPI_PACKED (&MPI_packed_)
#define MPI_SHORT (&MPI_short_)
#define MPI_UNSIGNED_SHORT (&MPI_unsigned_short_)
#define MPI_INT (&MPI_int_)
#define MPI_UNSIGNED (&MPI_unsigned_)
#define MPI_LONG (&MPI_long_)
#define MPI_UNSIGNED_LONG (&MPI_unsigned_long_)
#define MPI_LONG_LONG (&MPI_long_long_)
#define MPI_LONG_LONG_INT (&MPI_long_long_)
#define MPI_UNSIGNED_LONG_LONG (&MPI_unsigned_long_long_)
#define MPI_FLOAT (&MPI_float_)
#define MPI_DOUBLE (&MPI_double_)
#define MPI_LONG_DOUBLE (&MPI_long_double_)
#define MPI_WCHAR (&MPI_wchar_)
#define MPI_C_BOOL (&MPI_bool_)
#define MPI_CXX_BOOL (&MPI_cxx_bool_)
#define MPI_INT8_T (&MPI_int8_)
#define MPI_UINT8_T (&MPI_uint8_)
#define MPI_INT16_T (&MPI_int16_)
#define MPI_UINT16_T (&MPI_uint16_)
#define MPI_INT32_T (&MPI_int32_)
#define MPI_UINT32_T (&MPI_uint32_)
#define MPI_INT64_T (&MPI_int64_)
#define MPI_UINT64_T (&MPI_uint64_)
#define MPI_AINT (&MPI_aint_)
#define MPI_OFFSET (&MPI_offset_)
#define MPI_COUNT (&MPI_count_)
#define MPI_C_COMPLEX (&MPI_float_complex_)
#define MPI_C_FLOAT_COMPLEX (&MPI_float_complex_)
#define MPI_C_DOUBLE_COMPLEX (&MPI_double_complex_)
#define MPI_C_LONG_DOUBLE_COMPLEX (&MPI_long_double_complex_)
#define MPI_CXX_FLOAT_COMPLEX (&MPI_cxx_float_complex_)
#define MPI_CXX_DOUBLE_COMPLEX (&MPI_cxx_double_complex_)
#define MPI_CXX_LONG_DOUBLE_COMPLEX (&MPI_cxx_long_double_complex_)
#define MPI_FLOAT_INT (&MPI_float_int_)
#define MPI_DOUBLE_INT (&MPI_double_int_)
#define MPI_LONG_INT (&MPI_long_int_)
#define MPI_2INT (&MPI_two_int_)
#define MPI_SHORT_INT (&MPI_short_int_)
#define MPI_LONG_DOUBLE_INT (&MPI_long_double_int_)
#define MPI_LB (&MPI_lb_)
#define MPI_UB (&MPI_ub_)

/* Fortran's */
extern struct MPI_datatype_ MPI_f_integer_, MPI_f_real_, MPI_f_double_precision_, MPI_f_complex_, MPI_f_double_complex_,
    MPI_f_logical_, MPI_f_character_, MPI_f_integer1_, MPI_f_integer2_, MPI_f_integer4_, MPI_f_integer8_, MPI_f_real4_,
    MPI_f_real8_, MPI_f_two_integer_, MPI_f_two_real_, MPI_f_two_double_precision_, MPI_f_complex8_, MPI_f_complex16_;
#define MPI_INTEGER (&MPI_f_integer_)
#define MPI_REAL (&MPI_f_real_)
#define MPI_DOUBLE_PRECISION (&MPI_f_double_precision_)
#define MPI_COMPLEX (&MPI_f_complex_)
#define MPI_DOUBLE_COMPLEX (&MPI_f_double_complex_)
#define MPI_LOGICAL (&MPI_f_logical_)
#define MPI_CHARACTER (&MPI_f_character_)
#define MPI_INTEGER1 (&MPI_f_integer1_)
#define MPI_INTEGER2 (&MPI_f_integer2_)
#define MPI_INTEGER4 (&MPI_f_integer4_)
#define MPI_INTEGER8 (&MPI_f_integer8_)
#define MPI_REAL4 (&MPI_f_real4_)
#define MPI_REAL8 (&MPI_f_real8_)
#define MPI_2INTEGER (&MPI_f_two_integer_)
#define MPI_2REAL (&MPI_f_two_real_)
#define MPI_2DOUBLE_PRECISION (&MPI_f_two_double_precision_)
#define MPI_COMPLEX8 (&MPI_f_complex8_)
#define MPI_COMPLEX16 (&MPI_f_complex16_)
/* Optional types that do not exist here: programs test for them like this. */
#define MPI_INTEGER16 MPI_DATATYPE_NULL
#define MPI_REAL2 MPI_DATATYPE_NULL
#define MPI_REAL16 MPI_DATATYPE_NULL
#define MPI_COMPLEX4 MPI_DATATYPE_NULL
#define MPI_COMPLEX32 MPI_DATATYPE_NULL

/* ---- predefined operations ---- */
extern struct MPI_op_ MPI_sum_, MPI_prod_, MPI_max_, MPI_min_, MPI_land_, MPI_lor_, MPI_lxor_, MPI_band_, MPI_bor_,
    MPI_bxor_, MPI_maxloc_, MPI_minloc_, MPI_replace_, MPI_no_op_;
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_SUM (&MPI_sum_)
#define MPI_PROD (&MPI_prod_)
#define MPI_MAX (&MPI_max_)
#define MPI_MIN (&MPI_min_)
#define MPI_LAND (&MPI_land_)
#define MPI_LOR (&MPI_lor_)
#define MPI_LXOR (&MPI_lxor_)
#define MPI_BAND (&MPI_band_)
#define MPI_BOR (&MPI_bor_)
#define MPI_BXOR (&MPI_bxor_)
#define MPI_MAXLOC (&MPI_maxloc_)
#define MPI_MINLOC (&MPI_minloc_)
#define MPI_REPLACE (&MPI_replace_)
#define MPI_NO_OP (&MPI_no_op_)

/* ---- functions of the program ---- */
typedef void MPI_User_function(void* in, void* inout, int* count, MPI_Datatype* type);
typedef void MPI_Handler_function(MPI_Comm* comm, int* code, ...);
typedef MPI_Handler_function MPI_Comm_errhandler_fn;
typedef MPI_Handler_function MPI_Comm_errhandler_function;
typedef void MPI_Win_errhandler_function(MPI_Win* window, int* code, ...);
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef int MPI_Grequest_query_function(void* extra, MPI_Status* status);
typedef int MPI_Grequest_free_function(void* extra);
typedef int MPI_Grequest_cancel_function(void* extra, int complete);
typedef int MPI_Copy_function(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag);
typedef int MPI_Delete_function(MPI_Comm comm, int keyval, void* value, void* extra);
typedef MPI_Copy_function MPI_Comm_copy_attr_function;
typedef MPI_Delete_function MPI_Comm_delete_attr_function;
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int keyval, void* extra, void* value, void* copied,
                                        int* flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int keyval, void* value, void* extra);
typedef int MPI_Win_copy_attr_function(MPI_Win window, int keyval, void* extra, void* value, void* copied, int* flag);
typedef int MPI_Win_delete_attr_function(MPI_Win window, int keyval, void* value, void* extra);
MPI_Copy_function MPI_dup_value_;
MPI_Type_copy_attr_function MPI_type_dup_value_;
MPI_Win_copy_attr_function MPI_win_dup_value_;
#define MPI_NULL_COPY_FN ((MPI_Copy_function*)0)
#define MPI_NULL_DELETE_FN ((MPI_Delete_function*)0)
#define MPI_DUP_FN MPI_dup_value_
#define MPI_COMM_NULL_COPY_FN MPI_NULL_COPY_FN
#define MPI_COMM_NULL_DELETE_FN MPI_NULL_DELETE_FN
#define MPI_COMM_DUP_FN MPI_DUP_FN
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function*)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function*)0)
#define MPI_TYPE_DUP_FN MPI_type_dup_value_
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function*)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function*)0)
#define MPI_WIN_DUP_FN MPI_win_dup_value_

/* ---- values: those that are numbers are in sw/abi/mpi_numbers.h ---- */
extern int MPI_unweighted_[1], MPI_weights_empty_[1];
#define MPI_UNWEIGHTED (MPI_unweighted_)
#define MPI_WEIGHTS_EMPTY (MPI_weights_empty_)

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */
#endif
