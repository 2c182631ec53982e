/* A NIC's driver: the privileged software of a node, one image per node, before and beside its processes. It may use
 * all of hal.h (hal_rank() is -1) and the calls below. The simulator calls it as an operating system would.
 */
#ifndef SANVP_HAL_DRIVER_H
#define SANVP_HAL_DRIVER_H

/* NOLINTBEGIN(modernize-deprecated-headers): C */
#include <stddef.h>
#include <stdint.h>
/* NOLINTEND(modernize-deprecated-headers) */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a driver exports ---- */
/* Boots the card, at time 0, before any process starts. */
void hal_driver_boot(void);
/* The card has raised its interrupt line; called host.interrupt_latency later, on the node's first CPU's time, again
 * while the line stays raised. */
void hal_driver_interrupt(void);
/* hal_ioctl of a process of this node: runs in that process's time. `argument` has HAL_REQUEST_BYTES(request); null if
 * those are 0. */
int64_t hal_driver_ioctl(int process, unsigned request, void* argument);
/* Optional: memory of a process, whole pages, is being given back to the operating system. The driver must revoke the
 * card's access to it for this process. Runs in that process's time. */
void hal_driver_unmapped(int process, uint64_t bus_address, size_t bytes);

/* ---- what a driver may call besides hal.h ---- */
int hal_load_firmware(const char* name);
void hal_kill(int process, const char* message);
/* A node has not answered a process for too long. Returns whether the process's library ends its waits for such nodes
 * by itself (hal_ends_waits_for_the_dead); the node is dead for this process from now on. */
int hal_lose_node(int process, int node);
/* The firmware of the NIC's processor that trapped last, and why: "firmware 'tport', ...". */
void hal_firmware_complaint(char* text, size_t room);
int hal_process_count(void);
/* The operating system's record of a process: its job, and the nodes of the job's other processes. */
struct hal_identity {
  int job, rank, ranks;
  const int* rank_nodes; /* [ranks] */
};
void hal_process_identity(int process, struct hal_identity* to);
/* Bus address of a process's memory at `address`, its own. All of the bytes, to whole pages, must be its memory or its
 * job's on this node; otherwise 0. They are contiguous in bus addresses. */
uint64_t hal_process_memory(int process, uint64_t address, size_t bytes);
/* Copy from and to a process's memory, at the price of memcpy. Return 0, or -1 if that is not its memory; then nothing
 * is copied. */
int hal_process_read(int process, void* to, uint64_t address, size_t bytes);
int hal_process_write(int process, uint64_t address, const void* from, size_t bytes);
/* Whether two pieces of memory have bytes in common. */
static inline int hal_overlap(uint64_t one, uint64_t bytes, uint64_t other, uint64_t other_bytes) {
  return one < other + other_bytes && other < one + bytes;
}
/* Lets a process access this part of the card's windows, as mapping its pages into the process does, and takes it back.
 * A process begins with nothing; grants are not counted. */
void hal_grant(int process, uint64_t bus_address, size_t bytes);
void hal_revoke(int process, uint64_t bus_address, size_t bytes);
/* The end of hal_driver_ioctl: puts the reason to refuse, null if the request was granted, at the beginning of the
 * argument. Returns 0, or -1 if it was refused. */
int64_t hal_answer(unsigned request, void* argument, const char* refusal);

#ifdef __cplusplus
}
#endif
#endif
