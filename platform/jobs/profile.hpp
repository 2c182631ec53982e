/// What ranks did in the calls of their libraries (`sanvp run --profile`).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/host/call_profile.hpp"
#include "models/host/usage.hpp"
#include "models/native/block_counts.hpp"
#include "platform/core/results.hpp"

namespace sanvp::jobs {

/// job, rank, call, count, bytes, time_ns, waiting_ns, waiting_share: a row for each rank and call
Table profile_table(const std::vector<host::RankCalls>& ranks);

/// Of a job's ranks together.
host::Usage usage_of(const std::vector<host::RankUsage>& ranks, int job);
/// "computing 61.2 %, library 20.1 %, waiting 18.7 %, noise 0.0 %", the same for people.
std::string usage_text(const std::vector<host::RankUsage>& ranks, int job);

/// job, function, instructions, and a column for each class of them: what a program's code has executed, all ranks
/// together. @param jobs  a job's functions each
Table executed_table(const std::vector<std::map<std::string, native::Executed>>& jobs);
/// A job's instructions by class, with what they take on this CPU, for people.
std::string executed_text(const std::map<std::string, native::Executed>& functions,
                          const native::InstructionCosts& costs);

/// What calls took, summed over ranks, for people: the call that took most time first.
std::string profile_text(const std::vector<host::RankCalls>& ranks);

}  // namespace sanvp::jobs
