/// The fewest cables between two halves of a network's switches, by trying all halves, against closed forms.

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

/// Cables between the halves, at least.
int bisection(const std::string& part, const std::string& sizes) {
  ParameterSet set = ParameterSet::from_text("[topology]\nhosts_per_switch = 1\n" + sizes, "test");
  const Graph graph = Registry<TopologyPart>::get(part, "test").build(Parameters(set, "topology"), 1);
  std::vector<std::pair<int, int>> cables;
  for (const Link& link : graph.links())
    if (link.a.is_switch() && link.b.is_switch()) cables.emplace_back(link.a.index, link.b.index);
  const int switches = graph.switch_count();
  REQUIRE(switches % 2 == 0);
  REQUIRE(switches <= 20);
  int fewest = static_cast<int>(cables.size());
  for (std::uint32_t half = 0; half < 1U << (switches - 1); ++half) {  // the last switch is in the other half
    if (std::popcount(half) != switches / 2) continue;
    const auto is_cut = [half](const auto& cable) { return ((half >> cable.first ^ half >> cable.second) & 1U) != 0; };
    fewest = std::min(fewest, static_cast<int>(std::ranges::count_if(cables, is_cut)));
  }
  return fewest;
}

}  // namespace

TEST_CASE("bisection of a mesh: the cables across the longest axis (Dally and Towles, section 5.2)") {
  CHECK(bisection("grid", "sizes = 4x4\ncables = 1") == 4);
  CHECK(bisection("grid", "sizes = 6x3\ncables = 1") == 3);
  CHECK(bisection("grid", "sizes = 4x2x2\ncables = 3") == 3 * 4);
}

TEST_CASE("bisection of a torus: twice that of the mesh") {
  CHECK(bisection("torus", "sizes = 4x4\ncables = 1") == 2 * 4);
  CHECK(bisection("torus", "sizes = 6x3\ncables = 1") == 2 * 3);
}

TEST_CASE("bisection of a HyperX: a quarter of the square of an axis, for each row (Ahn et al., SC 2009)") {
  CHECK(bisection("hyperx", "sizes = 4x4") == 4 * 4 * 4 / 4);
  CHECK(bisection("hyperx", "sizes = 8") == 8 * 8 / 4);
  CHECK(bisection("hyperx", "sizes = 4x3\ncables = 2") == 2 * 3 * 4 * 4 / 4);
  CHECK(bisection("hyperx", "sizes = 2x2x2x2") == 8);  // a hypercube of 2^n: 2^(n-1)
}

TEST_CASE(
    "bisection of a dragonfly whose groups are halved: a quarter of the square of their number, in global cables") {
  // Groups of a switches with h cables each: a h + 1 groups, one cable between any two.
  CHECK(bisection("dragonfly", "switches_per_group = 3\nglobal_cables = 1") == 4 * 4 / 4);
  CHECK(bisection("dragonfly", "switches_per_group = 1\nglobal_cables = 5") == 6 * 6 / 4);
}
