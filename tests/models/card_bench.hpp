/// A machine's network with cards at its first hosts, each in a stub of a host; the other hosts have no card.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/net/fabric.hpp"
#include "models/nic/module.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp::test {

/// @tparam Host  the stub: constructed with a name; has the sockets `card` and `bus`, and is the card's interrupt line
template <class Host>
class CardBench {
 public:
  /// How the cards change the rules at their ends of the network.
  using Rules = std::function<void(const Machine&, net::NicRules&)>;

  CardBench(int hosts, const std::string& name, std::vector<std::string> settings, const Rules& rules = {})
      : machine({.name = name, .settings = std::move(settings)}),
        network("network", timeline, wiring(machine, rules), net::Fidelity::worm, 1) {
    for (int i = 0; i < hosts; ++i) {
      hosts_.push_back(std::make_unique<Host>(("host_" + std::to_string(i)).c_str()));
      cards_.push_back(
          machine.nic().make_module(("card_" + std::to_string(i)).c_str(), {.host = i,
                                                                            .graph = machine.graph(),
                                                                            .working_graph = machine.working_graph(),
                                                                            .routing = machine.routing(),
                                                                            .timeline = timeline,
                                                                            .flit_time = machine.flit_time_in(i),
                                                                            .firmware_folder = SANVP_SW}));
      cards_[i]->network.bind(network.host[i]);
      cards_[i]->bus.bind(hosts_[i]->bus);
      cards_[i]->interrupt.bind(*hosts_[i]);
      hosts_[i]->card.bind(cards_[i]->registers);
    }
  }

  /// The cable into the network of a host takes nothing from then on until then.
  void cut(int host, Time from, Time until) {
    const int channel = network.network().wiring().nics[host].out;
    outages_.push_back(std::make_unique<Outage>(network.network(), channel, until));
    for (const Time at : {from, until})
      timeline.queue().schedule(
          {.ps = at.count(), .handler = outages_.back().get(), .kind = net::Network::outage_kind});
  }

  Host& operator[](int host) { return *hosts_[host]; }
  nic::NicModule& card(int host) { return *cards_[host]; }
  void run() {
    sc_core::sc_start();
    timeline.rethrow();
  }

  net::Timeline timeline{"timeline"};
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

  static net::Wiring wiring(const Machine& machine, const Rules& rules) {
    net::Wiring wiring = machine.wiring();
    if (rules)
      for (auto& nic : wiring.nics) rules(machine, nic.rules);
    return wiring;
  }

  std::vector<std::unique_ptr<Host>> hosts_;
  std::vector<std::unique_ptr<nic::NicModule>> cards_;
  std::vector<std::unique_ptr<Outage>> outages_;
};

}  // namespace sanvp::test
