/// Several observers of one network.
#pragma once

#include <algorithm>
#include <vector>

#include "models/net/observer.hpp"

namespace sanvp::net {

class Observers final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }
  /// The observer for the network: a single one is called directly, at every hop.
  Observer& all() { return observers_.size() == 1 ? *observers_.front() : *this; }
  void hop_over(const Hop& hop, Time released) override {
    for (Observer* observer : observers_) observer->hop_over(hop, released);
  }
  bool is_prompt() const override {
    return std::any_of(observers_.begin(), observers_.end(), [](const Observer* one) { return one->is_prompt(); });
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace sanvp::net
