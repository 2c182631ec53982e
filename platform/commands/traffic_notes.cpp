#include "platform/commands/traffic_notes.hpp"

#include <iostream>

#include "platform/commands/idle_options.hpp"
#include "platform/commands/traffic_program.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/terminal.hpp"

namespace sanvp::commands {

namespace po = boost::program_options;

void note_idle_settings(const Invocation& invocation, const ParameterSet& parameters, const traffic::Settings& settings,
                        const traffic::Pattern& pattern) {
  if (pattern.pace() != traffic::Pattern::Pace::load)
    note_idle(parameters, {"traffic.load", "traffic.arrivals", "traffic.burst", "traffic.duty"},
              "does nothing with " + invocation.text("pattern") + ", which sets its own pace");
  if (settings.finds_saturation)
    note_idle(parameters, {"traffic.load"}, "does nothing with --saturation, which searches for the load");
  else
    note_idle(parameters, {"traffic.resolution", "traffic.highest"}, "does nothing without --saturation");
  if (settings.timing_node.interval == Time{0})
    note_idle(parameters, {"traffic.probe-source", "traffic.probe-destination", "traffic.probe-bytes"},
              "does nothing without --probe-interval TIME");
  if (settings.spy.channel.empty())
    note_idle(parameters, {"traffic.spy-from", "traffic.spy-until"}, "does nothing without --spy CHANNEL");
  if (invocation.common.out.empty())
    note_idle(parameters, {"traffic.spy", "traffic.probe-interval", "traffic.series"},
              "writes nothing without --out DIR");
}

void note_not_reached(const traffic::Load& load, Time end) {
  for (const traffic::LoadStep& step : load.steps)
    if (step.from > end) {
      std::cerr << heading("note") << "the load " << load.to_text() << " does not change at " << to_text(step.from)
                << ": the run ended at " << to_text(end) << "; more --packets make it longer\n";
      return;
    }
}

void leave_to_patterns(const Invocation& invocation, const std::string& program,
                       const std::vector<std::string>& options_of_patterns) {
  const std::string cause = program + " sets its own pace, whatever the load";
  const std::string cure = "leave it out, or choose a pattern that follows --load, such as uniform";
  if (invocation.values["saturation"].as<bool>()) throw UserError("--saturation", cause, cure);
  if (invocation.has("load"))
    if (const auto loads = traffic::Load::parse_sweep(invocation.text("load"), "--load");
        loads.size() > 1 || !loads.front().steps.empty())
      throw UserError("--load", cause, cure);
  for (const std::string& option : options_of_patterns)
    note_idle(invocation, {option.c_str()}, "does nothing with " + program + ": patterns have it");
}

void leave_to_programs(const Invocation& invocation) {
  for (const auto& [name, program] : Registry<TrafficProgram>::all()) {
    po::options_description own;
    if (program.options) program.options(own.add_options());
    for (const auto& option : own.options())
      note_idle(invocation, {option->long_name().c_str()},
                "does nothing with " + invocation.text("pattern") + ": " + name + " has it");
  }
}

}  // namespace sanvp::commands
