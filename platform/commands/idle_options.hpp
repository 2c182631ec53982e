/// Notes about what is given and has no effect: options that need others, faults after the end.
#pragma once

#include <initializer_list>
#include <string>

#include "platform/commands/command.hpp"
#include "platform/faults/plan.hpp"

namespace sanvp::commands {

/// Prints a note for each of the options that is given.
/// @param why  such as "does nothing without --trace FILE"
void note_idle(const Invocation& invocation, std::initializer_list<const char*> options, const std::string& why);

/// The same for keys, which -s gives, or an option of their own.
void note_idle(const ParameterSet& parameters, std::initializer_list<const char*> keys, const std::string& why);

/// The first of the listed faults and repairs that were due after the end of the run.
void note_late_faults(const faults::Plan& plan, Time end);

}  // namespace sanvp::commands
