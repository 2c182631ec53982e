/* elan3_thread.h on the table of calls that the simulator hands over (firmware_host.h). */
#include "sw/hal/elan3_thread.h"

#include "sw/abi/hal/firmware_host.h"

static const struct elan3_firmware_host* host;

const uint32_t sanvp_elan3_firmware_version = ELAN3_FIRMWARE_ABI_VERSION;

void sanvp_elan3_thread_attach(const struct elan3_firmware_host* given) { host = given; }

void elan3_cycles(uint32_t cycles) { host->calls->cycles(host->self, cycles); }

void elan3_load(e3_addr address, void* to, size_t bytes) { host->calls->load(host->self, address, to, bytes); }
void elan3_store(e3_addr address, const void* from, size_t bytes) {
  host->calls->store(host->self, address, from, bytes);
}
void* elan3_sdram(e3_addr address, size_t bytes) { return host->calls->sdram(host->self, address, bytes); }
void elan3_block_copy(e3_addr to, e3_addr from, size_t bytes) { host->calls->block_copy(host->self, to, from, bytes); }

void elan3_open(uint32_t process) { host->calls->open(host->self, process); }
void elan3_send_transaction(uint32_t type, e3_addr address, const void* data, size_t bytes) {
  host->calls->send_transaction(host->self, type, address, data, bytes);
}
int elan3_close(uint32_t* reply) { return host->calls->close(host->self, reply); }

void elan3_wait_event(e3_addr event) { host->calls->wait_event(host->self, event); }
void elan3_set_event(e3_addr event) { host->calls->set_event(host->self, event); }
void elan3_break(void) { host->calls->give_way(host->self); }
void elan3_suspend(void) { host->calls->suspend(host->self); }
void elan3_put_dma(e3_addr dma) { host->calls->put_dma(host->self, dma); }
