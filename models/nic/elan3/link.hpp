/// The link as the units of the card use it: it sends packets, and reports the outcome of each to the unit that sent
/// it.
#pragma once

#include <deque>
#include <vector>

#include "models/net/socket.hpp"
#include "models/net/task.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/elan3/counters.hpp"
#include "models/nic/elan3/packet.hpp"
#include "models/nic/elan3/routes.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::elan3 {

/// The outcome of a packet.
struct Answer {
  enum class Kind : std::uint8_t {
    acknowledged,
    lost,    ///< it found no working output on its way
    timeout  ///< no answer: the far card is dead
  };
  Kind kind = Kind::acknowledged;
  int acknowledgement = E3_ACK_OK;
  std::uint32_t reply = 0;  ///< the word that the answer carries

  bool good() const { return kind == Kind::acknowledged && acknowledgement == E3_ACK_OK; }
};

/// A unit that sends. Called at the instant at which the answer has arrived.
class Sender {
 public:
  /// @param subject, tag  as given to Link::send
  virtual void answered(void* subject, std::int64_t tag, const Answer& answer) = 0;

 protected:
  ~Sender() = default;
};

/// A packet to send: the encoded transactions and the route.
struct Outgoing {
  const Way& way;
  Payload payload;
  int flits = 1;  ///< packet_flits()
};

class Link final : private net::EventHandler {
 public:
  struct Rules {
    Time timeout{0};
    static Rules read(const Parameters& parameters);
  };

  Link(const Rules& rules, net::EventQueue& queue, std::uint32_t unit, net::Clock& clock,
       net::NetworkInitiatorSocket& network, Counters& counters);

  /// Passes a packet to the network at `at`, not earlier than now; packets leave in the order of the calls.
  /// @return its number, which identifies its arrows in a trace
  std::uint64_t send(Outgoing outgoing, Time at, Sender& sender, void* subject, std::int64_t tag = 0);
  /// The same for a coroutine that waits for the answer.
  net::Task<Answer> exchange(Outgoing outgoing, Time at);

  /// Reports of the network about packets of this card (NetworkBackward).
  void acknowledged(net::Packet& packet);
  void lost(net::Packet& packet);

  CardQueue queue() const;
  std::size_t in_flight() const { return in_flight_.size(); }

 private:
  struct Flight {
    net::Packet* packet = nullptr;
    Sender* sender = nullptr;
    void* subject = nullptr;
    std::int64_t tag = 0;
    Time deadline = never;
  };

  void end(net::Packet& packet, const Answer& answer);
  void handle(const net::Event& event) override;
  void set_timer(Time at);

  Rules rules_;
  net::EventQueue& queue_;
  std::uint32_t unit_;
  net::Clock& clock_;
  net::NetworkInitiatorSocket& network_;
  Counters& counters_;
  std::deque<Flight> flights_;  // storage with stable addresses; free_ lists unused entries
  std::vector<Flight*> free_;
  net::Fifo<Flight*> in_flight_;  // in the order in which they were sent
  bool timer_set_ = false;
};

}  // namespace sanvp::nic::elan3
