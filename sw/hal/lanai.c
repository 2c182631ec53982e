/* lanai.h on the table of calls that the simulator provides (lanai_host.h). */
#include "sw/hal/lanai.h"

#include "sw/abi/hal/lanai_host.h"

static const struct lanai_firmware_host* host;

const uint32_t sanvp_lanai_firmware_version = LANAI_FIRMWARE_ABI_VERSION;

void sanvp_lanai_attach(const struct lanai_firmware_host* given) { host = given; }

void lanai_cycles(uint32_t cycles) { host->cycles(host->self, cycles); }

void* lanai_sram(uint32_t address) { return host->sram + address; }
uint32_t lanai_address(const volatile void* pointer) {
  return (uint32_t)((const volatile unsigned char*)pointer - host->sram);
}

uint32_t lanai_wait(uint32_t events) { return host->wait(host->self, events); }
void lanai_clear(uint32_t events) { host->clear(host->self, events); }
uint32_t lanai_clock(void) { return host->clock(host->self); }
void lanai_timer(uint32_t ticks) { host->timer(host->self, ticks); }

void lanai_sdma(uint64_t from, uint32_t sram, uint32_t bytes) { host->sdma(host->self, from, sram, bytes); }
void lanai_rdma(uint32_t sram, uint64_t to, uint32_t bytes) { host->rdma(host->self, sram, to, bytes); }
void lanai_send(uint32_t route, uint32_t packet, uint32_t bytes) { host->send(host->self, route, packet, bytes); }
void lanai_receive(uint32_t buffer, uint32_t bytes) { host->receive(host->self, buffer, bytes); }
uint32_t lanai_received(uint32_t* bytes, int* intact) { return host->received(host->self, bytes, intact); }

void lanai_send_on(void) { host->send_on(host->self); }

uint32_t lanai_select_route(uint32_t node, uint32_t bytes) { return host->select_route(host->self, node, bytes); }
void lanai_interrupt_host(uint32_t causes) { host->interrupt_host(host->self, causes); }
