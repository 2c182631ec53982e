/// The driver's switch for each unit, E3_REG_SCHEDULE (FACTS.md 1.5): a halted unit starts nothing new, and interrupts
/// the driver when it is idle; packets for contexts that are switched off are discarded.
#pragma once

#include "models/net/task.hpp"
#include "models/nic/elan3/interrupts.hpp"
#include "models/nic/elan3/mmu.hpp"

namespace sanvp::nic::elan3 {

class Schedule {
 public:
  Schedule(net::Clock& clock, Interrupts& interrupts, Mmu& mmu) : interrupts_(interrupts), mmu_(mmu), changed_(clock) {}

  /// @param word  of E3_SCHEDULE_
  void set(std::uint32_t word) {
    const std::uint32_t begun = word & ~word_;
    word_ = word;
    mmu_.discard((word & E3_SCHEDULE_DISCARD_USER) != 0, (word & E3_SCHEDULE_DISCARD_SYSTEM) != 0);
    changed_.notify();
    // A packet is checked at one instant: all that are checked from now on are discarded.
    if ((begun & E3_SCHEDULE_DISCARD_USER) != 0) interrupts_.raise(E3_INT_DISCARD_USER);
    if ((begun & E3_SCHEDULE_DISCARD_SYSTEM) != 0) interrupts_.raise(E3_INT_DISCARD_SYSTEM);
  }
  std::uint32_t word() const { return word_; }
  bool halts(std::uint32_t bit) const { return (word_ & bit) != 0; }

  /// For an idle unit: raises `interrupt`, unless that is 0, and waits until `bit` is clear.
  net::Task<> rest(std::uint32_t bit, std::uint32_t interrupt) {
    if (interrupt != 0) interrupts_.raise(interrupt);
    while (halts(bit)) co_await changed_.wait();
  }

 private:
  Interrupts& interrupts_;
  Mmu& mmu_;
  net::Condition changed_;
  std::uint32_t word_ = 0;
};

}  // namespace sanvp::nic::elan3
