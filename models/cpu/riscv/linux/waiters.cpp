#include "models/cpu/riscv/linux/waiters.hpp"

#include <algorithm>

#include "models/cpu/riscv/linux/machine.hpp"
#include "models/cpu/riscv/linux/process.hpp"

namespace sanvp::riscv::os {

Waiters::Waiters(Process& process, std::uint64_t address) : process_(process) {
  Machine* const machine = process.settings().machine;
  if (machine == nullptr || address < process.shared_begin()) {
    places_.push_back({&process, address});
    return;
  }
  for (Process* other : machine->sharing())
    places_.push_back({other, other->shared_begin() + (address - process.shared_begin())});
}

const Waiters::Place* Waiters::longest_waiting(std::uint32_t bits) const {
  const Place* longest = nullptr;
  std::int64_t begin_ps = 0;
  for (const Place& place : places_) {
    const auto since = place.process->waits_since(place.address, bits);
    if (!since || (longest != nullptr && *since >= begin_ps)) continue;
    longest = &place;
    begin_ps = *since;
  }
  return longest;
}

std::int64_t Waiters::wake(std::int64_t count, std::uint32_t bits, std::int64_t now_ps) {
  std::int64_t woken = 0;
  for (; woken < count; ++woken) {
    const Place* const first = longest_waiting(bits);
    if (first == nullptr) break;
    first->process->wake(first->address, 1, bits, now_ps);
    if (first->process == &process_) continue;
    first->process->settings().machine->made_ready();
    process_.end_turn();
  }
  return woken;
}

int Waiters::most_losses() const {
  int most = 0;
  for (const Place& place : places_) most = std::max(most, place.process->most_losses(place.address));
  return most;
}

}  // namespace sanvp::riscv::os
