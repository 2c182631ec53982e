/// Time of ranks in the calls of their libraries (`sanvp run --profile`).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/host/call_profile.hpp"
#include "models/host/usage.hpp"
#include "models/native/block_counts.hpp"
#include "platform/core/results.hpp"

namespace sanvp::jobs {

/// job, rank, call, count, bytes, time_ns, waiting_ns, waiting_share: a row per rank and call
Table profile_table(const std::vector<host::RankCalls>& ranks);

/// Usage of all ranks of a job together.
host::Usage usage_of(const std::vector<host::RankUsage>& ranks, int job);
/// The same as text: "computing 61.2 %, library 20.1 %, waiting 18.7 %, noise 0.0 %".
std::string usage_text(const std::vector<host::RankUsage>& ranks, int job);

/// job, function, instructions, and a column for each class of instructions: what a program's code executed, over all
/// ranks. @param jobs  the functions of each job
Table executed_table(const std::vector<std::map<std::string, native::Executed>>& jobs);
/// A job's instructions by class, with their time on this CPU, as text: what issue and the busiest unit of each class
/// need for it. @param is_foreign  counted code of x86-64
std::string executed_text(const std::map<std::string, native::Executed>& functions, const cpu::InstructionCosts& costs,
                          bool is_foreign);

/// Time of calls, summed over the ranks of a job, as text: the call with the most time first.
std::string profile_text(const std::vector<host::RankCalls>& ranks, int job);

}  // namespace sanvp::jobs
