/// The virtual links of a card, as the two halves of the virtual channel processor see them. A virtual link is two
/// virtual channels, one each way (FACTS.md 3.3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/nic/card/queues.hpp"
#include "models/nic/ds_link/packet.hpp"
#include "platform/core/time.hpp"
#include "sw/abi/registers/ds_link.h"

namespace sanvp::nic::ds_link {

/// An unacknowledged data packet.
struct Flight {
  std::uint32_t sequence = 0;
  std::uint32_t offset = 0;  ///< in the message
  std::uint32_t bytes = 0;
  bool ends_message = false;
  bool acknowledged = false;
};

struct OutputChannel {
  std::optional<ds_transfer> message{};
  std::uint32_t offset = 0;       ///< of the next packet
  bool all_sent = false;          ///< all packets of the message have been sent once
  std::uint32_t next = 0;         ///< sequence of the next packet, not reduced
  std::vector<Flight> flights{};  ///< oldest first
  int copies = 0;                 ///< unacknowledged; more than `flights` if some were retransmitted
  Time aged{0};                   ///< when the last copy has surely left the network
  bool queued = false;
};

/// A received packet that its input has not taken yet.
struct Slot {
  LinkPacket packet{};
  int copies = 0;  ///< 0: the slot is empty
};

struct InputChannel {
  std::optional<ds_transfer> input{};
  std::uint32_t taken = 0;  ///< bytes of the message so far
  bool in_message = false;
  std::uint32_t expected = 0;  ///< sequence of the next packet, not reduced
  std::vector<Slot> slots{};   ///< by sequence modulo their number, which is the window
};

struct VirtualLink {
  bool connected = false;
  bool owner_knows = false;  ///< that a packet waits until it is connected
  ds_connection connection{};
  ds_control_block block{};
  OutputChannel output{};
  InputChannel input{};
};

class VirtualLinks {
 public:
  VirtualLinks(std::size_t count, int window)
      : size_(static_cast<std::uint32_t>(count)), window_(static_cast<std::uint32_t>(window)) {}

  std::uint32_t size() const { return size_; }
  /// The link; a reference to it stays valid.
  VirtualLink& operator[](std::uint32_t link) { return used_[link]; }
  bool is_used(std::uint32_t link) const { return used_.contains(link); }
  /// Those that have been used, by number.
  CardQueue queue() const {
    std::vector<std::uint32_t> numbers;
    for (const auto& [number, link] : used_) numbers.push_back(number);
    std::ranges::sort(numbers);
    CardQueue shown{"virtual links"};
    for (const std::uint32_t number : numbers) shown.entries.push_back(entry(number, used_.at(number)));
    return shown;
  }
  /// Maximum number of unacknowledged packets of a channel.
  std::uint32_t window() const { return window_; }
  /// The sequence number in a header: modulo twice the window.
  std::uint32_t turn(std::uint32_t sequence) const { return sequence % (2 * window_); }

 private:
  static QueueEntry entry(std::size_t number, const VirtualLink& link) {
    QueueEntry shown;
    shown.add("link", number).add("connected", link.connected);
    if (link.connected) shown.add("to node", link.connection.node).add("to link", link.connection.link);
    if (const auto& message = link.output.message)
      shown.add("bytes out", message->bytes)
          .add("sent", link.output.offset)
          .add("unacknowledged", link.output.flights.size());
    if (const auto& input = link.input.input) shown.add("room for", input->bytes).add("taken", link.input.taken);
    const auto waiting = std::count_if(link.input.slots.begin(), link.input.slots.end(),
                                       [](const Slot& slot) { return slot.copies > 0; });
    if (waiting > 0) shown.add("packets that wait", waiting);
    return shown;
  }

  std::uint32_t size_;
  std::unordered_map<std::uint32_t, VirtualLink> used_{};  ///< a large machine has millions, of which it uses few
  std::uint32_t window_;
};

}  // namespace sanvp::nic::ds_link
