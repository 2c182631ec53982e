/// A card of your own, as small as can be: a store to its register sends eight bytes of main memory to another node,
/// where they go to the same address. It is in a file of its own, as `sanvp-part` takes it.
#include <cstring>
#include <memory>

#include "courier.h"
#include "models/net/task.hpp"
#include "models/nic/card/bus_master.hpp"
#include "models/nic/card/card_windows.hpp"
#include "models/nic/card/counters.hpp"
#include "models/nic/card/tracks.hpp"
#include "models/nic/module.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace {

using namespace sanvp;

#define COURIER_COUNTERS(EACH) \
  EACH(letters_sent, "1")      \
  EACH(letters_received, "1")
SANVP_COUNTERS(COURIER_COUNTERS);

enum class Unit : std::uint8_t { sender, receiver, count_ };
using Tracks = nic::Tracks<Unit>;
std::string name_of(Unit unit) { return unit == Unit::sender ? "sender" : "receiver"; }

class Courier final : public nic::NicModule, private net::NetworkBackward {
 public:
  Courier(const char* name, Time look_up, const nic::NicContext& context)
      : NicModule(name),
        look_up_(look_up),
        routing_(context.routing),
        timeline_(context.timeline),
        host_(context.host),
        clock_(context.clock()),
        tracks_(context.trace, context.graph.hosts()[host_].name),
        bus_(bus, context.timeline),
        orders_(clock_),
        arrivals_(clock_),
        windows_(timeline_, static_cast<std::uint32_t>(host_), register_map(), *this) {
    network.bind(*static_cast<net::NetworkBackward*>(this));
    registers.bind(windows_);
  }

  static const nic::RegisterMap<Courier>& register_map();
  std::vector<std::uint64_t> windows() const override { return windows_.sizes(); }
  std::vector<nic::RegisterValue> inspect() const override { return windows_.inspect(); }
  void report(StatisticsTable& table) const override { counters_.report(table, name(), counter_names); }

 private:
  void start_of_simulation() override {
    units_.push_back(send());
    units_.push_back(receive());
    for (auto& unit : units_) unit.start(clock_);
  }

  void order(courier_order order) { orders_.push(order); }

  net::Task<> send() {
    for (;;) {
      const courier_order order = co_await orders_.pop();
      const Time begin = clock_.now();
      co_await clock_.after(look_up_);
      auto letter = std::make_shared<std::vector<std::byte>>(sizeof order.address + COURIER_BYTES);
      std::memcpy(letter->data(), &order.address, sizeof order.address);
      const auto transfer = bus_.read(order.address, std::span(*letter).subspan(sizeof order.address), clock_.now());
      co_await clock_.until(transfer.done);
      net::Packet& packet = network->make_packet();
      packet.destination = static_cast<int>(order.node);
      packet.flits = COURIER_FLITS;
      packet.payload = letter;
      routing_.route(host_, packet.destination, 0, packet.route);
      network->send(packet, timeline_.ahead());
      counters_.count(Counter::letters_sent);
      tracks_.slice(Unit::sender, "letter", begin, clock_.now(), {{"node", packet.destination}});
    }
  }
  net::Task<> receive() {
    for (;;) {
      const auto letter = co_await arrivals_.pop();
      const Time begin = clock_.now();
      std::uint64_t address = 0;
      std::memcpy(&address, letter->data(), sizeof address);
      const auto transfer = bus_.write(address, std::span(*letter).subspan(sizeof address), clock_.now());
      co_await clock_.until(transfer.done);
      counters_.count(Counter::letters_received);
      tracks_.slice(Unit::receiver, "letter", begin, clock_.now());
      set_interrupt(true, timeline_.ahead());
    }
  }

  // The network.
  void delivered(net::Packet& packet, const sc_core::sc_time&) override { arrivals_.push(packet.payload); }
  void injected(net::Packet&, const sc_core::sc_time&) override {}
  void acknowledged(net::Packet&, const sc_core::sc_time&) override {}
  void sent(net::Packet&, const sc_core::sc_time&) override {}
  void lost(net::Packet&, const sc_core::sc_time&) override {}

  Time look_up_;
  const topologies::Routing& routing_;
  net::Timeline& timeline_;
  int host_;
  net::Clock clock_;
  Counters counters_;
  Tracks tracks_;
  nic::BusMaster bus_;
  net::Mailbox<courier_order> orders_;
  net::Mailbox<decltype(net::Packet::payload)> arrivals_;
  nic::CardWindows<Courier> windows_;
  std::vector<net::Task<>> units_;
};

const nic::RegisterMap<Courier>& Courier::register_map() {
  static const auto map =
      nic::RegisterMap<Courier>(
          std::vector<nic::Window<Courier>>{
              {.name = "registers", .bytes = COURIER_WINDOW_BYTES, .meaning = "for all processes", .source = "mine"}})
          .with(nic::Registers<Courier>{{.name = "Order",
                                         .offset = COURIER_REG_ORDER,
                                         .bytes = sizeof(courier_order),
                                         .write = nic::put<&Courier::order>,
                                         .meaning = "struct courier_order: a letter to send",
                                         .source = "mine"},
                                        {.name = "Letters",
                                         .offset = COURIER_REG_LETTERS,
                                         .read = [](const Courier& card, const nic::Instance&) -> nic::Value {
                                           return card.counters_[Counter::letters_sent];
                                         },
                                         .meaning = "letters that have been sent",
                                         .source = "mine"}});
  return map;
}

nic::NicModel build(const Parameters& parameters, int flit_bytes) {
  const Time look_up = parameters.time("look_up", 300ns, "from an order to the fetch of its letter", "mine");
  nic::NicModel model = nic::read_network_side(parameters, flit_bytes);
  model.make_module = [look_up](const char* name, const nic::NicContext& context) {
    return std::make_unique<Courier>(name, look_up, context);
  };
  return model;
}

const Registration<nic::NicPart> registration{{"courier", "my card: it carries eight bytes at a time", build}};
const Registration<nic::RegisterMapPart> registers{
    {"courier", "registers of my card", []() -> const nic::RegisterTable& { return Courier::register_map(); }}};

}  // namespace
