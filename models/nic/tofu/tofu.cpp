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
      memory_(rules.memory, bus, context.timeline),
      queues_(memory_),
      steering_(memory_, counters_),
      link_(rules.link, flit_bytes, context, std::move(selection), clock_, this->ports(), counters_,
            [this](const Payload& packet) { come(packet, std::nullopt); }),
      completion_(clock_, queues_, memory_, counters_),
      shared_{clock_, memory_, queues_, steering_, link_, completion_, counters_, tracks_},
      tnis_{Tni(rules.order, rules.receive, 0, shared_), Tni(rules.order, rules.receive, 1, shared_),
            Tni(rules.order, rules.receive, 2, shared_), Tni(rules.order, rules.receive, 3, shared_)},
      barrier_(rules.barrier, shared_),
      position_(position(context, ports)),
      windows_(context.timeline, static_cast<std::uint32_t>(context.host), register_map(), *this) {
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

namespace {

struct QueueNumber {
  std::uint32_t tni, number;
};
/// The control queue whose page was stored to.
QueueNumber queue_at(const Store& store) {
  return {store.instance.page / TOFU_QUEUES, store.instance.page % TOFU_QUEUES};
}

std::uint32_t low_of(std::uint64_t whole) { return static_cast<std::uint32_t>(whole); }
std::uint32_t high_of(std::uint64_t whole) { return static_cast<std::uint32_t>(whole >> 32); }

/// The bus address of a table, a half in each of two registers.
template <class Unit>
Registers<Unit> table_registers(const char* low, const char* high, std::uint32_t low_at, std::uint32_t high_at,
                                const char* meaning) {
  return {{.name = low,
           .window = TOFU_BAR_REGISTERS,
           .offset = low_at,
           .read = [](const Unit& unit, const Instance&) -> Value { return low_of(unit.table()); },
           .write = [](Unit& unit,
                       const Store& store) { unit.set_table(with_low(unit.table(), store.as<std::uint32_t>())); },
           .meaning = meaning,
           .source = "assumed"},
          {.name = high,
           .window = TOFU_BAR_REGISTERS,
           .offset = high_at,
           .read = [](const Unit& unit, const Instance&) -> Value { return high_of(unit.table()); },
           .write = [](Unit& unit,
                       const Store& store) { unit.set_table(with_high(unit.table(), store.as<std::uint32_t>())); },
           .meaning = "the upper half",
           .source = "assumed"}};
}

}  // namespace

/// Registers of the driver. A queue or gate is loaded as a step of the card, since it reads main memory.
Registers<Tofu> Tofu::own_registers() {
  return {{.name = "LoadQueue",
           .window = TOFU_BAR_REGISTERS,
           .offset = TOFU_REG_LOAD_QUEUE,
           .write =
               [](Tofu& card, const Store& store) {
                 card.clock_.act(
                     [&card, queue = store.as<std::uint32_t>()] { card.queues_.load(queue, card.clock_.now()); });
               },
           .meaning = "the card reads the record of the queue with that number again",
           .source = "assumed"},
          {.name = "LoadGate",
           .window = TOFU_BAR_REGISTERS,
           .offset = TOFU_REG_LOAD_GATE,
           .write =
               [](Tofu& card, const Store& store) {
                 card.clock_.act(
                     [&card, gate = store.as<std::uint32_t>()] { card.barrier_.load(gate, card.clock_.now()); });
               },
           .meaning = "the same for a barrier gate",
           .source = "assumed"},
          {.name = "Flush",
           .window = TOFU_BAR_REGISTERS,
           .offset = TOFU_REG_FLUSH,
           .write = [](Tofu& card, const Store&) { card.steering_.flush(); },
           .meaning = "steering entries and page tables have changed",
           .source = "assumed"}};
}

/// The pages that processes store to.
Registers<Tofu> Tofu::page_registers() {
  return {{.name = "Orders",
           .window = TOFU_BAR_QUEUES,
           .offset = TOFU_PAGE_ORDERS,
           .write =
               [](Tofu& card, const Store& store) {
                 const auto [tni, number] = queue_at(store);
                 if (card.queues_.find(tni, number) != nullptr)
                   card.tnis_[tni].orders.given(number, store.as<std::uint32_t>());
               },
           .meaning = "number of orders put into the TOQ so far",
           .source = "FACTS 6.1; the layout is assumed"},
          {.name = "Tcq",
           .window = TOFU_BAR_QUEUES,
           .offset = TOFU_PAGE_TCQ,
           .write =
               [](Tofu& card, const Store& store) {
                 const auto [tni, number] = queue_at(store);
                 if (Queue* const queue = card.queues_.find(tni, number))
                   card.completion_.taken_tcq(*queue, store.as<std::uint32_t>());
               },
           .meaning = "number of TCQ entries that software has taken so far",
           .source = "FACTS 6.1; the layout is assumed"},
          {.name = "Mrq",
           .window = TOFU_BAR_QUEUES,
           .offset = TOFU_PAGE_MRQ,
           .write =
               [](Tofu& card, const Store& store) {
                 const auto [tni, number] = queue_at(store);
                 if (Queue* const queue = card.queues_.find(tni, number))
                   card.completion_.taken_mrq(*queue, store.as<std::uint32_t>());
               },
           .meaning = "the same for the MRQ",
           .source = "FACTS 6.1; the layout is assumed"},
          {.name = "Direct",
           .window = TOFU_BAR_QUEUES,
           .offset = TOFU_PAGE_DIRECT,
           .bytes = sizeof(tofu_order),
           .write =
               [](Tofu& card, const Store& store) {
                 const auto [tni, number] = queue_at(store);
                 card.tnis_[tni].orders.direct(number, store.as<tofu_order>(), store.cause);
               },
           .meaning = "a struct tofu_order that needs no fetch",
           .source = "FACTS 6.1; the layout is assumed"},
          {.name = "Gate",
           .window = TOFU_BAR_BARRIER,
           .row = {TOFU_PROCESS_GATES, sizeof(std::uint32_t)},
           .write =
               [](Tofu& card, const Store& store) {
                 card.barrier_.start(store.instance.page * TOFU_PROCESS_GATES + store.instance.row);
               },
           .meaning = "a store of 1 starts this gate of the process",
           .source = "FACTS 6.1; the layout is assumed"}};
}

const RegisterMap<Tofu>& Tofu::register_map() {
  static const auto map =
      RegisterMap<Tofu>(
          std::vector<Window<Tofu>>{
              {.name = "queues",
               .pages = {TOFU_TNIS * TOFU_QUEUES, TOFU_PAGE_BYTES, "queue"},
               .meaning = "a page for each control queue: tni * TOFU_QUEUES + queue",
               .source = "FACTS 6.1; the layout is assumed"},
              {.name = "barrier",
               .pages = {TOFU_PROCESSES, TOFU_PAGE_BYTES, "process"},
               .meaning = "a page for each process",
               .source = "FACTS 6.1; the layout is assumed"},
              {.name = "registers", .bytes = TOFU_REGISTER_BYTES, .meaning = "the driver's", .source = "assumed"},
              {.name = "ROM",
               .bytes = TOFU_ROM_BYTES,
               .contents = [](const Tofu& card) { return std::as_bytes(std::span(&card.position_, 1)); },
               .meaning = "struct tofu_position",
               .source = "assumed"}})
          .with(page_registers())
          .with(table_registers<Queues>("QueuesLow", "QueuesHigh", TOFU_REG_QUEUES_LOW, TOFU_REG_QUEUES_HIGH,
                                        "bus address of struct tofu_queue [TOFU_TNIS * TOFU_QUEUES], lower half"),
                &Tofu::queues_)
          .with(table_registers<Barrier>("GatesLow", "GatesHigh", TOFU_REG_GATES_LOW, TOFU_REG_GATES_HIGH,
                                         "bus address of struct tofu_gate [TOFU_GATES], lower half"),
                &Tofu::barrier_)
          .with(own_registers());
  return map;
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

std::vector<CardQueue> Tofu::queues() const {
  CardQueue arrived{"arrived packets"}, partial{"messages of which parts have come"}, answers{"answers to give"};
  for (const Tni& tni : tnis_) {
    tni.receiver.show(arrived, partial);
    tni.responder.show(answers);
  }
  return {queues_.shown(), queues_.direct_orders(), arrived, partial, answers, completion_.queue()};
}

std::uint64_t Tofu::work() const {
  std::uint64_t sum = 0;
  for (const Counter counter : {Counter::orders, Counter::packets_received, Counter::notices, Counter::signals})
    sum += counters_[counter];
  return sum;
}

void Tofu::report(StatisticsTable& table) const { counters_.report(table, name(), counter_names); }

}  // namespace sanvp::nic::tofu
