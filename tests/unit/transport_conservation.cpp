/// Nothing is lost, duplicated or changed on the way, and order is kept where the hardware keeps it.

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "tests/support/hand_network.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_topology.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

std::shared_ptr<std::vector<std::byte>> random_bytes(Random& random, int size) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  for (int i = 0; i < size; ++i) bytes->push_back(static_cast<std::byte>(random.below(256)));
  return bytes;
}

int wrong_bits(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) wrong += std::popcount(std::to_integer<unsigned>(a[i] ^ b[i]));
  return wrong;
}

}  // namespace

TEST_CASE("every packet is delivered once, with the bytes it was sent with") {
  for (const CaseOptions& options : {CaseOptions{},
                                     {.stop_go = true},
                                     {.circuits = true},
                                     {.in_transit = true},
                                     {.virtual_channels = 3},
                                     {.tokens = true},
                                     {.store_and_forward = true},
                                     {.header_changes = true},
                                     {.repeaters = true}})
    for (int seed = 0; seed < 12; ++seed) {
      Random random{static_cast<std::uint64_t>(seed), "conservation"};
      Case one = random_case(random, options);
      for (auto& nic : one.wiring.nics) nic.rules.pool_flits = INT64_MAX;  // small pools may lock each other
      std::vector<std::vector<std::byte>> originals;
      for (Shipment& shipment : one.shipments) {
        shipment.payload = random_bytes(random, between(random, 0, 64));
        originals.push_back(*shipment.payload);
      }
      in_both(one, [&](const Result& result) {
        REQUIRE(result.left_over == 0);
        REQUIRE(result.lost == 0);
        REQUIRE(result.delivery_order.size() == one.shipments.size());
        for (std::size_t i = 0; i < one.shipments.size(); ++i) {
          REQUIRE(result.outcomes[i].deliveries == 1);
          REQUIRE_FALSE(result.outcomes[i].corrupt);
          REQUIRE(*result.payloads[i] == originals[i]);
        }
      });
    }
}

TEST_CASE("a channel carries as many flits as its packets have") {
  for (int seed = 0; seed < 20; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), "conservation"};
    const Case one = random_case(random, {});
    std::map<int, std::uint64_t> sent, received;
    for (const Shipment& shipment : one.shipments) {
      sent[shipment.source] += static_cast<std::uint64_t>(shipment.flits);
      received[shipment.destination] += static_cast<std::uint64_t>(shipment.flits);
    }
    in_both(one, [&](const Result& result) {
      for (int h = 0; h < static_cast<int>(one.wiring.nics.size()); ++h) {
        REQUIRE(result.statistics[one.wiring.nics[h].out].flits == sent[h]);
        REQUIRE(result.statistics[one.wiring.nics[h].in].flits == received[h]);
      }
    });
  }
}

TEST_CASE("packets of a pair that have one path and one virtual channel arrive in order") {
  for (const CaseOptions& options : {CaseOptions{}, {.stop_go = true}, {.circuits = true}})
    for (int seed = 0; seed < 20; ++seed) {
      Random random{static_cast<std::uint64_t>(seed), "order"};
      Case one = irregular_case(random, options);
      // A route of its own per packet may be another path: all packets of a pair take the first one's.
      std::map<std::pair<int, int>, topologies::Route> route_of;
      for (Shipment& shipment : one.shipments) {
        shipment.priority = 0;
        shipment.time = Time{shipment.time.count() / 1000 * 1000};
        shipment.route = route_of.try_emplace({shipment.source, shipment.destination}, shipment.route).first->second;
      }
      std::stable_sort(one.shipments.begin(), one.shipments.end(),
                       [](const Shipment& a, const Shipment& b) { return a.time < b.time; });
      in_both(one, [&](const Result& result) {
        std::map<std::pair<int, int>, int> last;
        for (const int index : result.delivery_order) {
          const Shipment& shipment = one.shipments[static_cast<std::size_t>(index)];
          auto [before, first] = last.try_emplace({shipment.source, shipment.destination}, -1);
          REQUIRE(before->second < index);
          before->second = index;
        }
      });
    }
}

TEST_CASE("bit errors are reported as often as (1-e)^bits says, and the payload then has one wrong bit") {
  // 4,000 packets of 50 flits of 8 bits over two channels with 1e-4 per bit.
  constexpr int packets = 4000;
  constexpr double error_rate = 1e-4;
  net::ChannelRules cable = link_rules(10, 25);
  cable.bit_error_rate = error_rate;
  Case one = star(2, cable);
  Random random{1, "payload"};
  std::vector<std::vector<std::byte>> originals;
  for (int i = 0; i < packets; ++i) {
    ship_in_star(one, 0, 0, 1, 50);
    one.shipments.back().payload = random_bytes(random, 48);
    originals.push_back(*one.shipments.back().payload);
  }
  const double expected = 1 - std::pow(1 - error_rate, 2 * 50 * 8);
  const double deviation = std::sqrt(packets * expected * (1 - expected));
  std::vector<std::vector<Outcome>> outcomes;
  in_both(one, [&](const Result& result) {
    int corrupt = 0, mismatches = 0;
    for (std::size_t i = 0; i < packets; ++i) {
      corrupt += result.outcomes[i].corrupt ? 1 : 0;
      mismatches += wrong_bits(*result.payloads[i], originals[i]) != (result.outcomes[i].corrupt ? 1 : 0);
      mismatches += *one.shipments[i].payload != originals[i];  // the sender's copy is its own
    }
    CHECK(mismatches == 0);
    CHECK(std::abs(corrupt - packets * expected) < 4 * deviation);
    outcomes.push_back(result.outcomes);
  });
  CHECK(outcomes[0] == outcomes[1]);
}

TEST_CASE(
    "a link that sends again delivers every bit, later by its time and the turn-around for each attempt that fails") {
  // 4,000 packets of 50 flits of 8 bits, each alone on its way over two channels with 1e-4 per bit: of the attempts on
  // a channel the share 1 - (1-1e-4)^400 fails, and costs 50 x 10 + 70 ps.
  constexpr int packets = 4000;
  constexpr double error_rate = 1e-4;
  constexpr int attempt_ps = 50 * 10 + 70;
  net::ChannelRules cable = link_rules(10, 25);
  const auto latencies = [&](const net::ChannelRules& rules, net::Fidelity fidelity) {
    Case one = star(2, rules);
    for (int i = 0; i < packets; ++i) ship_in_star(one, i * 100'000, 0, 1, 50);
    std::vector<std::int64_t> result;
    const Result came = run_case(one, fidelity);
    for (int i = 0; i < packets; ++i) {
      REQUIRE_FALSE(came.outcomes[static_cast<std::size_t>(i)].corrupt);
      result.push_back(came.outcomes[static_cast<std::size_t>(i)].delivered_ps - i * 100'000);
    }
    return result;
  };
  const std::int64_t alone = latencies(cable, net::Fidelity::worm).front();
  cable.bit_error_rate = error_rate;
  cable.retry = true;
  cable.turnaround = Time{70};
  const std::vector<std::int64_t> worm = latencies(cable, net::Fidelity::worm);
  CHECK(worm == latencies(cable, net::Fidelity::flit));
  std::int64_t failed = 0;
  for (const std::int64_t ps : worm) {
    REQUIRE((ps - alone) % attempt_ps == 0);
    failed += (ps - alone) / attempt_ps;
  }
  // Failures before a success are geometric, on each of the two channels: mean p/(1-p), variance p/(1-p)^2.
  const double p = 1 - std::pow(1 - error_rate, 400);
  CHECK(std::abs(static_cast<double>(failed) - 2 * packets * p / (1 - p)) < 4 * std::sqrt(2 * packets * p) / (1 - p));
}

TEST_CASE("without a bit error rate no packet is ever corrupt, and errors on one cable touch no other") {
  Case one = star(3, link_rules(10, 25));
  one.wiring.channels[0].rules.bit_error_rate = 0.5;  // from host 0
  for (int i = 0; i < 200; ++i) {
    ship_in_star(one, 0, 0, 2, 10);
    ship_in_star(one, 0, 1, 2, 10);
  }
  in_both(one, [&](const Result& result) {
    for (std::size_t i = 0; i < one.shipments.size(); ++i)
      REQUIRE(result.outcomes[i].corrupt == (one.shipments[i].source == 0));  // 2^-80 that one gets through
  });
}
