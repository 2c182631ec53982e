#include "models/nic/lanai/lanai.hpp"

#include <fmt/format.h>

#include <span>

#include "models/nic/lanai/map_file.hpp"

namespace sanvp::nic::lanai {

Lanai::Lanai(const sc_core::sc_module_name& name, const CardRules& rules, std::unique_ptr<RouteSelection> selection,
             const NicContext& context)
    : NicModule(name),
      context_(context),
      timeline_(context.timeline),
      firmware_folder_(context.firmware_folder),
      firmware_files_(rules.firmware),
      clock_(context.clock()),
      tracks_(context.trace, context.graph.hosts()[context.host].name),
      bus_(bus, timeline_),
      events_(clock_),
      interrupts_([this](bool raised) { set_interrupt_line(raised); }),
      routes_(sram_, context.graph),
      selection_(std::move(selection)),
      sdma_(HostDma::Direction::to_sram, rules.dma, {clock_, sram_, bus_, events_, counters_, tracks_}),
      rdma_(HostDma::Direction::to_host, rules.dma, {clock_, sram_, bus_, events_, counters_, tracks_}),
      packets_({clock_, sram_, network, events_, counters_, tracks_, context.graph, *selection_}, context.host,
               rules.packets, context.flit_time),
      processor_(rules.processor,
                 {timeline_.queue(), static_cast<std::uint32_t>(context.host), clock_, sram_, events_, sdma_, rdma_,
                  packets_, routes_, *selection_, interrupts_, counters_, tracks_},
                 context.host, Random(context.seed, "route selection of host " + std::to_string(context.host))),
      eeprom_(map_file(context.network(), context.host)),
      windows_(timeline_, static_cast<std::uint32_t>(context.host), register_map(), *this) {
  network.bind(packets_);
  registers.bind(windows_);
}

/// Called when the mapper's routes have changed: writes them into the card.
void Lanai::routes_changed() {
  std::vector<std::byte> image = map_file(context_.network(), context_.host);
  const auto table = std::span(image).subspan(LANAI_EEPROM_MAP);
  const bool is_placed = routes_.nodes() > 0;  // otherwise the driver will copy it later
  if (const auto to = sram_.find(routes_.address(), table.size()); is_placed && !to.empty())
    std::ranges::copy(table, to.begin());
  eeprom_ = std::move(image);
}

void Lanai::start_of_simulation() {
  units_.push_back(sdma_.run());
  units_.push_back(rdma_.run());
  units_.push_back(processor_.run());
  for (auto& unit : units_) unit.start(clock_);
}

Registers<InterruptRegister> Lanai::interrupt_registers() {
  return {{.name = "Interrupt",
           .window = LANAI_BAR_REGISTERS,
           .offset = LANAI_REG_INTERRUPT,
           .read = get<&InterruptRegister::pending>,
           .write = put<&InterruptRegister::clear>,
           .meaning = "pending causes of the host's interrupt, LANAI_INT_...; a write clears the bits written",
           .source = "assumed"},
          {.name = "InterruptMask",
           .window = LANAI_BAR_REGISTERS,
           .offset = LANAI_REG_INTERRUPT_MASK,
           .read = get<&InterruptRegister::mask>,
           .write = put<&InterruptRegister::set_mask>,
           .meaning = "which of them raise the line",
           .source = "assumed"}};
}

const RegisterMap<Lanai>& Lanai::register_map() {
  static const auto map =
      RegisterMap<Lanai>(
          std::vector<Window<Lanai>>{
              {.name = "SRAM",
               .bytes = LANAI_SRAM_BYTES,
               .memory = [](Lanai& card, std::uint32_t offset,
                            std::size_t bytes) { return card.sram_.find(offset, bytes); },
               .stored = [](Lanai& card) { card.host_has_stored(); },
               .meaning = "the card's memory; a store wakes the processor",
               .source = "FACTS 2.1; the size is assumed"},
              {.name = "registers", .bytes = LANAI_REGISTER_BYTES, .meaning = "the driver's", .source = "assumed"},
              {.name = "EEPROM",
               .bytes = LANAI_EEPROM_BYTES,
               .contents = [](const Lanai& card) { return std::span<const std::byte>(card.eeprom_); },
               .meaning = "struct lanai_eeprom; from LANAI_EEPROM_MAP on the mapper's routes",
               .source = "assumed"}})
          .with(Processor::registers(), &Lanai::processor_)
          .with(interrupt_registers(), &Lanai::interrupts_)
          .with(RouteMemory::registers(), &Lanai::routes_);
  return map;
}

void Lanai::host_has_stored() {
  counters_.count(Counter::host_stores);
  events_.raise(LANAI_EVENT_HOST);
}

void Lanai::set_interrupt_line(bool raised) { set_interrupt(raised, timeline_.ahead()); }

std::string Lanai::busy() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (sdma_.busy() || rdma_.busy()) add("a DMA is under way");
  if (packets_.sending()) add("a packet is being sent");
  if (packets_.in_transit() > 0) add(fmt::format("{} in-transit packets wait", packets_.in_transit()));
  return text;
}

std::vector<CardQueue> Lanai::queues() const {
  std::vector<CardQueue> shown{{"dma machines"}};
  for (const auto& [name, machine] : {std::pair{"to SRAM", &sdma_}, std::pair{"to host", &rdma_}})
    if (machine->busy()) shown.front().entries.push_back(machine->entry(name));
  for (CardQueue& queue : packets_.queues()) shown.push_back(std::move(queue));
  return shown;
}

/// Data moved for software; retransmissions do not count.
std::uint64_t Lanai::work() const { return counters_[Counter::host_stores] + counters_[Counter::rdma_bytes]; }

void Lanai::report(StatisticsTable& table) const { counters_.report(table, name(), counter_names); }

}  // namespace sanvp::nic::lanai
