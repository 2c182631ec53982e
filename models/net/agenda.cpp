#include "models/net/agenda.hpp"

#include <algorithm>

namespace sanvp::net {
namespace {

constexpr std::int64_t idle = never.count();
constexpr std::size_t most_stale = 64;  // and twice the actors: then a sweep pays
constexpr std::int64_t in_round = -1;   // earlier than whatever it could be scheduled for

}  // namespace

Actor::Actor(Agenda& agenda) : agenda_(agenda), number_(agenda.actors_++), due_ps_(idle) {}
Actor::~Actor() {
  due_ps_ = idle;
  agenda_.sweep();
}

void Agenda::schedule(Actor& actor, Time at) {
  if (at.count() >= actor.due_ps_) return;
  if (due_.size() > most_stale + 2 * actors_) sweep();
  actor.due_ps_ = at.count();
  due_.push_back({at.count(), actor.number_, &actor});
  std::push_heap(due_.begin(), due_.end(), ComesAfter{});
}

void Agenda::sweep() {
  std::erase_if(due_, [](const Due& due) { return due.ps != due.actor->due_ps_; });
  std::make_heap(due_.begin(), due_.end(), ComesAfter{});
}

/// The first one goes. Those that follow may be stale; schedule() makes none so that is first.
Actor& Agenda::take() {
  Actor& actor = *due_.front().actor;
  actor.due_ps_ = in_round;
  do {
    std::pop_heap(due_.begin(), due_.end(), ComesAfter{});
    due_.pop_back();
  } while (!due_.empty() && due_.front().ps != due_.front().actor->due_ps_);
  return actor;
}

void Agenda::run_round() {
  const std::int64_t ps = due_.front().ps;
  queue_.advance_to(Time{ps});
  ++rounds_;
  Actor& first = take();
  now_.clear();
  while (!due_.empty() && due_.front().ps == ps) now_.push_back(&take());
  act(first);
  for (Actor* const actor : now_) act(*actor);
}

void Agenda::act(Actor& actor) {
  actor.due_ps_ = idle;
  actor.act();
}

}  // namespace sanvp::net
