#include "models/nic/tofu/tofu.hpp"

#include <fmt/format.h>

namespace sanvp::nic::tofu {
namespace {

/// The position of a node. In a network that is not a TOFU, nodes form a row.
tofu_position position(const NicContext& context, int ports) {
  const topologies::Graph& graph = context.graph;
  tofu_position position{.magic = TOFU_POSITION_MAGIC,
                         .node = static_cast<std::uint32_t>(context.host / ports),
                         .nodes = static_cast<std::uint32_t>(graph.host_count() / ports),
                         .size = {static_cast<std::uint32_t>(graph.host_count() / ports), 1, 1, 1, 1, 1}};
  const std::size_t axes = graph.family == "tofu" ? 6 : graph.family == "tofu_flat" ? 2 : 0;
  for (std::size_t i = 0; i < axes; ++i) position.size[i] = static_cast<std::uint32_t>(graph.shape[i]);
  return position;
}

std::uint64_t with_low(std::uint64_t whole, std::uint32_t low) { return (whole & ~std::uint64_t{UINT32_MAX}) | low; }
std::uint64_t with_high(std::uint64_t whole, std::uint32_t high) {
  return (whole & UINT32_MAX) | std::uint64_t{high} << 32;
}

}  // namespace

Tofu::Tofu(const sc_core::sc_module_name& name, const CardRules& rules, int flit_bytes, int ports,
           std::unique_ptr<RouteSelection> selection, const NicContext& context)
    : NicModule(name),
      more_ports_("port", static_cast<std::size_t>(ports - 1)),
      clock_(context.clock()),
      tracks_(context.trace, context.graph.hosts()[context.host].name),
      memory_(rules.memory, bus),
      queues_(memory_),
      steering_(memory_, counters_),
      link_(rules.link, flit_bytes, context, std::move(selection), clock_, this->ports(), counters_,
            [this](const Payload& packet) { come(packet, std::nullopt); }),
      completion_(clock_, queues_, memory_, counters_),
      shared_{clock_, memory_, queues_, steering_, link_, completion_, counters_, tracks_},
      tnis_{Tni(rules.order, rules.receive, 0, shared_), Tni(rules.order, rules.receive, 1, shared_),
            Tni(rules.order, rules.receive, 2, shared_), Tni(rules.order, rules.receive, 3, shared_)},
      barrier_(rules.barrier, shared_),
      windows_(context.timeline, static_cast<std::uint32_t>(context.host), position(context, ports), make_registers(),
               make_actions()) {
  for (net::NetworkInitiatorSocket* port : this->ports()) port->bind(*static_cast<net::NetworkBackward*>(this));
  registers.bind(windows_);
}

std::vector<net::NetworkInitiatorSocket*> Tofu::ports() {
  std::vector<net::NetworkInitiatorSocket*> all{&network};
  for (std::size_t i = 0; i < more_ports_.size(); ++i) all.push_back(&more_ports_[i]);
  return all;
}

void Tofu::start_of_simulation() {
  for (Tni& tni : tnis_) {
    units_.push_back(tni.orders.run());
    units_.push_back(tni.responder.run_answers());
    units_.push_back(tni.responder.run_gets());
    units_.push_back(tni.receiver.run());
  }
  units_.push_back(completion_.run());
  units_.push_back(barrier_.run());
  units_.push_back(barrier_.run_sender());
  for (auto& unit : units_) unit.start(clock_);
}

RegisterFile Tofu::make_registers() {
  return RegisterFile{
      {"queues low",
       TOFU_REG_QUEUES_LOW,
       {},
       [this](std::uint32_t word) { queues_.set_table(with_low(queues_.table(), word)); }},
      {"queues high",
       TOFU_REG_QUEUES_HIGH,
       {},
       [this](std::uint32_t word) { queues_.set_table(with_high(queues_.table(), word)); }},
      {"gates low",
       TOFU_REG_GATES_LOW,
       {},
       [this](std::uint32_t word) { barrier_.set_table(with_low(barrier_.table(), word)); }},
      {"gates high",
       TOFU_REG_GATES_HIGH,
       {},
       [this](std::uint32_t word) { barrier_.set_table(with_high(barrier_.table(), word)); }},
      {"load queue",
       TOFU_REG_LOAD_QUEUE,
       {},
       [this](std::uint32_t index) { clock_.act([this, index] { queues_.load(index, clock_.now()); }); }},
      {"load gate",
       TOFU_REG_LOAD_GATE,
       {},
       [this](std::uint32_t gate) { clock_.act([this, gate] { barrier_.load(gate, clock_.now()); }); }},
      {"flush", TOFU_REG_FLUSH, {}, [this](std::uint32_t) { steering_.flush(); }},
  };
}

Windows::Actions Tofu::make_actions() {
  return {.page = [this](std::uint32_t queue, std::uint32_t offset,
                         std::uint32_t value) { page_store(queue, offset, value); },
          .order =
              [this](std::uint32_t queue, const tofu_order& order, const std::optional<Trace::Point>& cause) {
                tnis_[queue / TOFU_QUEUES].orders.direct(queue % TOFU_QUEUES, order, cause);
              },
          .gate = [this](std::uint32_t gate) { barrier_.start(gate); }};
}

void Tofu::page_store(std::uint32_t index, std::uint32_t offset, std::uint32_t value) {
  const std::uint32_t tni = index / TOFU_QUEUES, number = index % TOFU_QUEUES;
  Queue* queue = queues_.find(tni, number);
  if (queue == nullptr) return;
  if (offset == TOFU_PAGE_ORDERS)
    tnis_[tni].orders.given(number, value);
  else if (offset == TOFU_PAGE_TCQ)
    completion_.taken_tcq(*queue, value);
  else
    completion_.taken_mrq(*queue, value);
}

void Tofu::come(const Payload& packet, std::optional<std::uint64_t> number) {
  const Header header = header_of(*packet);
  if (header.kind == Header::Kind::signal)
    barrier_.signal(header.length);
  else
    tnis_[header.to.tni].receiver.come(packet, number);
}

void Tofu::lost(net::Packet& packet, const sc_core::sc_time&) {
  const std::optional<Header> header = link_.lost(packet);
  if (!header) return;
  if (header->kind == Header::Kind::signal)
    barrier_.lost(header->to.node);
  else
    tnis_[header->from.tni].receiver.lost(*header);
}

std::string Tofu::busy() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (std::size_t i = 0; i < tnis_.size(); ++i) {
    if (tnis_[i].orders.busy()) add(fmt::format("TNI {} has orders", i));
    if (tnis_[i].responder.busy()) add(fmt::format("TNI {} has answers to give", i));
    if (tnis_[i].receiver.busy()) add(fmt::format("TNI {} is receiving", i));
  }
  if (link_.under_way() > 0) add(fmt::format("{} packets are on their way into the router", link_.under_way()));
  if (completion_.held() > 0) add(fmt::format("{} notices are held, since their queue is full", completion_.held()));
  if (barrier_.busy()) add("barrier signals are under way");
  for (const std::uint32_t node : barrier_.unreachable())
    add(fmt::format("a barrier's signal to node {} was lost: no working way leads there; leave it out (--map)", node));
  return text;
}

std::uint64_t Tofu::work() const {
  std::uint64_t sum = 0;
  for (const Counter counter : {Counter::orders, Counter::packets_received, Counter::notices, Counter::signals})
    sum += counters_[counter];
  return sum;
}

void Tofu::report(StatisticsTable& table) const { counters_.report(table, name(), counter_names); }

}  // namespace sanvp::nic::tofu
