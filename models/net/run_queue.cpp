#include "models/net/run_queue.hpp"

#include <algorithm>

namespace sanvp::net {
namespace {

constexpr std::int64_t idle = never.count();
constexpr std::size_t most_stale = 64;  // and twice the actors: then a sweep pays
constexpr std::int64_t in_round = -1;   // earlier than any instant it could be scheduled for

}  // namespace

Actor::Actor(RunQueue& run_queue)
    : run_queue_(run_queue), number_(static_cast<std::uint32_t>(run_queue.actors_.size())), due_ps_(idle) {
  run_queue.actors_.push_back(this);
}

Actor::~Actor() {
  due_ps_ = idle;
  run_queue_.sweep();
}

void RunQueue::schedule(Actor& actor, Time at) {
  if (at.count() >= actor.due_ps_) return;
  if (due_.size() > most_stale + 2 * actors_.size()) sweep();
  actor.due_ps_ = at.count();
  queue_.lower_horizon(at);
  const Due due{at.count(), actor.number_};
  due_.insert(std::upper_bound(due_.begin(), due_.end(), due, ComesAfter{}), due);
}

bool RunQueue::fast_forward_to(Time at) {
  if (!now_.empty() || at >= next() || !queue_.fast_forward_outside_to(at)) return false;
  ++rounds_;
  return true;
}

bool RunQueue::is_stale(const Due& due) const { return due.ps != actors_[due.number]->due_ps_; }

void RunQueue::sweep() {
  std::erase_if(due_, [this](const Due& due) { return is_stale(due); });
}

/// Removes the first entry, and stale ones behind it; the first is never stale.
Actor& RunQueue::take() {
  Actor& actor = *actors_[due_.back().number];
  actor.due_ps_ = in_round;
  do due_.pop_back();
  while (!due_.empty() && is_stale(due_.back()));
  return actor;
}

void RunQueue::run_round() {
  const std::int64_t ps = due_.back().ps;
  queue_.advance_to(Time{ps});
  ++rounds_;
  Actor& first = take();
  now_.clear();
  while (!due_.empty() && due_.back().ps == ps) now_.push_back(&take());
  act(first);
  for (Actor* const actor : now_) act(*actor);
}

void RunQueue::act(Actor& actor) {
  actor.due_ps_ = idle;
  actor.act();
}

}  // namespace sanvp::net
