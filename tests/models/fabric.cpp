/// NIC modules at the edge of a Fabric. Every case elaborates once, so each is a process of its own.
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "models/net/fabric.hpp"

using namespace sanvp;
using namespace sanvp::net;
using sc_core::sc_time;

namespace {

/// TIMING.md, "Check by hand": one switch, T = 10, D = 10+5 to a NIC and 10+5+20 to the switch, R = 30, S = 0.
/// A header is in the switch at 35, requests and starts at 65, arrives at 80.
Wiring one_switch(int nics, const NicRules& rules = {}) {
  ChannelRules to_nic{.flit_time = 10ns, .tail_time = 10ns, .delay = 15ns, .wire = 5ns, .flow = Credits{.buffer = 16}};
  ChannelRules to_switch = to_nic;
  to_switch.delay = 35ns;
  Wiring wiring;
  const int unit = wiring.add_switch("switch", nics, SwitchRules{.routing = 30ns});
  for (int i = 0; i < nics; ++i)
    wiring.connect({Terminal::Kind::nic, wiring.add_nic("nic " + std::to_string(i), rules), 0},
                   {Terminal::Kind::switch_, unit, i}, to_switch, to_nic);
  return wiring;
}

/// Delivery of a packet of `flits` sent alone at 0: the header at 80, then a flit every 10.
constexpr Time alone(int flits) { return 80ns + (flits - 1) * 10ns; }

/// A NIC module that says when what happened, by the kernel's clock and by the call's annotation.
struct Nic : sc_core::sc_module, NetworkBackward {
  NetworkInitiatorSocket socket{"socket"};
  std::function<void(Nic&)> program;
  std::vector<Time> annotated;  ///< deliveries: kernel time + delay
  std::vector<Time> woken;      ///< deliveries: when the process woke that `delay` was for
  std::vector<Time> injections, acknowledgements, departures;
  std::vector<std::int64_t> tags;
  std::vector<std::pair<int, std::uint64_t>> answers;  ///< what came back with the acknowledgements
  std::function<void(Packet&, const sc_time&)> on_delivery;

  explicit Nic(sc_core::sc_module_name name) : sc_module(name) {
    SANVP_HAS_PROCESS(Nic);
    socket.bind(*this);
    SC_THREAD(run);
    SC_METHOD(receive);
    sensitive << arrival;
    dont_initialize();
  }

  void send(int destination, int flits, std::int64_t tag = 0, const sc_time& delay = sc_core::SC_ZERO_TIME) {
    Packet& packet = socket->make_packet();
    packet.destination = destination;
    packet.flits = flits;
    packet.tag = tag;
    packet.route.steps.push_back({.port = static_cast<std::uint16_t>(destination)});
    socket->send(packet, delay);
  }

  void injected(Packet&, const sc_time& delay) override { injections.push_back(kernel_now() + to_time(delay)); }
  void acknowledged(Packet& packet, const sc_time& delay) override {
    acknowledgements.push_back(kernel_now() + to_time(delay));
    answers.emplace_back(packet.acknowledgement, packet.reply);
  }
  void sent(Packet&, const sc_time& delay) override { departures.push_back(kernel_now() + to_time(delay)); }
  void lost(Packet&, const sc_time&) override { FAIL("a packet was lost"); }
  void delivered(Packet& packet, const sc_time& delay) override {
    annotated.push_back(kernel_now() + to_time(delay));
    tags.push_back(packet.tag);
    arrival.notify(delay);
    if (on_delivery) on_delivery(packet, delay);
  }

 private:
  void run() {
    if (program) program(*this);
  }
  void receive() { woken.push_back(kernel_now()); }

  sc_core::sc_event arrival;
};

struct Bench {
  Timeline timeline;
  Fabric fabric;
  std::vector<std::unique_ptr<Nic>> nics;

  explicit Bench(int count, Fidelity fidelity = Fidelity::worm, const NicRules& rules = {}, Lead lead = Lead::none)
      : timeline("timeline", lead), fabric("fabric", timeline, one_switch(count, rules), fidelity, 1) {
    for (int i = 0; i < count; ++i) {
      nics.push_back(std::make_unique<Nic>(("nic_" + std::to_string(i)).c_str()));
      nics[i]->socket.bind(fabric.host[i]);
    }
  }
};

}  // namespace

TEST_CASE("a packet between two NIC modules is delivered at the kernel time that the rules give") {
  Bench bench(2);
  bench.nics[0]->program = [](Nic& nic) { nic.send(1, 4); };
  sc_core::sc_start();
  CHECK(bench.nics[0]->injections == std::vector<Time>{0ns});
  CHECK(bench.nics[1]->annotated == std::vector<Time>{alone(4)});
  CHECK(bench.nics[1]->woken == std::vector<Time>{110ns});  // TIMING.md: the tail at 110
  CHECK(bench.nics[0]->departures == std::vector<Time>{40ns});
  CHECK(bench.nics[0]->annotated.empty());
}

TEST_CASE("every flit simulated, the kernel sees the same instants") {
  Bench bench(2, Fidelity::flit);
  bench.nics[0]->program = [](Nic& nic) { nic.send(1, 4); };
  sc_core::sc_start();
  CHECK(bench.nics[1]->woken == std::vector<Time>{110ns});
  CHECK(bench.nics[0]->departures == std::vector<Time>{40ns});
}

TEST_CASE("two NIC modules exchange packets, each answered at the instant of its arrival") {
  Bench bench(2);
  constexpr int rounds = 5;
  bench.nics[0]->program = [](Nic& nic) { nic.send(1, 1); };
  for (int i = 0; i < 2; ++i)
    bench.nics[i]->on_delivery = [&bench, i](Packet& packet, const sc_time& delay) {
      if (packet.tag + 1 < rounds) bench.nics[i]->send(1 - i, 1, packet.tag + 1, delay);
    };
  sc_core::sc_start();
  CHECK(bench.nics[1]->annotated == std::vector<Time>{alone(1), 3 * alone(1), 5 * alone(1)});
  CHECK(bench.nics[0]->annotated == std::vector<Time>{2 * alone(1), 4 * alone(1)});
}

TEST_CASE("a delay given with a packet is when it joins the queue") {
  Bench bench(2);
  bench.nics[0]->program = [](Nic& nic) { nic.send(1, 1, 0, sc_time(7, sc_core::SC_NS)); };
  sc_core::sc_start();
  CHECK(bench.nics[0]->injections == std::vector<Time>{7ns});
  CHECK(bench.nics[1]->woken == std::vector<Time>{7ns + alone(1)});
}

TEST_CASE("a process of the kernel between two network events acts between them") {
  Bench bench(3);
  // Packet 7 leaves NIC 0 at 0 and asks for output 2 at 65; packet 8 leaves NIC 1 when the process wakes at 3 ns and
  // asks at 68: it must wait until packet 7's tail is over (65 + 4 x 10) and then takes 15 + 30 more to arrive.
  bench.nics[0]->program = [](Nic& nic) { nic.send(2, 4, 7); };
  bench.nics[1]->program = [](Nic& nic) {
    sc_core::wait(sc_time(3, sc_core::SC_NS));
    nic.send(2, 4, 8);
  };
  sc_core::sc_start();
  CHECK(bench.nics[2]->tags == std::vector<std::int64_t>{7, 8});
  CHECK(bench.nics[2]->annotated == std::vector<Time>{110ns, 105ns + 15ns + 30ns});
  CHECK(bench.nics[1]->injections == std::vector<Time>{3ns});
}

TEST_CASE("at one instant a network without a lead comes before what a process does to it") {
  Bench bench(2);
  std::vector<int> order;
  bench.nics[0]->program = [&](Nic& nic) {
    nic.send(1, 1);
    sc_core::wait(to_sc_time(alone(1)));
    nic.send(1, 1);
    order.push_back(1);
  };
  bench.nics[1]->on_delivery = [&](Packet&, const sc_time&) { order.push_back(0); };
  sc_core::sc_start();
  CHECK(order == std::vector<int>{0, 1, 0});
}

TEST_CASE("at one instant a network that leads comes before the kernel, whichever was scheduled first") {
  Bench bench(2, Fidelity::worm, {}, Lead::to_next_event);
  std::vector<int> order;
  bench.nics[0]->program = [&](Nic& nic) {
    nic.send(1, 1);
    sc_core::wait(to_sc_time(alone(1)));
    order.push_back(1);
  };
  bench.nics[1]->on_delivery = [&](Packet&, const sc_time&) { order.push_back(0); };
  sc_core::sc_start();
  CHECK(order == std::vector<int>{0, 1});
}

TEST_CASE("a network that leads runs ahead of the kernel up to the next event of another module") {
  Bench bench(2, Fidelity::worm, {}, Lead::to_next_event);
  constexpr int packets = 1000;
  bench.nics[0]->program = [](Nic& nic) {
    for (int i = 0; i < packets; ++i) nic.send(1, 8);
  };
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const std::uint64_t before = bench.timeline.activations();
  struct Quiet final : Endpoint {
    int count = 0;
    void delivered(Packet&, int) override { ++count; }
  } quiet;
  bench.fabric.network().attach(1, quiet);
  sc_core::sc_start();
  CHECK(quiet.count == packets);
  CHECK(bench.timeline.queue().processed() >= 3 * packets);  // at least one event a channel and one a delivery
  CHECK(bench.timeline.activations() - before <= 3);
}

TEST_CASE("nothing happens after the limit") {
  Bench bench(2);
  bench.nics[0]->program = [](Nic& nic) { nic.send(1, 4); };
  bench.timeline.hold_after(109ns);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  CHECK(bench.nics[1]->annotated.empty());
  CHECK_FALSE(bench.timeline.queue().empty());
}

TEST_CASE("two fabrics on two timelines of one simulation do not disturb each other") {
  Bench first(2);
  Timeline timeline("other_timeline");
  Fabric fabric("other_fabric", timeline, one_switch(2), Fidelity::worm, 1);
  Nic sender("other_sender"), receiver("other_receiver");
  sender.socket.bind(fabric.host[0]);
  receiver.socket.bind(fabric.host[1]);
  first.nics[0]->program = [](Nic& nic) { nic.send(1, 4); };
  sender.program = [](Nic& nic) {
    sc_core::wait(sc_time(50, sc_core::SC_NS));
    nic.send(1, 2);
  };
  sc_core::sc_start();
  CHECK(first.nics[1]->woken == std::vector<Time>{alone(4)});
  CHECK(receiver.woken == std::vector<Time>{50ns + alone(2)});
  CHECK(std::string(fabric.host[1].name()) == "other_fabric.host_1");
}

TEST_CASE("a model's exception ends the run and comes out of it as it is") {
  Bench bench(2);
  bench.nics[0]->program = [](Nic& nic) { nic.send(9, 1); };  // the switch has two ports
  CHECK_THROWS_WITH(bench.timeline.run(), Catch::Contains("a route names port 9"));
}

TEST_CASE("where the program calls sc_start itself, a model's exception is an SC_REPORT that sc_start throws") {
  Bench bench(2);
  bench.nics[0]->program = [](Nic& nic) { nic.send(9, 1); };
  try {
    sc_core::sc_start();
    FAIL("nothing was thrown");
  } catch (const sc_core::sc_report& report) {
    CHECK(report.get_severity() == sc_core::SC_ERROR);
    CHECK(std::string(report.get_msg_type()) == Timeline::report_type);
    CHECK_THAT(report.get_msg(), Catch::Contains("a route names port 9"));
    CHECK(std::string(report.get_process_name()) == "timeline.advance");
  }
}

TEST_CASE("the program's report handler hears of a model's exception, and the simulation pauses if it goes on") {
  static std::vector<std::string> heard;
  sc_core::sc_report_handler::set_handler(
      [](const sc_core::sc_report& report, const sc_core::sc_actions&) { heard.emplace_back(report.get_msg()); });
  Bench bench(2);
  bench.nics[0]->program = [](Nic& nic) { nic.send(9, 1); };
  sc_core::sc_start();
  sc_core::sc_report_handler::set_handler(nullptr);
  REQUIRE(heard.size() == 1);
  CHECK_THAT(heard[0], Catch::Contains("a route names port 9"));
  CHECK(sc_core::sc_get_status() == sc_core::SC_PAUSED);
}

TEST_CASE("a NIC that answers for itself holds the circuit until it does and its answer comes back") {
  Bench bench(2, Fidelity::worm, NicRules{.slots = 1, .circuit = true, .answers = true});
  bench.nics[0]->program = [](Nic& nic) {
    nic.send(1, 4);
    nic.send(1, 4);
  };
  const sc_time thinking(500, sc_core::SC_NS);
  bench.nics[1]->on_delivery = [&](Packet& packet, const sc_time& delay) {
    bench.nics[1]->socket->acknowledge(packet, 3, 0xabcd, delay + thinking);
  };
  sc_core::sc_start();
  // Control tokens take no time here, so the answer is back at 110 + 500; the EOP takes 10, then the place is free.
  CHECK(bench.nics[0]->acknowledgements == std::vector<Time>{610ns, 620ns + 610ns});
  CHECK(bench.nics[0]->answers == std::vector<std::pair<int, std::uint64_t>>{{3, 0xabcd}, {3, 0xabcd}});
  CHECK(bench.nics[0]->departures == std::vector<Time>{620ns, 620ns + 620ns});
}
