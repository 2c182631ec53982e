#include "models/net/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace sanvp::net {
namespace {

bool earlier(const Event& a, const Event& b) {
  if (a.ps != b.ps) return a.ps < b.ps;
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.unit < b.unit;
}

bool later(const Event& a, const Event& b) { return earlier(b, a); }

/// A slot nearly always holds a handful of events: up to so many, moving them one by one is cheapest.
constexpr std::size_t few = 24;

}  // namespace

EventQueue::EventQueue() : wheel_(slots, nil) {}

void EventQueue::withdraw(EventHandler& handler) { std::erase(settlers_, &handler); }

void EventQueue::refuse() { throw std::logic_error("an event was scheduled in the past"); }

bool EventQueue::comes_after(const Late& a, const Late& b) {
  if (earlier(b.event, a.event)) return true;
  return !earlier(a.event, b.event) && a.order > b.order;
}

/// What lies beyond the wheel, or in the slot under way.
void EventQueue::insert_elsewhere(const Event& event) {
  if ((event.ps >> slot_width_bits_) > current_slot_) {
    ++far_inserts_;
    far_.push_back(event);
    std::push_heap(far_.begin(), far_.end(), later);
  } else if (late_.empty() && current_.size() - cursor_ < few) {
    auto place = current_.end();
    while (place != current_.begin() + static_cast<std::ptrdiff_t>(cursor_) && earlier(event, *(place - 1))) --place;
    current_.insert(place, event);
  } else {
    late_.push_back({event, late_inserts_++});
    std::push_heap(late_.begin(), late_.end(), comes_after);
  }
}

/// Makes slots narrower where they hold many events, which have to be sorted, and wider where many events lie beyond
/// the wheel. Changes no order, only the cost. Called when the current slot is used up.
void EventQueue::fit_slots() {
  constexpr std::uint64_t look_after = 1024;
  constexpr std::uint64_t crowded = 8;
  constexpr int narrowest = 4;
  constexpr int widest = 40;
  if (refills_ < look_after) return;
  int bits = slot_width_bits_;
  if (instants_ > crowded * refills_)  // events of one instant cannot be parted
    bits = std::max(narrowest, bits - static_cast<int>(std::bit_width(instants_ / (crowded * refills_))));
  else if (refilled_ < 2 * refills_ && far_inserts_ > refilled_ / 4)
    bits = std::min(widest, bits + 1);
  if (bits != slot_width_bits_) set_slot_width(bits);
  refills_ = refilled_ = instants_ = far_inserts_ = 0;
}

void EventQueue::set_slot_width(int bits) {
  std::vector<Event> near;
  for (std::uint32_t& head : wheel_) {
    for (std::uint32_t node = std::exchange(head, nil); node != nil; node = free(node))
      near.push_back(nodes_[node].event);
  }
  occupied_ = {};
  // Oldest first, so that equal events keep their order.
  std::reverse(near.begin(), near.end());
  std::stable_sort(near.begin(), near.end(), earlier);
  slot_width_bits_ = bits;
  current_slot_ = now_ >> bits;
  pending_ -= near.size();
  for (const Event& event : near) schedule(event);
}

/// The next occupied slot of the wheel after `slot`, or -1.
std::int64_t EventQueue::occupied_after(std::int64_t slot) const {
  // Once around the wheel, which ends at the slot under way.
  const std::int64_t end = current_slot_ + slots;
  for (std::int64_t at = slot + 1; at < end;) {
    const std::size_t index = index_of(at);
    const std::uint64_t bits = occupied_[index / 64] >> (index % 64);
    if (bits != 0) {
      at += std::countr_zero(bits);
      return at < end ? at : -1;
    }
    at += 64 - static_cast<std::int64_t>(index % 64);
  }
  return -1;
}

void EventQueue::refill() {
  current_.clear();
  cursor_ = 0;
  fit_slots();
  if (!current_.empty()) return;  // refitting brought events of the slot the cursor stands on
  const std::int64_t near_slot = occupied_after(current_slot_);
  const std::int64_t far_slot = far_.empty() ? -1 : far_.front().ps >> slot_width_bits_;
  if (near_slot < 0 && far_slot < 0) return;
  current_slot_ = near_slot < 0 ? far_slot : far_slot < 0 ? near_slot : std::min(near_slot, far_slot);
  while (!far_.empty() && (far_.front().ps >> slot_width_bits_) - current_slot_ < slots) {
    std::pop_heap(far_.begin(), far_.end(), later);
    insert_near(far_.back());
    far_.pop_back();
  }
  gather(current_slot_);
}

/// Moves the events of a slot into `current_`, sorted.
void EventQueue::gather(std::int64_t slot) {
  const std::size_t index = index_of(slot);
  // The list is newest first; equal events keep the order in which they were scheduled.
  std::uint32_t node = std::exchange(wheel_[index], nil);
  while (node != nil && current_.size() < few) {
    const Event& event = nodes_[node].event;
    __builtin_prefetch(event.subject);  // its turn comes soon, and of a large network it is seldom in the cache
    std::size_t place = current_.size();
    current_.push_back(event);
    for (; place > 0 && !earlier(current_[place - 1], event); --place) current_[place] = current_[place - 1];
    current_[place] = event;
    node = free(node);
  }
  if (node != nil) {  // a crowd: what is older goes before what is sorted already
    std::reverse(current_.begin(), current_.end());
    for (; node != nil; node = free(node)) current_.push_back(nodes_[node].event);
    std::reverse(current_.begin(), current_.end());
    std::stable_sort(current_.begin(), current_.end(), earlier);
  }
  occupied_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  ++refills_;
  refilled_ += current_.size();
}

/// @return the node after it in its list
std::uint32_t EventQueue::free(std::uint32_t node) {
  const std::uint32_t next = std::exchange(nodes_[node].next, free_node_);
  free_node_ = node;
  return next;
}

bool EventQueue::late_is_next() const {
  // Of equal events the late one comes second.
  return !late_.empty() && (cursor_ == current_.size() || earlier(late_.front().event, current_[cursor_]));
}

std::int64_t EventQueue::next_ps() {
  if (late_is_next()) return late_.front().event.ps;
  if (cursor_ < current_.size()) return current_[cursor_].ps;
  if (pending_ == 0) return never.count();
  refill();
  return late_is_next() ? late_.front().event.ps : current_[cursor_].ps;
}

/// Precondition: next_ps() has been asked, and there is one.
Event EventQueue::take_next() {
  --pending_;
  ++processed_;
  if (!late_is_next()) return current_[cursor_++];
  std::pop_heap(late_.begin(), late_.end(), comes_after);
  const Event event = late_.back().event;
  late_.pop_back();
  return event;
}

void EventQueue::run_instant() {
  now_ = next_ps();
  ++instants_;
  do {
    while (pending_ > 0 && next_ps() == now_) {
      const Event event = take_next();
      event.handler->handle(event);
    }
    for (EventHandler* settler : settlers_) settler->settle();
  } while (pending_ > 0 && next_ps() == now_);
  for (EventHandler* settler : settlers_) settler->close_instant();
}

void EventQueue::run_outside(Time at) {
  now_ = at.count();
  for (EventHandler* settler : settlers_) settler->settle();
  if (pending_ > 0 && next_ps() == now_) {
    run_instant();
  } else {
    for (EventHandler* settler : settlers_) settler->close_instant();
  }
}

bool EventQueue::run_until(Time until) {
  while (pending_ > 0) {
    if (next_ps() > until.count()) return true;
    run_instant();
  }
  return false;
}

}  // namespace sanvp::net
