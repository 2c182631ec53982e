/// Traps of units on illegal accesses or records (FACTS.md 1.5, "Traps and recovery"): the unit writes a trap record to
/// SDRAM, interrupts the driver, and waits until the driver says whether to retry.
#pragma once

#include <array>
#include <optional>

#include "models/net/task.hpp"
#include "models/nic/elan3/counters.hpp"
#include "models/nic/elan3/interrupts.hpp"
#include "models/nic/elan3/mmu.hpp"

namespace sanvp::nic::elan3 {

enum class Verdict : std::uint8_t { retry, drop };

/// The time without any answer, in us, for a record of E3_CAUSE_NO_ANSWER.
std::uint32_t silence(Time since, Time now);
/// A trap record without the fault's fields.
e3_trap trap_record(const Fault& fault, e3_addr object, std::uint32_t process = 0);

class Traps {
 public:
  Traps(net::Clock& clock, Sdram& sdram, Mmu& mmu, Interrupts& interrupts, Counters& counters);

  static Registers<Traps> registers();

  void set_base(std::uint32_t address) { base_ = address; }
  std::uint32_t base() const { return base_; }

  /// One trap of a unit at a time.
  net::Task<Verdict> raise(e3_trap_unit unit, e3_trap record);
  /// The driver's answer, as written to E3_REG_RESUME; ignored if that unit has not trapped.
  void resume(std::uint32_t word);
  bool waiting(e3_trap_unit unit) const { return units_[unit].waiting; }
  /// The same for an input channel, by kind of context: channel 0 user, 0 system, 1 user, 1 system.
  bool input_waits(std::uint32_t kind) const;
  /// "the DMA engine (page, context 3, address 0x1000)": the units that wait for the driver; empty if none does.
  std::string busy() const;

 private:
  struct Unit {
    explicit Unit(net::Clock& clock) : resumed(clock) {}
    bool waiting = false;
    Verdict verdict = Verdict::retry;
    e3_trap record{};
    net::Condition resumed;
  };

  std::uint32_t interrupt_of(e3_trap_unit unit, std::uint32_t context) const;

  net::Clock& clock_;
  Sdram& sdram_;
  Mmu& mmu_;
  Interrupts& interrupts_;
  Counters& counters_;
  std::uint32_t base_ = 0;
  std::vector<Unit> units_;
};

}  // namespace sanvp::nic::elan3
