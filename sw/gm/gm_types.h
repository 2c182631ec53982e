/* Results of GM's calls; numbers by size, and numbers in the card's byte order, which is the host's own here: their
 * conversions change nothing. */
#ifndef GM_TYPES_H
#define GM_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int8_t gm_s8_t;
typedef int16_t gm_s16_t;
typedef int32_t gm_s32_t;
typedef long long gm_s64_t;
typedef uint8_t gm_u8_t;
typedef uint16_t gm_u16_t;
typedef uint32_t gm_u32_t;
typedef unsigned long long gm_u64_t;
typedef size_t gm_size_t;
typedef ptrdiff_t gm_offset_t;
typedef uintptr_t gm_up_t; /* a pointer of this process, as a number */
/* Memory of another process, as hal_bus_address() gives it there; of a native process its pointer is the same. */
typedef uint64_t gm_remote_ptr_t;

typedef gm_s8_t gm_s8_n_t;
typedef gm_s16_t gm_s16_n_t;
typedef gm_s32_t gm_s32_n_t;
typedef gm_s64_t gm_s64_n_t;
typedef gm_u8_t gm_u8_n_t;
typedef gm_u16_t gm_u16_n_t;
typedef gm_u32_t gm_u32_n_t;
typedef gm_u64_t gm_u64_n_t;
typedef gm_up_t gm_up_n_t;
typedef gm_remote_ptr_t gm_remote_ptr_n_t;
#define GM_N(value) (value)

#define gm_ntoh_s8(value) ((gm_s8_t)(value))
#define gm_ntoh_s16(value) ((gm_s16_t)(value))
#define gm_ntoh_s32(value) ((gm_s32_t)(value))
#define gm_ntoh_s64(value) ((gm_s64_t)(value))
#define gm_ntoh_u8(value) ((gm_u8_t)(value))
#define gm_ntoh_u16(value) ((gm_u16_t)(value))
#define gm_ntoh_u32(value) ((gm_u32_t)(value))
#define gm_ntoh_u64(value) ((gm_u64_t)(value))
#define gm_hton_s8(value) ((gm_s8_n_t)(value))
#define gm_hton_s16(value) ((gm_s16_n_t)(value))
#define gm_hton_s32(value) ((gm_s32_n_t)(value))
#define gm_hton_s64(value) ((gm_s64_n_t)(value))
#define gm_hton_u8(value) ((gm_u8_n_t)(value))
#define gm_hton_u16(value) ((gm_u16_n_t)(value))
#define gm_hton_u32(value) ((gm_u32_n_t)(value))
#define gm_hton_u64(value) ((gm_u64_n_t)(value))
/* The names of GM 1. */
#define gm_ntohc(value) gm_ntoh_u8(value)
#define gm_ntohs(value) gm_ntoh_u16(value)
#define gm_ntohl(value) gm_ntoh_u32(value)
#define gm_ntohll(value) gm_ntoh_u64(value)
#define gm_ntohp(value) ((void*)(gm_up_t)(value))
#define gm_htonc(value) gm_hton_u8(value)
#define gm_htons(value) gm_hton_u16(value)
#define gm_htonl(value) gm_hton_u32(value)
#define gm_htonll(value) gm_hton_u64(value)

typedef enum gm_status {
  GM_SUCCESS = 0,
  GM_FAILURE = 1,
  GM_INPUT_BUFFER_TOO_SMALL = 2,
  GM_OUTPUT_BUFFER_TOO_SMALL = 3,
  GM_TRY_AGAIN = 4,
  GM_BUSY = 5,
  GM_MEMORY_FAULT = 6,
  GM_INTERRUPTED = 7,
  GM_INVALID_PARAMETER = 8,
  GM_OUT_OF_MEMORY = 9,
  GM_INVALID_COMMAND = 10,
  GM_PERMISSION_DENIED = 11,
  GM_INTERNAL_ERROR = 12,
  GM_UNATTACHED = 13,
  GM_UNSUPPORTED_DEVICE = 14,
  GM_SEND_TIMED_OUT = 15, /* the receiver had no buffer for it */
  GM_SEND_REJECTED = 16,
  GM_SEND_TARGET_PORT_CLOSED = 17,
  GM_SEND_TARGET_NODE_UNREACHABLE = 18,
  GM_SEND_DROPPED = 19,
  GM_SEND_PORT_CLOSED = 20,
  GM_NODE_ID_NOT_YET_SET = 21,
  GM_STILL_SHUTTING_DOWN = 22,
  GM_CLONE_BUSY = 23,
  GM_NO_SUCH_DEVICE = 24,
  GM_ABORTED = 25,
  GM_INCOMPATIBLE_LIB_AND_DRIVER = 26,
  GM_UNTRANSLATED_SYSTEM_ERROR = 27,
  GM_ACCESS_DENIED = 28,
  GM_NO_DRIVER_SUPPORT = 29,
  GM_PTE_REF_CNT_OVERFLOW = 30,
  GM_NOT_SUPPORTED_IN_KERNEL = 31,
  GM_NOT_SUPPORTED_ON_ARCH = 32,
  GM_NO_MATCH = 33,
  GM_USER_ERROR = 34,
  GM_TIMED_OUT = 35,
  GM_DATA_CORRUPTED = 36,
  GM_HARDWARE_FAULT = 37,
  GM_SEND_ORPHANED = 38,
  GM_MINOR_OVERFLOW = 39,
  GM_PAGE_TABLE_FULL = 40,
  GM_UC_ERROR = 41,
  GM_INVALID_PORT_NUMBER = 42,
  GM_DEV_NOT_FOUND = 43,
  GM_FIRMWARE_NOT_RUNNING = 44,
  GM_YP_NO_MATCH = 45,
  GM_SRAM_PARITY_ERROR = 46,
  GM_FIRMWARE_ABORT = 47,
  GM_NUM_STATUS_CODES,
  GM_NUM_ERROR_CODES = GM_NUM_STATUS_CODES
} gm_status_t;

#endif
