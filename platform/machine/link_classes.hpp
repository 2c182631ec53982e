/// Sections [link] and [link.CLASS]: what the cables of a machine are.
#pragma once

#include <string>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/core/time.hpp"

namespace sanvp {

struct LinkClass {
  Time flit_time{1};
  Time tail_time{1};
  Time delay{0};            ///< of the cable
  bool whole_flit = false;  ///< a receiver needs all of a flit before it can use it
  double bit_error_rate = 0;
  bool retry = false;  ///< it sends a damaged packet again by itself
  Time turnaround{0};  ///< before it does
};

/// One for each of `classes`, in their order. What [link.CLASS] does not give is that of [link].
std::vector<LinkClass> read_link_classes(const Parameters& link, const std::vector<std::string>& classes,
                                         int flit_bytes);

}  // namespace sanvp
