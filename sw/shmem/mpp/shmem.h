/* The header's name in SGI's and Cray's libraries. */
#include "sw/shmem/shmem.h"
