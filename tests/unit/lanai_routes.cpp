/// The LANai's route table and CRC.
#include <catch2/catch.hpp>
#include <string>

#include "models/nic/lanai/crc8.hpp"
#include "models/nic/lanai/route_memory.hpp"
#include "topologies/irregular.hpp"
#include "topologies/routing/in_transit.hpp"
#include "topologies/routing/route_table.hpp"

using namespace sanvp;
using namespace sanvp::nic::lanai;

namespace {

std::uint8_t crc_of(std::string_view text) { return crc8(std::as_bytes(std::span(text))); }

}  // namespace

TEST_CASE("lanai: the CRC of the nine digits is the one that catalogues of CRCs give") {
  CHECK(crc_of("123456789") == 0xf4);
}

TEST_CASE("lanai: the CRC finds every single wrong bit") {
  const std::string good = "a packet of some length, with a payload";
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    CHECK(crc_of(bad) != crc_of(good));
  }
}

TEST_CASE("lanai: every route of a Myrinet comes back from its bytes, in-transit hosts and all") {
  const auto graph = topologies::irregular({.switches = 16}, 1);
  const auto routing = topologies::myrinet(graph);
  topologies::Route route;
  int in_transit = 0;
  for (int from = 0; from < graph.host_count(); ++from)
    for (int to = 0; to < graph.host_count(); ++to)
      for (int i = 0; from != to && i < routing->alternatives(from, to); ++i) {
        routing->route(from, to, i, route);
        const auto entry = encode(route, routing->route_id(from, to, i));
        REQUIRE(entry);
        CHECK(entry->id == i);
        const auto way = follow(graph, from, {entry->bytes, entry->length});
        REQUIRE(way);
        CHECK(way->destination == to);
        REQUIRE(way->route.steps.size() == route.steps.size());
        for (std::size_t step = 0; step < route.steps.size(); ++step) {
          CHECK(way->route.steps[step].port == route.steps[step].port);
          CHECK(way->route.steps[step].in_transit == route.steps[step].in_transit);
        }
        const int hosts = route.in_transit_hosts();
        in_transit += hosts;
        CHECK(way->bytes == static_cast<int>(route.steps.size() + hosts * LANAI_IN_TRANSIT_HEADER));
      }
  CHECK(in_transit > 0);
}

TEST_CASE("lanai: a route that does not end at a host, or uses a channel twice, is invalid") {
  topologies::Graph graph;
  for (int i = 0; i < 2; ++i) graph.add_host("host " + std::to_string(i));
  for (int i = 0; i < 2; ++i) graph.add_switch("switch " + std::to_string(i), 4);
  for (int i = 0; i < 2; ++i) graph.connect(topologies::End::host(i), topologies::End::switch_(i, 0));
  graph.connect(topologies::End::switch_(0, 1), topologies::End::switch_(1, 1));
  const auto leads = [&](std::vector<std::uint8_t> bytes) { return follow(graph, 0, bytes).has_value(); };
  CHECK(leads({0x81, 0x80}));
  CHECK(leads({0x80}));                          // to itself
  CHECK(leads({0x81, 0x81, 0x80}));              // there and back
  CHECK_FALSE(leads({0x81}));                    // ends in a switch
  CHECK_FALSE(leads({0x83}));                    // at a port without a cable
  CHECK_FALSE(leads({0x81, 0x01}));              // no route byte
  CHECK_FALSE(leads({0x81, 0x80, 0x80}));        // beyond a host
  CHECK_FALSE(leads({0x81, 0x00, 0x80}));        // an in-transit host that is a switch
  CHECK_FALSE(leads({0x81, 0x81, 0x81, 0x80}));  // meets its own tail
}
