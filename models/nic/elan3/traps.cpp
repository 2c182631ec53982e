#include "models/nic/elan3/traps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sanvp::nic::elan3 {
namespace {

constexpr std::array<const char*, E3_TRAP_RECORDS> unit_names{"command processor", "DMA engine", "thread processor",
                                                              "input channel 0", "input channel 1"};

const char* cause_name(std::uint32_t cause) {
  constexpr std::array names{"none",       "page",  "permission",  "alignment", "descriptor", "route",
                             "fail count", "queue", "instruction", "refused",   "no answer",  "bus"};
  return cause < names.size() ? names[cause] : "unknown";
}

/// Whether a unit waits for the driver.
template <e3_trap_unit unit>
Value status(const Traps& traps, const Instance&) {
  return traps.waiting(unit);
}

}  // namespace

Registers<Traps> Traps::registers() {
  return {{.name = "DmaStatus",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_DMA_STATUS,
           .read = status<E3_TRAP_DMA>,
           .meaning = "1: the DMA engine has trapped, and waits for Resume",
           .source = "FACTS 1.5; the value is assumed"},
          {.name = "CommandStatus",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_COMMAND_STATUS,
           .read = status<E3_TRAP_COMMAND>,
           .meaning = "the same for the command processor",
           .source = "FACTS 1.5; the value is assumed"},
          {.name = "ThreadStatus",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_THREAD_STATUS,
           .read = status<E3_TRAP_THREAD>,
           .meaning = "the same for the thread processor",
           .source = "FACTS 1.5; the value is assumed"},
          {.name = "InputStatus",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_INPUT_STATUS,
           .row = {4, sizeof(std::uint32_t)},
           .read = [](const Traps& traps, const Instance& one) -> Value { return traps.input_waits(one.row); },
           .meaning = "the same for packets of: channel 0 user, 0 system, 1 user, 1 system",
           .source = "FACTS 1.5; the value is assumed"},
          {.name = "TrapBase",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_TRAP_BASE,
           .read = get<&Traps::base>,
           .write = put<&Traps::set_base>,
           .meaning = "SDRAM address of E3_TRAP_RECORDS struct e3_trap",
           .source = "FACTS 1.5"},
          {.name = "Resume",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_RESUME,
           .write = put<&Traps::resume>,
           .meaning = "lets the unit E3_TRAP_... retry what trapped, or with E3_RESUME_DROP drop it",
           .source = "assumed"}};
}

std::uint32_t silence(Time since, Time now) {
  if (since == never) return 0;
  return static_cast<std::uint32_t>(std::min<std::int64_t>((now - since) / 1us, UINT32_MAX));
}

e3_trap trap_record(const Fault& fault, e3_addr object, std::uint32_t process) {
  e3_trap record{};
  record.cause = fault.cause;
  record.context = fault.context;
  record.address = fault.address;
  record.access = fault.access;
  record.object = object;
  record.process = process;
  return record;
}

Traps::Traps(net::Clock& clock, Sdram& sdram, Mmu& mmu, Interrupts& interrupts, Counters& counters)
    : clock_(clock), sdram_(sdram), mmu_(mmu), interrupts_(interrupts), counters_(counters) {
  units_.reserve(E3_TRAP_RECORDS);
  for (int unit = 0; unit < E3_TRAP_RECORDS; ++unit) units_.emplace_back(clock_);
}

std::uint32_t Traps::interrupt_of(e3_trap_unit unit, std::uint32_t context) const {
  const bool system = (mmu_.filter(context) & E3_FILTER_SYSTEM) != 0;
  switch (unit) {
    case E3_TRAP_COMMAND:
      return E3_INT_COMMAND_TRAP;
    case E3_TRAP_DMA:
      return E3_INT_DMA_TRAP;
    case E3_TRAP_THREAD:
      return E3_INT_THREAD_TRAP;
    case E3_TRAP_INPUT0:
      return system ? E3_INT_INPUT_CH0_SYSTEM : E3_INT_INPUT_CH0_USER;
    default:
      return system ? E3_INT_INPUT_CH1_SYSTEM : E3_INT_INPUT_CH1_USER;
  }
}

net::Task<Verdict> Traps::raise(e3_trap_unit unit, e3_trap record) {
  Unit& at = units_[unit];
  at.record = record;
  at.waiting = true;
  counters_.count(Counter::traps);
  if (base_ != 0) sdram_.store(base_ + std::uint64_t{unit} * sizeof(e3_trap), record);
  co_await clock_.after(sdram_.rules().access);
  interrupts_.raise(interrupt_of(unit, record.context));
  while (at.waiting) co_await at.resumed.wait();
  co_return at.verdict;
}

bool Traps::input_waits(std::uint32_t kind) const {
  constexpr std::uint32_t kinds = 2;  // user, system
  const auto unit = static_cast<e3_trap_unit>(E3_TRAP_INPUT0 + kind / kinds);
  return waiting(unit) && interrupt_of(unit, units_[unit].record.context) == E3_INT_INPUT_CH0_USER << kind;
}

void Traps::resume(std::uint32_t word) {
  const std::uint32_t number = word & ~E3_RESUME_DROP;
  if (number >= units_.size() || !units_[number].waiting) return;
  Unit& unit = units_[number];
  unit.waiting = false;
  unit.verdict = (word & E3_RESUME_DROP) != 0 ? Verdict::drop : Verdict::retry;
  unit.resumed.notify();
}

std::string Traps::busy() const {
  std::string text;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (!units_[i].waiting) continue;
    const e3_trap& record = units_[i].record;
    text += fmt::format("{}the {} has trapped ({}, context {}, address {:#x})", text.empty() ? "" : ", ", unit_names[i],
                        cause_name(record.cause), record.context, record.address);
  }
  return text;
}

}  // namespace sanvp::nic::elan3
