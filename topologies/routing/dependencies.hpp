/// The channel dependency graph (Dally and Seitz): without a cycle in this graph there is no deadlock.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Vertices are (channel, virtual channel). A dependency is one bit per output of the switch at which the channel ends,
/// so that a machine with a hundred thousand channels takes a few megabytes.
class Dependencies {
 public:
  struct Vertex {
    int channel;
    int vc;
    bool operator==(const Vertex&) const = default;
  };

  Dependencies(const Graph& graph, int virtual_channels);

  /// A worm that holds `from` may request virtual channel `vc` of output `port` of the switch at which `from` ends.
  void add(Vertex from, int port, int vc) {
    const std::size_t bit = first_bit_[vertex(from)] + static_cast<std::size_t>(port * virtual_channels_ + vc);
    bits_[bit / word_bits] |= std::uint64_t{1} << bit % word_bits;
  }

  /// A worm at the end of `channel`, at a host, waits until that host can send other worms on the channel back.
  void add_host(int channel) { waits_for_host_[channel] = true; }

  /// Number of dependencies between channels, without those at hosts.
  std::int64_t count() const;
  /// A short cycle; empty if none exists.
  std::vector<Vertex> cycle() const;

 private:
  static constexpr std::size_t word_bits = 64;

  int vertex(Vertex v) const { return v.channel * virtual_channels_ + v.vc; }
  int vertex_count() const { return static_cast<int>(first_bit_.size()) - 1; }
  template <class Visit>
  void for_each_next(int vertex, Visit visit) const;
  std::vector<int> shortest_cycle_through(int vertex, const std::vector<bool>& alive) const;

  const Graph& graph_;
  int virtual_channels_;
  std::vector<std::size_t> first_bit_;  ///< per vertex: index of the first bit of its successors
  std::vector<std::uint64_t> bits_;
  std::vector<bool> waits_for_host_;  ///< per channel
};

}  // namespace sanvp::topologies
