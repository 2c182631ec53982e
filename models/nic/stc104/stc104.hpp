/// An STC104's configuration space, and what the switch does with a header by it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/nic/stc104/registers.h"

namespace sanvp::nic::stc104 {

class Stc104 {
 public:
  /// @return nothing where no register is
  std::optional<std::uint32_t> read(std::uint32_t offset) const;
  bool write(std::uint32_t offset, std::uint32_t value);

  struct Output {
    int link = 0;
    int links = 1;         ///< of the group that begins there
    bool deletes = false;  ///< the header
  };
  /// Where a header leads that came in by `link`; nothing where no interval holds it.
  std::optional<Output> find(int link, std::uint32_t header) const;
  /// Headers that are put in front of packets from `link`, or deleted at once: {first, how many}.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool holds(std::uint32_t header) const { return header >= first && header < first + count; }
  };
  Range randomises(int link) const;
  Range own(int link) const { return range(STC104_OWN, link); }

 private:
  struct Link {
    std::uint32_t mode = 0;
    std::uint32_t random = 0;
    std::uint32_t own = 0;
    std::array<std::uint32_t, STC104_INTERVALS> intervals{};
  };

  static std::uint32_t* find(Link& link, std::uint32_t offset);
  Range range(std::uint32_t which, int link) const;

  std::array<Link, STC104_LINKS> links_{};
};

}  // namespace sanvp::nic::stc104
