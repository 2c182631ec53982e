/* Between a LANai's control program and the simulator that has loaded it: as host.h is for programs. Programs link
 * lanai.c, which turns lanai.h into calls of this table. An image is loaded once per card, so its globals are that
 * card's. Its exports: sanvp_lanai_attach and sanvp_lanai_firmware_version (lanai.c), and lanai_main.
 */
/* NOLINTBEGIN(modernize-*): C */
#ifndef SANVP_HAL_LANAI_HOST_H
#define SANVP_HAL_LANAI_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANAI_FIRMWARE_ABI_VERSION 1u

/* `self` is the simulator's own object for the processor; it is the first argument of every call. Meaning of the calls:
 * lanai.h. */
struct lanai_firmware_host {
  uint32_t version; /* LANAI_FIRMWARE_ABI_VERSION */
  void* self;
  unsigned char* sram;

  void (*cycles)(void* self, uint32_t cycles);
  uint32_t (*wait)(void* self, uint32_t events);
  void (*clear)(void* self, uint32_t events);
  uint32_t (*clock)(void* self);
  void (*timer)(void* self, uint32_t ticks);
  void (*sdma)(void* self, uint64_t host, uint32_t sram, uint32_t bytes);
  void (*rdma)(void* self, uint32_t sram, uint64_t host, uint32_t bytes);
  void (*send)(void* self, uint32_t route, uint32_t packet, uint32_t bytes);
  void (*receive)(void* self, uint32_t buffer, uint32_t bytes);
  uint32_t (*received)(void* self, uint32_t* bytes, int* intact);
  void (*send_on)(void* self);
  uint32_t (*select_route)(void* self, uint32_t node, uint32_t bytes);
  void (*interrupt_host)(void* self, uint32_t causes);
};

/* Exported by every control program. */
void sanvp_lanai_attach(const struct lanai_firmware_host* host);
extern const uint32_t sanvp_lanai_firmware_version; /* LANAI_FIRMWARE_ABI_VERSION of its time */

#ifdef __cplusplus
}
#endif
#endif
/* NOLINTEND(modernize-*) */
