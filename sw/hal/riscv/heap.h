/* Links heap.c with each program that communicates. */
#ifndef SANVP_HAL_RISCV_HEAP_H
#define SANVP_HAL_RISCV_HEAP_H

/* Runs before main, by itself. */
void hal_riscv_keep_heap(void);
/* Once several threads may make calls: their stacks, on which there may be buffers, stay as well. */
void hal_riscv_keep_stacks(void);

#endif
