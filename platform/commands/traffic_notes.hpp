/// What `sanvp traffic` notes about settings that have no effect on its runs.
#pragma once

#include <string>
#include <vector>

#include "platform/commands/command.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/settings.hpp"

namespace sanvp::commands {

/// Settings that need another one, or that the pattern does not follow.
void note_idle_settings(const Invocation& invocation, const ParameterSet& parameters, const traffic::Settings& settings,
                        const traffic::Pattern& pattern);

/// A change of the load that was due after the end of the run.
void note_not_reached(const traffic::Load& load, Time end);

/// For a program in the place of a pattern, which sets its own pace: refuses loads that are searched or swept, and
/// notes the options that only patterns have.
void leave_to_patterns(const Invocation& invocation, const std::string& program,
                       const std::vector<std::string>& options_of_patterns);

/// For a pattern: notes the options of programs.
void leave_to_programs(const Invocation& invocation);

}  // namespace sanvp::commands
