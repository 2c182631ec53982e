/// A rank's own loads and stores of its windows' memory: of each byte, when it was last read and written. Accesses of
/// other ranks that come later are compared with them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/mpi_check/datatype.hpp"
#include "platform/mpi_check/finding.hpp"

namespace sanvp::mpi_check {

class Shadow {
 public:
  struct Mark {
    Site site;
    bool is_store = false;
  };
  /// @param time  of the rank (Clocks::now)
  void note(const Site& site, std::uint64_t address, std::uint64_t bytes, bool is_store, std::uint64_t time);
  /// A store to one of these bytes, or with `also_loads` a load, behind the time that has been seen.
  std::optional<Mark> find(const std::vector<Bytes>& blocks, bool also_loads, std::uint64_t seen) const;

 private:
  static constexpr unsigned page_bits = 10;
  static constexpr std::uint64_t page_bytes = 1U << page_bits;
  /// When a byte was last accessed; 0: never. Times grow by one with each message or call that tells others.
  struct Cell {
    std::uint32_t stored = 0, loaded = 0;
    std::uint32_t store_site = 0, load_site = 0;
  };
  using Page = std::array<Cell, page_bytes>;

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::vector<Site> sites_;
  std::map<std::pair<const std::string*, std::uint64_t>, std::uint32_t> site_numbers_;  ///< by name and code
};

}  // namespace sanvp::mpi_check
