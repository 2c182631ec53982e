/// `--snapshots` of `run --gdb` and `run --on-crash`: gdb can go back, with the whole machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "models/cpu/riscv/gdb/history.hpp"
#include "platform/commands/command.hpp"
#include "platform/snapshots/held.hpp"
#include "platform/snapshots/output_once.hpp"

namespace sanvp::commands {

void add_going_back_options(boost::program_options::options_description_easy_init add);

/// Keeps states in processes (platform/snapshots) for a debugger.
class GoingBack final : public riscv::gdb::Snapshots {
 public:
  /// Begins with a process of its own (divide_for_snapshots), if --snapshots is given, or --on-crash. Throws UserError
  /// for a number that is not possible, and without a debugger. Call it before anything else of the run.
  explicit GoingBack(Invocation& invocation);

  bool is_wanted() const { return most_ > 0; }
  /// @param in_child  what a process does that has been forked (Cluster::continue_in_child)
  void begin(std::function<void()> in_child);
  /// The run is over: what follows is printed once.
  void end();

  std::optional<Begin> keep() override;
  void drop(std::size_t number) override { states_->drop(number); }
  bool is_there(std::size_t number) const override { return states_->is_there(number); }
  [[noreturn]] void continue_at(std::size_t number, const Begin& begin) override;
  std::string ask(std::size_t number, const std::string& order) override { return states_->ask(number, order); }
  [[noreturn]] void answer(const std::string& text) override { states_->answer(text); }
  void state_has_changed() override;
  std::size_t most() const override { return most_; }

 private:
  std::size_t most_ = 0;
  SharedByProcesses* shared_ = nullptr;
  std::optional<HeldStates> states_;
  std::optional<OutputOnce> output_;
  std::optional<OutputOnce> errors_;
};

}  // namespace sanvp::commands
