/// `packet`: one that its card is given to send, or that is delivered.
#include <fmt/format.h>

#include <optional>

#include "platform/breakpoints/breakpoint.hpp"
#include "platform/core/registry.hpp"

namespace sanvp {
namespace {

constexpr const char* any = "any";

class PacketsBetween final : public Watch, private net::PacketObserver {
 public:
  PacketsBetween(const Watched& watched, const Breakpoint::Words& words, Breakpoint::Hit hit)
      : cluster_(watched.cluster),
        ports_(watched.machine.nic().ports),
        from_(node_of(words[0], watched)),
        to_(node_of(words[1], watched)),
        when_delivered_(words.size() > 2),
        hit_(std::move(hit)) {
    cluster_.observe_packets(*this);
  }
  ~PacketsBetween() override { cluster_.forget_packets(*this); }
  PacketsBetween(const PacketsBetween&) = delete;
  PacketsBetween& operator=(const PacketsBetween&) = delete;

  std::string text() const override {
    return fmt::format("gdb stops when a packet from {} to {} is {}", name_of(from_), name_of(to_),
                       when_delivered_ ? "delivered" : "sent");
  }

 private:
  static std::optional<int> node_of(const std::string& word, const Watched& watched) {
    if (word == any) return {};
    return parse_number(word, break_place, "node", watched.machine.nodes());
  }
  static std::string name_of(std::optional<int> node) { return node ? fmt::format("node {}", *node) : "any node"; }

  void packet_sent(const net::Packet& packet, Time) override {
    if (!when_delivered_) look(packet, packet.destination, "sent");
  }
  void packet_delivered(const net::Packet& packet, int host, Time) override {
    if (when_delivered_) look(packet, host, "delivered");
  }
  void packet_lost(const net::Packet&, std::span<const int>, Time) override {}

  void look(const net::Packet& packet, int destination, const char* what) const {
    const int from = packet.source / ports_, to = destination / ports_;
    if (from_.value_or(from) != from || to_.value_or(to) != to) return;
    hit_(fmt::format("packet {} from node {} to node {} is {}", packet.id, from, to, what));
  }

  Cluster& cluster_;
  int ports_;
  std::optional<int> from_, to_;  ///< nothing: any
  bool when_delivered_;
  Breakpoint::Hit hit_;
};

std::shared_ptr<Watch> set(const Watched& watched, const Breakpoint::Words& words, Breakpoint::Hit hit) {
  const bool has_form = words.size() == 2 || (words.size() == 3 && words[2] == "delivered");
  if (!has_form)
    throw UserError(break_place, "source and destination of the packet are missing",
                    "write `monitor break packet 0 3`, with `any` for any node, and `delivered` for its arrival");
  return std::make_shared<PacketsBetween>(watched, words, std::move(hit));
}

const Registration<Breakpoint> registration{
    {.name = "packet",
     .form = "packet SRC DST [delivered]",
     .meaning = "gdb stops when the card of node SRC is given a packet to node DST, or node DST has got it; `any`: any",
     .set = set}};

}  // namespace
}  // namespace sanvp
