/// Receives messages: stores packets at their place in the receiver's memory, or keeps them until a receive for the
/// message is posted. At the end of a message it notifies the process and the sender.
#pragma once

#include <list>
#include <variant>

#include "models/nic/card/queues.hpp"
#include "models/nic/message_port/sender.hpp"

namespace sanvp::nic::message_port {

class Receiver {
 public:
  struct Rules {
    Time setup{0};       ///< the card's part of a message's reception
    Time packet{0};      ///< the card's time for each packet
    Time reassembly{0};  ///< additional time if packets may arrive out of order (Mesh of Clos paper 4.2.1)
  };

  Receiver(const Rules& rules, net::Clock& clock, Processor& processor, BusMaster& bus, Counters& counters,
           Tracks& tracks, Sender& sender, std::uint32_t nodes, std::function<void(const message_complaint&)> complain)
      : rules_(rules),
        clock_(clock),
        processor_(processor),
        bus_(bus),
        counters_(counters),
        tracks_(tracks),
        sender_(sender),
        nodes_(nodes),
        complain_(std::move(complain)),
        work_(clock) {}

  net::Task<> run();
  void take(const Order& order) { work_.push(order); }
  void delivered(const Payload& packet) { work_.push(packet); }
  /// A complaint about a malformed header, which only bit errors can cause; cause 0: none.
  message_complaint senseless(const Payload& packet) const;

  std::vector<CardQueue> queues() const;
  /// Messages that are incomplete or wait for a receive.
  std::size_t unfinished() const { return messages_.size(); }

 private:
  struct Message {
    Header first;  ///< header of the first packet that arrived
    std::uint32_t arrived = 0;
    std::uint32_t reached = 0;  ///< end of the packet with the highest offset
    std::vector<std::byte> held;
    std::optional<Order> receive;
    Time stored{0};
    bool good = true;
    bool is_complete() const { return arrived == first.bytes; }
  };
  using Place = std::list<Message>::iterator;

  net::Task<> take_in(Payload packet);
  net::Task<> post(Order order);
  Place message_of(const Header& header);
  static bool belongs(const Message& message, const Header& header, std::size_t bytes);
  static bool fits(const Order& order, const Header& header);
  void announce(const Header& header);
  void give(Message& message, const Order& order);
  void store(Message& message, std::uint32_t offset, std::span<const std::byte> data);
  net::Task<> finish(Place message);
  void cancel(const Order& order);

  Rules rules_;
  net::Clock& clock_;
  Processor& processor_;
  BusMaster& bus_;
  Counters& counters_;
  Tracks& tracks_;
  Sender& sender_;
  std::uint32_t nodes_;
  std::function<void(const message_complaint&)> complain_;
  net::Mailbox<std::variant<Payload, Order>> work_;
  std::list<Message> messages_;         ///< in the order of their first packets
  std::list<Order> receives_, probes_;  ///< in the order in which they were posted
};

}  // namespace sanvp::nic::message_port
