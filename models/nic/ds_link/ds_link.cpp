#include "models/nic/ds_link/ds_link.hpp"

#include <fmt/format.h>

#include <cstring>

namespace sanvp::nic::ds_link {
namespace {

std::vector<std::uint32_t> rom(const CardRules& rules, const Addressing& addressing, const NicContext& context,
                               bool is_loaded) {
  const bool configures = is_loaded && context.host == stc104::ControlNetwork::node;
  const ds_position position{.magic = DS_POSITION_MAGIC,
                             .node = static_cast<std::uint32_t>(context.host),
                             .nodes = static_cast<std::uint32_t>(context.graph.host_count()),
                             .virtual_links = addressing.virtual_links,
                             .processes = addressing.processes,
                             .packet_bytes = rules.output.packet_bytes,
                             .header_links = addressing.header_links,
                             .deletes_header = addressing.deletion,
                             .switches = configures ? static_cast<std::uint32_t>(context.graph.switch_count()) : 0,
                             .spare = 0};
  std::vector<std::uint32_t> words(sizeof position / sizeof(std::uint32_t));
  std::memcpy(words.data(), &position, sizeof position);
  if (configures) {
    const auto network = stc104::describe_network(context.graph, context.working(), context.routing);
    words.insert(words.end(), network.begin(), network.end());
  }
  return words;
}

}  // namespace

DsLink::DsLink(const sc_core::sc_module_name& name, const CardRules& rules, const NicContext& context,
               stc104::ControlNetwork* control)
    : NicModule(name),
      is_configured_(control != nullptr),
      host_(context.host),
      timeline_(context.timeline),
      clock_(context.clock()),
      addressing_(Addressing::of(rules, context.graph.host_count(), context.load)),
      bus_(bus),
      tracks_(context.trace, context.graph.hosts()[context.host].name),
      interrupts_([this](bool raised) { set_interrupt(raised, timeline_.ahead()); }),
      links_(addressing_.virtual_links, rules.window),
      blocks_(clock_, bus_, interrupts_),
      link_(
          rules.link,
          {.header_bytes = addressing_.header_bytes,
           .deleted_bytes = addressing_.deletion && control == nullptr ? rules.header_bytes : 0,
           .token = context.flit_time},
          clock_, network,
          Routes({context.routing, control, addressing_.header_links}, host_, context.graph.host_count(), context.seed),
          counters_, interrupts_, tracks_),
      output_(rules.output, clock_, bus_, link_, links_, blocks_, counters_, tracks_),
      input_(rules.input, clock_, bus_, output_, links_, blocks_, counters_, tracks_),
      registers_file_(make_registers()),
      windows_(
          timeline_, static_cast<std::uint32_t>(host_), rom(rules, addressing_, context, is_configured_),
          registers_file_, host_ == stc104::ControlNetwork::node ? control : nullptr,
          [this](std::uint32_t link, std::uint32_t what, const Windows::Store& store) { command(link, what, store); }) {
  network.bind(*static_cast<net::NetworkBackward*>(this));
  registers.bind(windows_);
  link_.connect(input_);
}

void DsLink::start_of_simulation() {
  units_.push_back(link_.starts());
  units_.push_back(link_.loop());
  units_.push_back(output_.run());
  units_.push_back(output_.look_for_losses());
  units_.push_back(input_.run());
  for (auto& unit : units_) unit.start(clock_);
}

RegisterFile DsLink::make_registers() {
  return RegisterFile{
      {"link command", DS_REG_LINK_COMMAND, {}, [this](std::uint32_t word) { link_.command(word); }},
      {"link status", DS_REG_LINK_STATUS, [this] { return link_.state(); }},
      {"link errors", DS_REG_LINK_ERRORS,
       [this] { return static_cast<std::uint32_t>(counters_[Counter::parity_errors]); }},
      {"interrupt", DS_REG_INTERRUPT, [this] { return interrupts_.pending(); },
       [this](std::uint32_t bits) { interrupts_.clear(bits); }},
      {"mask", DS_REG_MASK, [this] { return interrupts_.mask(); },
       [this](std::uint32_t mask) { interrupts_.set_mask(mask); }},
      {"fault", DS_REG_FAULT, [this] { return blocks_.take_fault(); }},
  };
}

void DsLink::command(std::uint32_t link, std::uint32_t command, const Windows::Store& store) {
  ++commands_;
  counters_.count(Counter::commands);
  if (command == DS_PORT_CONNECT)
    connect(link, store.as<ds_connection>());
  else if (!links_[link].connected)
    blocks_.fault(DS_FAULT_NOT_CONNECTED, link);
  else if (command == DS_PORT_OUTPUT)
    output_.output(link, store.as<ds_transfer>());
  else
    input_.input(link, store.as<ds_transfer>());
}

void DsLink::connect(std::uint32_t link, const ds_connection& connection) {
  VirtualLink& to = links_[link];
  to.connected = connection.block != 0;
  if (!to.connected) return;
  to.connection = connection;
  input_.connected(link);
}

std::string DsLink::busy() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (link_.state() != DS_LINK_RUNNING) add("its link is down");
  if (output_.unfinished() > 0) add(fmt::format("{} messages are not out", output_.unfinished()));
  if (input_.busy()) add("a packet is being taken in");
  return text;
}

void DsLink::report(StatisticsTable& table) const {
  counters_.report(table, "node " + std::to_string(host_) + ".ds_link", counter_names);
}

}  // namespace sanvp::nic::ds_link
