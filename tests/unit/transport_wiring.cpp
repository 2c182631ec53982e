/// Networks that contradict themselves are refused, with place, cause and cure.

#include <catch2/catch.hpp>
#include <limits>

#include "platform/core/error.hpp"
#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;
using Catch::Matchers::Contains;

namespace {

void refuse(const net::ChannelRules& cable, const std::string& cause) {
  const Case one = star(2, cable);
  for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
    CHECK_THROWS_AS(run_case(one, fidelity), UserError);
    CHECK_THROWS_WITH(run_case(one, fidelity), Contains("h0->s0.0") && Contains(cause) && Contains("; "));
  }
}

net::ChannelRules changed(const std::function<void(net::ChannelRules&)>& change) {
  net::ChannelRules rules = link_rules(10, 20);
  change(rules);
  return rules;
}

/// A star of two in which one packet takes the given route.
void refuse_route(topologies::Route route, int flits, const std::string& message) {
  Case one = star(2, link_rules(10, 20));
  ship(one, 0, 0, 1, flits, std::move(route));
  for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
    CHECK_THROWS_AS(run_case(one, fidelity), UserError);
    CHECK_THROWS_WITH(run_case(one, fidelity), Contains(message));
  }
}

}  // namespace

TEST_CASE("the rules the tests start from are good") { CHECK_NOTHROW(star(2, link_rules(10, 20)).wiring.validate()); }

TEST_CASE("times that are not positive are refused") {
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    refuse(changed([&](auto& rules) { rules.flit_time = Time{bad}; }), "flit time");
    refuse(changed([&](auto& rules) { rules.tail_time = Time{bad}; }), "tail time");
    refuse(changed([&](auto& rules) { rules.delay = Time{bad}; }), "delay");
  }
}

TEST_CASE("a number of virtual channels that hardware cannot have is refused") {
  for (const int bad : {0, -1, 17, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    refuse(changed([&](auto& rules) { rules.virtual_channels = bad; }), "virtual channels");
}

TEST_CASE("bit error rates that are no probabilities below 1 are refused") {
  for (const double bad : {-0.1, 1.0, 2.0, std::numeric_limits<double>::quiet_NaN()})
    refuse(changed([&](auto& rules) { rules.bit_error_rate = bad; }), "bit error rate");
}

TEST_CASE("buffers and batches that cannot work are refused") {
  const auto with = [](net::FlowControl flow) { return changed([&](auto& rules) { rules.flow = flow; }); };
  refuse(with(net::Credits{.buffer = 0}), "holds no flit");
  refuse(with(net::Credits{.buffer = -5}), "holds no flit");
  refuse(with(net::Credits{.buffer = 4, .batch = 0}), "batches of 0");
  refuse(with(net::Credits{.buffer = 4, .batch = 5}), "batches of 5");
  refuse(with(net::StopGo{.buffer = 0, .stop = 4, .go = 2}), "holds no flit");
  refuse(with(net::StopGo{.buffer = 80, .stop = 4, .go = 5}), "thresholds 4/5");
  refuse(with(net::StopGo{.buffer = 80, .stop = 4, .go = 0}), "thresholds 4/0");
  refuse(with(net::StopGo{.buffer = 80, .stop = 80, .go = 40}), "thresholds 80/40");
}

TEST_CASE("a STOP/GO buffer must hold what arrives after the STOP") {
  // T = 10, D = 20, D_s = 25: a STOP after flit 57, sent when it arrives, finds those of the 45 before: 4.
  const auto with = [](int buffer) {
    return changed([&](auto& rules) {
      rules.flow = net::StopGo{.buffer = buffer, .stop = 56, .go = 40, .signal_delay = Time{25}};
    });
  };
  refuse(with(60), "4 flits may still arrive");
  CHECK_NOTHROW(star(2, with(61)).wiring.validate());
}

TEST_CASE("a NIC without slots is refused") {
  const Case one = star(2, link_rules(10, 20), {}, {.slots = 0});
  CHECK_THROWS_WITH(one.wiring.validate(), Contains("h0") && Contains("no slot"));
}

TEST_CASE("routes that leave the network are refused") {
  refuse_route(by_ports({7}), 4, "ports go from 0 to 1");
  topologies::Route wide = by_ports({1});
  wide.steps[0].ports = 2;
  refuse_route(wide, 4, "a route names port 2");
  topologies::Route stripped = by_ports({1});
  stripped.steps[0].strip = 4;
  refuse_route(stripped, 4, "no flits left");
}

TEST_CASE("header deletion needs a buffer for the header and the flit behind it") {
  const auto deleting = [](int flits, net::FlowControl flow) {
    Case one = star(2, link_rules(10, 20, flow));
    topologies::Route route = by_ports({1});
    route.steps[0].strip = static_cast<std::uint8_t>(flits);
    ship(one, 0, 0, 1, 10, route);
    return one;
  };
  for (const Case& bad :
       {deleting(1, net::Credits{.buffer = 1}), deleting(2, net::Credits{.buffer = 2}),
        deleting(1, net::Credits{.buffer = 4, .batch = 4}), deleting(2, net::StopGo{.buffer = 9, .stop = 1, .go = 1})})
    CHECK_THROWS_WITH(run_case(bad, net::Fidelity::worm), Contains("h0->s0.0") && Contains("enlarge the buffer"));
  for (const Case& good :
       {deleting(1, net::Credits{.buffer = 2}), deleting(2, net::Credits{.buffer = 3}),
        deleting(1, net::Credits{.buffer = 5, .batch = 4}), deleting(2, net::StopGo{.buffer = 9, .stop = 2, .go = 1})})
    in_both(good, [](const Result& result) { CHECK(result.outcomes[0].deliveries == 1); });
}

TEST_CASE("packets that cannot be sent are refused") {
  Case empty = star(2, link_rules(10, 20));
  ship_in_star(empty, 0, 0, 1, 0);
  CHECK_THROWS_WITH(run_case(empty, net::Fidelity::worm), Contains("at least one flit"));
  for (const int host : {-1, 2}) {
    Case stranger = star(2, link_rules(10, 20));
    ship_in_star(stranger, 0, host, 1, 4);
    CHECK_THROWS_WITH(run_case(stranger, net::Fidelity::worm), Contains("hosts go from 0 to 1"));
  }
  Case uncabled = star(2, link_rules(10, 20));
  uncabled.wiring.add_nic("apart", {});
  ship_in_star(uncabled, 0, 2, 1, 4);
  CHECK_THROWS_WITH(run_case(uncabled, net::Fidelity::worm), Contains("apart") && Contains("not cabled"));
  Case whole = star(2, link_rules(10, 20, net::Credits{.buffer = 8}), {.store_and_forward = true});
  ship_in_star(whole, 0, 0, 1, 9);
  CHECK_THROWS_WITH(run_case(whole, net::Fidelity::worm), Contains("of 9 flits cannot be stored in a buffer of 8"));
}
