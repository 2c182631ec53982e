/// A TLM-2.0 initiator that drives an Elan3 card: it sets up one context with its page tables and routes, and starts
/// DMAs. What the card expects is in sw/abi/registers/elan3.h.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <systemc>
#include <tlm>

#include "models/nic/elan3/routes.hpp"
#include "sw/abi/registers/elan3.h"

#include <tlm_utils/simple_initiator_socket.h>

class Driver : public sc_core::sc_module {
 public:
  /// Elan addresses of the context: a MiB of the card's SDRAM, and the host's memory.
  static constexpr e3_addr elan = 0x10000000, main = 0x20000000;

  tlm_utils::simple_initiator_socket<Driver, 64> card{"card"};
  sc_core::sc_in<bool> interrupt{"interrupt"};
  std::function<void(Driver&)> program;

  Driver(const sc_core::sc_module_name& name, const sanvp::topologies::KaryTree& tree, int node)
      : sc_module(name), tree_(tree), node_(node) {
    SC_HAS_PROCESS(Driver);
    SC_THREAD(run);
  }

  /// The SDRAM address of an Elan address of the card's memory.
  static std::uint32_t sdram(e3_addr address) { return address - elan + data; }

  template <class T>
  void store(std::uint32_t at, T value) {
    access(tlm::TLM_WRITE_COMMAND, E3_BAR_SDRAM, at, &value, sizeof value);
  }
  template <class T>
  T load(std::uint32_t at) {
    T value{};
    access(tlm::TLM_READ_COMMAND, E3_BAR_SDRAM, at, &value, sizeof value);
    return value;
  }
  void start(const e3_dma& dma, e3_addr descriptor) {
    store(sdram(descriptor), dma);
    std::uint32_t command = descriptor;
    access(tlm::TLM_WRITE_COMMAND, E3_BAR_COMMAND, E3_CP_PUT_DMA, &command, sizeof command);
  }
  /// Sleeps until the card interrupts. @return the cookie of the event that did it
  std::uint32_t wait_for_event() {
    while (!interrupt.read()) wait(interrupt.posedge_event());
    const std::uint32_t cookie = read_register(E3_REG_EVENT_COOKIE);
    write_register(E3_REG_INTERRUPT, E3_INT_EVENT);
    return cookie;
  }

 private:
  /// Where the driver's tables are in SDRAM.
  static constexpr std::uint32_t contexts = 0x1000, traps = 0x2000, routes = 0x4000, tables = 0x10000, data = 0x100000;

  void run() {
    boot();
    if (program) program(*this);
  }

  void boot() {
    write_register(E3_REG_CONTEXT_TABLE, contexts);
    write_register(E3_REG_CONTEXTS, 1);
    write_register(E3_REG_TRAP_BASE, traps);
    write_register(E3_REG_INTERRUPT_MASK, E3_INT_EVENT);
    // Virtual process p is the context of node p.
    for (int to = 0; to < tree_.hosts(); ++to) {
      if (to == node_) continue;
      const auto route = sanvp::nic::elan3::encode_unicast(tree_, node_, to);
      store(routes + static_cast<std::uint32_t>(to) * 8, sanvp::nic::elan3::small_entry(route, 0));
    }
    root_ = new_table(E3_L1_ENTRIES * 4);
    store(contexts, e3_context{.root = root_, .filter = 0, .vp_table = routes, .vp_mask = 63});
    for (std::uint32_t page = 0; page < 64; ++page) {
      const std::uint32_t offset = page * E3_PAGE_BYTES;
      map(elan + offset, (data + offset) | E3_PTE_LOCAL);
      map(main + offset, offset);
    }
  }
  void map(e3_addr address, std::uint64_t frame) {
    const std::uint32_t second = table_at(root_ + E3_L1_INDEX(address) * 4, E3_L2_ENTRIES * 4);
    const std::uint32_t third = table_at(second + E3_L2_INDEX(address) * 4, E3_L3_ENTRIES * 8);
    store(third + E3_L3_INDEX(address) * 8,
          std::uint64_t{frame | E3_PTE_VALID | std::uint64_t{E3_PERM_REMOTE_ALL} << E3_PTE_PERMISSION_SHIFT});
  }
  std::uint32_t new_table(std::uint32_t bytes) {
    const std::uint32_t table = next_table_;
    next_table_ += bytes;
    return table;
  }
  std::uint32_t table_at(std::uint32_t pointer, std::uint32_t bytes) {
    if (const auto known = load<std::uint32_t>(pointer)) return known & ~E3_PTP_VALID;
    const std::uint32_t table = new_table(bytes);
    store(pointer, table | E3_PTP_VALID);
    return table;
  }

  void write_register(std::uint32_t offset, std::uint32_t value) {
    access(tlm::TLM_WRITE_COMMAND, E3_BAR_REGISTERS, offset, &value, sizeof value);
  }
  std::uint32_t read_register(std::uint32_t offset) {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, E3_BAR_REGISTERS, offset, &value, sizeof value);
    return value;
  }
  /// The card is loosely timed: what the access takes comes back as a delay.
  void access(tlm::tlm_command command, int window, std::uint32_t offset, void* bytes, unsigned size) {
    tlm::tlm_generic_payload transfer;
    transfer.set_command(command);
    transfer.set_address(std::uint64_t(window) << 32 | offset);
    transfer.set_data_ptr(static_cast<unsigned char*>(bytes));
    transfer.set_data_length(size);
    transfer.set_streaming_width(size);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    card->b_transport(transfer, delay);
    if (!transfer.is_response_ok()) throw std::runtime_error(std::string(name()) + ": the card refuses an access");
    if (delay > sc_core::SC_ZERO_TIME) wait(delay);
  }

  sanvp::topologies::KaryTree tree_;
  int node_;
  std::uint32_t root_ = 0;
  std::uint32_t next_table_ = tables;
};
