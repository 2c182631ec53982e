/// The events of a plan in their order, those of chance included. It depends on plan and seed alone: each part that
/// fails by chance has a generator of its own, so that the same times come out however long the run is looked at.
#pragma once

#include <cstddef>
#include <vector>

#include "platform/core/random.hpp"
#include "platform/faults/plan.hpp"

namespace sanvp::faults {

class Schedule {
 public:
  /// Parts that have failed from the beginning do not fail by chance.
  Schedule(const Plan& plan, const Stock& stock);

  /// Whether an event of the list is still to come; those of chance never end.
  bool has_listed() const { return taken_ < listed_.size(); }
  /// Of the next event; never: there is none.
  Time next() const;
  /// Precondition: next() is not never.
  Event take();

 private:
  /// A part that fails by chance, and its next event.
  struct Source {
    Event event;
    Plan::Chance chance;
    Random random;

    void advance();
  };
  static bool comes_after(const Source& a, const Source& b);
  void add_chances(Part::Kind kind, const Plan& plan, const Stock& stock);

  std::vector<Event> listed_;
  std::size_t taken_ = 0;          // of those
  std::vector<Source> by_chance_;  // a heap: the next one first
};

}  // namespace sanvp::faults
