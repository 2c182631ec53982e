/// Elan3 cards on a small network, each in a stub of a host: its memory behind a bus of known cost, and a program that
/// acts as driver and library.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/nic/elan3/routes.hpp"
#include "platform/testing/card_bench.hpp"
#include "platform/testing/card_host.hpp"
#include "sw/abi/registers/elan3.h"
#include "topologies/fat_tree.hpp"

namespace sanvp::test {

using testing::CardBench;
using testing::CardHost;

/// Addresses in SDRAM that the stub's driver uses, and its mappings.
namespace place {
constexpr std::uint32_t contexts = 0x1000, context_count = 8;
constexpr std::uint32_t traps = 0x2000;
constexpr std::uint32_t routes = 0x4000, routes_bytes = 0x400;  // a table per context
constexpr std::uint32_t tables = 0x10000;                       // page tables, one after another
constexpr std::uint32_t data = 0x100000;
/// Elan addresses: SDRAM from `data` on, and main memory from bus address 0 on.
constexpr e3_addr elan = 0x10000000, main = 0x20000000;
}  // namespace place

class Elan3Host : public CardHost {
 public:
  std::function<void(Elan3Host&)> program;
  std::function<void(Elan3Host&)> on_interrupt;

  using CardHost::CardHost;
  // ---- the CPU ----
  template <class T>
  void store(std::uint32_t sdram, const T& value) {
    access(tlm::TLM_WRITE_COMMAND, E3_BAR_SDRAM, sdram, const_cast<T*>(&value), sizeof value);
  }
  template <class T>
  T load(std::uint32_t sdram) {
    T value{};
    access(tlm::TLM_READ_COMMAND, E3_BAR_SDRAM, sdram, &value, sizeof value);
    return value;
  }
  void command(std::uint32_t context, std::uint32_t port, e3_addr argument) {
    write32(E3_BAR_COMMAND, std::uint64_t{context} * E3_COMMAND_PAGE + port, argument);
  }

  // ---- the driver ----
  /// Contexts 0 and up, each with one page of SDRAM and one of main memory mapped, and a route for each virtual
  /// process.
  void boot(const topologies::KaryTree& tree, int host, std::uint32_t contexts = 1) {
    write32(E3_BAR_REGISTERS, E3_REG_CONTEXT_TABLE, place::contexts);
    write32(E3_BAR_REGISTERS, E3_REG_CONTEXTS, place::context_count);
    write32(E3_BAR_REGISTERS, E3_REG_TRAP_BASE, place::traps);
    write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT_MASK, 0xffff);
    for (std::uint32_t context = 0; context < place::context_count; ++context)
      store(place::contexts + context * sizeof(e3_context),
            e3_context{.root = 0, .filter = E3_FILTER_DISCARD, .vp_table = 0, .vp_mask = 0});
    for (std::uint32_t context = 0; context < contexts; ++context) {
      const std::uint32_t table = place::routes + context * place::routes_bytes;
      // Virtual process p is context 0 of host p.
      for (int process = 0; process < tree.hosts(); ++process)
        if (process != host) route(context, process, nic::elan3::encode_unicast(tree, host, process));
      store(place::contexts + context * sizeof(e3_context),
            e3_context{.root = new_table(E3_L1_ENTRIES * 4), .filter = 0, .vp_table = table, .vp_mask = 63});
      for (std::uint32_t page = 0; page < 256; ++page) {
        map(context, place::elan + page * E3_PAGE_BYTES, place::data + page * E3_PAGE_BYTES, true);
        map(context, place::main + page * E3_PAGE_BYTES, page * E3_PAGE_BYTES, false);
      }
    }
  }
  void route(std::uint32_t context, int process, const nic::elan3::RouteFlits& flits, std::uint32_t there = 0) {
    store(place::routes + context * place::routes_bytes + static_cast<std::uint32_t>(process) * 8,
          nic::elan3::small_entry(flits, there));
  }
  void map(std::uint32_t context, e3_addr address, std::uint64_t frame, bool local,
           std::uint32_t permission = E3_PERM_REMOTE_ALL) {
    const auto record = load<e3_context>(place::contexts + context * sizeof(e3_context));
    const std::uint32_t second = table_at(record.root + E3_L1_INDEX(address) * 4, E3_L2_ENTRIES * 4);
    const std::uint32_t third = table_at(second + E3_L2_INDEX(address) * 4, E3_L3_ENTRIES * 8);
    store(third + E3_L3_INDEX(address) * 8, std::uint64_t{frame} | E3_PTE_VALID |
                                                (std::uint64_t{permission} << E3_PTE_PERMISSION_SHIFT) |
                                                (local ? E3_PTE_LOCAL : 0));
  }
  void unmap(std::uint32_t context, e3_addr address) {
    const auto record = load<e3_context>(place::contexts + context * sizeof(e3_context));
    const std::uint32_t second = table_at(record.root + E3_L1_INDEX(address) * 4, 0);
    const std::uint32_t third = table_at(second + E3_L2_INDEX(address) * 4, 0);
    store(third + E3_L3_INDEX(address) * 8, std::uint64_t{0});
  }
  void unmap_all(std::uint32_t context) {
    const std::uint32_t record = place::contexts + context * static_cast<std::uint32_t>(sizeof(e3_context));
    store(record + static_cast<std::uint32_t>(offsetof(e3_context, root)), new_table(E3_L1_ENTRIES * 4));
  }
  e3_trap trap(int unit) { return load<e3_trap>(place::traps + static_cast<std::uint32_t>(unit) * sizeof(e3_trap)); }
  void resume(std::uint32_t word) { write32(E3_BAR_REGISTERS, E3_REG_RESUME, word); }

  /// SDRAM address that `boot` maps to an Elan address.
  static std::uint32_t sdram(e3_addr address) { return address - place::elan + place::data; }
  template <class T>
  T main_word(e3_addr address) const {
    T value{};
    std::memcpy(&value, memory.data() + (address - place::main), sizeof value);
    return value;
  }

 private:
  void run() override {
    if (program) program(*this);
  }
  void interrupted() override {
    if (on_interrupt) on_interrupt(*this);
  }
  std::uint32_t new_table(std::uint32_t bytes) { return std::exchange(next_table_, next_table_ + bytes); }
  std::uint32_t table_at(std::uint32_t pointer, std::uint32_t bytes) {
    const auto known = load<std::uint32_t>(pointer);
    if (known != 0) return known & ~E3_PTP_VALID;
    const std::uint32_t table = new_table(bytes);
    store(pointer, table | E3_PTP_VALID);
    return table;
  }

  std::uint32_t next_table_ = place::tables;
};

/// `hosts` cards of a QsNET; the other hosts have no card.
class Elan3Bench : public CardBench<Elan3Host> {
 public:
  explicit Elan3Bench(int hosts = 2, std::vector<std::string> settings = {}, int levels = 1, bool memory_waits = false,
                      net::Lead lead = net::Lead::none)
      : CardBench(hosts, "qsnet-16", with(std::move(settings), levels),
                  {.firmware = SANVP_SW, .memory_waits = memory_waits, .lead = lead}),
        tree(topologies::fat_tree_geometry(machine.graph())) {
    for (int i = 0; i < hosts; ++i) (*this)[i].program = [this, i](Elan3Host& host) { host.boot(tree, i); };
  }

  /// The program of host `host` after booting its card.
  void program(int host, std::function<void(Elan3Host&)> then, std::uint32_t contexts = 1) {
    (*this)[host].program = [this, host, then = std::move(then), contexts](Elan3Host& at) {
      at.boot(tree, host, contexts);
      then(at);
    };
  }

  topologies::KaryTree tree;

 private:
  static std::vector<std::string> with(std::vector<std::string> settings, int levels) {
    settings.push_back("topology.levels=" + std::to_string(levels));
    settings.emplace_back("nic.thread.program=0");  // programs only take the time that they claim by elan3_cycles
    return settings;
  }
};

}  // namespace sanvp::test
