/// Sends messages: splits them into packets, one message after the other, and waits for the system message that
/// acknowledges each. A message to the same process waits for the one before.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>

#include "models/net/socket.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/message_port/packet.hpp"
#include "models/nic/message_port/parts.hpp"
#include "models/nic/message_port/tracks.hpp"
#include "models/nic/packet_format.hpp"
#include "models/nic/route_selection.hpp"
#include "platform/core/time.hpp"

namespace sanvp::nic::message_port {

class Sender {
 public:
  struct Rules {
    Time setup{0};   ///< the card's part of a message's set-up
    Time packet{0};  ///< the card's time for each packet
  };
  /// Sends a packet; the protection keeps a copy.
  using Keep = std::function<void(std::uint32_t node, const Payload&)>;
  struct Parts {
    net::Clock& clock;
    Processor& processor;
    BusMaster& bus;
    net::NetworkInitiatorSocket& network;
    Counters& counters;
    const topologies::Routing& routing;
    Tracks& tracks;
  };

  /// @param intra_node  called with packets for this node, which do not use the network
  Sender(const Rules& rules, const PacketFormat& format, Parts parts, int host, int nodes, std::uint64_t seed,
         std::unique_ptr<RouteSelection> selection, std::function<void(const Payload&)> intra_node, Keep keep);

  net::Task<> run();
  void take(const Order& order);
  /// From now on counts, for the process, sends that end as unreachable.
  void count_unreachable(const Order& order) {
    unreachable_[order.port] = {.status = order.command.status, .sends = 0};
  }
  /// Reports the outcome of a message to its sender.
  void acknowledge(const Header& of, std::uint32_t state);

  // Reports from the network and from other cards about this card's packets.
  void acknowledged(const Header& acknowledgement) { end(acknowledgement.number, acknowledgement.state); }
  void injected(const net::Packet& packet);
  void sent(const net::Packet& packet);
  void lost(const net::Packet& packet);

  /// Retransmits a packet, or sends one to which no message refers.
  void send_again(std::uint32_t node, const Payload& payload);
  /// Called when a packet's node does not answer.
  void give_up(const Header& header);

  std::uint32_t host() const { return host_; }
  CardQueue queue() const;
  std::size_t unfinished() const { return under_way_.size(); }

 private:
  using Pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< port here, node and process there
  struct Message {
    Order order;
    std::uint32_t number = 0;
  };

  static Pair pair_of(const Order& order) { return {order.port, order.command.node, order.command.process}; }
  net::Task<> send(Message message);
  net::Task<bool> fetch(std::uint64_t address, Payload payload);
  /// @return whether there is one
  bool find_route(std::uint32_t node, std::int64_t bytes, topologies::Route& route);
  void hand_over(std::uint32_t node, const topologies::Route& route, const Payload& payload, std::uint32_t number);
  void put_on_wire(std::uint32_t node, const topologies::Route& route, const Payload& payload, std::uint32_t number,
                   bool holds_next);
  void end(std::uint32_t number, std::uint32_t state);
  void tell_end(const Order& order, std::uint32_t state);

  Rules rules_;
  PacketFormat format_;
  Parts parts_;
  std::uint32_t host_, nodes_;
  Random random_;
  std::unique_ptr<RouteSelection> selection_;
  std::function<void(const Payload&)> intra_node_;
  Keep keep_;
  net::Mailbox<Message> ready_;
  net::Condition injected_;
  int waiting_ = 0;  ///< data packets that the network has not started to send
  std::uint32_t last_number_ = 0;
  std::map<std::uint32_t, Message> under_way_;  ///< by number, until they are acknowledged
  std::map<Pair, std::deque<Message>> behind_;  ///< messages that wait for the pair's current one
  struct Unreachable {
    std::uint64_t status = 0;  ///< where the process reads the count
    std::uint32_t sends = 0;
  };
  std::map<std::uint32_t, Unreachable> unreachable_;  ///< by port
};

}  // namespace sanvp::nic::message_port
