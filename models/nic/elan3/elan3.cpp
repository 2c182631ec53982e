#include "models/nic/elan3/elan3.hpp"

#include <fmt/format.h>

#include "models/nic/elan3/network_map.hpp"

namespace sanvp::nic::elan3 {

Elan3::Elan3(const sc_core::sc_module_name& name, const CardRules& rules, const NicContext& context)
    : NicModule(name),
      host_(context.host),
      timeline_(context.timeline),
      clock_(context.clock()),
      tracks_(context.trace, context.graph.hosts()[host_].name),
      sdram_(rules.sdram),
      mmu_(sdram_, counters_),
      pci_(bus, &tracks_),
      memory_(sdram_, mmu_, pci_),
      microcode_(rules.microcode, context.flit_time),
      interrupts_([this](bool raised) { set_interrupt_line(raised); }),
      traps_(clock_, sdram_, mmu_, interrupts_, counters_),
      schedule_(clock_, interrupts_, mmu_),
      routes_(sdram_, mmu_, RouteNetwork::of(context.graph, context.routing), host_),
      link_(rules.link, timeline_.queue(), static_cast<std::uint32_t>(host_), clock_, network, counters_),
      events_(rules.events, clock_, memory_, interrupts_, counters_, *this),
      dma_(rules.dma,
           {timeline_.queue(), clock_, memory_, microcode_, link_, routes_, traps_, counters_, tracks_, schedule_},
           static_cast<std::uint32_t>(host_)),
      transactions_(rules.transactions, memory_, events_, dma_, counters_),
      inputter_(rules.input, clock_, microcode_, network, routes_, transactions_, traps_, counters_, tracks_),
      firmware_(context.firmware_folder, rules.thread.loader),
      scheduler_(rules.scheduler, clock_, memory_, firmware_, schedule_),
      threads_(rules.thread,
               {clock_, memory_, microcode_, link_, routes_, events_, traps_, counters_, tracks_, *this, scheduler_}),
      commands_(rules.command, {clock_, memory_, events_, traps_, interrupts_, schedule_, counters_, tracks_}, *this),
      registers_file_(make_registers()),
      windows_(timeline_, static_cast<std::uint32_t>(host_), sdram_, network_map(context.network(), host_)) {
  network.bind(*static_cast<net::NetworkBackward*>(this));
  registers.bind(windows_);
  dma_.connect(events_);
  windows_.connect(commands_, registers_file_);
}

void Elan3::start_of_simulation() {
  units_.push_back(commands_.run());
  units_.push_back(dma_.run());
  units_.push_back(dma_.complete());
  units_.push_back(threads_.run());
  for (int channel = 0; channel < Inputter::channels; ++channel) units_.push_back(inputter_.run(channel));
  for (auto& unit : units_) unit.start(clock_);
}

RegisterFile Elan3::make_registers() {
  const auto trap_status = [this](e3_trap_unit unit) {
    return [this, unit] { return traps_.waiting(unit) ? 1U : 0U; };
  };
  const auto counter = [this](int number) {
    return [this, number] { return static_cast<std::uint32_t>(counters_[static_cast<Counter>(number)]); };
  };
  const auto nanoseconds = [this] {
    return static_cast<std::uint64_t>(std::max(clock_.now(), net::kernel_now()) / 1ns);
  };
  return RegisterFile{
      {"dma status", E3_REG_DMA_STATUS, trap_status(E3_TRAP_DMA)},
      {"command status", E3_REG_COMMAND_STATUS, trap_status(E3_TRAP_COMMAND)},
      {"thread status", E3_REG_THREAD_STATUS, trap_status(E3_TRAP_THREAD)},
      {"input status 0", E3_REG_INPUT_STATUS, trap_status(E3_TRAP_INPUT0)},
      {"input status 1", E3_REG_INPUT_STATUS + 8, trap_status(E3_TRAP_INPUT1)},
      {"schedule", E3_REG_SCHEDULE, [this] { return schedule_.word(); },
       [this](std::uint32_t word) { set_schedule(word); }},
      {"interrupt", E3_REG_INTERRUPT, [this] { return interrupts_.pending(); },
       [this](std::uint32_t bits) { interrupts_.clear(bits); }},
      {"interrupt mask", E3_REG_INTERRUPT_MASK, [this] { return interrupts_.mask(); },
       [this](std::uint32_t mask) { interrupts_.set_mask(mask); }},
      {"trap base", E3_REG_TRAP_BASE, [this] { return traps_.base(); },
       [this](std::uint32_t address) { traps_.set_base(address); }},
      {"context table", E3_REG_CONTEXT_TABLE, [this] { return mmu_.table(); },
       [this](std::uint32_t address) { mmu_.set_contexts(address, mmu_.contexts()); }},
      {"contexts", E3_REG_CONTEXTS, [this] { return mmu_.contexts(); },
       [this](std::uint32_t count) { mmu_.set_contexts(mmu_.table(), count); }},
      {"flush TLB", E3_REG_FLUSH_TLB, {}, [this](std::uint32_t) { mmu_.flush(); }},
      {"resume", E3_REG_RESUME, {}, [this](std::uint32_t word) { traps_.resume(word); }},
      {"event cookie", E3_REG_EVENT_COOKIE, [this] { return interrupts_.take_cookie(); }},
      {"queue status", E3_REG_QUEUE_STATUS,
       [this] { return static_cast<std::uint32_t>((dma_.queued() & 0xffffU) | scheduler_.queued() << 16); }},
      {"counter 0", E3_REG_COUNTERS + 0, counter(0)},
      {"counter 1", E3_REG_COUNTERS + 4, counter(1)},
      {"counter 2", E3_REG_COUNTERS + 8, counter(2)},
      {"counter 3", E3_REG_COUNTERS + 12, counter(3)},
      {"counter 4", E3_REG_COUNTERS + 16, counter(4)},
      {"counter 5", E3_REG_COUNTERS + 20, counter(5)},
      {"counter 6", E3_REG_COUNTERS + 24, counter(6)},
      {"counter 7", E3_REG_COUNTERS + 28, counter(7)},
      {"clock low", E3_REG_CLOCK_LOW, [nanoseconds] { return static_cast<std::uint32_t>(nanoseconds()); }},
      {"clock high", E3_REG_CLOCK_HIGH, [nanoseconds] { return static_cast<std::uint32_t>(nanoseconds() >> 32); }},
  };
}

void Elan3::set_schedule(std::uint32_t word) {
  schedule_.set(word);
  dma_.look_up();
  scheduler_.look_up();
}

void Elan3::set_interrupt_line(bool raised) { set_interrupt(raised, timeline_.ahead()); }

net::Task<Fault> Elan3::put_dma(std::uint32_t context, e3_addr descriptor) { return dma_.put(context, descriptor); }

std::string Elan3::busy() const {
  std::string text = traps_.busy();
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (dma_.unfinished() > 0) add(fmt::format("{} DMAs are unfinished", dma_.unfinished()));
  if (link_.in_flight() > 0) add(fmt::format("{} packets are without an answer", link_.in_flight()));
  if (inputter_.busy()) add("a packet is being taken in");
  if (threads_.busy()) add("a thread is at work");
  if (commands_.busy()) add("commands wait");
  return text;
}

/// Traps do not count: a DMA that a full queue refuses traps again and again. A thread that copies data counts,
/// and one that computes for long, since it may match long lists; one that only answers tests without progress does
/// not.
std::uint64_t Elan3::work() const {
  constexpr Time for_long = 5ms;
  const bool computes = threads_.computes_until() - clock_.now() > for_long;
  return counters_[Counter::dmas] + counters_[Counter::payload_received] + threads_.copies() +
         (computes ? static_cast<std::uint64_t>(clock_.now().count()) : 0);
}

void Elan3::report(StatisticsTable& table) const { counters_.report(table, name(), counter_names); }

}  // namespace sanvp::nic::elan3
