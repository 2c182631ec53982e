/// What every NIC's section says of its edge to the network: how its packets start, and what they carry.
#pragma once

#include "models/nic/part.hpp"

namespace sanvp::nic {

/// Values where a machine's file has none.
struct NetworkSideDefaults {
  int slots = 1;
  Time gap{0};
  std::string_view gap_from = "tail-end";
  bool circuit = false;
  std::int64_t most_payload = 0;
  std::int64_t overhead = 0;
};

/// Declares and reads slots, gap, circuit ..., the packet format and the route selection.
NicModel read_network_side(const Parameters& parameters, int flit_bytes, const NetworkSideDefaults& defaults = {});

/// What a NIC with in-transit buffers has besides (Myrinet).
void read_in_transit(const Parameters& parameters, NicModel& model);

}  // namespace sanvp::nic
