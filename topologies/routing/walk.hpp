/// Follows routes through a network over every port they permit. A part of `check`.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "topologies/routing/check.hpp"
#include "topologies/routing/dependencies.hpp"
#include "topologies/routing/index_table.hpp"

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

  /// Channels by which worms arrive at in-transit hosts.
  const std::set<int>& to_in_transit_hosts() const { return to_in_transit_hosts_; }
  /// Number of steps examined so far.
  std::int64_t work() const { return work_; }

 private:
  using Suffix = std::uint32_t;  ///< index into suffixes_ plus one; 0: no steps left
  struct Node {
    Step step;
    Suffix next;
  };

  Suffix share(std::span<const Step> steps);
  Outcome arrive(int channel, VcSet vcs, bool in_transit, Suffix suffix);
  Outcome pass_switch(int channel, VcSet vcs, Suffix suffix);
  void depend(int channel, VcSet vcs, const Step& step);
  /// The channel that leaves a switch at a port, or -1.
  int output(int at, int port) const {
    const std::size_t place = first_out_[at] + static_cast<std::size_t>(port);
    return place < first_out_[at + 1] ? out_[place] : -1;
  }
  bool exists(VcSet vcs) const { return (vcs & cabled_) != 0; }

  const Graph& graph_;
  Dependencies& dependencies_;
  VcSet cabled_;              ///< the virtual channels that there are
  std::vector<bool> failed_;  ///< per channel
  /// Copies of the graph's data, because they are read tens of millions of times.
  std::vector<End> target_;             ///< per channel
  std::vector<std::size_t> first_out_;  ///< per switch: index of its first port in out_
  std::vector<int> out_;                ///< per switch and port: the channel that leaves it, or -1
  std::set<int> to_in_transit_hosts_;
  std::int64_t work_ = 0;

  std::vector<Step> shared_;  ///< the steps last shared: consecutive sources often have the same ones, or the same end
  std::vector<Suffix> suffixes_of_shared_;  ///< the shortest one first
  std::vector<Node> suffixes_;
  IndexTable suffix_of_;
  /// Nearly all routes to a destination through a switch have the same steps left: a cache of one result per switch.
  struct Usual {
    Suffix suffix;
    std::uint32_t outcome;
    std::uint32_t destination;  ///< destination number for which it is valid, like an epoch of IndexTable
  };
  std::uint32_t find_or_insert_outcome(int at, Suffix suffix, std::uint32_t index);
  /// The last request of worms at the end of a channel: most worms make the same one, for any destination.
  struct Asked {
    std::uint16_t port = 0;
    std::uint16_t ports = 0;
    VcSet port_vcs = 0;
    VcSet vcs = 0;
    bool operator==(const Asked&) const = default;
  };

  std::vector<Outcome> outcomes_;
  std::uint32_t destination_ = 1;
  std::vector<Usual> usual_;  ///< per switch: the first result; an array, so lookups stay in the cache
  std::vector<Asked> asked_;  ///< per channel
  IndexTable outcome_of_;     ///< all other results
};

std::string describe(const Graph& graph, const Walk::Outcome& outcome);

}  // namespace sanvp::topologies
