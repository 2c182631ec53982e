#include "platform/commands/going_back.hpp"

#include <iostream>

#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {

namespace po = boost::program_options;

void add_going_back_options(po::options_description_easy_init add) {
  add("snapshots", po::value<std::string>()->value_name("N"),
      "with --gdb: keep at most N states of the whole machine, from which gdb goes back (reverse-step, "
      "reverse-continue, monitor goto; docs/time-travel.md); with --on-crash: 32, or N; 0: none");
}

GoingBack::GoingBack(Invocation& invocation) {
  const bool is_for_crash = invocation.has("on-crash");
  if (!invocation.has("snapshots") && !is_for_crash) return;
  constexpr std::int64_t usual = 32;
  const std::int64_t most =
      invocation.has("snapshots") ? parse_count(invocation.text("snapshots"), "--snapshots") : usual;
  if (is_for_crash && most == 0) return;
  constexpr auto largest = static_cast<std::int64_t>(SharedByProcesses::most_snapshots);
  constexpr std::int64_t least = 4;
  if (most < least || most > largest)
    throw UserError("--snapshots", in_quotes(invocation.text("snapshots")) + " is not possible",
                    "give a number from " + std::to_string(least) + " to " + std::to_string(largest));
  if (!invocation.has("gdb") && !is_for_crash)
    throw UserError("--snapshots", "there is no --gdb PORT, for a debugger that goes back",
                    "give --gdb 0, for any port");
  most_ = static_cast<std::size_t>(most);
  invocation.common.progress = Progress::Mode::off;  // what it prints depends on the computer's time
  shared_ = &divide_for_snapshots();
}

void GoingBack::begin(std::function<void()> in_child) {
  output_.emplace(std::cout, shared_->printed[0]);
  errors_.emplace(std::cerr, shared_->printed[1]);
  states_.emplace(*shared_, std::move(in_child));
}

void GoingBack::end() {
  errors_.reset();
  output_.reset();
}

std::optional<GoingBack::Begin> GoingBack::keep() {
  const std::optional<HeldStates::Order> order = states_->keep();
  if (!order) return {};
  if (states_->only_answers()) {
    output_->silence();
    errors_->silence();
  }
  return Begin{order->text, order->descriptor};
}

void GoingBack::continue_at(std::size_t number, const Begin& begin) {
  std::cout.flush();
  std::cerr.flush();
  states_->continue_at(number, {begin.order, begin.client});
}

void GoingBack::state_has_changed() {
  output_->begin_again();
  errors_->begin_again();
}

}  // namespace sanvp::commands
