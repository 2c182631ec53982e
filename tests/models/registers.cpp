/// The registers of whole cards: their values after reset, inspection, and what a host is told of a refused access.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sw/abi/registers/ds_link.h"
#include "sw/abi/registers/lanai.h"
#include "sw/abi/registers/message_port.h"
#include "sw/abi/registers/stc104.h"
#include "sw/abi/registers/tofu.h"
#include "tests/models/elan3_bench_dma.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

class IdleHost : public testing::CardHost {
 public:
  using CardHost::CardHost;
  std::function<void(IdleHost&)> program;

 private:
  void run() override {
    if (program) program(*this);
  }
};

using Bench = testing::CardBench<IdleHost>;

/// All registers of a card have their reset value at time 0, and a read gives as many bytes as declared.
void check_reset(const std::string& machine, std::size_t least) {
  Bench bench(1, machine);
  const auto values = bench.card(0).inspect();
  CHECK(values.size() >= least);
  for (const nic::RegisterValue& one : values) {
    INFO(one.name);
    CHECK(std::string(one.facts->meaning) != "");
    CHECK(std::string(one.facts->source) != "");
    CHECK(one.value.has_value() == (one.facts->can_read && one.facts->effect == nullptr));
    if (!one.value) continue;
    CHECK(one.value->bytes().size() == one.facts->bytes);
    CHECK(one.value->word() == one.facts->reset);
  }
}

/// What the card says of an access.
std::string refusal_of(const std::string& machine, int window, std::uint64_t offset) {
  Bench bench(1, machine);
  std::string text;
  bench[0].program = [&](IdleHost& host) {
    try {
      host.read32(window, offset);
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
  };
  bench.run();
  return text;
}

}  // namespace

TEST_CASE("after reset the registers of an Elan3 are as declared") { check_reset("qsnet-16", 30); }
TEST_CASE("after reset the registers of a LANai are as declared") { check_reset("myrinet-8", 6); }
TEST_CASE("after reset the registers of a DS-link card are as declared") { check_reset("macrame-clos-64", 8); }
TEST_CASE("after reset the registers of a VCP are as declared") { check_reset("moc-2-1", 2); }
TEST_CASE("after reset the registers of a transputer are as declared") { check_reset("gcel-64", 2); }
TEST_CASE("after reset the registers of TOFU's card are as declared") { check_reset("tofu-36", 12); }

TEST_CASE("a host that reads an Elan3's command port is told that it can only be written") {
  CHECK(refusal_of("qsnet-16", E3_BAR_COMMAND, 2 * E3_COMMAND_PAGE + E3_CP_SET_EVENT) ==
        "the card refuses an access to window 1: a read of SetEvent of context 2, which can only be written");
}
TEST_CASE("a host that reads where a LANai has no register is told so") {
  CHECK(refusal_of("myrinet-8", LANAI_BAR_REGISTERS, 0x80) ==
        "the card refuses an access to window 1: no register at 0x80 of window registers");
}
TEST_CASE("a host that reads a DS-link's port is told that it can only be written") {
  CHECK(refusal_of("macrame-clos-64", DS_BAR_CHANNELS, DS_PORT_BYTES + DS_PORT_INPUT) ==
        "the card refuses an access to window 0: a read of Input of virtual link 1, which can only be written");
}
TEST_CASE("a host that reads where an STC104 has no register is told so") {
  CHECK(refusal_of("macrame-clos-64", DS_BAR_CONTROL, STC104_ADDRESS(2, STC104_LINK(0U) + 0x10)) ==
        "the card refuses an access to window 3: STC104 2: no register at 0x1010 of window configuration");
}
TEST_CASE("a host that reads a message port is told that it can only be written") {
  CHECK(refusal_of("moc-2-1", MESSAGE_BAR_PORTS, 5 * MESSAGE_PAGE_BYTES) ==
        "the card refuses an access to window 0: a read of Command of process 5, which can only be written");
}
TEST_CASE("a host that reads a gate of TOFU's card is told that it can only be written") {
  CHECK(refusal_of("tofu-36", TOFU_BAR_BARRIER, TOFU_PAGE_BYTES + 8) ==
        "the card refuses an access to window 1: a read of Gate 2 of process 1, which can only be written");
}

TEST_CASE("inspection of a card leaves a cookie in the queue, and the driver takes it afterwards") {
  Elan3Bench bench(1);
  std::map<std::string, std::uint32_t> seen;
  std::string effect;
  std::uint32_t cookie = 0;
  bench.program(0, [&](Elan3Host& host) {
    host.store(Elan3Host::sdram(dest_event), e3_event{.count = 1, .type = E3_EVENT_INTERRUPT(9)});
    host.command(0, E3_CP_SET_EVENT, dest_event);
    host.wait_until(10us);
    for (const nic::RegisterValue& one : bench.card(0).inspect()) {
      if (one.value) seen[one.name] = one.value->word();
      if (one.name == "EventCookie") effect = one.facts->effect;
    }
    cookie = host.read32(E3_BAR_REGISTERS, E3_REG_EVENT_COOKIE);
  });
  bench.run();
  CHECK(seen.at("Interrupt") == E3_INT_EVENT);
  CHECK(seen.at("Counters 6") == 1);  // events set
  CHECK(seen.count("EventCookie") == 0);
  CHECK(effect == "takes the cookie from the queue");
  CHECK(cookie == 9);
}
