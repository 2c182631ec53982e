/// DS-link cards at the first hosts of a Macramé network, each in a stub of a host. The fidelity is that of runs, which
/// is exact here: the few packets of tests with exact times never complete batches of tokens in both directions at
/// once.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "platform/testing/card_bench.hpp"
#include "platform/testing/card_host.hpp"
#include "sw/abi/registers/ds_link.h"

namespace sanvp::test {

using testing::CardBench;
using testing::CardHost;

/// Addresses in memory that the stub's driver uses: control blocks and data of virtual link n.
namespace place {
constexpr std::uint64_t queue = 0x40000;
constexpr std::uint32_t queue_entries = 64;
constexpr std::uint64_t block(std::uint32_t link) { return 0x1000 + link * sizeof(ds_control_block); }
constexpr std::uint64_t data(std::uint32_t link) { return 0x100000 + link * 0x10000; }
}  // namespace place

class DsLinkHost : public CardHost {
 public:
  std::function<void(DsLinkHost&)> program;
  bool restarts_link = true;  ///< whether it restarts the link after errors, like a driver

  using CardHost::CardHost;

  /// Starts the link and waits until it runs.
  void boot() {
    write32(DS_BAR_REGISTERS, DS_REG_LINK_COMMAND, DS_LINK_START);
    while (read32(DS_BAR_REGISTERS, DS_REG_LINK_STATUS) != DS_LINK_RUNNING) wait_for(1us);
    write32(DS_BAR_REGISTERS, DS_REG_MASK, DS_INT_LINK_ERROR | DS_INT_FAULT);
  }
  /// Link n leads to link n of `node`, unless `there` says otherwise.
  void connect(std::uint32_t link, int node, std::uint32_t there) {
    port(link, DS_PORT_CONNECT,
         ds_connection{.block = place::block(link),
                       .queue = place::queue,
                       .queue_entries = place::queue_entries,
                       .node = static_cast<std::uint32_t>(node),
                       .link = there,
                       .spare = 0});
  }
  void connect(std::uint32_t link, int node) { connect(link, node, link); }
  /// So many virtual links from the first one on belong to the stub; without a queue, to no owner any more.
  void own(std::uint32_t first, std::uint32_t links, std::uint64_t run_queue = place::queue) {
    ds_owner owner{
        .queue = run_queue, .queue_entries = place::queue_entries, .first = first, .links = links, .spare = 0};
    access(tlm::TLM_WRITE_COMMAND, DS_BAR_REGISTERS, DS_REG_OWNER, &owner, sizeof owner);
  }
  /// What the card has appended to the run queue: numbers of virtual links.
  std::vector<std::uint32_t> told() const {
    std::vector<std::uint32_t> numbers(word(place::queue));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = word(place::queue + offsetof(ds_run_queue, entries) + i * sizeof(std::uint32_t));
    return numbers;
  }
  void disconnect(std::uint32_t link) { port(link, DS_PORT_CONNECT, ds_connection{}); }
  void output(std::uint32_t link, std::uint64_t address, std::uint32_t bytes) {
    port(link, DS_PORT_OUTPUT, ds_transfer{.address = address, .bytes = bytes, .take_back = 0});
  }
  void input(std::uint32_t link, std::uint64_t address, std::uint32_t room) {
    port(link, DS_PORT_INPUT, ds_transfer{.address = address, .bytes = room, .take_back = 0});
  }
  void take_back(std::uint32_t link) {
    port(link, DS_PORT_INPUT, ds_transfer{.address = 0, .bytes = 0, .take_back = 1});
  }
  ds_control_block block(std::uint32_t link) const {
    ds_control_block block{};
    std::memcpy(&block, memory.data() + place::block(link), sizeof block);
    return block;
  }
  static void wait_for(Time span) { sc_core::wait(net::to_sc_time(span)); }
  /// Polls repeatedly: the stub has no poll without cost.
  template <class Condition>
  static void wait_until_so(Condition condition) {
    while (!condition()) wait_for(1us);
  }

 private:
  std::uint32_t word(std::uint64_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, memory.data() + address, sizeof value);
    return value;
  }
  template <class T>
  void port(std::uint32_t link, std::uint32_t command, T value) {
    access(tlm::TLM_WRITE_COMMAND, DS_BAR_CHANNELS, std::uint64_t{link} * DS_PORT_BYTES + command, &value,
           sizeof value);
  }
  void run() override {
    boot();
    if (program) program(*this);
  }
  void interrupted() override {
    const std::uint32_t pending = read32(DS_BAR_REGISTERS, DS_REG_INTERRUPT);
    write32(DS_BAR_REGISTERS, DS_REG_INTERRUPT, pending);
    if (restarts_link && (pending & DS_INT_LINK_ERROR) != 0)
      write32(DS_BAR_REGISTERS, DS_REG_LINK_COMMAND, DS_LINK_START);
  }
};

class DsLinkBench : public CardBench<DsLinkHost> {
 public:
  explicit DsLinkBench(int hosts = 2, std::vector<std::string> settings = {})
      : CardBench(hosts, "macrame-clos-64", with(std::move(settings))) {}

  void run(Time span = 1000ms) {
    timeline.hold_after(span);  // a packet that never gets through is retransmitted for ever
    timeline.run(span);
  }
  /// Counters of the cards, by their names in stats.csv.
  std::int64_t counter(int host, const std::string& name) {
    StatisticsTable table;
    card(host).report(table);
    const std::string& csv = table.table().csv();
    for (const char* unit : {",1,", ",B,"})
      if (const auto found = csv.find("," + name + unit); found != std::string::npos)
        return std::stoll(csv.substr(found + name.size() + 4));
    throw std::logic_error("there is no counter " + name);
  }

 private:
  /// Without a driver nothing loads the switches' tables.
  static std::vector<std::string> with(std::vector<std::string> settings) {
    settings.insert(settings.begin(), "nic.configure=no");
    return settings;
  }
};

}  // namespace sanvp::test
