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
      clock_(context.clock()),
      tracks_(context.trace, context.graph.hosts()[context.host].name),
      bus_(bus),
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
      registers_file_(make_registers()),
      windows_(timeline_, static_cast<std::uint32_t>(context.host), sram_, events_, counters_, registers_file_,
               map_file(context.network(), context.host)) {
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
  windows_.show_eeprom(std::move(image));
}

void Lanai::start_of_simulation() {
  units_.push_back(sdma_.run());
  units_.push_back(rdma_.run());
  units_.push_back(processor_.run());
  for (auto& unit : units_) unit.start(clock_);
}

RegisterFile Lanai::make_registers() {
  return RegisterFile{
      {"start", LANAI_REG_START, {}, [this](std::uint32_t program) { processor_.start(program); }},
      {"interrupt", LANAI_REG_INTERRUPT, [this] { return interrupts_.pending(); },
       [this](std::uint32_t bits) { interrupts_.clear(bits); }},
      {"interrupt mask", LANAI_REG_INTERRUPT_MASK, [this] { return interrupts_.mask(); },
       [this](std::uint32_t mask) { interrupts_.set_mask(mask); }},
      {"routes", LANAI_REG_ROUTES, [this] { return routes_.address(); },
       [this](std::uint32_t address) { routes_.place(address, routes_.nodes()); }},
      {"route nodes", LANAI_REG_ROUTE_NODES, [this] { return routes_.nodes(); },
       [this](std::uint32_t nodes) { routes_.place(routes_.address(), nodes); }},
      {"clock", LANAI_REG_CLOCK, [this] { return processor_.clock(); }},
  };
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

/// Data moved for software; retransmissions do not count.
std::uint64_t Lanai::work() const { return counters_[Counter::host_stores] + counters_[Counter::rdma_bytes]; }

void Lanai::report(StatisticsTable& table) const { counters_.report(table, name(), counter_names); }

}  // namespace sanvp::nic::lanai
