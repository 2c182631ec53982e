/// Runs at several loads, some of them at once in processes of their own. Results are those of one run after the other.
#pragma once

#include <functional>
#include <vector>

#include "models/native/interrupts.hpp"
#include "platform/snapshots/forked_results.hpp"
#include "platform/traffic/load_run.hpp"

namespace sanvp::commands {

class ParallelLoads {
 public:
  using Run = std::function<traffic::LoadRun(const traffic::Load&)>;

  /// @param jobs  runs at once; 1: all are made in this process
  ParallelLoads(std::size_t jobs, Run run) : jobs_(jobs), run_(std::move(run)), results_(native::interrupting_signal) {}

  /// The run at `load`. Those at `likely_next` begin meanwhile, the first ones first; others that have begun are given
  /// up.
  traffic::LoadRun at(const traffic::Load& load, const std::vector<traffic::Load>& likely_next);

 private:
  void begin(const traffic::Load& load);

  std::size_t jobs_;
  Run run_;
  ForkedResults results_;
};

}  // namespace sanvp::commands
