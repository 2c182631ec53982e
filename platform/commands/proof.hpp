/// The proof before time 0 that no deadlock is possible, for the commands that run a network.
#pragma once

#include <string>
#include <vector>

#include "platform/commands/command.hpp"

namespace sanvp::commands {

/// Throws Deadlock with the cycle if packets can wait for each other for ever, and writes verdict and cycle to --json.
/// With --force it only prints a warning. If freedom from deadlock is conditional, a note names the condition. It takes
/// at most about a second: on machines larger than those of 1024 nodes it examines a sample of the destinations, like
/// `sanvp check` on even larger ones. If it examines all routes, it warns of pairs without a route.
/// @param routes  the routes that the run can use, ordered by destination; empty: all
void prove_deadlock_free(const Invocation& invocation, const Machine& machine,
                         std::vector<topologies::RouteUse> routes = {});

/// The same for the nodes of each job. Throws UserError, or with --force only warns, if failed parts disconnect some of
/// them.
void prove_for_jobs(const Invocation& invocation, const Machine& machine, const std::vector<std::vector<int>>& nodes);

/// A sentence on how the machine's in-transit pools affect its freedom from deadlock. Empty if there are no in-transit
/// hosts.
std::string about_pools(const Machine& machine, const topologies::CheckReport& report);

/// The watchdog's result as text for the terminal; empty if `waits` is empty.
/// @param waits  which worm waits for which, one per line (net::Network::find_deadlock)
std::string about_deadlock(const std::string& waits);
/// Throws Deadlock with that text.
[[noreturn]] void stop_at_deadlock(const std::string& waits);

}  // namespace sanvp::commands
