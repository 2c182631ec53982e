#include "models/net/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "models/net/memory.hpp"
#include "platform/core/error.hpp"

namespace sanvp::net {
namespace {

bool earlier(const Event& a, const Event& b) {
  if (a.ps != b.ps) return a.ps < b.ps;
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.unit < b.unit;
}

/// Slots that are opened between two looks at how wide they should be.
constexpr std::uint64_t look_after = 1024;

/// Empty slots between two occupied ones: with more, slots are too narrow for the traffic.
constexpr std::int64_t sparse = 16;

/// So few pending events are cheaper in one sorted list: one slot that holds them all. They are spread over the wheel
/// again when they have become a crowd. Measured with two ranks, which have some ten pending.
constexpr std::size_t a_few = 16;
constexpr std::size_t a_crowd = 48;

// Width of a slot: the number of low bits of a time in picoseconds.
constexpr int narrowest = 4;
constexpr int widest = 40;

/// The last bits of a rank say which of two equal events came first.
constexpr int turn_bits = 16;
constexpr int unit_bits = 32;
constexpr std::uint64_t last_turn = (std::uint64_t{1} << turn_bits) - 1;

/// Two cache lines: for a hop, its way and its instants; for a coroutine, the top of its frame.
void fetch(const void* subject) { fetch_lines(subject, 2 * cache_line); }

constexpr std::uint64_t rank(const Event& event, std::uint64_t turn) {
  return std::uint64_t{event.kind} << (unit_bits + turn_bits) | std::uint64_t{event.unit} << turn_bits | turn;
}

}  // namespace

bool EventQueue::far_after(const Far& a, const Far& b) {
  return earlier(b.event, a.event) || (!earlier(a.event, b.event) && a.turn > b.turn);
}

EventQueue::EventQueue(Elision elision) : elision_(elision), wheel_(slots, nil) {}

void EventQueue::withdraw(EventHandler& handler) {
  std::erase(updated_, &handler);
  std::erase(closers_, &handler);
}

void EventQueue::enroll(EventHandler& handler, bool closes) {
  updated_.push_back(&handler);
  if (!closes) return;
  closers_.push_back(&handler);
  update_requested_ = true;
}

/// A sum of times that has passed the largest one is negative.
void EventQueue::refuse(std::int64_t ps) {
  if (ps < 0)
    throw UserError("simulated time", "ends after 106 days, and something would take longer",
                    "give the machine shorter times, or the traffic a higher load");
  throw std::logic_error("an event was scheduled in the past");
}

void EventQueue::add_nodes() {
  nodes_.push_back({.event = {}, .next = nil});
  free_node_ = static_cast<std::uint32_t>(nodes_.size() - 1);
}

/// Beyond the wheel.
void EventQueue::insert_far(std::uint32_t node) {
  const Event& event = nodes_[node].event;
  ++far_inserts_;
  far_.push_back({event, scheduled_});
  free(node);
  std::push_heap(far_.begin(), far_.end(), far_after);
  far_slot_ = (far_.front().event.ps >> slot_width_bits_) - slots + 1;
}

bool EventQueue::dispatch_inline(std::uint16_t kind, std::uint32_t unit) {
  const Due turn{now_, rank({.kind = kind, .unit = unit}, last_turn)};
  if (!elision_.is_on() || (!due_.empty() && !comes_after(due_.back(), turn))) return false;
  ++scheduled_;
  ++processed_;
  return true;
}

/// The instant ends here, unless its update brings something new. Precondition: may_fast_forward().
bool EventQueue::end_instant_for(std::int64_t ps) {
  if (!closers_.empty()) return false;
  if (update_requested_) {
    in_event_ = false;
    update();
    in_event_ = true;
    if (!may_fast_forward(ps)) return false;
  }
  now_ = ps;
  // What is scheduled for this instant has to be due. Otherwise due events are later, and so is the cursor.
  if (due_.empty()) current_slot_ = ps >> slot_width_bits_;
  elision_.count_step();
  ++instants_;
  ++scheduled_;
  ++processed_;
  return true;
}

/// Into the current slot, behind equal events; nearly always near its end.
void EventQueue::insert_due(std::uint32_t node) {
  const Due due{nodes_[node].event.ps, rank(nodes_[node].event, last_turn), node};
  constexpr std::size_t near = 24;  // up to here a linear search is cheapest
  due_.emplace_back();
  auto place = due_.end() - 1;
  const auto first = place - static_cast<std::ptrdiff_t>(std::min(near, due_.size() - 1));
  for (; place != first && !comes_after(place[-1], due); --place) *place = place[-1];
  if (place == first && place != due_.begin()) {
    const auto far = std::lower_bound(due_.begin(), first, due, comes_after);
    std::move_backward(far, place, place + 1);
    place = far;
  }
  // Member by member, as they have been written: a wide load from narrow stores would stall.
  place->ps = due.ps;
  place->rank = due.rank;
  place->node = node;
  if (slot_width_bits_ == widest && due_.size() > a_crowd) spread_crowd();
}

/// Makes slots narrower if they hold many events, which have to be sorted, and wider if many events are beyond the
/// wheel or the next one is far. Changes only the cost, never the order. Called when the current slot is used up.
void EventQueue::fit_slots() {
  int bits = slot_width_bits_;
  const std::uint64_t refilled = refills_ + companions_;
  const std::int64_t passed = current_slot_ - looked_at_slot_;
  if (pending() <= a_few)
    bits = widest;
  else if (const std::uint64_t share = 2 * instants_ / (3 * std::max<std::uint64_t>(1, refills_)); share > 0)
    bits = std::max(
        narrowest,
        bits - static_cast<int>(std::bit_width(share)));  // narrower slots cannot separate events of one instant
  else if (8 * refilled < 9 * refills_ &&
           (far_inserts_ > refilled / 4 || passed > sparse * static_cast<std::int64_t>(refills_)))
    bits = std::min(widest, bits + 1);
  if (bits != slot_width_bits_) set_slot_width(bits);
  refills_ = companions_ = instants_ = far_inserts_ = 0;
  looked_at_slot_ = current_slot_;
}

/// The slot that holds all events has more than is cheap to keep sorted: the next half gets two slots per event.
void EventQueue::spread_crowd() {
  const auto share_ps = static_cast<std::uint64_t>(due_[due_.size() / 2].ps - now_) / due_.size();
  set_slot_width(std::clamp(static_cast<int>(std::bit_width(share_ps)), first_width, widest - 1));
}

void EventQueue::set_slot_width(int bits) {
  std::vector<Event> events;
  // Oldest first, so that equal events keep their order.
  std::sort(far_.rbegin(), far_.rend(), far_after);
  for (const Far& far : far_) events.push_back(far.event);
  far_.clear();
  far_slot_ = none;
  for (auto due = due_.rbegin(); due != due_.rend(); ++due) events.push_back(nodes_[due->node].event);
  for (const std::uint32_t head : wheel_) {
    const std::size_t before = events.size();
    for (std::uint32_t node = head; node != nil; node = nodes_[node].next) events.push_back(nodes_[node].event);
    std::reverse(events.begin() + static_cast<std::ptrdiff_t>(before), events.end());
  }
  std::stable_sort(events.begin(), events.end(), earlier);
  due_.clear();
  nodes_.clear();
  free_node_ = nil;
  std::fill(wheel_.begin(), wheel_.end(), nil);
  occupied_ = {};
  slot_width_bits_ = bits;
  looked_at_slot_ += (now_ >> bits) - current_slot_;
  current_slot_ = now_ >> bits;
  next_slot_ = unknown;
  scheduled_ -= events.size();
  for (const Event& event : events) schedule(event);
}

/// The next occupied slot of the wheel after `slot`, or `none`.
std::int64_t EventQueue::occupied_after(std::int64_t slot) const {
  // Once around the wheel, which ends at the current slot.
  const std::int64_t end = current_slot_ + slots;
  for (std::int64_t at = slot + 1; at < end;) {
    const std::size_t index = index_of(at);
    const std::uint64_t bits = occupied_[index / 64] >> (index % 64);
    if (bits != 0) {
      at += std::countr_zero(bits);
      return at < end ? at : none;
    }
    at += 64 - static_cast<std::int64_t>(index % 64);
  }
  return none;
}

std::int64_t EventQueue::next_slot() {
  if (next_slot_ == unknown) next_slot_ = occupied_after(current_slot_);
  return next_slot_;
}

void EventQueue::refill() {
  if (instants_ >= look_after) {
    fit_slots();
    if (!due_.empty()) return;  // refitting brought events of the slot the cursor stands on
  }
  refill_from(next_slot());
}

/// @param slot  next_slot()
void EventQueue::refill_from(std::int64_t slot) {
  if (slot >= far_slot_) slot = bring_near(slot);
  if (slot == none) return;
  current_slot_ = slot;
  const std::size_t index = index_of(slot);
  ++refills_;
  const std::uint32_t node = std::exchange(wheel_[index], nil);
  occupied_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  look_ahead(index);
  if (nodes_[node].next == nil)  // nearly always
    add_due(node);
  else
    gather(node);
}

/// The next slot, if it is close. Prefetches its subject, and the node of the slot behind it. @param index  of the
/// current slot
inline void EventQueue::look_ahead(std::size_t index) {
  const std::uint64_t later = occupied_[index / 64] >> (index % 64);
  next_slot_ = unknown;
  if (later == 0) return;
  const int step = std::countr_zero(later);
  next_slot_ = current_slot_ + step;
  fetch(nodes_[wheel_[index + static_cast<std::size_t>(step)]].event.subject);
  const std::uint64_t behind = later & (later - 1);
  if (behind != 0) __builtin_prefetch(&nodes_[wheel_[index + static_cast<std::size_t>(std::countr_zero(behind))]]);
}

/// Moves far events onto the wheel that it reaches once its cursor stands on the next slot that holds events.
/// @param near_slot  that slot, of the wheel alone, or `none` @return  the slot
std::int64_t EventQueue::bring_near(std::int64_t near_slot) {
  if (far_.empty()) return near_slot;
  const auto slot_of = [this](const Far& far) { return far.event.ps >> slot_width_bits_; };
  const std::int64_t slot = std::min(near_slot, slot_of(far_.front()));
  while (!far_.empty() && slot_of(far_.front()) - slot < slots) {
    std::pop_heap(far_.begin(), far_.end(), far_after);
    const Event& event = far_.back().event;
    insert_near(new_node(event), event.ps);
    far_.pop_back();
  }
  far_slot_ = far_.empty() ? none : slot_of(far_.front()) - slots + 1;
  return slot;
}

/// Built in place, as in new_node().
void EventQueue::add_due(std::uint32_t node) {
  const Event& event = nodes_[node].event;
  Due& due = due_.emplace_back();
  due.ps = event.ps;
  due.rank = rank(event, 0);
  due.node = node;
}

/// Sorts the events of a slot. @param node  the first of several
void EventQueue::gather(std::uint32_t node) {
  for (; node != nil; node = nodes_[node].next) {
    // It is handled soon, and in a large network it is seldom in the cache.
    fetch(nodes_[node].event.subject);
    add_due(node);
  }
  companions_ += due_.size() - 1;
  // The list is newest first, as the vector has to be: among equal events the last one is the oldest.
  if (due_.size() > last_turn) {
    std::stable_sort(due_.begin(), due_.end(), comes_after);
    return;
  }
  std::uint64_t turn = due_.size();
  for (Due& due : due_) due.rank |= --turn;
  sort_due();
}

/// The next one last. A few are sorted by counting how many come after each, without a branch that could be
/// mispredicted.
void EventQueue::sort_due() {
  const std::size_t count = due_.size();
  // Nodes that do the same at the same time nearly always come in order. Not so two single events.
  if (count < 2 || (count > 2 && std::is_sorted(due_.begin(), due_.end(), comes_after))) return;
  if (count > few) {
    std::sort(due_.begin(), due_.end(), comes_after);
    return;
  }
  std::array<std::uint32_t, few> place{};
  for (std::size_t i = 0; i < count; ++i) {
    unsorted_[i] = due_[i];
    std::uint32_t after_i = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const auto after = static_cast<std::uint32_t>(comes_after(unsorted_[j], unsorted_[i]));
      after_i += after;
      place[j] += 1 - after;
    }
    place[i] = after_i;
  }
  for (std::size_t i = 0; i < count; ++i) due_[place[i]] = unsorted_[i];
}

void EventQueue::free(std::uint32_t node) {
  nodes_[node].next = free_node_;
  free_node_ = node;
}

/// Instant of the next event, once the current slot is empty. Unless it is close, the cursor stays: the caller may
/// schedule something earlier, and events before the cursor's slot have to be sorted in one by one.
std::int64_t EventQueue::peek_ps() {
  if (empty()) return never.count();
  const std::int64_t slot = next_slot();
  if (slot - current_slot_ <= sparse) {
    if (instants_ < look_after)
      refill_from(slot);
    else
      refill();
    return due_.back().ps;
  }
  if (slot == none) return far_.front().event.ps;
  std::int64_t ps = never.count();
  for (std::uint32_t node = wheel_[index_of(slot)]; node != nil; node = nodes_[node].next)
    ps = std::min(ps, nodes_[node].event.ps);
  return ps;
}

/// Precondition: is_due().
void EventQueue::handle_next() {
  const std::uint32_t node = due_.back().node;
  due_.pop_back();
  ++processed_;
  if (nodes_[node].event.handler == nullptr) {
    const auto waiting = std::coroutine_handle<>::from_address(nodes_[node].event.subject);
    free(node);
    return waiting.resume();
  }
  const Event event = nodes_[node].event;
  free(node);
  event.handler->handle(event);
}

void EventQueue::update() {
  update_requested_ = !closers_.empty();
  for (EventHandler* handler : updated_) handler->update();
}

void EventQueue::run_instant() {
  if (due_.empty()) refill();
  now_ = due_.back().ps;
  ++instants_;
  in_event_ = true;
  for (;;) {
    // Events added for this instant land in the current slot.
    do handle_next();
    while (is_due());
    if (!update_requested_) break;
    in_event_ = false;
    update();
    if (!is_due()) break;
    in_event_ = true;
  }
  in_event_ = false;
  for (EventHandler* closer : closers_) closer->close_instant();
}

void EventQueue::run_outside(Time at) {
  now_ = at.count();
  update();
  if (next() == at) {
    run_instant();
  } else {
    for (EventHandler* closer : closers_) closer->close_instant();
  }
}

bool EventQueue::run_until(Time until) {
  while (!empty()) {
    if (due_.empty()) refill();
    if (due_.back().ps > until.count()) return true;
    run_instant();
  }
  return false;
}

}  // namespace sanvp::net
