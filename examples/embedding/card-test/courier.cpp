/// A card of your own, as small as can be: a store to its register sends eight bytes of main memory to another node,
/// where they go to the same address. It is in a file of its own, as `sanvp-part` takes it.
#include <cstring>
#include <memory>

#include "courier.h"
#include "models/net/task.hpp"
#include "models/nic/card/bus_master.hpp"
#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/module.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace {

using namespace sanvp;

class Courier final : public nic::NicModule, private net::NetworkBackward, private nic::BusTarget {
 public:
  Courier(const char* name, Time look_up, const nic::NicContext& context)
      : NicModule(name),
        look_up_(look_up),
        routing_(context.routing),
        timeline_(context.timeline),
        host_(context.host),
        clock_(context.clock()),
        bus_(bus),
        orders_(clock_),
        arrivals_(clock_),
        posted_(timeline_, static_cast<std::uint32_t>(host_),
                [this](const courier_order& order) { orders_.push(order); }) {
    network.bind(*static_cast<net::NetworkBackward*>(this));
    registers.bind(*static_cast<nic::BusTarget*>(this));
  }

  std::vector<std::uint64_t> windows() const override { return {sizeof(courier_order)}; }

 private:
  void start_of_simulation() override {
    units_.push_back(send());
    units_.push_back(receive());
    for (auto& unit : units_) unit.start(clock_);
  }

  net::Task<> send() {
    for (;;) {
      const courier_order order = co_await orders_.pop();
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
    }
  }
  net::Task<> receive() {
    for (;;) {
      const auto letter = co_await arrivals_.pop();
      std::uint64_t address = 0;
      std::memcpy(&address, letter->data(), sizeof address);
      const auto transfer = bus_.write(address, std::span(*letter).subspan(sizeof address), clock_.now());
      co_await clock_.until(transfer.done);
      set_interrupt(true, timeline_.ahead());
    }
  }

  // The register.
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place, sc_core::sc_time& delay) override {
    if (!payload.is_write() || payload.get_data_length() != sizeof(courier_order))
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    courier_order order{};
    std::memcpy(&order, payload.get_data_ptr(), sizeof order);
    posted_.post(nic::arrival(delay), order);
    return tlm::TLM_OK_RESPONSE;
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
  nic::BusMaster bus_;
  net::Mailbox<courier_order> orders_;
  net::Mailbox<decltype(net::Packet::payload)> arrivals_;
  nic::PostedStores<courier_order> posted_;
  std::vector<net::Task<>> units_;
};

nic::NicModel build(const Parameters& parameters, int flit_bytes) {
  const Time look_up = parameters.time("look_up", 300ns, "from an order to the fetch of its letter", "mine");
  nic::NicModel model = nic::read_network_side(parameters, flit_bytes);
  model.make_module = [look_up](const char* name, const nic::NicContext& context) {
    return std::make_unique<Courier>(name, look_up, context);
  };
  return model;
}

const Registration<nic::NicPart> registration{{"courier", "my card: it carries eight bytes at a time", build}};

}  // namespace
