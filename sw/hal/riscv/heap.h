/* Links heap.c with each program that communicates. */
#ifndef SANVP_HAL_RISCV_HEAP_H
#define SANVP_HAL_RISCV_HEAP_H

/* Runs before main, by itself. */
void hal_riscv_keep_heap(void);

#endif
