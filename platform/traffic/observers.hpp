/// Several observers of one network.
#pragma once

#include <vector>

#include "models/net/network.hpp"

namespace sanvp::traffic {

class Observers final : public net::Observer {
 public:
  void add(net::Observer& observer) { observers_.push_back(&observer); }
  void leg_over(const net::Leg& leg, Time released) override {
    for (net::Observer* observer : observers_) observer->leg_over(leg, released);
  }

 private:
  std::vector<net::Observer*> observers_;
};

}  // namespace sanvp::traffic
