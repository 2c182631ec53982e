#include "platform/replay/traffic_file.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using namespace sanvp::replay;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using sanvp::test::complaint;

TEST_CASE("packets are read from text in the order of the file with exact picoseconds") {
  const auto packets = parse_traffic(
      "# time src dst bytes route\n6.25 0 1 64\n0 3 2 4096 7\n 1.001 1 0 1\n2.5000 1 0 1\n", "traffic.txt", 4);
  REQUIRE(packets.size() == 4);
  CHECK(packets[0] == Packet{6250_ps, 0, 1, 64, Packet::any_route});
  CHECK(packets[1] == Packet{0_ps, 3, 2, 4096, 7});
  CHECK(packets[2].time == 1001_ps);
  CHECK(packets[3].time == 2500_ps);
  CHECK(parse_traffic("", "traffic.txt", 4).empty());
}

TEST_CASE("packets written as text are read back the same") {
  const std::vector<Packet> packets{
      {6250_ps, 0, 1, 64, Packet::any_route}, {1_ps, 3, 2, 4096, 0}, {5000_ps, 1, 0, 1, 3}};
  CHECK(parse_traffic(to_text(packets), "again.txt", 4) == packets);
}

TEST_CASE("every mistake in a traffic file is named with file and line") {
  const auto expect = [](const std::string& text, const std::string& cause) {
    CHECK_THAT(complaint([&] { parse_traffic("0 0 1 8\n" + text + "\n", "traffic.txt", 4); }),
               StartsWith("traffic.txt:2: ") && Contains(cause));
  };
  expect("1 0 1", "ends too early");
  expect("1 0 1 8 0 9", "more after the end");
  expect("-1 0 1 8", "not a decimal number");
  expect("1e3 0 1 8", "not a decimal number");
  expect(".5 0 1 8", "not a decimal number");
  expect("1.2.3 0 1 8", "not a decimal number");
  expect("nan 0 1 8", "not a decimal number");
  expect("0.0001 0 1 8", "finer than a picosecond");
  expect("99999999999999999999 0 1 8", "out of range");
  expect("4611686018427388 0 1 8", "out of range");  // half of 2^63 ps is 4611686018427387.9 ns
  expect("1 4 1 8", "source '4' is out of range");
  expect("1 0 -1 8", "destination '-1' is out of range");
  expect("1 2 2 8", "host 2 sends to itself");
  expect("1 0 1 0", "packet length '0' is out of range");
  expect("1 0 1 99999999999", "packet length '99999999999' is out of range");
  expect("1 0 1 8 -1", "route id '-1' is out of range");
}
