/// The card in a trace (`--trace`): one row for its sender and one for its receiver.
#pragma once

#include "models/nic/card/tracks.hpp"

namespace sanvp::nic::message_port {

enum class Unit : std::uint8_t { sender, receiver, count_ };

inline std::string name_of(Unit unit) {
  constexpr std::array names{"sender", "receiver"};
  return names[static_cast<std::size_t>(unit)];
}

class Tracks : public nic::Tracks<Unit> {
 public:
  using nic::Tracks<Unit>::Tracks;

  void sent(std::uint32_t to, std::uint32_t bytes, Time begin, Time end) {
    draw(Unit::sender, "message to node ", to, bytes, begin, end);
  }
  void received(std::uint32_t from, std::uint32_t bytes, Time begin, Time end) {
    draw(Unit::receiver, "message from node ", from, bytes, begin, end);
  }

 private:
  void draw(Unit unit, const char* what, std::uint32_t node, std::uint32_t bytes, Time begin, Time end) {
    if (wants(begin, end)) slice(unit, what + std::to_string(node), begin, end, {{"bytes", bytes}});
  }
};

}  // namespace sanvp::nic::message_port
