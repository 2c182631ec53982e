/* OpenSHMEM 1.5 (www.openshmem.org), with the names of 1.0 to 1.4; see there for the meaning of each call. How each
 * reaches the card: sw/shmem/README.md. Symmetric are memory of shmem_malloc, and the program's globals and statics.
 *
 * A program's error (a process that does not exist, memory that is not symmetric) ends the job with one line.
 */
#ifndef SANVP_SHMEM_H
#define SANVP_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include "sw/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 32
#define SHMEM_VENDOR_STRING "sanvp"

enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };

/* ---- start, end, rank and size ---- */
void shmem_init(void);
/* A native process has one thread: up to SHMEM_THREAD_FUNNELED is provided. One for RISC-V: what is requested. */
int shmem_init_thread(int requested, int* provided);
void shmem_query_thread(int* provided);
void shmem_finalize(void);
void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* address, int pe);
/* A pointer for loads and stores: to this process's own memory only. */
void* shmem_ptr(const void* dest, int pe);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);
/* For a profiler that defines it; nothing by itself. */
void shmem_pcontrol(int level, ...);

/* ---- the symmetric heap: collective, in the same order everywhere. Null if it is full ---- */
#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)
void* shmem_malloc(size_t bytes);
void* shmem_malloc_with_hints(size_t bytes, long hints); /* hints change nothing here */
void* shmem_calloc(size_t number, size_t each);
void* shmem_align(size_t alignment, size_t bytes); /* a power of two from 8 on */
void* shmem_realloc(void* pointer, size_t bytes);
void shmem_free(void* pointer);

/* ---- order ---- */
void shmem_fence(void);
void shmem_quiet(void);

/* ---- locks: first come, first served ---- */
void shmem_set_lock(long* lock);
void shmem_clear_lock(long* lock);
int shmem_test_lock(long* lock);

#ifdef __cplusplus
}
#endif

#include "sw/shmem/atomics.h"
#include "sw/shmem/collective.h"
#include "sw/shmem/moves.h"
#include "sw/shmem/teams.h"
#include "sw/shmem/waits.h"

#include "sw/shmem/deprecated.h"
#ifndef SHMEM_NO_GENERICS /* what defines the calls themselves must not have macros of their names */
#include "sw/shmem/generics.h"
#endif

#endif
