#include <algorithm>
#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "platform/core/random.hpp"
#include "platform/replay/traffic_file.hpp"
#include "tests/unit/core_support.hpp"
#include "topologies/irregular.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/in_transit.hpp"
#include "topologies/routing/route_file.hpp"
#include "topologies/text_graph.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

constexpr int rounds = 3000;

/// One to four random mutations: bytes changed, pieces cut, doubled, or replaced by critical words.
std::string injured(std::string text, Random& random) {
  static const std::vector<std::string> words{"-1",
                                              "0",
                                              "99999999999999999999",
                                              "4294967296",
                                              "2147483648",
                                              "/",
                                              "#",
                                              "\n",
                                              "\r",
                                              "\t ",
                                              std::string(1, '\0'),
                                              "switches",
                                              "ports",
                                              "host",
                                              "link",
                                              "route",
                                              "1e9",
                                              "0x10",
                                              ".",
                                              "1.0005",
                                              "nan",
                                              "\xff\xfe",
                                              "link 0 4 0 5\n"};
  const auto injuries = 1 + random.below(4);
  for (std::uint64_t i = 0; i < injuries; ++i) {
    const auto at = random.below(text.size() + 1);
    const auto length = std::min<std::size_t>(random.below(40), text.size() - at);
    switch (random.below(5)) {
      case 0:
        text.erase(at);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.replace(at, std::min<std::size_t>(length, 2), words[random.below(words.size())]);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
    }
  }
  return text;
}

/// Parses mutated texts: each gives a result or a message with the place.
template <class Parse>
void survive(const std::string& text, const std::string& name, Parse parse) {
  Random random(1, name);
  int accepted = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string hurt = injured(text, random);
    try {
      parse(hurt);
      ++accepted;
    } catch (const UserError& error) {
      REQUIRE(std::string(error.what()).rfind("hurt.txt:", 0) == 0);
      ++refused;
    }
  }
  CHECK(accepted > rounds / 100);
  CHECK(refused > rounds / 4);
}

}  // namespace

TEST_CASE("mutated topology files are read or refused with their place") {
  const Graph graph = irregular({.switches = 4, .hosts_per_switch = 2, .ports = 4}, 1);
  survive(to_text(graph), "topology", [](const std::string& text) {
    const Graph read = parse_graph(text, "hurt.txt");
    REQUIRE(to_text(parse_graph(to_text(read), "again.txt")) == to_text(read));
  });
}

TEST_CASE("mutated route files are read or refused with their place, and the routes that are read arrive") {
  const Graph graph = irregular({.switches = 6, .hosts_per_switch = 1, .ports = 4}, 1);
  survive(to_text(graph, *ud_itb(graph)), "routes", [&graph](const std::string& text) {
    const auto routes = parse_routes(graph, text, "hurt.txt");
    REQUIRE(to_text(graph, *parse_routes(graph, to_text(graph, *routes), "again.txt")) == to_text(graph, *routes));
    REQUIRE(check(graph, *routes, {.virtual_channels = routes->virtual_channels()}).routes_broken == 0);
  });
}

TEST_CASE("mutated traffic files are read or refused with their place") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + ".25 " + std::to_string(i % 4) + " 5 512 1\n";
  survive(text, "traffic", [](const std::string& hurt) {
    const auto packets = replay::parse_traffic(hurt, "hurt.txt", 6);
    REQUIRE(replay::parse_traffic(replay::to_text(packets), "again.txt", 6) == packets);
  });
}
