/// The table of calls for firmware (sw/abi/hal/firmware_host.h), implemented by the thread processor.
#include "models/nic/elan3/thread_processor.hpp"

namespace sanvp::nic::elan3 {

struct ThreadProcessor::Calls {
  static ThreadProcessor& of(void* self) { return *static_cast<ThreadProcessor*>(self); }

  static const elan3_firmware_calls table;
};

constexpr elan3_firmware_calls ThreadProcessor::Calls::table{
    .cycles = [](void* self, std::uint32_t count) { of(self).cycles(count); },
    .load =
        [](void* self, e3_addr address, void* to, std::size_t bytes) {
          of(self).load(address, {static_cast<std::byte*>(to), bytes});
        },
    .store =
        [](void* self, e3_addr address, const void* from, std::size_t bytes) {
          of(self).store(address, {static_cast<const std::byte*>(from), bytes});
        },
    .sdram = [](void* self, e3_addr address, std::size_t bytes) { return of(self).sdram(address, bytes); },
    .block_copy = [](void* self, e3_addr to, e3_addr from, std::size_t bytes) { of(self).block_copy(to, from, bytes); },
    .open = [](void* self, std::uint32_t process) { of(self).open(process); },
    .send_transaction =
        [](void* self, std::uint32_t type, e3_addr address, const void* data, std::size_t bytes) {
          of(self).send_transaction(type, address, {static_cast<const std::byte*>(data), bytes});
        },
    .close = [](void* self, std::uint32_t* reply) { return of(self).close(reply); },
    .wait_event = [](void* self, e3_addr event) { of(self).wait_event(event); },
    .set_event = [](void* self, e3_addr event) { of(self).set_event(event); },
    .give_way = [](void* self) { of(self).give_way(); },
    .suspend = [](void* self) { of(self).suspend(); },
    .put_dma = [](void* self, e3_addr dma) { of(self).put_dma(dma); }};

ThreadProcessor::ThreadProcessor(const Rules& rules, const Neighbours& neighbours)
    : rules_(rules),
      at_(neighbours),
      calls_{.version = ELAN3_FIRMWARE_ABI_VERSION, .self = this, .calls = &Calls::table} {}

}  // namespace sanvp::nic::elan3
