/// `check` of routings that decide at each switch: what is free from deadlock, why, and what is not.

#include <bit>
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/lattice.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/lattice_relation.hpp"
#include "topologies/routing/vc_classes.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

struct Network {
  Graph graph;
  std::unique_ptr<Routing> routing;
};

Network build(const std::string& topology, const std::string& sizes, const std::string& routing,
              const std::string& parameters = "") {
  ParameterSet set = ParameterSet::from_text("[topology]\n" + sizes + "\n[routing]\n" + parameters + "\n", "test");
  Network network;
  network.graph = Registry<TopologyPart>::get(topology, "test").build(Parameters(set, "topology"), 1);
  network.routing = Registry<RoutingPart>::get(routing, "test").build(network.graph, Parameters(set, "routing"), 1);
  return network;
}

CheckReport check_on(const Network& network, int virtual_channels) {
  return check(network.graph, *network.routing, {.virtual_channels = virtual_channels});
}

/// Every minimal way on every virtual channel: cycles close.
class NoCare : public LatticeRelation {
 public:
  explicit NoCare(const Graph& graph) : LatticeRelation(graph, "test", Rings::permitted) {}

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    for (int axis = 0; axis < lattice().axis_count(); ++axis)
      if (const int hops = offset(header, axis); hops != 0)
        append(header, axis, hops > 0 ? Run::Way::up : Run::Way::down, to);
  }
};

/// An escape by dimension order on virtual channel 0, and any minimal way on the others.
class SharedBuffers : public NoCare {
 public:
  using NoCare::NoCare;

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    NoCare::travel(header, to);
    for (Candidate& one : to) one.vc = 1;
    to.push_back(to.front());
    to.back().vc = 0;
    to.back().rank = 1;
    to.back().escape = true;
  }
};

class ExclusiveBuffers : public SharedBuffers {
 public:
  using SharedBuffers::SharedBuffers;
  VcSet exclusive_vcs() const override { return all_vcs << 1; }
};

/// Half of the packets have no escape.
class SometimesNoEscape : public ExclusiveBuffers {
 public:
  using ExclusiveBuffers::ExclusiveBuffers;

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    ExclusiveBuffers::travel(header, to);
    if (header.destination % 2 == 0) to.pop_back();
  }
};

/// Back to where it came from, for ever.
class Undecided : public LatticeRelation {
 public:
  explicit Undecided(const Graph& graph) : LatticeRelation(graph, "test", Rings::permitted) {}

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    append(header, 0, lattice().coordinate(header.switch_, 0) == 0 ? Run::Way::up : Run::Way::down, to);
  }
};

template <class Relation>
CheckReport check_of_mesh(int virtual_channels) {
  const Network mesh = build("grid", "sizes = 4x4\nhosts_per_switch = 1\ncables = 1", "dimension_order");
  return check(mesh.graph, Relation(mesh.graph), {.virtual_channels = virtual_channels});
}

}  // namespace

TEST_CASE("turn models serve every pair of a mesh by shortest ways, without a cycle, on one virtual channel") {
  for (const char* model : {"west_first", "north_last", "odd_even", "negative_first"}) {
    INFO(model);
    const CheckReport report = check_on(build("grid", "sizes = 5x6\nhosts_per_switch = 1\ncables = 1", model), 1);
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
    CHECK(report.lengths().diameter() == 4 + 5 + 2);
    CHECK(report.second_paths.routes() == 0);  // no way is longer than the shortest
  }
}

TEST_CASE("a turn model leaves a choice: more dependencies than dimension order, and fewer than all turns") {
  const std::string sizes = "sizes = 6x6\nhosts_per_switch = 1\ncables = 1";
  const auto fixed = check_on(build("grid", sizes, "dimension_order"), 1).dependencies;
  for (const char* model : {"west_first", "north_last", "odd_even", "negative_first"})
    CHECK(check_on(build("grid", sizes, model), 1).dependencies > fixed);
}

TEST_CASE("turn models refuse rings, and those of two axes other numbers of them") {
  CHECK_THROWS_WITH(build("torus", "sizes = 4x4", "west_first"), Catch::Contains("ring"));
  CHECK_THROWS_WITH(build("grid", "sizes = 3x3x3", "odd_even"), Catch::Contains("two axes"));
}

TEST_CASE("minimal adaptive routing has cycles, and an escape from each") {
  for (const auto& [topology, sizes, vcs] : {std::tuple("grid", "sizes = 4x4\nhosts_per_switch = 1\ncables = 1", 2),
                                             std::tuple("torus", "sizes = 5x4\nhosts_per_switch = 1\ncables = 1", 3),
                                             std::tuple("torus", "sizes = 6x4\nhosts_per_switch = 1\ncables = 1", 4),
                                             std::tuple("hyperx", "sizes = 3x4\nhosts_per_switch = 1", 2)}) {
    INFO(topology << " " << sizes);
    const Network network = build(topology, sizes, "minimal_adaptive");
    CHECK(network.routing->virtual_channels() <= vcs);
    const CheckReport report = check_on(network, vcs);
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
    if (std::string(topology) != "hyperx") CHECK(report.proof.find("Duato") != std::string::npos);
  }
}

TEST_CASE("deroutes of a HyperX make ways longer by one hop for each axis") {
  const CheckReport report =
      check_on(build("hyperx", "sizes = 3x4\nhosts_per_switch = 1", "minimal_adaptive", "deroutes = yes"), 2);
  CHECK(report.verdict() == "deadlock-free");
  CHECK(report.lengths().diameter() == 2 + 2);
  CHECK(report.second_paths.diameter() == 2 + 4);
}

TEST_CASE("on a dragonfly ways are weighed without a cycle on four virtual channels") {
  for (const char* weighs : {"progressive", "global"}) {
    INFO(weighs);
    const CheckReport report =
        check_on(build("dragonfly", "", "dragonfly_adaptive", std::string("weighs = ") + weighs), 4);
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
    CHECK(report.lengths().diameter() == 3 + 2);
    // local, local, global, local, global, local; by global queues there is one local hop before the first global one.
    CHECK(report.second_paths.diameter() == (std::string(weighs) == "progressive" ? 6 : 5) + 2);
  }
}

TEST_CASE("any network has shortest ways with a virtual channel for each hop, and adaptive up*/down*") {
  for (const auto& [topology, sizes] :
       {std::pair("slim_fly", ""), std::pair("polarfly", "q = 4"), std::pair("jellyfish", "switches = 20\ncables = 4"),
        std::pair("xpander", "cables = 4\nswitches_per_group = 4"), std::pair("irregular", ""),
        std::pair("torus", "sizes = 4x4"), std::pair("dragonfly_plus", "")}) {
    INFO(topology);
    const Network hops = build(topology, sizes, "minimal_hops");
    const CheckReport report = check_on(hops, hops.routing->virtual_channels());
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
    CHECK(report.lengths().diameter() == hops.routing->virtual_channels() + 2);
    const CheckReport up_down = check_on(build(topology, sizes, "ud_adaptive"), 1);
    CHECK(up_down.verdict() == "deadlock-free");
    CHECK(up_down.pairs_unserved == 0);
    CHECK(up_down.lengths().mean() >= report.lengths().mean());
  }
}

TEST_CASE("virtual channels beyond those that a relation needs are spread over its classes, and close no cycle") {
  for (const auto& [topology, sizes, routing] :
       {std::tuple("slim_fly", "", "minimal_hops"),
        std::tuple("torus", "sizes = 4x4\nhosts_per_switch = 1", "minimal_hops"),
        std::tuple("dragonfly", "", "dragonfly_adaptive"),
        std::tuple("torus", "sizes = 4x4\nhosts_per_switch = 1\ncables = 1", "minimal_adaptive")}) {
    const int needed = build(topology, sizes, routing).routing->virtual_channels();
    for (int vcs = needed; vcs <= 2 * needed + 1; ++vcs) {
      INFO(routing << " on " << topology << " with " << vcs << " virtual channels");
      Network network = build(topology, sizes, routing);
      network.routing = with_vc_classes(std::move(network.routing), vcs);
      CHECK(network.routing->virtual_channels() == needed);
      const CheckReport report = check_on(network, vcs);
      CHECK(report.verdict() == "deadlock-free");
      CHECK(report.pairs_unserved == 0);
      VcSet used = 0;
      Route route;
      for (int destination = 1; destination < network.graph.host_count(); ++destination)
        for (const std::uint32_t state : {0U, 1U, 2U, 3U, 6U}) {  // hops, or phases of a dragonfly
          const End seat = network.graph.peer(End::host(0));
          std::vector<Candidate> candidates;
          if (std::string(routing) == "minimal_hops" && state > static_cast<std::uint32_t>(needed - 1)) continue;
          network.routing->relation()->candidates(
              {.switch_ = seat.index, .in_port = seat.port, .destination = destination, .state = state}, candidates);
          for (const Candidate& one : candidates)
            if (one.vc != Step::any_vc) used |= vc_set(one.vc, one.vcs);
        }
      CHECK((used & vc_set(0, static_cast<std::uint8_t>(vcs))) == vc_set(0, static_cast<std::uint8_t>(vcs)));
    }
  }
}

TEST_CASE("all turns without an escape are a deadlock, whose cycle has a name") {
  const CheckReport report = check_of_mesh<NoCare>(2);
  CHECK(report.verdict() == "deadlock");
  CHECK(report.cycle.size() == 4);
}

TEST_CASE("an escape does not help headers behind other packets: the buffers have to be exclusive") {
  CHECK(check_of_mesh<SharedBuffers>(2).verdict() == "deadlock");
  CHECK(check_of_mesh<ExclusiveBuffers>(2).verdict() == "deadlock-free");
}

TEST_CASE("an escape that some packets lack is none") {
  CHECK(check_of_mesh<SometimesNoEscape>(2).verdict() == "deadlock");
}

TEST_CASE("a relation that leads back is refused: packets might go round for ever") {
  const CheckReport report = check_of_mesh<Undecided>(1);
  CHECK(report.pairs_unserved > 0);
  REQUIRE(!report.examples.empty());
  CHECK(report.examples.front().find("round for ever") != std::string::npos);
}

TEST_CASE("after a cable has failed, relations that map the network find other ways") {
  for (const char* name : {"minimal_hops", "ud_adaptive"}) {
    INFO(name);
    Network network = build("slim_fly", "", "minimal_hops");
    const Graph working = working_part(network.graph, {.links = {network.graph.link_count() - 1}});
    ParameterSet set;
    const auto routing = Registry<RoutingPart>::get(name, "test").build(working, Parameters(set, "routing"), 1);
    const CheckReport report = check(
        network.graph, *routing,
        {.virtual_channels = routing->virtual_channels(), .failures = {.links = {network.graph.link_count() - 1}}});
    CHECK(report.verdict() == "deadlock-free");
    CHECK(report.pairs_unserved == 0);
  }
}
