/// From the network interfaces to the router: arbitration between interfaces, the route of each packet, and packets to
/// this node, which the router returns.
#pragma once

#include <array>
#include <functional>
#include <map>

#include "models/net/socket.hpp"
#include "models/net/task.hpp"
#include "models/nic/module.hpp"
#include "models/nic/route_selection.hpp"
#include "models/nic/tofu/counters.hpp"
#include "models/nic/tofu/packet.hpp"

namespace sanvp::nic::tofu {

class Link final : private net::EventHandler {
 public:
  /// The network interfaces, and the barrier interface behind them.
  static constexpr std::uint32_t barrier = TOFU_TNIS, senders = TOFU_TNIS + 1;

  struct Rules {
    std::int64_t payload = 1;  ///< bytes of a packet
    std::int64_t header = 0;   ///< additional bytes on the wire
    int packets = 1;           ///< of a TNI on the way to the router
    Time turn{0};              ///< in the router, for packets to this node
    Time again{0};             ///< until an answer or a signal that was lost is sent again; doubles
    int attempts = 0;
    static Rules read(const Parameters& parameters);
  };

  /// @param ports  into the router: interface i has number i modulo their count
  /// @param come   called for a packet to this node
  Link(const Rules& rules, int flit_bytes, const NicContext& context, std::unique_ptr<RouteSelection> selection,
       net::Clock& clock, std::vector<net::NetworkInitiatorSocket*> ports, Counters& counters,
       std::function<void(Payload)> come);

  /// Waits for a free slot for a sender's next packet, and reserves it.
  net::Task<> place(std::uint32_t sender);
  /// Passes the packet at `at`, not earlier than now. @return its number in the trace; nothing for one to this node
  std::optional<std::uint64_t> send(Payload packet, Time at);

  // Reports of the network about packets of this card.
  void sent(net::Packet& packet);
  /// A lost request is reported to software, which may issue it again. Lost answers and signals are sent again here.
  /// @return the header of a request; empty if the packet will be sent again
  std::optional<Header> lost(const net::Packet& packet);

  void link_changed(Time flit_time) { flit_time_ = flit_time; }
  const Rules& rules() const { return rules_; }
  int node() const { return node_; }
  int nodes() const { return nodes_; }
  std::size_t under_way() const;
  /// Whether something that was lost will be sent again.
  bool tries_again() const { return !again_.empty(); }

 private:
  int alternative(const Header& header, int from, int to, std::int64_t bytes);
  int port_count() const { return static_cast<int>(ports_.size()); }
  int port_of(std::uint32_t sender) const { return static_cast<int>(sender) % port_count(); }
  void turn_round(Payload packet, int flits, Time at);
  void give_back(std::uint32_t sender);
  std::optional<std::uint64_t> put_on_wire(Payload packet, Time at, int attempts);
  void handle(const net::Event& event) override;

  struct Room {
    explicit Room(net::Clock& clock) : come(clock) {}
    int taken = 0;
    net::Condition come;
  };
  struct Turning {
    Time at;
    Payload packet;
  };
  struct Again {
    Payload packet;
    int attempts;
  };

  Rules rules_;
  int flit_bytes_;
  int node_;
  int nodes_;
  Time flit_time_;
  const topologies::Graph& working_graph_;
  const topologies::Routing& routing_;
  net::EventQueue& queue_;
  std::unique_ptr<RouteSelection> selection_;
  Random random_;
  std::vector<net::NetworkInitiatorSocket*> ports_;
  Counters& counters_;
  std::function<void(Payload)> come_;
  std::array<Room, senders> rooms_;
  std::deque<Turning> turning_;
  std::multimap<Time, Again> again_;  ///< what was lost, by when it is sent again
};

}  // namespace sanvp::nic::tofu
