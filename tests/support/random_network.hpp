/// Random networks for property tests: a tree of switches with several hosts each and groups of parallel cables, random
/// rules, and random packets on them. Trees have one path per pair, so nothing deadlocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/net/network.hpp"
#include "models/net/wiring.hpp"
#include "platform/core/random.hpp"

namespace sanvp::test {

struct Shipment {
  Time time{0};
  int source = 0;
  int destination = 0;
  int flits = 1;
  int priority = 0;
  topologies::Route route;
};

struct Case {
  net::Wiring wiring;
  std::vector<Shipment> shipments;
  std::string description;
};

struct CaseOptions {
  bool stop_go = false;
  bool circuits = false;
  bool in_transit = false;
  int virtual_channels = 1;
  bool tokens = false;
  bool store_and_forward = false;
  bool header_changes = false;
};

/// What happened to a shipment.
struct Outcome {
  std::int64_t injected_ps = -1;
  std::int64_t delivered_ps = -1;
  std::int64_t sent_ps = -1;
  int deliveries = 0;
  bool lost = false;

  bool operator==(const Outcome&) const = default;
};

struct Result {
  std::vector<Outcome> outcomes;
  std::uint64_t events = 0;
  std::uint64_t left_over = 0;  ///< packets still in flight when nothing more happened
  std::string deadlock;
};

Case random_case(sanvp::Random& random, const CaseOptions& options);
Result run_case(const Case& one, net::Fidelity fidelity);

}  // namespace sanvp::test
