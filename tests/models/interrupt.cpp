/// A card's interrupt as a signal: that of an Elan3 whose events interrupt the host.
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

using Levels = std::vector<std::pair<Time, bool>>;

struct Listener : sc_core::sc_module {
  explicit Listener(const sc_core::sc_module_name& name) : sc_module(name) {
    line.bind(signal);
    SANVP_HAS_PROCESS(Listener);
    SC_METHOD(note);
    sensitive << line;
    dont_initialize();
  }
  void note() { levels.emplace_back(net::kernel_now(), line.read()); }

  sc_core::sc_signal<bool> signal{"signal"};
  sc_core::sc_in<bool> line{"line"};
  Levels levels;
};

// From the store of a SET_EVENT command to the interrupt: command processor, set-event.
constexpr Time command = 250ns, set = 200ns;

/// Sets events that interrupt at 10 and at 20 us; the host takes the first back at 15 us.
void interrupt_twice(Elan3Host& host) {
  for (const Time at : {Time{10us}, Time{20us}}) {
    host.store(Elan3Host::sdram(dest_event), e3_event{.count = 1, .type = E3_EVENT_INTERRUPT(1)});
    host.wait_until(at);
    host.command(0, E3_CP_SET_EVENT, dest_event);
    host.wait_until(at + 5us);
    if (at == 10us) host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_EVENT);
  }
}

}  // namespace

TEST_CASE("a card's interrupt drives a signal: up with the event, down when the host has cleared it") {
  Elan3Bench bench(1);
  Listener listener("listener");
  bench.card(0).interrupt.bind(listener.signal);
  Time called = never;
  bench.program(0, interrupt_twice);
  bench[0].on_interrupt = [&](Elan3Host&) { called = std::min(called, net::kernel_now()); };
  bench.run();
  CHECK(listener.levels == Levels{{10us + command + set, true}, {15us, false}, {20us + command + set, true}});
  CHECK(called == 10us + command + set);  // the line that is made of calls is at work as well
}
