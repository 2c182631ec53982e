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

// How many events ahead the cache is filled.
constexpr std::size_t far_sight = 6;
constexpr std::size_t near_sight = 3;

bool later(const Event& a, const Event& b) { return earlier(b, a); }

}  // namespace

EventQueue::EventQueue() : wheel_(slots, nil) {}

void EventQueue::withdraw(EventHandler& handler) { std::erase(settlers_, &handler); }

void EventQueue::schedule(const Event& event) {
  if (event.ps < now_) throw std::logic_error("an event was scheduled in the past");
  ++pending_;
  const std::int64_t slot = event.ps >> slot_width_bits_;
  if (slot <= current_slot_) {
    // Nearly always the end, since the slot is narrow.
    auto place = current_.end();
    while (place != current_.begin() + static_cast<std::ptrdiff_t>(cursor_) && earlier(event, *(place - 1))) --place;
    current_.insert(place, event);
  } else if (slot - current_slot_ < slots) {
    insert_near(event);
  } else {
    ++far_inserts_;
    far_.push_back(event);
    std::push_heap(far_.begin(), far_.end(), later);
  }
}

/// Makes slots narrower where they hold many events, which have to be sorted, and wider where many events lie beyond
/// the wheel. Changes no order, only the cost. Called when the current slot is used up.
void EventQueue::fit_slots() {
  constexpr std::uint64_t look_after = 4096;
  constexpr std::uint64_t crowded = 12;
  constexpr int narrowest = 4;
  constexpr int widest = 40;
  if (refills_ < look_after) return;
  int bits = slot_width_bits_;
  if (refilled_ > crowded * refills_ && bits > narrowest)
    --bits;
  else if (refilled_ < 2 * refills_ && far_inserts_ > refilled_ / 4 && bits < widest)
    ++bits;
  refills_ = refilled_ = far_inserts_ = 0;
  if (bits == slot_width_bits_) return;
  std::vector<Event> near;
  for (std::size_t index = 0; index < wheel_.size(); ++index) {
    for (std::uint32_t node = std::exchange(wheel_[index], nil); node != nil;) {
      near.push_back(nodes_[node].event);
      const std::uint32_t next = nodes_[node].next;
      nodes_[node].next = free_node_;
      free_node_ = std::exchange(node, next);
    }
  }
  occupied_ = {};
  // Oldest first, so that equal events keep their order.
  std::reverse(near.begin(), near.end());
  std::stable_sort(near.begin(), near.end(), earlier);
  slot_width_bits_ = bits;
  current_slot_ = now_ >> bits;
  pending_ -= near.size();
  for (const Event& event : near) schedule(event);
  far_inserts_ = 0;
}

void EventQueue::insert_near(const Event& event) {
  const auto index = static_cast<std::size_t>((event.ps >> slot_width_bits_) & (slots - 1));
  std::uint32_t node = free_node_;
  if (node == nil) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_node_ = nodes_[node].next;
  }
  nodes_[node] = {event, wheel_[index]};
  wheel_[index] = node;
  occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
}

void EventQueue::refill() {
  current_.clear();
  cursor_ = 0;
  fit_slots();
  if (!current_.empty()) return;  // refitting brought events of the slot the cursor stands on
  const auto start = static_cast<std::size_t>((current_slot_ + 1) & (slots - 1));
  // The next occupied slot after the current one, going once around the wheel.
  std::int64_t distance = -1;
  for (std::size_t step = 0; step <= occupied_.size(); ++step) {
    const std::size_t word = (start / 64 + step) % occupied_.size();
    std::uint64_t bits = occupied_[word];
    if (step == 0) bits &= ~std::uint64_t{0} << (start % 64);
    if (step == occupied_.size()) bits &= ~(~std::uint64_t{0} << (start % 64));
    if (bits == 0) continue;
    const auto index = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    distance = static_cast<std::int64_t>((index - start) & (slots - 1));
    break;
  }
  const std::int64_t near_slot = distance < 0 ? -1 : current_slot_ + 1 + distance;
  const std::int64_t far_slot = far_.empty() ? -1 : far_.front().ps >> slot_width_bits_;
  if (near_slot < 0 && far_slot < 0) return;
  current_slot_ = near_slot < 0 ? far_slot : far_slot < 0 ? near_slot : std::min(near_slot, far_slot);
  while (!far_.empty() && (far_.front().ps >> slot_width_bits_) - current_slot_ < slots) {
    std::pop_heap(far_.begin(), far_.end(), later);
    insert_near(far_.back());
    far_.pop_back();
  }
  const auto index = static_cast<std::size_t>(current_slot_ & (slots - 1));
  for (std::uint32_t node = std::exchange(wheel_[index], nil); node != nil;) {
    current_.push_back(nodes_[node].event);
    const std::uint32_t next = nodes_[node].next;
    nodes_[node].next = free_node_;
    free_node_ = std::exchange(node, next);
  }
  occupied_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  ++refills_;
  refilled_ += current_.size();
  // The list is newest first; equal events keep the order in which they were scheduled.
  std::reverse(current_.begin(), current_.end());
  constexpr std::size_t few = 24;  // a slot nearly always holds a handful, for which std::stable_sort would allocate
  if (current_.size() > few) {
    std::stable_sort(current_.begin(), current_.end(), earlier);
    return;
  }
  for (std::size_t i = 1; i < current_.size(); ++i)
    for (std::size_t j = i; j > 0 && earlier(current_[j], current_[j - 1]); --j)
      std::swap(current_[j], current_[j - 1]);
}

std::int64_t EventQueue::next_ps() {
  if (cursor_ == current_.size()) {
    if (pending_ == 0) return never.count();
    refill();
  }
  return current_[cursor_].ps;
}

void EventQueue::run_instant() {
  now_ = next_ps();
  do {
    while (pending_ > 0 && next_ps() == now_) {
      // Large networks do not fit the cache: look ahead, first at the subject, then at what it leads to.
      if (cursor_ + far_sight < current_.size()) __builtin_prefetch(current_[cursor_ + far_sight].subject);
      if (cursor_ + near_sight < current_.size()) {
        const Event& soon = current_[cursor_ + near_sight];
        soon.handler->foresee(soon);
      }
      const Event event = current_[cursor_++];
      --pending_;
      ++processed_;
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
