/* A NIC's driver: the privileged software of a node, one image per node, before and beside its processes. It may use
 * all of hal.h (hal_rank() is -1) and what stands below. The simulator calls it as an operating system would.
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
/* hal_ioctl of a process of this node: runs in that process's time. */
int64_t hal_driver_ioctl(int process, unsigned request, void* argument);

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
/* Whether these bytes, to whole pages, are a process's memory or its job's on this node. */
int hal_process_owns(int process, const volatile void* pointer, size_t bytes);
/* Bus address of memory of the process whose ioctl is being served: hal_bus_address() does it. */

#ifdef __cplusplus
}
#endif
#endif
