/// A network and the packets to be sent on it, as one value: run it in either fidelity and compare the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/net/network.hpp"
#include "models/net/wiring.hpp"

namespace sanvp::test {

struct Shipment {
  Time time{0};
  int source = 0;
  int destination = 0;
  int flits = 1;
  int priority = 0;
  topologies::Route route;
  std::function<std::pair<int, int>(int switch_)> descend{};  ///< of a broadcast (net::Packet)
  int copies = 1;                                             ///< deliveries to expect
  std::shared_ptr<std::vector<std::byte>> payload{};
  Time abandoned = never;  ///< the sender gives up at this time, unless it has the acknowledgement (Network::abandon)
};

/// The channel takes no packets from this time on, until it is repaired.
struct Failure {
  Time time{0};
  int channel = -1;
  Time repaired = never;
};

struct Case {
  net::Wiring wiring;
  std::vector<Shipment> shipments;
  std::string description;
  std::vector<Failure> failures{};
  std::uint64_t seed = 1;
  std::shared_ptr<const void> routing{};  ///< whose relation the packets' routes name, with its graph
  Time answer{0};  ///< from delivery to the acknowledgement, if receiving NICs give it (NicRules::answers)
};

/// The outcome of a shipment.
struct Outcome {
  struct Arrival {
    int host = -1;
    std::int64_t ps = -1;
    bool operator==(const Arrival&) const = default;
  };

  std::int64_t injected_ps = -1;
  std::int64_t delivered_ps = -1;  ///< of a broadcast the last one
  std::int64_t sent_ps = -1;
  int deliveries = 0;
  bool lost = false;
  bool corrupt = false;
  bool marked = false;
  std::vector<Arrival> arrivals{};  ///< of a broadcast

  bool operator==(const Outcome&) const = default;
};

struct Result {
  std::vector<Outcome> outcomes;
  std::vector<net::ChannelStatistics> statistics{};                 ///< per channel
  std::vector<int> delivery_order{};                                ///< shipments, as they were delivered
  std::vector<std::shared_ptr<std::vector<std::byte>>> payloads{};  ///< per shipment, as delivered
  std::uint64_t events = 0;
  std::uint64_t left_over = 0;  ///< packets still in flight when no event was left
  std::uint64_t lost = 0;
  std::string deadlock{};
};

/// Looks at the network when all that happens by then has happened.
struct Look {
  Time at = never;
  std::function<void(net::Network&)> take{};
};

Result run_case(const Case& one, net::Fidelity fidelity, const Look& look = {});

}  // namespace sanvp::test
