#include "models/host/driver.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

#include "models/host/node.hpp"
#include "sw/abi/hal/driver.h"

namespace sanvp::host {
namespace {

Driver& of(void* self) { return *static_cast<Driver*>(static_cast<Software*>(self)); }

}  // namespace

const hal_kernel Driver::kernel_calls{
    .load_firmware = [](void* self, const char* name) { return of(self).node().load_firmware(name); },
    .kill = [](void* self, int process, const char* message) { of(self).node().kill(process, message); },
    .lose_node = [](void* self, int process, int node) { return of(self).node().lose(process, node) ? 1 : 0; },
    .firmware_complaint =
        [](void* self, char* text, std::size_t room) {
          std::snprintf(text, room, "%s", of(self).node().firmware_complaint().c_str());
        },
    .process_count = [](void* self) { return of(self).node().process_count(); },
    .process_identity =
        [](void* self, int process, hal_identity* to) {
          const Identity& identity = of(self).process(process).identity();
          *to = {
              .job = identity.job, .rank = identity.rank, .ranks = identity.ranks, .rank_nodes = identity.rank_nodes};
        },
    .process_memory = [](void* self, int process, std::uint64_t address,
                         std::size_t bytes) { return of(self).process(process).bus_address(address, bytes); },
    .process_read =
        [](void* self, int process, void* to, std::uint64_t address, std::size_t bytes) {
          const std::byte* from = of(self).memory(process, address, bytes);
          if (from != nullptr) std::memcpy(to, from, bytes);
          return from != nullptr ? 0 : -1;
        },
    .process_write =
        [](void* self, int process, std::uint64_t address, const void* from, std::size_t bytes) {
          std::byte* to = of(self).memory(process, address, bytes);
          if (to != nullptr) std::memcpy(to, from, bytes);
          return to != nullptr ? 0 : -1;
        },
    .grant = [](void* self, int process, std::uint64_t address,
                std::size_t bytes) { of(self).process(process).grants().add(address, bytes); },
    .revoke = [](void* self, int process, std::uint64_t address,
                 std::size_t bytes) { of(self).process(process).grants().remove(address, bytes); }};

Driver::Driver(const std::string& image, const Identity& identity, Node& node, native::Range heap, Services& services)
    : Software(image, identity, node, services), heap_(heap), left_(node.run_queue()) {
  for (const auto& globals : this->image().globals()) node.memory().add(globals);
  attach(&kernel_calls);
}

Process& Driver::process(int number) const { return *node().processes().at(static_cast<std::size_t>(number)); }

std::byte* Driver::memory(int process, std::uint64_t address, std::size_t bytes) const {
  return reinterpret_cast<std::byte*>(this->process(process).bus_address(address, bytes));
}

void Driver::enter(Cpu& cpu) {
  while (inside_ != nullptr) cpu.wait_idle(left_, "the driver, which another rank has called");
  inside_ = &cpu;
}

void Driver::leave() {
  settled_cpu();
  inside_ = nullptr;
  left_.notify(node().run_queue().now());
}

void Driver::before_sleep() { leave(); }
void Driver::after_sleep(Cpu& cpu) { enter(cpu); }

void Driver::boot(Cpu& cpu) {
  enter(cpu);
  image().required<void()>("hal_driver_boot")();
  for (const bool is_error : {false, true}) stream(is_error).finish();
  leave();
}

void Driver::interrupt(Cpu& cpu) {
  enter(cpu);
  image().required<void()>("hal_driver_interrupt")();
  leave();
}

std::int64_t Driver::call(Cpu& cpu, int process, unsigned request, void* argument) {
  enter(cpu);
  const std::int64_t result =
      image().required<std::int64_t(int, unsigned, void*)>("hal_driver_ioctl")(process, request, argument);
  leave();
  return result;
}

void Driver::unmapped(Cpu& cpu, int process, std::uint64_t bus_address, std::size_t bytes) {
  const auto revoke = image().function<void(int, std::uint64_t, std::size_t)>("hal_driver_unmapped");
  if (!revoke) return;
  enter(cpu);
  revoke(process, bus_address, bytes);
  leave();
}

std::optional<native::Range> Driver::region_of(const volatile void* pointer, std::size_t bytes) const {
  const native::Range* const region = node().memory().region_of(pointer, bytes);
  return region != nullptr ? std::optional(*region) : std::nullopt;
}

void Driver::exit(int status) { fail("the driver called exit(" + std::to_string(status) + ")"); }

void Driver::fail(const std::string& why) {
  services().failed(identity(), why, inside_->now());
  inside_->thread().leave();
}

}  // namespace sanvp::host
