/// `--seeds` of `run`: the same run with several seeds, some of them at once in processes of their own.
#pragma once

#include "platform/commands/command.hpp"

namespace sanvp::commands {

void add_seeds_options(boost::program_options::options_description_easy_init add);

/// Whether the command asks for several seeds.
bool has_seeds(const Invocation& invocation);

/// Runs the same command line once for each seed. Prints what each has printed, in the order of seeds, then a table.
/// With --out each has a folder of its own there, and all a table; with --json all results are in one file.
/// @return the exit status of the first run that did not end well
Exit run_seeds(const Invocation& invocation);

}  // namespace sanvp::commands
