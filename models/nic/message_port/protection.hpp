/// Protection against bit errors: none, as on transputer links; parity, with which the link detects damaged packets and
/// drops them; or a check word in each packet, confirmations and retransmission, which no such machine had.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "models/net/task.hpp"
#include "models/nic/message_port/packet.hpp"
#include "models/nic/message_port/parts.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::message_port {

class Protection final : private net::EventHandler {
 public:
  enum class Scheme : std::uint8_t {
    none,    ///< errors stay undetected
    parity,  ///< the link detects the error, and the packet is lost (DS links)
    crc      ///< the card detects the error; unconfirmed packets are retransmitted
  };
  struct Rules {
    Scheme scheme = Scheme::none;
    int bytes = 0;     ///< of each packet, for the check word and the packet's number
    Time check{0};     ///< time of the card's processor for each packet, at each end
    Time timeout{0};   ///< until a packet is retransmitted; doubled after each attempt
    int attempts = 1;  ///< after which its node counts as dead
    bool is_on() const { return scheme == Scheme::crc; }
    /// @param fallback  scheme of the real machine, with its source
    static Rules read(const Parameters& parameters, const char* fallback, const char* source, Time check, Time timeout);
  };
  struct Calls {
    std::function<void(std::uint32_t node, const Payload&)> send;  ///< to the network, now
    std::function<void(const Header&, int attempts)> give_up;      ///< no answer from the packet's node
  };

  Protection(const Rules& rules, std::uint32_t host, net::EventQueue& queue, Counters& counters, Calls calls)
      : rules_(rules), host_(host), queue_(queue), counters_(counters), calls_(std::move(calls)) {}

  const Rules& rules() const { return rules_; }
  /// Numbers a new outgoing packet, and keeps it until it is confirmed.
  void going(std::uint32_t node, const Payload& packet);
  /// Handles an intact incoming packet. @return whether it is new and for the card's other units
  bool come(const Payload& packet);
  bool waits() const { return !unconfirmed_.empty(); }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< node, number
  struct Unconfirmed {
    Payload packet;
    int attempts = 1;
  };
  /// Numbers received from a node: all below `next`, and these.
  struct Come {
    std::uint32_t next = 1;
    std::set<std::uint32_t> later;
  };

  void handle(const net::Event& event) override;
  void wait_for(const Key& key, int attempts);
  bool is_new(const Header& header);

  Rules rules_;
  std::uint32_t host_;
  net::EventQueue& queue_;
  Counters& counters_;
  Calls calls_;
  std::map<std::uint32_t, std::uint32_t> numbers_;  ///< the last one to each node
  std::map<std::uint32_t, Come> come_;
  std::map<Key, Unconfirmed> unconfirmed_;
  std::multimap<std::int64_t, Key> deadlines_;
};

}  // namespace sanvp::nic::message_port
