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
      bus_(bus, context.timeline),
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
      rom_(rom(rules, addressing_, context, is_configured_)),
      control_(host_ == stc104::ControlNetwork::node ? control : nullptr),
      windows_(timeline_, static_cast<std::uint32_t>(host_), register_map(), *this, window_sizes()) {
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

Registers<InterruptRegister> DsLink::interrupt_registers() {
  return {{.name = "Interrupt",
           .window = DS_BAR_REGISTERS,
           .offset = DS_REG_INTERRUPT,
           .read = get<&InterruptRegister::pending>,
           .write = put<&InterruptRegister::clear>,
           .meaning = "pending interrupts, DS_INT_...; a write clears the bits written",
           .source = "assumed"},
          {.name = "Mask",
           .window = DS_BAR_REGISTERS,
           .offset = DS_REG_MASK,
           .read = get<&InterruptRegister::mask>,
           .write = put<&InterruptRegister::set_mask>,
           .meaning = "bits of the interrupts that reach the host",
           .source = "assumed"}};
}

Registers<DsLink> DsLink::own_registers() {
  return {{.name = "LinkErrors",
           .window = DS_BAR_REGISTERS,
           .offset = DS_REG_LINK_ERRORS,
           .read = [](const DsLink& card, const Instance&) -> Value { return card.counters_[Counter::parity_errors]; },
           .meaning = "parity errors so far",
           .source = "FACTS 3.3; the register is assumed"},
          {.name = "Output",
           .window = DS_BAR_CHANNELS,
           .offset = DS_PORT_OUTPUT,
           .bytes = sizeof(ds_transfer),
           .write =
               [](DsLink& card, const Store& store) {
                 const std::uint32_t link = store.instance.page;
                 if (card.take_command(link)) card.output_.output(link, store.as<ds_transfer>());
               },
           .meaning = "struct ds_transfer: the bytes to send as one message",
           .source = "assumed: a T9000 has instructions instead"},
          {.name = "Input",
           .window = DS_BAR_CHANNELS,
           .offset = DS_PORT_INPUT,
           .bytes = sizeof(ds_transfer),
           .write =
               [](DsLink& card, const Store& store) {
                 const std::uint32_t link = store.instance.page;
                 if (card.take_command(link)) card.input_.input(link, store.as<ds_transfer>());
               },
           .meaning = "struct ds_transfer: where the next message goes, and how long it may be",
           .source = "assumed: a T9000 has instructions instead"},
          {.name = "Connect",
           .window = DS_BAR_CHANNELS,
           .offset = DS_PORT_CONNECT,
           .bytes = sizeof(ds_connection),
           .write =
               [](DsLink& card, const Store& store) {
                 card.count_command();
                 card.connect(store.instance.page, store.as<ds_connection>());
               },
           .meaning = "struct ds_connection; the driver's",
           .source = "assumed"},
          {.name = "Owner",
           .window = DS_BAR_REGISTERS,
           .offset = DS_REG_OWNER,
           .bytes = sizeof(ds_owner),
           .write =
               [](DsLink& card, const Store& store) {
                 const auto owner = store.as<ds_owner>();
                 card.blocks_.own(owner);
                 card.input_.owned(owner.first, owner.links);
               },
           .meaning = "struct ds_owner: the run queue of the process to which virtual links belong; told of packets on "
                      "those that are not connected",
           .source = "assumed"}};
}

const RegisterMap<DsLink>& DsLink::register_map() {
  static const auto map =
      RegisterMap<DsLink>(
          std::vector<Window<DsLink>>{
              {.name = "channels",
               .pages = {0, DS_PORT_BYTES, "virtual link"},
               .meaning = "a port for each virtual link: one burst is a command",
               .source = "assumed"},
              {.name = "registers", .bytes = DS_REGISTER_BYTES, .meaning = "the driver's", .source = "assumed"},
              {.name = "ROM",
               .contents = [](const DsLink& card) { return std::as_bytes(std::span(card.rom_)); },
               .meaning = "struct ds_position; at node 0 also struct stc104_network",
               .source = "assumed"},
              {.name = "control",
               .serve = [](DsLink& card, std::uint32_t offset, std::span<std::byte> data,
                           bool is_write) { return card.serve_control(offset, data, is_write); },
               .meaning = "at node 0: the switches' configuration, STC104_ADDRESS; `sanvp describe stc104`",
               .source = "FACTS 3.2"}})
          .with(LinkEnd::registers(), &DsLink::link_)
          .with(interrupt_registers(), &DsLink::interrupts_)
          .with(ControlBlocks::registers(), &DsLink::blocks_)
          .with(own_registers());
  return map;
}

std::vector<std::uint64_t> DsLink::window_sizes() const {
  const std::uint64_t devices = control_ != nullptr ? control_->devices() : 0;
  return {std::uint64_t{addressing_.virtual_links} * DS_PORT_BYTES, DS_REGISTER_BYTES,
          rom_.size() * sizeof(std::uint32_t), devices * STC104_DEVICE_BYTES};
}

/// The port serves one access at a time; the processor waits for its end.
Served DsLink::serve_control(std::uint32_t address, std::span<std::byte> data, bool is_write) {
  std::uint32_t value = 0;
  if (data.size() != sizeof value) return {.refusal = control_->refusal(address, data.size(), is_write)};
  if (is_write) std::memcpy(&value, data.data(), sizeof value);
  const auto access = is_write ? control_->poke(address, value) : control_->peek(address);
  if (!access.good) return {.refusal = control_->refusal(address, data.size(), is_write)};
  if (!is_write) std::memcpy(data.data(), &access.value, sizeof access.value);
  return {.takes = access.takes};
}

void DsLink::count_command() {
  ++commands_;
  counters_.count(Counter::commands);
}

/// @return whether it can be carried out
bool DsLink::take_command(std::uint32_t link) {
  count_command();
  if (!links_[link].connected) blocks_.fault(DS_FAULT_NOT_CONNECTED, link);
  return links_[link].connected;
}

void DsLink::connect(std::uint32_t link, const ds_connection& connection) {
  VirtualLink& to = links_[link];
  to.connected = connection.block != 0;
  to.owner_knows = false;
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

std::vector<CardQueue> DsLink::queues() const {
  std::vector<CardQueue> shown{links_.queue(), input_.queue()};
  for (CardQueue& queue : output_.queues()) shown.push_back(std::move(queue));
  return shown;
}

}  // namespace sanvp::nic::ds_link
