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
      pci_(bus, timeline_, &tracks_),
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
      firmware_(context.firmware_folder, rules.firmware, rules.thread.loader),
      scheduler_(rules.scheduler, clock_, memory_, firmware_, schedule_),
      threads_(rules.thread,
               {clock_, memory_, microcode_, link_, routes_, events_, traps_, counters_, tracks_, *this, scheduler_}),
      commands_(rules.command, {clock_, memory_, events_, traps_, interrupts_, schedule_, counters_, tracks_}, *this),
      rom_(network_map(context.network(), host_)),
      windows_(timeline_, static_cast<std::uint32_t>(host_), register_map(), *this) {
  network.bind(*static_cast<net::NetworkBackward*>(this));
  registers.bind(windows_);
  dma_.connect(events_);
}

void Elan3::start_of_simulation() {
  units_.push_back(commands_.run());
  units_.push_back(dma_.run());
  units_.push_back(dma_.complete());
  units_.push_back(threads_.run());
  for (int channel = 0; channel < Inputter::channels; ++channel) units_.push_back(inputter_.run(channel));
  for (auto& unit : units_) unit.start(clock_);
}

Registers<Elan3> Elan3::own_registers() {
  return {{.name = "LinkError",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_LINK_ERROR,
           .read = [](const Elan3& card, const Instance&) -> Value { return card.counters_[Counter::corrupt] > 0; },
           .meaning = "type of the link's error: 1, a packet had a CRC error",
           .source = "FACTS 1.5; the value is assumed"},
          {.name = "LinkState",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_LINK_STATE,
           .reset = 1,
           .read = [](const Elan3&, const Instance&) -> Value { return 1; },
           .meaning = "1: the link is up, as it always is in this model",
           .source = "FACTS 1.5; the value is assumed"},
          {.name = "Schedule",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_SCHEDULE,
           .read = [](const Elan3& card, const Instance&) -> Value { return card.schedule_.word(); },
           .write = put<&Elan3::set_schedule>,
           .meaning = "what the driver has stopped, E3_SCHEDULE_...",
           .source = "FACTS 1.5; the bits are assumed"},
          {.name = "QueueStatus",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_QUEUE_STATUS,
           .read = [](const Elan3& card, const Instance&) -> Value {
             return (card.dma_.queued() & 0xffffU) | card.scheduler_.queued() << 16;
           },
           .meaning = "depth of the DMA run queue, low 16 bits, and of the thread run queue, high",
           .source = "FACTS 1.5; the layout is assumed"},
          {.name = "Counters",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_COUNTERS,
           .row = {8, sizeof(std::uint32_t)},
           .read = [](const Elan3& card, const Instance& one) -> Value {
             return card.counters_[static_cast<Counter>(one.row)];
           },
           .meaning = "statistics: packets sent, received, rejected, retried; TLB hits, walks; events set; traps",
           .source = "FACTS 1.5; the selection is assumed"},
          {.name = "ClockLow",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_CLOCK_LOW,
           .read = [](const Elan3& card, const Instance&) -> Value { return card.nanoseconds(); },
           .meaning = "nanoseconds",
           .source = "FACTS 1.5"},
          {.name = "ClockHigh",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_CLOCK_HIGH,
           .read = [](const Elan3& card, const Instance&) -> Value { return card.nanoseconds() >> 32; },
           .meaning = "nanoseconds / 2^32",
           .source = "FACTS 1.5"}};
}

const RegisterMap<Elan3>& Elan3::register_map() {
  constexpr std::uint32_t contexts = 4096;  // FACTS 1.1
  static const auto map =
      RegisterMap<Elan3>(
          std::vector<Window<Elan3>>{
              {.name = "SDRAM",
               .bytes = E3_SDRAM_BYTES,
               .memory = [](Elan3& card, std::uint32_t offset, std::size_t bytes) -> std::span<std::byte> {
                 std::byte* const memory = card.sdram_.find(offset, bytes);
                 return memory == nullptr ? std::span<std::byte>() : std::span(memory, bytes);
               },
               .meaning = "the card's memory, from its physical address 0",
               .source = "FACTS 1.5"},
              {.name = "command ports",
               .pages = {contexts, E3_COMMAND_PAGE, "context"},
               .meaning = "a store of an Elan address is a command",
               .source = "FACTS 1.5"},
              {.name = "registers", .bytes = E3_REGISTER_BYTES, .meaning = "the driver's", .source = "FACTS 1.5"},
              {.name = "ROM",
               .bytes = E3_ROM_BYTES,
               .contents = [](const Elan3& card) { return std::span<const std::byte>(card.rom_); },
               .meaning = "struct e3_position, then the routes of irregular networks",
               .source = "FACTS 1.5; the contents are assumed"}})
          .with(CommandProcessor::registers(), &Elan3::commands_)
          .with(Traps::registers(), &Elan3::traps_)
          .with(Interrupts::registers(), &Elan3::interrupts_)
          .with(Mmu::registers(), &Elan3::mmu_)
          .with(own_registers());
  return map;
}

std::uint64_t Elan3::nanoseconds() const {
  return static_cast<std::uint64_t>(std::max(clock_.now(), net::kernel_now()) / 1ns);
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

std::vector<CardQueue> Elan3::queues() const {
  return {commands_.queue(), dma_.queue(), link_.queue(), inputter_.queue(), scheduler_.queue()};
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
