/// The network of a machine alone: other modules at its edge, which send packets and hear of what becomes of
/// them.
#include <iostream>
#include <memory>
#include <vector>

#include "models/net/fabric.hpp"
#include "platform/machine/machine.hpp"
#include "platform/machine/objects.hpp"

namespace {

using namespace sanvp;

class Station : public sc_core::sc_module, private net::NetworkBackward {
 public:
  net::NetworkInitiatorSocket network{"network"};

  Station(const sc_core::sc_module_name& name, const Machine& machine, int number)
      : sc_module(name), machine_(machine), number_(number) {
    network.bind(*static_cast<net::NetworkBackward*>(this));
    SC_HAS_PROCESS(Station);
    SC_THREAD(run);
    SC_METHOD(receive);
    sensitive << arrival_;
    dont_initialize();
  }

 private:
  /// Sends a packet of 64 flits to the station at the other end, by the machine's first route.
  void run() {
    const int to = machine_.hosts() - 1 - number_;
    wait(sc_core::sc_time(number_, sc_core::SC_US));
    net::Packet& packet = network->make_packet();
    machine_.address(packet, number_, to, 0);
    packet.flits = 64;
    network->send(packet, sc_core::SC_ZERO_TIME);
  }
  void receive() { std::cout << name() << " has a packet at " << sc_core::sc_time_stamp() << "\n"; }

  // The network may be ahead of the kernel by `delay`.
  void delivered(net::Packet&, const sc_core::sc_time& delay) override { arrival_.notify(delay); }
  void injected(net::Packet&, const sc_core::sc_time&) override {}
  void acknowledged(net::Packet&, const sc_core::sc_time&) override {}
  void sent(net::Packet&, const sc_core::sc_time&) override {}
  void lost(net::Packet&, const sc_core::sc_time&) override { SC_REPORT_WARNING(name(), "a packet is lost"); }

  const Machine& machine_;
  int number_;
  sc_core::sc_event arrival_{"arrival"};
};

/// The network with its switches and links as children: sc_find_object("qsnet.switch_3").
struct Network : sc_core::sc_module {
  Network(const sc_core::sc_module_name& name, const Machine& machine)
      : sc_module(name),
        fabric("fabric", timeline, machine.wiring(), net::Fidelity::worm, machine.seed()),
        parts(machine, *this) {}
  net::Timeline timeline{"timeline"};
  net::Fabric fabric;
  PartObjects parts;
};

}  // namespace

int sc_main(int, char**) {
  const Machine machine({.name = "qsnet-16"});
  Network qsnet("qsnet", machine);
  const sc_core::sc_object* link = sc_core::sc_find_object("qsnet.link_20");
  std::cout << link->name() << ": " << attribute<std::string>(*link, "name") << ", "
            << attribute<double>(*link, "rate") / 1e6 << " MB/s\n";
  std::vector<std::unique_ptr<Station>> stations;
  for (int i = 0; i < machine.hosts(); ++i) {
    stations.push_back(std::make_unique<Station>(("station_" + std::to_string(i)).c_str(), machine, i));
    stations.back()->network.bind(qsnet.fabric.host[i]);
  }
  sc_core::sc_start();
  return 0;
}
