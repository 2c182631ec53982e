#include "platform/commands/idle_options.hpp"

#include <algorithm>
#include <iostream>

#include "platform/core/terminal.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

void note(const std::string& option, const std::string& why) {
  std::cerr << heading("note") << option << " " << why << "\n";
}

}  // namespace

void note_idle(const Invocation& invocation, std::initializer_list<const char*> options, const std::string& why) {
  for (const char* name : options)
    if (invocation.has(name) && !invocation.values[name].defaulted()) note(std::string("--") + name, why);
}

void note_idle(const ParameterSet& parameters, std::initializer_list<const char*> keys, const std::string& why) {
  for (const char* key : keys)
    if (const ParameterSet::Given* given = parameters.find(key)) note(given->place, why);
}

void note_late_faults(const faults::Plan& plan, Time end) {
  const auto late = std::ranges::find_if(plan.listed, [&](const faults::Event& event) { return event.at > end; });
  if (late == plan.listed.end()) return;
  std::cerr << heading("note") << faults::to_text(late->part) << " does not " << (late->down ? "fail" : "return")
            << " at " << to_text(late->at) << ": the run ended at " << to_text(end) << "\n";
}

}  // namespace sanvp::commands
