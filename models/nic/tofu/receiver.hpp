/// The receiving side of a network interface: writes incoming data to memory, executes atomic operations there, has
/// gets answered, and reports complete messages.
#pragma once

#include <map>
#include <tuple>
#include <unordered_set>

#include "models/nic/card/queues.hpp"
#include "models/nic/tofu/responder.hpp"

namespace sanvp::nic::tofu {

class Receiver {
 public:
  struct Rules {
    Time process{0};
    Time arithmetic{0};
    static Rules read(const Parameters& parameters);
  };

  Receiver(const Rules& rules, std::uint32_t tni, Shared& shared, Responder& responder)
      : rules_(rules), tni_(tni), shared_(shared), responder_(responder), arrivals_(shared.clock) {}

  /// Called for each packet. @param number  of its arrow in the trace; nothing: none
  void come(Payload packet, std::optional<std::uint64_t> number) {
    arrivals_.push({std::move(packet), shared_.clock.now(), number});
  }
  /// Called when a packet of this card was lost on its way.
  void lost(const Header& header);

  net::Task<> run();
  /// Adds packets that have arrived, and messages of which parts have.
  void show(CardQueue& arrived, CardQueue& partial) const;
  bool busy() const { return !arrivals_.empty() || !partial_.empty(); }

 private:
  struct Arrival {
    Payload packet;
    Time at{0};
    std::optional<std::uint64_t> number{};
  };
  /// A partly received message. Packets on different paths may overtake each other.
  struct Partial {
    std::uint32_t bytes = 0;
    std::uint8_t status = TOFU_OK;
    Time done{0};
  };
  /// Kind, node, TNI, message: data of gets carry the numbers of the requester.
  using Key = std::tuple<Header::Kind, std::uint32_t, std::uint8_t, std::uint32_t>;

  Time take(const Header& header, std::span<const std::byte> data);
  Time data(const Header& header, std::span<const std::byte> bytes);
  Time atomic(const Header& header);
  void complete(const Header& header, const Partial& message);
  void end(const Header& header, Time at);
  void refuse(const Header& header, std::uint8_t status);
  std::optional<Trace::Point> here() { return shared_.tracks.point(receiver_of(tni_), shared_.clock.now()); }

  Rules rules_;
  std::uint32_t tni_;
  Shared& shared_;
  Responder& responder_;
  net::Mailbox<Arrival> arrivals_;
  std::map<Key, Partial> partial_;
  std::unordered_set<std::uint32_t> failed_;  ///< orders of this interface that have lost a packet: few
};

}  // namespace sanvp::nic::tofu
