#include "models/net/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace sanvp::net {
namespace {

bool earlier(const Event& a, const Event& b) {
  if (a.ps != b.ps) return a.ps < b.ps;
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.unit < b.unit;
}

bool later(const Event& a, const Event& b) { return earlier(b, a); }

}  // namespace

EventQueue::EventQueue() : wheel_(slots) {}

void EventQueue::withdraw(EventHandler& handler) { std::erase(settlers_, &handler); }

void EventQueue::schedule(const Event& event) {
  if (event.ps < now_) throw std::logic_error("an event was scheduled in the past");
  ++pending_;
  const std::int64_t slot = event.ps >> slot_width_bits;
  if (slot <= current_slot_) {
    // Nearly always the end, since the slot is narrow.
    auto place = current_.end();
    while (place != current_.begin() + static_cast<std::ptrdiff_t>(cursor_) && earlier(event, *(place - 1))) --place;
    current_.insert(place, event);
  } else if (slot - current_slot_ < slots) {
    insert_near(event);
  } else {
    far_.push_back(event);
    std::push_heap(far_.begin(), far_.end(), later);
  }
}

void EventQueue::insert_near(const Event& event) {
  const auto index = static_cast<std::size_t>((event.ps >> slot_width_bits) & (slots - 1));
  wheel_[index].push_back(event);
  occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
}

void EventQueue::refill() {
  current_.clear();
  cursor_ = 0;
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
  const std::int64_t far_slot = far_.empty() ? -1 : far_.front().ps >> slot_width_bits;
  if (near_slot < 0 && far_slot < 0) return;
  current_slot_ = near_slot < 0 ? far_slot : far_slot < 0 ? near_slot : std::min(near_slot, far_slot);
  while (!far_.empty() && (far_.front().ps >> slot_width_bits) - current_slot_ < slots) {
    std::pop_heap(far_.begin(), far_.end(), later);
    insert_near(far_.back());
    far_.pop_back();
  }
  const auto index = static_cast<std::size_t>(current_slot_ & (slots - 1));
  current_.swap(wheel_[index]);
  occupied_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  if (current_.size() > 1) std::sort(current_.begin(), current_.end(), earlier);
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
