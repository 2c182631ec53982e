/// The proof before time 0 that nothing can deadlock, for the commands that run a network.
#pragma once

#include <string>
#include <vector>

#include "platform/commands/command.hpp"

namespace sanvp::commands {

/// Throws Deadlock, with the circle, where packets can come to wait for each other for ever; --json then has the
/// verdict and the circle. With --force it only says so. Where the freedom from deadlock has a condition, a note names
/// it. About a second at the most: of machines larger than those of 1024 nodes it looks at a sample of the
/// destinations, as `sanvp check` does of yet larger ones. Where it looks at all routes, it warns of pairs that none
/// serves.
/// @param routes  those that the run can use, in order of destinations; empty: all
void prove_deadlock_free(const Invocation& invocation, const Machine& machine,
                         std::vector<topologies::RouteUse> routes = {});

/// The same of the nodes of each job alone. Throws UserError, with --force only warns, where failed parts keep some of
/// them apart.
void prove_for_jobs(const Invocation& invocation, const Machine& machine, const std::vector<std::vector<int>>& nodes);

/// What the in-transit pools of a machine have to do with its freedom from deadlock, in a sentence. Empty where there
/// are no in-transit hosts.
std::string about_pools(const Machine& machine, const topologies::CheckReport& report);

/// What the watchdog has found, for people; nothing where that is empty.
/// @param waits  of worms for each other, a line each (net::Network::find_deadlock)
std::string about_deadlock(const std::string& waits);
/// Throws Deadlock with it.
[[noreturn]] void stop_at_deadlock(const std::string& waits);

}  // namespace sanvp::commands
