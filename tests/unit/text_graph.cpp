#include "topologies/text_graph.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "tests/unit/core_support.hpp"
#include "topologies/irregular.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using sanvp::test::complaint;

namespace {

const std::string two_switches =
    "# two switches\n"
    "switches 2\r\n"
    "ports 3\n"
    "\n"
    "host 1 1 0   # hosts in any order\n"
    "link 0 2 1 2 cable\n"
    "\thost 0 0 1\n";

std::string error_of(const std::string& text) {
  return complaint([&] { parse_graph(text, "net.txt"); });
}

}  // namespace

TEST_CASE("a network is read from text") {
  const Graph graph = parse_graph(two_switches, "net.txt");
  CHECK(graph.switch_count() == 2);
  CHECK(graph.host_count() == 2);
  CHECK(graph.peer(End::host(0)) == End::switch_(0, 1));
  CHECK(graph.peer(End::host(1)) == End::switch_(1, 0));
  CHECK(graph.peer(End::switch_(0, 2)) == End::switch_(1, 2));
  CHECK(graph.link_classes().at(graph.links().at(0).link_class) == "link");
  CHECK(graph.link_classes().at(graph.links().at(1).link_class) == "cable");
}

TEST_CASE("a network written as text is read back the same") {
  for (const Graph& graph : {parse_graph(two_switches, "net.txt"), irregular({.switches = 16}, 5)}) {
    const Graph again = parse_graph(to_text(graph), "again.txt");
    REQUIRE(again.link_count() == graph.link_count());
    for (int link = 0; link < graph.link_count(); ++link) {
      REQUIRE(again.links()[link].a == graph.links()[link].a);
      REQUIRE(again.links()[link].b == graph.links()[link].b);
      REQUIRE(again.link_classes()[again.links()[link].link_class] ==
              graph.link_classes()[graph.links()[link].link_class]);
    }
  }
}

TEST_CASE("a graph beyond the text format is not written") {
  Graph graph;
  graph.add_switch("s", 2);
  graph.add_host("two-legged", {}, 2);
  graph.connect(End::host(0, 0), End::switch_(0, 0));
  CHECK_THAT(complaint([&] { to_text(graph); }), Contains("one cable per host"));
  Graph direct;
  direct.add_host("a");
  direct.add_host("b");
  direct.connect(End::host(0), End::host(1));
  CHECK_THAT(complaint([&] { to_text(direct); }), Contains("to a switch"));
}

TEST_CASE("every mistake in a topology file is named with file and line") {
  const std::string sizes = "switches 2\nports 3\n";
  const std::string hosts = sizes + "host 0 0 0\nhost 1 1 0\n";
  const auto expect = [](const std::string& text, int line, const std::string& cause) {
    CHECK_THAT(error_of(text), StartsWith("net.txt:" + std::to_string(line) + ": ") && Contains(cause));
  };
  expect("", 0, "names no switches");
  expect("switches 2\nports 2\n", 2, "names no hosts");
  expect("host 0 0 0\n", 1, "before the sizes");
  expect("switches 2\nhost 0 0 0\n", 2, "before the sizes");
  expect("switches 0\n", 1, "number of switches '0' is out of range");
  expect("switches -2\n", 1, "out of range");
  expect("switches 99999999999999999999\n", 1, "out of range");
  expect("switches 2.5\n", 1, "not a whole number");
  expect("switches two\n", 1, "not a whole number");
  expect("switches\n", 1, "ends too early");
  expect("switches 2 3\n", 1, "more after the end");
  expect("switches 2\nswitches 2\n", 2, "given twice");
  expect("switches 200000\nports 1000\n", 2, "ports in all");
  expect(sizes + "hots 0 0 0\n", 3, "did you mean 'host'");
  expect(sizes + "frobnicate\n", 3, "unknown statement 'frobnicate'");
  expect(sizes + "host 0 2 0\n", 3, "switch '2' is out of range");
  expect(sizes + "host 0 0 3\n", 3, "port '3' is out of range");
  expect(sizes + "host -1 0 0\n", 3, "host '-1' is out of range");
  expect(sizes + "host 0 0 0\nhost 0 1 0\n", 4, "already cabled in line 3");
  expect(sizes + "host 0 0 0\nhost 1 0 0\nlink 0 1 1 1", 4, "already cabled to host 0");
  expect(sizes + "host 0 0 0\nhost 2 1 0\nlink 0 1 1 1", 4, "no host 1");
  expect(hosts + "link 0 1 0 2\n", 5, "cabled to itself");
  expect(hosts + "link 0 1 1\n", 5, "ends too early");
  expect(hosts + "link 0 1 1 0\n", 5, "switch 1 port 0 is already cabled");
  expect(hosts + "link 0 1 1 1 a/b\n", 5, "not a name");
  expect(hosts, 4, "no path leads from host 0 to host 1");
  expect(std::string("switches 2\0\n", 12), 1, "control character");
}

TEST_CASE("a topology file that is not there is named") {
  CHECK_THAT(complaint([] { read_graph_file("/nowhere/net.txt"); }), Contains("/nowhere/net.txt"));
}
