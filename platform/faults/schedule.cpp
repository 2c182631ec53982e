#include "platform/faults/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace sanvp::faults {

Schedule::Schedule(const Plan& plan, const Stock& stock) : listed_(plan.listed) {
  for (const Part::Kind kind : {Part::Kind::link, Part::Kind::switch_, Part::Kind::node})
    if (plan.chance(kind).mtbf > Time{0}) add_chances(kind, plan, stock);
  std::make_heap(random_sources_.begin(), random_sources_.end(), comes_after);
}

void Schedule::add_chances(Part::Kind kind, const Plan& plan, const Stock& stock) {
  const auto has_failed = [&](int number) {
    const auto in = [number](const std::vector<int>& list) {
      return std::find(list.begin(), list.end(), number) != list.end();
    };
    return (kind == Part::Kind::link && in(stock.failed.links)) ||
           (kind == Part::Kind::switch_ && in(stock.failed.switches));
  };
  for (int number = 0; number < stock.count(kind); ++number) {
    if (has_failed(number)) continue;
    const Part part{kind, number};
    Source source{.event = {.part = part, .down = false},
                  .chance = plan.chance(kind),
                  .random = {plan.seed, "fault." + to_text(part)}};
    source.advance();
    random_sources_.push_back(source);
  }
}

/// Its times stay within the range of Time; beyond, it has no more events.
void Schedule::Source::advance() {
  const Time mean = event.down ? chance.mttr : chance.mtbf;
  event.down = !event.down;
  const double ps = random.exponential() * static_cast<double>(mean.count());
  const auto left = static_cast<double>((never - event.at).count());
  event.at = mean == Time{0} || !(ps + 1 < left) ? never : event.at + Time{static_cast<std::int64_t>(ps) + 1};
}

bool Schedule::comes_after(const Source& a, const Source& b) {
  return std::tie(a.event.at, a.event.part) > std::tie(b.event.at, b.event.part);
}

Time Schedule::next() const {
  const Time by_list = taken_ < listed_.size() ? listed_[taken_].at : never;
  return random_sources_.empty() ? by_list : std::min(by_list, random_sources_.front().event.at);
}

/// At one instant, listed events come first.
Event Schedule::take() {
  if (taken_ < listed_.size() && listed_[taken_].at == next()) return listed_[taken_++];
  std::pop_heap(random_sources_.begin(), random_sources_.end(), comes_after);
  const Event event = random_sources_.back().event;
  random_sources_.back().advance();
  std::push_heap(random_sources_.begin(), random_sources_.end(), comes_after);
  return event;
}

}  // namespace sanvp::faults
