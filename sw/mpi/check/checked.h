/* What the wrappers of MPI's calls (scripts/profile_calls.py) do for a run that checks them. They are not counted, so
 * an image always has this; a program for RISC-V is linked with wrappers that do it by `sanvp-cc --check-mpi`. */
#ifndef SANVP_MPI_CHECK_CHECKED_H
#define SANVP_MPI_CHECK_CHECKED_H

#include "sw/hal/hal.h"

#if defined(__riscv) && !defined(SANVP_CHECK_MPI)
#define MPI_CHECKED(name_, count_, ...)
#define MPI_CHECKED_END(result_)
#define MPI_CHECKED_STATUS(status_, from_, tag_)
#else
#ifdef __riscv /* all threads of an image are one, and it throws nothing */
#define MPI_CHECKED_THREAD ((uint64_t)(uintptr_t)__builtin_thread_pointer())
#define MPI_CHECKED_LEAVES __attribute__((cleanup(mpi_checked_leave)))
#else
#define MPI_CHECKED_THREAD 0
#define MPI_CHECKED_LEAVES
#endif
#define MPI_CHECKED(name_, count_, ...)                                             \
  const int checks_ = hal_checks();                                                 \
  const uint64_t words_[] = {__VA_ARGS__};                                          \
  struct hal_checked_call checked_ MPI_CHECKED_LEAVES = {                           \
      .name = (uintptr_t)(name_), .thread = MPI_CHECKED_THREAD, .count = (count_)}; \
  if (checks_) mpi_checked_begin(&checked_, words_, __builtin_return_address(0), __builtin_dwarf_cfa())
#define MPI_CHECKED_END(result_) \
  if (checks_) mpi_checked_end(&checked_, result_)
/* If the program does not ask which message came, the checker does. */
#define MPI_CHECKED_STATUS(status_, from_, tag_)                                                              \
  MPI_Status own_status_ = {.MPI_SOURCE = MPI_PROC_NULL};                                                     \
  if ((status_) == MPI_STATUS_IGNORE && ((from_) == MPI_ANY_SOURCE || (tag_) == MPI_ANY_TAG) && hal_checks()) \
  (status_) = &own_status_
#endif

/* `frame`: the caller's stack pointer, which tells calls under way apart. What is below it is no variable of the
 * program. */
void mpi_checked_begin(struct hal_checked_call* call, const uint64_t* words, const void* place, const void* frame);
/* Ends a call that has begun and not ended: an error handler, or another function of the program, has thrown. */
void mpi_checked_leave(struct hal_checked_call* call);
void mpi_checked_end(struct hal_checked_call* call, int64_t result);
/* A call that was refused before it began: its end, without an id. Returns the error. */
int mpi_checked_refusal(const char* name, int error, const void* place);
/* A buffer of calls to come is the library's copy of the program's; from then on, or no longer. */
void mpi_checked_copy(const void* buffer, int begins);

#endif
