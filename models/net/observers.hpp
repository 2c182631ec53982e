/// Several observers of one network.
#pragma once

#include <vector>

#include "models/net/network.hpp"

namespace sanvp::net {

class Observers final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }
  void leg_over(const Leg& leg, Time released) override {
    for (Observer* observer : observers_) observer->leg_over(leg, released);
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace sanvp::net
