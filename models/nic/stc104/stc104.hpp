/// An STC104's configuration space, and the routing of headers that follows from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/nic/card/register_map.hpp"
#include "sw/abi/registers/stc104.h"

namespace sanvp::nic::stc104 {

class Stc104 {
 public:
  /// The configuration space, one window.
  static const RegisterMap<Stc104>& register_map();

  /// @return nothing if there is no such register
  std::optional<std::uint32_t> read(std::uint32_t offset) const;
  bool write(std::uint32_t offset, std::uint32_t value);

  struct Output {
    int link = 0;
    int links = 1;         ///< of the group that starts at `link`
    bool deletes = false;  ///< whether it deletes the header
  };
  /// The output for a header that arrived on `link`; nothing if no interval contains it.
  std::optional<Output> find(int link, std::uint32_t header) const;
  /// Random headers that are prepended to packets from `link`: {first, count}.
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

  template <std::uint32_t Link::*word>
  static Register<Stc104> word_of_link(const char* name, std::uint32_t offset, const char* meaning, const char* source);
  Range range(std::uint32_t which, int link) const;

  std::array<Link, STC104_LINKS> links_{};
};

}  // namespace sanvp::nic::stc104
