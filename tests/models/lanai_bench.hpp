/// LANai cards on a Myrinet, each in a stub of a host: memory behind a bus of known cost, and a list of steps for the
/// card's processor (tests/images/lanai_steps.c), whose interrupts report its progress.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/testing/card_bench.hpp"
#include "platform/testing/card_host.hpp"
#include "sw/abi/registers/lanai.h"
#include "tests/images/lanai_steps.h"

namespace sanvp::test {

using testing::CardBench;
using testing::CardHost;

/// lanai_step, with zeros for missing values.
struct Step {
  lanai_step_kind kind = STEP_END;
  std::uint32_t a = 0, b = 0, c = 0;
};
static_assert(sizeof(Step) == sizeof(lanai_step));

class LanaiHost : public CardHost {
 public:
  std::vector<Step> steps;
  int program = 0;                ///< number of the card's program
  std::map<unsigned, Time> told;  ///< by STEP_TELL's cause

  using CardHost::CardHost;

  void write_sram(std::uint32_t address, const void* from, std::size_t bytes) {
    access_at_once(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from), static_cast<unsigned>(bytes));
  }
  template <class T>
  T read_sram(std::uint32_t address) {
    T value{};
    access_at_once(tlm::TLM_READ_COMMAND, address, &value, sizeof value);
    return value;
  }
  /// When the card requested the bus.
  std::vector<Time> bursts() const {
    std::vector<Time> times;
    for (const Transfer& transfer : transfers) times.push_back(transfer.at);
    return times;
  }
  void write_register(lanai_register offset, std::uint32_t value) { write32(LANAI_BAR_REGISTERS, offset, value); }

 private:
  /// All processors start at the same instant.
  void run() override {
    write_register(LANAI_REG_INTERRUPT_MASK, LANAI_INT_PROGRAM | LANAI_INT_CRASH);
    if (steps.empty()) return;
    write_sram(LANAI_STEPS, steps.data(), steps.size() * sizeof(Step));
    write_register(LANAI_REG_START, static_cast<std::uint32_t>(program));
  }
  /// Clears each cause when it occurs.
  void interrupted() override {
    const std::uint32_t causes = read32(LANAI_BAR_REGISTERS, LANAI_REG_INTERRUPT);
    for (unsigned cause = 0; cause < 16; ++cause)
      if ((causes >> (16 + cause) & 1U) != 0) told.try_emplace(cause, net::kernel_now());
    write_register(LANAI_REG_INTERRUPT, causes);
  }
};

/// The hosts of the first switch of a Myrinet, with cards whose clock period is 10 ns.
class LanaiBench : public CardBench<LanaiHost> {
 public:
  static constexpr Time cycle = 10ns;
  static constexpr int hosts = 3;

  explicit LanaiBench(std::vector<std::string> settings = {})
      : CardBench(hosts, "myrinet-8", with(std::move(settings)), {.firmware = SANVP_SW}) {
    for (int i = 0; i < hosts; ++i) (*this)[i].program = card(i).load_firmware("tests/lanai_steps");
  }

  /// The port of the first switch that leads to a host, as a byte of a route.
  std::uint8_t to(int host) const {
    return static_cast<std::uint8_t>(LANAI_ROUTE_PORT | machine.graph().peer(topologies::End::host(host)).port);
  }

 private:
  static std::vector<std::string> with(std::vector<std::string> settings) {
    settings.emplace_back("nic.lanai.cycle=10ns");
    settings.emplace_back("nic.lanai.program=0");  // programs only take the time that they claim by lanai_cycles
    return settings;
  }
};

}  // namespace sanvp::test
