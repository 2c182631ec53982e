/// Sections [link] and [link.CLASS]: the properties of a machine's cables.
#pragma once

#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;

struct LinkClass {
  Time flit_time{1};
  Time tail_time{1};
  Time delay{0};            ///< of the cable
  bool whole_flit = false;  ///< a receiver needs a whole flit before it can use it
  double bit_error_rate = 0;
  bool retry = false;  ///< whether the link itself retransmits a damaged packet
  Time turnaround{0};  ///< time before it does
};

/// One for each of `classes`, in that order. Values that [link.CLASS] does not give are those of [link].
std::vector<LinkClass> read_link_classes(const Parameters& link, const std::vector<std::string>& classes,
                                         int flit_bytes);

}  // namespace sanvp
