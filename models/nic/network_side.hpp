/// The part of section [nic] that all NICs share: when packets start, and what they carry.
#pragma once

#include "models/nic/part.hpp"

namespace sanvp::nic {

/// Defaults for keys that a machine's file does not set.
struct NetworkSideDefaults {
  int slots = 1;  ///< 0: one for each virtual channel
  Time gap{0};
  std::string_view gap_from = "tail-end";
  bool circuit = false;
  std::int64_t most_payload = 0;
  std::int64_t overhead = 0;
};

/// Declares and reads slots, gap, circuit ..., the packet format and the route selection.
NicModel read_network_side(const Parameters& parameters, int flit_bytes, const NetworkSideDefaults& defaults = {});

/// The additional keys of a NIC with in-transit buffers (Myrinet).
void read_in_transit(const Parameters& parameters, NicModel& model);

}  // namespace sanvp::nic
