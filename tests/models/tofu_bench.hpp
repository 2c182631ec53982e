/// Tofu controllers on the paper's network of 36 hosts, each in a stub of a host: memory behind a bus with equal times
/// for all transfers, and a program that acts as driver and library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/nic/part.hpp"
#include "platform/testing/card_bench.hpp"
#include "platform/testing/card_host.hpp"
#include "sw/abi/registers/tofu.h"

namespace sanvp::test {

using testing::CardBench;
using testing::CardHost;

class TofuHost : public CardHost {
 public:
  static constexpr std::uint32_t entries = 4;
  /// Addresses in memory that the stub's driver uses.
  static constexpr std::uint64_t queues = 0x1000, gates = 0x10000, steering = 0x20000, pages = 0x30000,
                                 orders = 0x31000, tcq = 0x32000, mrq = 0x33000, done = 0x34000, data = 0x40000,
                                 data_bytes = 0x10000;
  static constexpr std::uint32_t tag = 5;

  std::function<void(TofuHost&)> program;

  using CardHost::CardHost;

  template <class T>
  T load(std::uint64_t address) const {
    T value{};
    std::memcpy(&value, memory.data() + address, sizeof value);
    return value;
  }
  template <class T>
  void store(std::uint64_t address, const T& value) {
    std::memcpy(memory.data() + address, &value, sizeof value);
  }

  // ---- the driver ----
  /// Opens queue 0 of TNI 0 and registers `data` by `tag`.
  void boot() {
    write32(TOFU_BAR_REGISTERS, TOFU_REG_QUEUES_LOW, static_cast<std::uint32_t>(queues));
    write32(TOFU_BAR_REGISTERS, TOFU_REG_GATES_LOW, static_cast<std::uint32_t>(gates));
    store(pages, data);
    store(steering + tag * sizeof(tofu_steering),
          tofu_steering{.pages = pages, .bytes = data_bytes, .flags = 0, .reserved = 0});
    store(queues, tofu_queue{.orders = orders,
                             .tcq = tcq,
                             .mrq = mrq,
                             .steering = steering,
                             .order_entries = entries,
                             .tcq_entries = entries,
                             .mrq_entries = entries,
                             .reserved = 0});
    write32(TOFU_BAR_REGISTERS, TOFU_REG_LOAD_QUEUE, 0);
  }
  void wire(std::uint32_t gate, const tofu_gate& wired) {
    store(gates + gate * sizeof wired, wired);
    write32(TOFU_BAR_REGISTERS, TOFU_REG_LOAD_GATE, gate);
  }

  // ---- the library ----
  void give(tofu_order order) {
    access(tlm::TLM_WRITE_COMMAND, TOFU_BAR_QUEUES, TOFU_PAGE_DIRECT, &order, sizeof order);
  }
  tofu_mrq_entry arrived(std::uint32_t number) const {
    return load<tofu_mrq_entry>(mrq + number % entries * sizeof(tofu_mrq_entry));
  }
  tofu_tcq_entry left(std::uint32_t number) const {
    return load<tofu_tcq_entry>(tcq + number % entries * sizeof(tofu_tcq_entry));
  }
  /// When the card requested the bus for its `nth` write to that address, from 0.
  Time written(std::uint64_t address, int nth = 0) const {
    for (const Transfer& transfer : transfers)
      if (transfer.write && transfer.address == address && nth-- == 0) return transfer.at;
    return never;
  }

 private:
  void run() override {
    boot();
    if (program) program(*this);
  }
};

class TofuBench : public CardBench<TofuHost> {
 public:
  explicit TofuBench(int hosts = 2, std::vector<std::string> settings = {})
      : CardBench(hosts, "tofu-36", std::move(settings)) {}
};

}  // namespace sanvp::test
