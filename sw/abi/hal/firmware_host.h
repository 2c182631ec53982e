/* Between a firmware image of the Elan3's thread processor and the simulator that has loaded it: as host.h is for
 * programs. Firmware links elan3_thread.c, which turns elan3_thread.h into calls of this table.
 *
 * An image is loaded once per card. Its exports:
 *   sanvp_elan3_thread_attach, sanvp_elan3_firmware_version   elan3_thread.c
 *   elan3_thread_main   the program; all threads that run it share its globals, so it should have none
 */
/* NOLINTBEGIN(modernize-*): C */
#ifndef SANVP_HAL_FIRMWARE_HOST_H
#define SANVP_HAL_FIRMWARE_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/elan3.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ELAN3_FIRMWARE_ABI_VERSION 2u

/* `self` is the simulator's own object for the card's thread processor, which knows which thread runs. Meaning of the
 * calls: elan3_thread.h. */
struct elan3_firmware_calls {
  void (*cycles)(void* self, uint32_t cycles);
  void (*load)(void* self, e3_addr address, void* to, size_t bytes);
  void (*store)(void* self, e3_addr address, const void* from, size_t bytes);
  void* (*sdram)(void* self, e3_addr address, size_t bytes);
  void (*block_copy)(void* self, e3_addr to, e3_addr from, size_t bytes);
  void (*open)(void* self, uint32_t process);
  void (*send_transaction)(void* self, uint32_t type, e3_addr address, const void* data, size_t bytes);
  int (*close)(void* self, uint32_t* reply);
  void (*wait_event)(void* self, e3_addr event);
  void (*set_event)(void* self, e3_addr event);
  void (*give_way)(void* self); /* elan3_break */
  void (*suspend)(void* self);
  void (*put_dma)(void* self, e3_addr dma);
};

struct elan3_firmware_host {
  uint32_t version;                         /* ELAN3_FIRMWARE_ABI_VERSION */
  void* self;                               /* the first argument of every call */
  const struct elan3_firmware_calls* calls; /* the same of all cards */
};

/* Exported by every firmware image. */
void sanvp_elan3_thread_attach(const struct elan3_firmware_host* host);
extern const uint32_t sanvp_elan3_firmware_version; /* ELAN3_FIRMWARE_ABI_VERSION of its time */

#ifdef __cplusplus
}
#endif
#endif
/* NOLINTEND(modernize-*) */
