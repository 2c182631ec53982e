/// `--branch-at` of `run` and `traffic`: the run is made once up to an instant; from there each --branch continues it
/// in a process of its own (platform/snapshots), with its changes (changes/) and its folder of results.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/commands/changes/change.hpp"
#include "platform/commands/command.hpp"
#include "platform/commands/run_folder.hpp"

namespace sanvp::commands {

void add_branch_options(boost::program_options::options_description_easy_init add);

class Branches {
 public:
  /// Checks all branches before the run. Throws UserError for one that is not possible.
  /// @param invocation  of the run; in the process of a branch it becomes that of the branch
  /// @param machine     both outlive it
  Branches(Invocation& invocation, const Machine& machine);

  /// Whether one of them has a change of this name.
  bool have(std::string_view change) const;
  bool are_wanted() const { return !branches_.empty(); }
  Time at() const { return at_; }

  /// What a command gives, at the instant of the branches.
  struct Stage {
    RunToChange run;
    RunFolder& folder;
    std::function<void()> continue_in_child{};  ///< see platform/snapshots/fork.hpp
  };
  /// Runs the branches, one after the other. @return true in the process of each, which is to continue; false in that
  /// which has begun, when all are over
  bool fork_all(const Stage& stage);

  /// All branches are over: nothing of this process's run counts any more.
  bool are_over() const { return !is_branch_ && !ended_.empty(); }
  /// Writes what all have in common. @return the status of the first that has not ended well
  Exit finish(RunFolder& folder);
  /// Throws UserError if the run has ended without having branched. @param end  when
  void require_begun(Time end) const;

 private:
  struct Branch {
    std::string options{};                        ///< as given
    std::map<std::string, std::string> values{};  ///< of options of changes
    std::vector<std::string> settings{};
    std::vector<std::string> faults{};
    std::vector<const Change*> changes{};
    std::unique_ptr<const Machine> machine{};  ///< null: that of the run
    ParameterSet software{};                   ///< settings of programs
  };
  Branch read(const std::string& options) const;
  void find_changes(Branch& branch) const;
  PlannedBranch planned(const Branch& branch, const Change& change) const;
  std::string folder_of(std::size_t number) const;
  void enter(std::size_t number, RunFolder& folder);
  nlohmann::ordered_json results() const;

  Invocation& invocation_;
  const Machine& machine_;
  Time at_ = never;
  std::string out_;
  std::vector<Branch> branches_;
  std::vector<int> ended_;  ///< exit statuses
  bool is_branch_ = false;
};

}  // namespace sanvp::commands
