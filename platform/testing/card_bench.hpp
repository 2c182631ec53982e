/// A machine's network with cards at its first hosts, each in a stub of a host; the other hosts have no card. All
/// memory-side sockets have a ProtocolChecker in line.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/net/fabric.hpp"
#include "models/nic/card/waiting_bus.hpp"
#include "models/nic/module.hpp"
#include "platform/core/own_files.hpp"
#include "platform/machine/cards.hpp"
#include "platform/machine/machine.hpp"
#include "platform/testing/protocol_checker.hpp"

namespace sanvp::testing {

/// @tparam Host  the stub: constructed with a name; has the sockets `card` and `bus`, and is the card's interrupt line
///               (card_host.hpp)
template <class Host>
class CardBench {
 public:
  struct Options {
    std::string firmware = own_folder("sw") + "/firmware";  ///< folder of the card's programs
    bool memory_waits = false;                              ///< CardHost::memory_waits
    net::Fidelity fidelity = net::Fidelity::worm;
    net::Lead lead = net::Lead::none;
  };

  /// @param name      of the machine, or its file
  /// @param settings  as those of `sanvp -s`
  CardBench(int hosts, const std::string& name, std::vector<std::string> settings = {}, const Options& options = {})
      : timeline("timeline", options.lead),
        machine({.name = name, .settings = std::move(settings)}),
        network("network", timeline, wiring_for_cards(machine), options.fidelity, 1) {
    for (int i = 0; i < hosts; ++i) add(i, options);
  }

  /// The host's cable into the network takes nothing from `from` to `until`.
  void cut(int host, Time from, Time until) {
    const int channel = network.network().wiring().nics[host].out;
    outages_.push_back(std::make_unique<Outage>(network.network(), channel, until));
    for (const Time at : {from, until})
      timeline.queue().schedule(
          {.ps = at.count(), .handler = outages_.back().get(), .kind = net::Network::outage_kind});
  }

  Host& operator[](int host) { return *hosts_[host]; }
  nic::NicModule& card(int host) { return *cards_[host]; }
  /// The checker between a host's CPU and its card.
  ProtocolChecker& checker(int host) { return *register_checkers_[host]; }
  /// Until nothing is left to do. Rethrows exceptions of models and hosts' programs.
  void run() { timeline.run(); }

  net::Timeline timeline;
  Machine machine;
  net::Fabric network;

 private:
  struct Outage final : net::EventHandler {
    Outage(net::Network& network_, int channel_, Time until_) : network(network_), channel(channel_), until(until_) {}
    void handle(const net::Event& event) override {
      event.ps == until.count() ? network.repair(channel) : network.fail(channel);
    }
    net::Network& network;
    int channel;
    Time until;
  };

  void add(int node, const Options& options) {
    const auto name = [node](const char* what) { return what + std::to_string(node); };
    hosts_.push_back(std::make_unique<Host>(name("host_").c_str()));
    Host& host = *hosts_.back();
    nic::NicContext context = card_context(machine, machine.routing(), timeline, node);
    context.firmware_folder = options.firmware;
    if (options.memory_waits) {
      buses_.push_back(std::make_unique<nic::WaitingBus>(name("bus_").c_str(), timeline));
      context.steps = buses_.back().get();
    }
    cards_.push_back(machine.nic().make_module(name("card_").c_str(), context));
    nic::NicModule& card = *cards_.back();
    int port = context.host;
    for (net::NetworkInitiatorSocket* socket : card.ports()) socket->bind(network.host[port++]);
    if (options.memory_waits) {
      check(name("card_bus_"), card.bus, buses_.back()->card);
      check(name("memory_bus_"), buses_.back()->memory, host.bus);
      if constexpr (requires { host.memory_waits; }) host.memory_waits = true;
    } else {
      check(name("card_bus_"), card.bus, host.bus);
    }
    card.interrupt_line.bind(host);
    check(name("registers_"), host.card, card.registers);
    register_checkers_.push_back(checkers_.back().get());
  }
  template <class Initiator, class Target>
  void check(const std::string& name, Initiator& initiator, Target& target) {
    checkers_.push_back(std::make_unique<ProtocolChecker>(name.c_str()));
    initiator.bind(checkers_.back()->target);
    checkers_.back()->initiator.bind(target);
  }

  std::vector<std::unique_ptr<Host>> hosts_;
  std::vector<std::unique_ptr<nic::WaitingBus>> buses_;
  std::vector<std::unique_ptr<nic::NicModule>> cards_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
  std::vector<ProtocolChecker*> register_checkers_;
  std::vector<std::unique_ptr<Outage>> outages_;
};

}  // namespace sanvp::testing
