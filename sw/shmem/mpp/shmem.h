/* The header's place in programs of the time. */
#include "sw/shmem/shmem.h"
