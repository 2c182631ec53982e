/* Where programs of the time found it. */
#include "sw/shmem/shmem.h"
