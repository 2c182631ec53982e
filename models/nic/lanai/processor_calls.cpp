/// The table of calls for control programs (sw/abi/hal/lanai_host.h), implemented by the processor.
#include "models/nic/lanai/processor.hpp"

namespace sanvp::nic::lanai {

struct Processor::Calls {
  static Processor& of(void* self) { return *static_cast<Processor*>(self); }

  static lanai_firmware_host table(Processor& processor) {
    return {
        .version = LANAI_FIRMWARE_ABI_VERSION,
        .self = &processor,
        .sram = reinterpret_cast<unsigned char*>(processor.at_.sram.data()),
        .cycles = [](void* self, std::uint32_t count) { of(self).cycles_due_ += count; },
        .wait = [](void* self, std::uint32_t events) { return of(self).wait(events); },
        .clear = [](void* self, std::uint32_t events) { of(self).at_.events.clear(events); },
        .clock = [](void* self) { return of(self).clock(); },
        .timer = [](void* self, std::uint32_t ticks) { of(self).set_timer(ticks); },
        .sdma = [](void* self, std::uint64_t host, std::uint32_t sram,
                   std::uint32_t bytes) { of(self).transfer(of(self).at_.sdma, "lanai_sdma", host, sram, bytes); },
        .rdma = [](void* self, std::uint32_t sram, std::uint64_t host,
                   std::uint32_t bytes) { of(self).transfer(of(self).at_.rdma, "lanai_rdma", host, sram, bytes); },
        .send = [](void* self, std::uint32_t route, std::uint32_t packet,
                   std::uint32_t bytes) { of(self).send(route, packet, bytes); },
        .receive = [](void* self, std::uint32_t buffer, std::uint32_t bytes) { of(self).arm(buffer, bytes); },
        .received = [](void* self, std::uint32_t* bytes, int* intact) { return of(self).received(*bytes, *intact); },
        .send_on = [](void* self) { of(self).send_on(); },
        .select_route = [](void* self, std::uint32_t node,
                           std::uint32_t bytes) { return of(self).select_route(node, bytes); },
        .interrupt_host = [](void* self, std::uint32_t causes) { of(self).interrupt_host(causes); }};
  }
};

Processor::Processor(const Rules& rules, const Neighbours& neighbours, int host, Random random)
    : rules_(rules),
      at_(neighbours),
      host_(host),
      random_(random),
      calls_(std::make_unique<lanai_firmware_host>(Calls::table(*this))),
      started_(neighbours.clock) {}

Processor::~Processor() = default;

}  // namespace sanvp::nic::lanai
