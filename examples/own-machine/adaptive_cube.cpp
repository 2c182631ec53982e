/// Adaptive routing on the hypercube: each switch corrects any bit, on virtual channel 1 or higher; where all of these
/// are busy, the lowest bit on virtual channel 0, which is e-cube and the escape.
#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {
namespace {

class AdaptiveCube : public RelationRouting {
 public:
  int virtual_channels() const override { return 2; }
  VcSet exclusive_vcs() const override { return all_vcs << 1; }

  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const int differ = header.switch_ ^ header.destination;
    for (int d = 0; differ >> d != 0; ++d)
      if ((differ >> d & 1) != 0)
        to.push_back({.port = static_cast<std::uint16_t>(1 + d), .vc = 1, .vcs = Step::any_vc - 1});
    if (to.empty()) return to.push_back({.port = 0});  // the host
    to.push_back({.port = to.front().port, .vc = 0, .rank = 1, .escape = true});
  }
};

std::unique_ptr<Routing> build(const Graph& graph, const Parameters& parameters, std::uint64_t /*seed*/) {
  if (graph.family != "hypercube")
    throw UserError(parameters.place("type"), "adaptive_cube does not serve a " + graph.family,
                    "choose topology hypercube");
  return std::make_unique<AdaptiveCube>();
}

const Registration<RoutingPart> registration{
    {"adaptive_cube", "my hypercube's adaptive routing: any dimension, with e-cube as the escape", build}};

}  // namespace
}  // namespace sanvp::topologies
