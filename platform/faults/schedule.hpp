/// The events of a plan in order, including random ones. It depends only on plan and seed: each part that fails at
/// random has a separate generator, so that its times are the same for any length of the run.
#pragma once

#include <cstddef>
#include <vector>

#include "platform/core/random.hpp"
#include "platform/faults/plan.hpp"

namespace sanvp::faults {

class Schedule {
 public:
  /// Parts that have failed from the start do not fail at random.
  Schedule(const Plan& plan, const Stock& stock);

  /// Whether a listed event is still to come; random events never end.
  bool has_listed() const { return taken_ < listed_.size(); }
  /// Time of the next event, or never if none is left.
  Time next() const;
  /// Precondition: next() is not never.
  Event take();

 private:
  /// A part that fails at random, and its next event.
  struct Source {
    Event event;
    Plan::Chance chance;
    Random random;

    void advance();
  };
  static bool comes_after(const Source& a, const Source& b);
  void add_chances(Part::Kind kind, const Plan& plan, const Stock& stock);

  std::vector<Event> listed_;
  std::size_t taken_ = 0;               // of listed_
  std::vector<Source> random_sources_;  // a heap with the next event first
};

}  // namespace sanvp::faults
