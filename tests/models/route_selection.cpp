/// Route selections of NICs, on a table that holds UD, UD_MITB and UD_ITB of one pair as ids 0, 1 and 2.
#include <catch2/catch.hpp>

#include "models/nic/route_selection.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/routing/in_transit.hpp"
#include "topologies/routing/route_table.hpp"

using namespace sanvp;
using nic::RouteSelectionPart;

namespace {

topologies::RouteTable table() {
  topologies::RouteTable routes;
  for (const int id : {topologies::ud_route, topologies::ud_mitb_route, topologies::ud_itb_route})
    routes.append(0, 1, id, std::vector{topologies::Step{.port = 1}});
  return routes;
}

/// A route selection by name with settings, and the routes that it selects.
class Nic {
 public:
  explicit Nic(const std::string& name, const std::vector<std::string>& settings = {}) {
    ParameterSet set;
    for (const auto& setting : settings) set.set(setting);
    selection = Registry<RouteSelectionPart>::get(name, "test").build({set, "nic"})();
    set.require_all_read();
  }

  int route(std::int64_t bytes = 512) { return routes.route_id(0, 1, selection->select(routes, 0, 1, bytes, random)); }

  topologies::RouteTable routes = table();
  Random random{1, "test"};
  std::unique_ptr<nic::RouteSelection> selection;
};

}  // namespace

TEST_CASE("ud, ud_mitb and ud_itb always take their own route") {
  CHECK(Nic("ud").route() == topologies::ud_route);
  CHECK(Nic("ud_mitb").route() == topologies::ud_mitb_route);
  CHECK(Nic("ud_itb").route() == topologies::ud_itb_route);
  CHECK(Nic("first").route() == topologies::ud_route);
}

TEST_CASE("ud_itb_ml takes ud_mitb below 64 bytes and ud_itb from there on") {
  Nic nic("ud_itb_ml");
  CHECK(nic.route(63) == topologies::ud_mitb_route);
  CHECK(nic.route(64) == topologies::ud_itb_route);
  CHECK(Nic("ud_itb_ml", {"nic.short_message=65B"}).route(64) == topologies::ud_mitb_route);
}

TEST_CASE("ud_itb_n takes ud_itb for its share of packets and ud for the others") {
  Nic never("ud_itb_n", {"nic.maxlo=0"}), always("ud_itb_n", {"nic.maxlo=100"}), half("ud_itb_n");
  int taken = 0;
  constexpr int packets = 10'000;
  for (int i = 0; i < packets; ++i) {
    CHECK(never.route() == topologies::ud_route);
    CHECK(always.route() == topologies::ud_itb_route);
    const int route = half.route();
    CHECK((route == topologies::ud_route || route == topologies::ud_itb_route));
    taken += route == topologies::ud_itb_route ? 1 : 0;
  }
  CHECK(std::abs(taken - packets / 2) < 250);  // five standard deviations of 50
}

TEST_CASE("ud_itb_det follows the contention with hysteresis") {
  Nic nic("ud_itb_det");
  const auto send = [&](std::int64_t slowdown_percent) {
    nic.selection->sent(100ns, 100ns + slowdown_percent * 1ns, 100ns);
  };
  CHECK(nic.route() == topologies::ud_route);
  send(260);  // 0.7 x 1 + 0.3 x 2.6 = 1.48: not above 1.5
  CHECK(nic.route() == topologies::ud_route);
  send(160);  // 0.7 x 1.48 + 0.3 x 1.6 = 1.516
  CHECK(nic.route() == topologies::ud_itb_route);
  for (int i = 0; i < 31; ++i) send(100);  // 1 + 0.516 x 0.95^31 = 1.105: still not below 1.1
  CHECK(nic.route() == topologies::ud_itb_route);
  for (int i = 0; i < 2; ++i) send(100);  // 1 + 0.516 x 0.95^33 = 1.095
  CHECK(nic.route() == topologies::ud_route);
}

TEST_CASE("a host that begins above the threshold takes ud_itb for its first 32 packets, if nothing holds them up") {
  Nic nic("ud_itb_det", {"nic.contention_start=1.5"});
  // 1 + 0.5 x 0.95^31 = 1.102 is not below 1.1 yet, 1 + 0.5 x 0.95^32 = 1.097 is.
  for (int packet = 0; packet < 32; ++packet) {
    CHECK(nic.route() == topologies::ud_itb_route);
    nic.selection->sent(0ns, 100ns, 100ns);
  }
  CHECK(nic.route() == topologies::ud_route);
  CHECK(Nic("ud_itb_det", {"nic.contention_start=1.49"}).route() == topologies::ud_route);
}

TEST_CASE("rotate takes a pair's routes in turn") {
  Nic nic("rotate");
  for (const int expected : {0, 1, 2, 0}) CHECK(nic.route() == expected);
}

TEST_CASE("if the wanted route is not in the table, the first is taken") {
  Nic nic("ud_itb");
  nic.routes = {};
  nic.routes.append(0, 1, topologies::ud_route, std::vector{topologies::Step{.port = 1}});
  CHECK(nic.route() == topologies::ud_route);
}

TEST_CASE("thresholds of ud_itb_det in the wrong order are refused") {
  CHECK_THROWS_WITH(Nic("ud_itb_det", {"nic.contention_off=2"}), Catch::Contains("contention_off is above"));
}
