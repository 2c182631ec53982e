#include "platform/traffic/paced_flows.hpp"

namespace sanvp::traffic {

PacedFlows::Flow& PacedFlows::flow(int destination) {
  Flow& found = flows_[destination];
  if (found.rate == nullptr) found.rate = make_();
  return found;
}

/// The flow has messages, and may send from its time on.
void PacedFlows::wait(int destination, const Flow& flow) { paused_.emplace(flow.resumes, destination); }

void PacedFlows::push(int destination, std::uint32_t message) {
  Flow& to = flow(destination);
  to.messages.push_back(message);
  ++size_;
  if (to.messages.size() == 1) wait(destination, to);
}

int PacedFlows::next(Time now) {
  for (; !paused_.empty() && paused_.begin()->first <= now; paused_.erase(paused_.begin()))
    ready_.insert(paused_.begin()->second);
  if (ready_.empty()) return -1;
  auto found = ready_.upper_bound(last_);
  if (found == ready_.end()) found = ready_.begin();
  return *found;
}

void PacedFlows::pop(int destination) {
  Flow& of = flows_.at(destination);
  of.messages.pop_front();
  --size_;
  if (!of.messages.empty()) return;
  ready_.erase(destination);
  paused_.erase({of.resumes, destination});
}

void PacedFlows::started(int destination, Time now, Time span, std::int64_t bytes) {
  Flow& of = flows_.at(destination);
  last_ = destination;
  const Time resumes = now + of.rate->pause(now, span, bytes);
  ready_.erase(destination);
  paused_.erase({of.resumes, destination});
  of.resumes = resumes;
  if (!of.messages.empty()) wait(destination, of);
}

bool PacedFlows::answers(int source, Time now, Time least_interval) {
  const auto [last, is_first] = answered_.emplace(source, now);
  if (is_first) return true;
  if (now - last->second < least_interval) return false;
  last->second = now;
  return true;
}

}  // namespace sanvp::traffic
