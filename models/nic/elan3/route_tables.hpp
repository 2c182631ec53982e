/// Virtual-process tables (QsNET paper 2.1, "routing tables"): which way leads from a context to a virtual process, as
/// the driver wrote it into SDRAM.
#pragma once

#include "models/nic/elan3/mmu.hpp"
#include "models/nic/elan3/routes.hpp"

namespace sanvp::nic::elan3 {

/// A process of the network as a sender needs it.
struct Destination {
  const Way* way = nullptr;
  std::uint32_t context = 0;  ///< there
  int fetches = 0;            ///< SDRAM accesses it took to find out
  Fault fault{};              ///< E3_CAUSE_ROUTE: there is no such process, or no way to it
};

class RouteTables {
 public:
  RouteTables(Sdram& sdram, Mmu& mmu, const RouteNetwork& network, int host)
      : sdram_(sdram), mmu_(mmu), routes_(network, host) {}

  Destination find(std::uint32_t context, std::uint32_t process);
  /// Where the driver put those of a context; 0: it has none.
  std::uint32_t table(std::uint32_t context) const { return mmu_.context(context).vp_table; }
  /// Whether a context has routes to more than `count` processes; those of broadcasts do not count.
  bool has_more_partners(std::uint32_t context, int count) const;
  /// It will be looked for soon: what is known of it comes into the cache of the computer that simulates.
  void fetch_ahead(std::uint32_t context, std::uint32_t process) const;

 private:
  /// What an entry of a table was found to mean, for as long as it reads the same.
  struct Known {
    std::uint64_t entry = 0;  // none is valid that is 0
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
