/// What becomes of packets with bit errors: nothing, as on transputer links; the link's parity finds them and they are
/// lost; or a check word in each packet, confirmations, and packets sent again, which no such machine had.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "models/net/process.hpp"
#include "models/nic/message_port/packet.hpp"
#include "models/nic/message_port/parts.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::message_port {

class Protection final : private net::EventHandler {
 public:
  enum class Scheme : std::uint8_t {
    none,    ///< damaged packets are taken for good ones
    parity,  ///< the link finds the error, and the packet is lost for good (DS links)
    crc      ///< the card finds the error; what is not confirmed is sent again
  };
  struct Rules {
    Scheme scheme = Scheme::none;
    int bytes = 0;     ///< of each packet, for the check word and the packet's number
    Time check{0};     ///< of the card's processor for each packet, at each end
    Time timeout{0};   ///< until a packet is sent again; twice as long after each attempt
    int attempts = 1;  ///< after which its node counts as dead
    bool is_on() const { return scheme == Scheme::crc; }
    /// @param fallback  scheme of the real machine, with its source
    static Rules read(const Parameters& parameters, const char* fallback, const char* source, Time check, Time timeout);
  };
  struct Calls {
    std::function<void(std::uint32_t node, const Payload&)> send;  ///< to the network, now
    std::function<void(const Header&, int attempts)> give_up;      ///< of a packet: nothing is heard of its node
  };

  Protection(const Rules& rules, std::uint32_t host, net::EventQueue& queue, Counters& counters, Calls calls)
      : rules_(rules), host_(host), queue_(queue), counters_(counters), calls_(std::move(calls)) {}

  const Rules& rules() const { return rules_; }
  /// A packet goes out for the first time: numbers it, and keeps it until it is confirmed.
  void going(std::uint32_t node, const Payload& packet);
  /// One has come that is whole. @return whether it is for the card's other units, and new
  bool come(const Payload& packet);
  bool waits() const { return !unconfirmed_.empty(); }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< node, number
  struct Unconfirmed {
    Payload packet;
    int attempts = 1;
  };
  /// Numbers that have come from a node: all below `next`, and these.
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
