/// Follows routes through a network over every port they permit. A part of `check`.
#pragma once

#include <bit>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "topologies/routing/check.hpp"
#include "topologies/routing/dependencies.hpp"
#include "topologies/routing/index_table.hpp"
#include "topologies/routing/split_routes.hpp"

namespace sanvp::topologies {

/// Routes to one destination share their ends. The result for "this switch, these steps left" is therefore computed
/// once per destination, however many sources and choices lead there.
class Walk {
 public:
  /// How a route ends.
  struct Outcome {
    enum class Kind : std::uint8_t {
      arrives,       ///< at `end`, a host
      no_cable,      ///< `end` has no cable
      no_port_left,  ///< all permitted ports lead to failed parts; `end` is the first port
      no_step_left,  ///< no steps left at switch `end`
      no_host,       ///< the step says in-transit, but `end` is a switch
      goes_on,       ///< has steps left at host `end`
      stays,         ///< it ends at in-transit host `end`
      no_such_vc,    ///< the virtual channel does not exist at the switch or host `end`
      goes_round,    ///< a relation leads back to where the packet was, at `end`
      undecided,     ///< permitted ports lead to different hosts, `end` one of them
    };
    Kind kind = Kind::arrives;
    End end;
    int links = 0;  ///< number of links from here to the destination, over the shortest choice
  };

  /// @param dependencies receives what a worm on these routes may wait for
  Walk(const Graph& graph, const CheckOptions& options, Dependencies& dependencies);

  /// Discards the shared results; the caller calls it before each new destination.
  void next_destination();
  /// For a route with two paths: how one of them fails, or else the end of the first.
  /// @param second  receives that of the second path, if it is looked at
  Outcome follow(int source, const Route& route, Outcome* second = nullptr);

  /// The part of a route before the rest that it shares with others (split_routes.hpp).
  struct Head {
    int source = -1;
    int rest = -1;  ///< number of the rest
    std::uint8_t source_port = 0;
    std::uint8_t source_vc = Step::any_vc;
    std::vector<std::uint32_t> steps;  ///< indices into steps_, the last step first
  };
  Head split(const SplitRoutes& routing, int source, int alternative);
  /// Whether a rest of this number has been followed to this destination.
  bool remembers(int rest) const {
    return static_cast<std::size_t>(rest) < rests_.size() && rests_[rest].destination == destination_;
  }
  /// As follow() of the route that continues after `head` with the rest that is remembered.
  Outcome follow(const Head& head);
  /// As follow() of the whole route; remembers its rest.
  Outcome follow(const Head& head, const Route& route);

  /// Channels by which worms arrive at in-transit hosts.
  const std::set<int>& to_in_transit_hosts() const { return to_in_transit_hosts_; }
  /// Number of steps examined so far.
  std::int64_t work() const { return work_; }

 private:
  using Suffix = std::uint32_t;  ///< index into suffixes_; 0: no steps left
  struct Node {
    std::uint32_t step = 0;  ///< index into steps_
    Suffix next = 0;
    /// A cache of one result: in direct networks, the same steps lead to a destination from one switch only.
    std::int32_t at = -1;
    std::uint32_t outcome = 0;
    /// Suffixes that are longer by one step, as a list of the first few: they are used soon after they are made, and so
    /// lie in the cache.
    Suffix longer = 0;
    Suffix sibling = 0;
    std::uint32_t longer_ones = 0;
  };

  /// The injection channel of a route if it works; otherwise -1, and `failure` says why.
  int inject(int source, int port, std::uint8_t vc, Outcome& failure) const;
  Suffix share(std::span<const Step> steps);
  std::uint32_t number_of(const Step& step);
  Suffix lengthen(std::uint32_t step, Suffix suffix);
  Outcome arrive(int channel, VcSet vcs, bool in_transit, Suffix suffix);
  Outcome pass_switch(int channel, VcSet vcs, Suffix suffix);
  void depend(int channel, VcSet vcs, std::uint32_t step) {
    Asked& asked = asked_[static_cast<std::size_t>(channel) * virtual_channels_ + std::countr_zero(vcs)];
    const std::uint64_t bit = step < Asked::first_steps ? std::uint64_t{1} << step : 0;
    if (asked.vcs == vcs && ((asked.steps & bit) != 0 || asked.last_step == step)) return;
    if (asked.vcs != vcs) asked = {.vcs = vcs};
    asked.steps |= bit;
    asked.last_step = step;
    add_dependencies(channel, vcs & cabled_, steps_[step]);
  }
  void add_dependencies(int channel, VcSet vcs, const Step& step);
  /// The channel that leaves a switch at a port, or -1.
  int output(int at, int port) const {
    const std::size_t place = first_out_[at] + static_cast<std::size_t>(port);
    return place < first_out_[at + 1] ? out_[place] : -1;
  }
  bool exists(VcSet vcs) const { return (vcs & cabled_) != 0; }

  const Graph& graph_;
  Dependencies& dependencies_;
  int virtual_channels_;
  VcSet cabled_;              ///< the virtual channels that there are
  std::vector<bool> failed_;  ///< per channel
  /// Copies of the graph's data, because they are read tens of millions of times.
  std::vector<End> target_;             ///< per channel
  std::vector<std::size_t> first_out_;  ///< per switch: index of its first port in out_
  std::vector<int> out_;                ///< per switch and port: the channel that leaves it, or -1
  std::vector<int> injection_;          ///< per host: the channel that leaves its port 0, or -1
  std::set<int> to_in_transit_hosts_;
  std::int64_t work_ = 0;

  std::vector<Step> shared_;  ///< the steps last shared: consecutive sources often have the same ones, or the same end
  std::vector<Suffix> suffixes_of_shared_;             ///< the shortest one first
  std::vector<Node> suffixes_ = std::vector<Node>(1);  ///< the first one has no steps
  IndexTable suffix_of_;                               ///< those that are not in the lists of `longer` ones
  std::vector<Step> steps_;  ///< the different steps of all routes so far, whatever the destination
  IndexTable step_of_;
  struct SharedRest {
    Suffix suffix;
    std::uint32_t steps;
    std::uint32_t destination;  ///< as in Usual
  };
  std::vector<SharedRest> rests_;  ///< by number
  /// In trees, nearly all routes to a destination through a switch have the same steps left: a cache of one result per
  /// switch.
  struct Usual {
    Suffix suffix;
    std::uint32_t outcome;
    std::uint32_t destination;  ///< destination number for which it is valid, like an epoch of IndexTable
  };
  std::uint32_t find_or_insert_outcome(int at, Suffix suffix, std::uint32_t index);
  /// Requests of worms at the end of a channel whose dependencies are known: most worms make the same few ones, for any
  /// destination.
  struct Asked {
    static constexpr std::uint32_t first_steps = 64;
    VcSet vcs = 0;  ///< on which the worms came
    std::uint32_t last_step = ~0U;
    std::uint64_t steps = 0;  ///< the first steps, a bit each
  };

  std::vector<Outcome> outcomes_;
  std::uint32_t destination_ = 1;
  std::vector<Usual> usual_;  ///< per switch: the first result; an array, so lookups stay in the cache
  std::vector<Asked> asked_;  ///< per channel and lowest virtual channel on which worms came
  IndexTable outcome_of_;     ///< all other results
};

std::string describe(const Graph& graph, const Walk::Outcome& outcome);

}  // namespace sanvp::topologies
