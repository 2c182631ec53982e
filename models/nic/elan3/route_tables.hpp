/// Virtual-process tables (QsNET paper 2.1, "routing tables"): the route from a context to each virtual process, as the
/// driver wrote it into SDRAM.
#pragma once

#include "models/nic/elan3/mmu.hpp"
#include "models/nic/elan3/routes.hpp"

namespace sanvp::nic::elan3 {

/// A destination process, as a sender needs it.
struct Destination {
  const Way* way = nullptr;
  std::uint32_t context = 0;  ///< of the process at its node
  int fetches = 0;            ///< SDRAM accesses of the lookup
  Fault fault{};              ///< E3_CAUSE_ROUTE: there is no such process, or no route to it
};

class RouteTables {
 public:
  RouteTables(Sdram& sdram, Mmu& mmu, const RouteNetwork& network, int host)
      : sdram_(sdram), mmu_(mmu), routes_(network, host) {}

  Destination find(std::uint32_t context, std::uint32_t process);
  /// SDRAM address of a context's table; 0: none.
  std::uint32_t table(std::uint32_t context) const { return mmu_.context(context).vp_table; }
  /// Whether a context has routes to more than `count` processes; broadcast routes do not count.
  bool has_more_partners(std::uint32_t context, int count) const;
  /// Prefetches what is known of a process into the cache of the simulating computer.
  void fetch_ahead(std::uint32_t context, std::uint32_t process) const;

 private:
  /// A decoded table entry; valid as long as the entry does not change.
  struct Known {
    std::uint64_t entry = 0;  // 0 is never valid
    const Way* way = nullptr;
  };

  RouteFlits record_at(std::uint64_t pointer) const;
  const Way* small_way(std::uint32_t process, std::uint64_t entry);

  Sdram& sdram_;
  Mmu& mmu_;
  Routes routes_;
  std::vector<Known> known_;  // by process
};

}  // namespace sanvp::nic::elan3
