/// Tests of the card with exact times, on the benches of sanvp: docs/testing-a-card.md.
#include <catch.hpp>  // of Catch2 2 or 3: CMakeLists.txt
#include <functional>

#include "../courier.h"
#include "platform/testing/card_bench.hpp"
#include "platform/testing/card_host.hpp"

using namespace sanvp;

namespace {

class CourierHost : public testing::CardHost {
 public:
  std::function<void(CourierHost&)> program;
  Time interrupted_at = never;

  using CardHost::CardHost;

  void send(std::uint64_t address, std::uint64_t node) {
    courier_order order{.address = address, .node = node};
    access(tlm::TLM_WRITE_COMMAND, 0, COURIER_REG_ORDER, &order, sizeof order);
  }

 private:
  void run() override {
    if (program) program(*this);
  }
  void interrupted() override { interrupted_at = net::kernel_now(); }
};

using Bench = testing::CardBench<CourierHost>;

// Of the machine, courier.ini: T = 10, each cable 5 + 10 for a whole flit, R = 40.
constexpr Time look_up = 300ns;
constexpr Time over_the_network = 2 * 15ns + 40ns + (COURIER_FLITS - 1) * 10ns;
constexpr Time bus = testing::CardHost::bus_latency + COURIER_BYTES * testing::CardHost::bus_byte;

void check_letter(bool memory_waits) {
  Bench bench(2, COURIER_INI, {}, {.memory_waits = memory_waits});
  bench[0].memory[0x100] = std::byte{42};
  bench[0].program = [](CourierHost& host) {
    host.wait_until(1us);
    host.send(0x100, 1);
  };
  bench.run();
  constexpr Time fetched = 1us + look_up + bus;
  constexpr Time arrived = fetched + over_the_network;
  CHECK(bench[0].transfers == std::vector<CourierHost::Transfer>{{1us + look_up, 0x100, COURIER_BYTES, false}});
  CHECK(bench[1].transfers == std::vector<CourierHost::Transfer>{{arrived, 0x100, COURIER_BYTES, true}});
  CHECK(bench[1].interrupted_at == arrived + bus);
  CHECK(bench[1].memory[0x100] == std::byte{42});
}

}  // namespace

TEST_CASE("a letter arrives after look-up, fetch, network and store") { check_letter(false); }

TEST_CASE("a letter arrives at the same time where the memory waits") { check_letter(true); }

TEST_CASE("the card's registers can be inspected") {
  Bench bench(2, COURIER_INI);
  bench[0].program = [](CourierHost& host) { host.send(0x100, 1); };
  bench.run();
  const std::vector<nic::RegisterValue> values = bench.card(0).inspect();
  REQUIRE(values.size() == 2);
  CHECK(values[0].name == "Order");
  CHECK_FALSE(values[0].value);
  CHECK(values[1].name == "Letters");
  CHECK(values[1].value->word() == 1);
}

TEST_CASE("an order of the wrong length is refused") {
  struct ShortHost : testing::CardHost {
    using CardHost::CardHost;
    void run() override {
      CHECK_THROWS_WITH(write32(0, COURIER_REG_ORDER, 1),
                        "the card refuses an access to window 0: a write of 4 bytes to Order, which takes 16");
    }
  };
  testing::CardBench<ShortHost> bench(1, COURIER_INI);
  bench.run();
}

TEST_CASE("where a cable is cut, nothing arrives") {
  Bench bench(2, COURIER_INI);
  bench.cut(0, 0ns, 1ms);
  bench[0].program = [](CourierHost& host) {
    host.wait_until(1us);
    host.send(0x100, 1);
  };
  bench.run();
  CHECK(bench[1].interrupted_at == never);
}
