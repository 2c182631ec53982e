/// What a branch of a run may change: one file each in this folder, registered by name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/net/network.hpp"
#include "platform/faults/plan.hpp"
#include "platform/machine/machine.hpp"
#include "platform/traffic/measurement.hpp"

namespace sanvp::commands {

/// A branch before the run: what it asks for.
struct PlannedBranch {
  const Machine& before;
  const Machine& machine;  ///< with the branch's changes
  Time at;
  std::string value;             ///< of the change's option; empty: not given
  const ParameterSet& software;  ///< settings of the software, with the branch's
};

/// The run in the child process of a branch, at the instant of the branch.
struct RunToChange {
  net::Network& network;
  std::function<void(const faults::Plan&)> follow{};             ///< faults
  std::function<void(const Machine&)> disturb{};                 ///< CPUs, by its noise; null: nothing computes
  std::function<void(const Machine&)> reprice{};                 ///< the same, by its CPUs' clock
  std::function<void(const Machine&)> change_cards{};            ///< null: no card exists
  std::function<void(const ParameterSet&)> choose_algorithms{};  ///< of collective operations; null: as above
  traffic::Measurement* measurement = nullptr;                   ///< null: whole nodes
};

struct Change {
  static constexpr const char* kind() { return "change in a branch"; }

  std::string name;
  std::string summary;
  std::string option{};         ///< of the command line, without its dashes; empty: none
  bool is_for_traffic = false;  ///< not for `run`
  std::vector<std::string>
      keys{};  ///< parameters of the machine, or settings of software, that it changes; with "." at the end a section
  /// Throws UserError if what the branch asks for is not possible.
  std::function<void(const PlannedBranch&)> check{};
  std::function<void(const PlannedBranch&, const RunToChange&)> apply;
};

}  // namespace sanvp::commands
