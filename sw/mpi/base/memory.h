/* Memory of the library, to be freed. Never null: if none is left, the handler gets MPI_ERR_NO_MEM, and the job ends.
 */
#ifndef SANVP_MPI_MEMORY_H
#define SANVP_MPI_MEMORY_H

#include <stddef.h>

void* mpi_memory(size_t bytes);
void* mpi_zeroed_memory(size_t bytes);
void* mpi_larger_memory(void* memory, size_t bytes);

#endif
