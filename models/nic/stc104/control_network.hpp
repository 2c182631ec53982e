/// The STC104s of a network, as configured over their control links, which form a separate network (Macramé paper 3.1):
/// a chain that starts at node 0. The loaded tables determine the paths of packets.
#pragma once

#include <string>
#include <vector>

#include "models/nic/stc104/stc104.hpp"
#include "platform/core/random.hpp"
#include "platform/core/time.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::stc104 {

class ControlNetwork {
 public:
  static constexpr int node = 0;  ///< at which it starts

  struct Rules {
    Time access{0};  ///< of a message on the control link
    Time hop{0};     ///< for each device that it passes
    static Rules read(const Parameters& parameters);
  };

  /// Throws UserError if a switch is not an STC104.
  /// @param working  the graph without the cables that have failed
  ControlNetwork(const Rules& rules, const topologies::Graph& graph, const topologies::Graph& working,
                 int header_bytes);

  struct Access {
    std::uint32_t value = 0;
    Time takes{0};
    bool good = false;  ///< false: there is no such register
  };
  /// Waits for the answer.
  Access peek(std::uint32_t address) const;
  /// Pipelined: answers return while other requests are sent, so the distance of a device does not matter.
  Access poke(std::uint32_t address, std::uint32_t value);
  /// Why an access is refused, a sentence without its end.
  std::string refusal(std::uint32_t address, std::size_t bytes, bool is_write) const;
  std::uint32_t devices() const { return static_cast<std::uint32_t>(devices_.size()); }

  /// The path of a packet with this header. @return false: it reaches a switch without an interval for it, runs in a
  /// circle, or leaves the network elsewhere
  bool walk(int source, int destination, std::uint32_t header, Random& random, topologies::Route& route) const;

 private:
  topologies::End behind(int switch_, const Stc104::Output& output) const;

  Rules rules_;
  const topologies::Graph& graph_;
  const topologies::Graph& working_;
  int header_bytes_;
  std::vector<Stc104> devices_;
};

/// The description of the network for the ROM: struct stc104_network.
/// @param working  the graph without the cables that have failed
std::vector<std::uint32_t> describe_network(const topologies::Graph& graph, const topologies::Graph& working,
                                            const topologies::Routing& routing);

}  // namespace sanvp::nic::stc104
