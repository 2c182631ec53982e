#ifndef SANVP_SHMEM_INTERNAL_H
#define SANVP_SHMEM_INTERNAL_H

#include "sw/shmem/shmem.h"

/* Ends the job where a call comes before shmem_init or names a process that there is not. */
void shmem_check(const char* call, int pe);
/* Transport address of symmetric memory. */
uint64_t shmem_remote(const char* call, const volatile void* pointer, size_t bytes);

#endif
