/// Reports the completion of messages to software: writes control blocks to main memory and wakes their owners; and
/// reports illegal operations of software to the driver.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <vector>

#include "models/net/task.hpp"
#include "models/nic/card/bus_master.hpp"
#include "models/nic/card/interrupt_register.hpp"
#include "models/nic/card/registers.hpp"
#include "models/nic/ds_link/virtual_links.hpp"

namespace sanvp::nic::ds_link {

class ControlBlocks {
 public:
  ControlBlocks(net::Clock& clock, BusMaster& bus, InterruptRegister& interrupts)
      : clock_(clock), bus_(bus), interrupts_(interrupts) {}

  /// Writes the block of virtual link `number`, then appends the link to its owner's run queue.
  void tell(std::uint32_t number, const VirtualLink& link) {
    if (!link.connected) return;  // any more
    // The spare words are not written.
    constexpr std::size_t used = offsetof(ds_control_block, spare);
    const auto* block = reinterpret_cast<const std::byte*>(&link.block);
    const auto written = bus_.write(link.connection.block, {block, used}, clock_.now());
    append(link.connection.queue, link.connection.queue_entries, number, written.done);
  }

  void own(const ds_owner& owner) {
    std::erase_if(owners_, [&](const ds_owner& before) { return before.first == owner.first; });
    if (owner.queue != 0) owners_.push_back(owner);
  }
  /// Tells the owner of virtual link `number`, which is not connected, that a packet has come on it.
  /// @return whether it has an owner
  bool tell_owner(std::uint32_t number) {
    const auto owner =
        std::ranges::find_if(owners_, [&](const ds_owner& one) { return number - one.first < one.links; });
    if (owner == owners_.end()) return false;
    append(owner->queue, owner->queue_entries, number, clock_.now());
    return true;
  }

  void fault(ds_fault_cause cause, std::uint32_t link) {
    faults_.push_back(static_cast<std::uint32_t>(cause) << 24 | link);
    interrupts_.raise(DS_INT_FAULT);
  }
  static Registers<ControlBlocks> registers() {
    return {
        {.name = "Fault",
         .window = DS_BAR_REGISTERS,
         .offset = DS_REG_FAULT,
         .take = nic::take<&ControlBlocks::take_fault>,
         .effect = "takes the fault from the list",
         .meaning = "the oldest illegal operation of software, enum ds_fault_cause << 24 | link; 0: none is pending",
         .source = "assumed"}};
  }
  /// Takes the oldest fault; 0 if none is recorded.
  std::uint32_t take_fault() {
    if (faults_.empty()) return 0;
    const std::uint32_t fault = faults_.front();
    faults_.pop_front();
    return fault;
  }

 private:
  void append(std::uint64_t queue, std::uint32_t queue_entries, std::uint32_t number, Time at) {
    std::uint32_t& count = counts_[queue];
    const std::uint32_t entry = count++ & (queue_entries - 1);
    const auto appended = write(queue + offsetof(ds_run_queue, entries) + entry * sizeof entry, number, at);
    write(queue, count, appended.done);
  }
  BusMaster::Transfer write(std::uint64_t address, const std::uint32_t& word, Time at) {
    return bus_.write(address, {reinterpret_cast<const std::byte*>(&word), sizeof word}, at);
  }

  net::Clock& clock_;
  BusMaster& bus_;
  InterruptRegister& interrupts_;
  std::map<std::uint64_t, std::uint32_t> counts_{};  ///< of run queues, by their addresses
  std::vector<ds_owner> owners_{};
  std::deque<std::uint32_t> faults_{};
};

}  // namespace sanvp::nic::ds_link
