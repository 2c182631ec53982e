/// Four RISC-V computers that run a bare-metal program in C, each with an Elan3 card at an Elite. Node 0 sends 256
/// bytes to node 3, which is told by an interrupt.
///
///   bare_metal PROGRAM.elf [QUANTUM in ns]
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cpu.hpp"
#include "models/net/fabric.hpp"
#include "models/nic/card/flat_windows.hpp"
#include "platform/machine/cards.hpp"
#include "platform/machine/machine.hpp"

namespace {

using namespace sanvp;

struct Computer : sc_core::sc_module {
  Computer(const sc_core::sc_module_name& name, const std::string& program, const Machine& machine,
           net::Timeline& timeline, net::Fabric& network, int number, const sc_core::sc_time& quantum)
      : sc_module(name),
        cpu("cpu", program, number, machine.hosts(), quantum),
        card(machine.nic().make_module("card", card_context(machine, machine.routing(), timeline, number))),
        windows("windows", *card, Cpu::windows_at) {
    cpu.card.bind(windows.target);
    for (std::size_t i = 0; i < card->windows().size(); ++i) cpu.windows.push_back(windows.base(i));
    card->network.bind(network.host[number]);
    card->bus.bind(cpu.memory);
    card->interrupt.bind(line);
    cpu.interrupt.bind(line);
  }

  Cpu cpu;
  std::unique_ptr<nic::NicModule> card;
  nic::FlatWindows<64> windows;
  sc_core::sc_signal<bool> line{"line"};
};

}  // namespace

int sc_main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: bare_metal PROGRAM.elf [QUANTUM in ns]\n";
    return 2;
  }
  const sc_core::sc_time quantum(count > 2 ? std::stod(arguments[2]) : 0, sc_core::SC_NS);
  const Machine machine({.name = "qsnet-16", .settings = {"topology.levels=1"}});  // four hosts at one Elite
  net::Timeline timeline("timeline");
  net::Fabric network("network", timeline, wiring_for_cards(machine), net::Fidelity::worm, machine.seed());
  std::vector<std::unique_ptr<Computer>> computers;
  for (int i = 0; i < machine.hosts(); ++i)
    computers.push_back(std::make_unique<Computer>(("node_" + std::to_string(i)).c_str(), arguments[1], machine,
                                                   timeline, network, i, quantum));
  sc_core::sc_start();
  return 0;
}
