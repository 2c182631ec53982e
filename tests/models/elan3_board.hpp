/// Units of an Elan3 without the rest of the card: on their own event queue, with SDRAM only.
#pragma once

#include <functional>
#include <vector>

#include "models/nic/elan3/dma_engine.hpp"
#include "models/nic/elan3/events.hpp"
#include "models/nic/elan3/traps.hpp"

namespace sanvp::test {

using nic::elan3::Fault;

/// Records the work that events and commands start.
struct WorkLog final : nic::elan3::Work {
  explicit WorkLog(net::Clock& clock) : clock(clock) {}
  net::Task<Fault> put_dma(std::uint32_t, e3_addr descriptor) override {
    dmas.emplace_back(clock.now(), descriptor);
    co_return Fault{};
  }
  Fault run_thread(std::uint32_t, e3_addr thread) override {
    threads.emplace_back(clock.now(), thread);
    return {};
  }
  net::Clock& clock;
  std::vector<std::pair<Time, e3_addr>> dmas, threads;
};

/// A module only because sockets must be inside one; nothing is bound, and the kernel does not run.
struct Elan3Board : sc_core::sc_module {
  static constexpr Time access = 10ns;
  /// One context, number 1, whose page tables are filled in by `map`.
  static constexpr std::uint32_t context = 1, contexts = 0x1000, root = 0x2000, second = 0x3000, third = 0x4000,
                                 traps_at = 0x8000, data = 0x100000;
  static constexpr e3_addr base = 0x40000000;

  explicit Elan3Board(const sc_core::sc_module_name& name = "board") : sc_module(name) {
    mmu.set_table(contexts);
    mmu.set_contexts(2);
    sdram.store(contexts + sizeof(e3_context), e3_context{.root = root, .filter = 0, .vp_table = 0, .vp_mask = 0});
    sdram.store(root + E3_L1_INDEX(base) * 4, second | E3_PTP_VALID);
    sdram.store(second, third | E3_PTP_VALID);
    for (std::uint32_t page = 0; page < E3_L3_ENTRIES; ++page) map(page, E3_PERM_REMOTE_ALL);
    traps.set_base(traps_at);
    interrupts.set_mask(0xffff);
  }
  void map(std::uint32_t page, std::uint32_t permission) {
    sdram.store(third + page * 8, std::uint64_t{data + page * E3_PAGE_BYTES} | E3_PTE_VALID | E3_PTE_LOCAL |
                                      (std::uint64_t{permission} << E3_PTE_PERMISSION_SHIFT));
    mmu.flush();
  }
  static std::uint32_t at(e3_addr address) { return address - base + data; }

  /// Runs a task to its end. @return the time of the end
  template <class T>
  Time run(net::Task<T> task, T& result) {
    Time ended = never;
    auto all = [](net::Task<T> inner, net::Clock& clock, Time& end, T& value) -> net::Task<> {
      value = co_await inner;
      end = clock.now();
    }(std::move(task), clock, ended, result);
    all.start(clock);
    queue.run_until(1ms);
    return ended;
  }

  net::EventQueue queue;
  net::Clock clock{queue, 0};
  nic::elan3::Counters counters;
  nic::elan3::Sdram sdram{{.access = access}};
  nic::elan3::Mmu mmu{sdram, counters};
  tlm::tlm_initiator_socket<64> bus{"bus"};
  net::NetworkInitiatorSocket network{"network"};
  net::Timeline timeline{"timeline"};  // that of the card's bus, which stays unused
  nic::elan3::Pci pci{bus, timeline};
  nic::elan3::Memory memory{sdram, mmu, pci};
  bool line = false;
  nic::elan3::Interrupts interrupts{[this](bool raised) { line = raised; }};
  nic::elan3::Traps traps{clock, sdram, mmu, interrupts, counters};
  WorkLog work{clock};
  nic::elan3::Events events{{.set = 100ns}, clock, memory, interrupts, counters, work};
};

}  // namespace sanvp::test
