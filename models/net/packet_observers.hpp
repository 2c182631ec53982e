/// Several observers of a network's packets.
#pragma once

#include <vector>

#include "models/net/observer.hpp"

namespace sanvp::net {

class PacketObservers final : public PacketObserver {
 public:
  void add(PacketObserver& observer) { observers_.push_back(&observer); }
  void remove(PacketObserver& observer) { std::erase(observers_, &observer); }
  /// For Network::observe_packets: null without any, and a single one itself.
  PacketObserver* all() {
    if (observers_.empty()) return nullptr;
    return observers_.size() == 1 ? observers_.front() : this;
  }
  void packet_sent(const Packet& packet, Time now) override {
    for (PacketObserver* observer : observers_) observer->packet_sent(packet, now);
  }
  void packet_delivered(const Packet& packet, int host, Time now) override {
    for (PacketObserver* observer : observers_) observer->packet_delivered(packet, host, now);
  }
  void packet_lost(const Packet& packet, std::span<const int> hosts, Time now) override {
    for (PacketObserver* observer : observers_) observer->packet_lost(packet, hosts, now);
  }

 private:
  std::vector<PacketObserver*> observers_;
};

}  // namespace sanvp::net
