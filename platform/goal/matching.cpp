#include "platform/goal/matching.hpp"

#include <algorithm>

namespace sanvp::goal {

void MatchQueue::push(std::uint32_t partner, std::uint32_t tag, std::uint32_t what) {
  std::uint32_t place = free_;
  if (place == none) {
    place = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    free_ = entries_[place].next;
  }
  entries_[place] = {.turn = turns_++, .what = what};
  List& list = lists_[key(partner, tag)];
  if (list.first == none)
    list.first = place;
  else
    entries_[list.last].next = place;
  list.last = place;
}

/// The list whose first entry is the oldest of all that fit. An open rank or tag on the other side looks at all lists.
MatchQueue::Lists::iterator MatchQueue::first_that_fits(std::uint32_t partner, std::uint32_t tag) {
  auto best = lists_.end();
  const auto consider = [&](Lists::iterator one) {
    if (one != lists_.end() && (best == lists_.end() || turn_of(one->second) < turn_of(best->second))) best = one;
  };
  if (partner == any || tag == any) {
    for (auto one = lists_.begin(); one != lists_.end(); ++one)
      if (fits(partner, static_cast<std::uint32_t>(one->first >> 32)) &&
          fits(tag, static_cast<std::uint32_t>(one->first)))
        consider(one);
    return best;
  }
  for (const std::uint32_t a : {partner, any})
    for (const std::uint32_t b : {tag, any}) consider(lists_.find(key(a, b)));
  return best;
}

std::optional<std::uint32_t> MatchQueue::take(std::uint32_t partner, std::uint32_t tag) {
  const auto found = first_that_fits(partner, tag);
  if (found == lists_.end()) return {};
  const std::uint32_t place = found->second.first;
  const std::uint32_t what = entries_[place].what;
  found->second.first = entries_[place].next;
  if (found->second.first == none) lists_.erase(found);
  entries_[place].next = free_;
  free_ = place;
  return what;
}

std::vector<std::uint32_t> MatchQueue::all() const {
  std::vector<Entry> in_order;
  for (const auto& [unused, list] : lists_)
    for (std::uint32_t place = list.first; place != none; place = entries_[place].next)
      in_order.push_back(entries_[place]);
  std::sort(in_order.begin(), in_order.end(), [](const Entry& a, const Entry& b) { return a.turn < b.turn; });
  std::vector<std::uint32_t> all;
  for (const Entry& one : in_order) all.push_back(one.what);
  return all;
}

}  // namespace sanvp::goal
