/// Four Elan3 cards on an Elite, in a SystemC program of its own: own drivers, own memories, and interrupts as signals.
/// Node 0 sends 256 bytes from its memory to that of node 3, which is told by an interrupt.
#include <iostream>
#include <memory>
#include <vector>

#include "driver.hpp"
#include "memory.hpp"
#include "models/net/fabric.hpp"
#include "models/nic/card/waiting_bus.hpp"
#include "platform/machine/cards.hpp"
#include "platform/machine/machine.hpp"
#include "topologies/fat_tree.hpp"

namespace {

using namespace sanvp;

/// A computer of this program with a card of sanvp.
struct Node : sc_core::sc_module {
  Node(const sc_core::sc_module_name& name, const Machine& machine, net::Timeline& timeline, net::Fabric& network,
       int number)
      : sc_module(name),
        driver("driver", topologies::fat_tree_geometry(machine.graph()), number),
        bus("bus", timeline) {
    nic::NicContext context = card_context(machine, machine.routing(), timeline, number);
    context.steps = &bus;  // the memory calls wait()
    card = machine.nic().make_module("card", context);
    card->network.bind(network.host[number]);
    card->bus.bind(bus.card);
    bus.memory.bind(memory.socket);
    driver.card.bind(card->registers);
    card->interrupt.bind(line);
    driver.interrupt.bind(line);
  }

  Driver driver;
  Memory memory{"memory"};
  nic::WaitingBus bus;
  sc_core::sc_signal<bool> line{"line"};
  std::unique_ptr<nic::NicModule> card;
};

constexpr std::uint32_t bytes = 256, from = 0x1000, to = 0x2000;
constexpr e3_addr descriptor = Driver::elan, arrival = Driver::elan + 0x40;
constexpr std::uint32_t cookie = 7;

unsigned char pattern(std::uint32_t i) { return static_cast<unsigned char>(3 * i + 1); }

void send(Node& node) {
  for (std::uint32_t i = 0; i < bytes; ++i) node.memory.bytes[from + i] = pattern(i);
  sc_core::wait(sc_core::sc_time(100, sc_core::SC_US) - sc_core::sc_time_stamp());
  std::cout << "node 0 starts a DMA of " << bytes << " bytes at " << sc_core::sc_time_stamp() << "\n";
  node.driver.start({.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                     .size = bytes,
                     .source = Driver::main + from,
                     .dest = Driver::main + to,
                     .dest_event = arrival,
                     .dest_cookie_proc = E3_COOKIE_PROC(0, 3),
                     .src_event = 0,
                     .src_cookie_proc = 0},
                    descriptor);
}

void receive(Node& node) {
  node.driver.store(Driver::sdram(arrival), e3_event{.count = 1, .type = E3_EVENT_INTERRUPT(cookie)});
  const std::uint32_t told = node.driver.wait_for_event();
  std::uint32_t right = 0;
  while (right < bytes && node.memory.bytes[to + right] == pattern(right)) ++right;
  std::cout << "node 3 is told of event " << told << " at " << sc_core::sc_time_stamp() << ": " << right
            << " bytes are right\n";
}

}  // namespace

int sc_main(int, char**) {
  const Machine machine({.name = "qsnet-16", .settings = {"topology.levels=1"}});  // four hosts at one Elite
  net::Timeline timeline("timeline");
  net::Fabric network("network", timeline, wiring_for_cards(machine), net::Fidelity::worm, machine.seed());
  std::vector<std::unique_ptr<Node>> nodes;
  for (int i = 0; i < machine.hosts(); ++i)
    nodes.push_back(std::make_unique<Node>(("node_" + std::to_string(i)).c_str(), machine, timeline, network, i));
  nodes[0]->driver.program = [&](Driver&) { send(*nodes[0]); };
  nodes[3]->driver.program = [&](Driver&) { receive(*nodes[3]); };
  sc_core::sc_start();
  return 0;
}
