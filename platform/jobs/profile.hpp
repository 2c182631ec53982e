/// What ranks did in the calls of their libraries (`sanvp run --profile`).
#pragma once

#include <string>
#include <vector>

#include "models/host/call_profile.hpp"
#include "models/host/usage.hpp"
#include "platform/core/results.hpp"

namespace sanvp::jobs {

/// job, rank, call, count, bytes, time_ns, waiting_ns, waiting_share: a row for each rank and call
Table profile_table(const std::vector<host::RankCalls>& ranks);

/// Of a job's ranks together.
host::Usage usage_of(const std::vector<host::RankUsage>& ranks, int job);
/// "computing 61.2 %, library 20.1 %, waiting 18.7 %, noise 0.0 %", the same for people.
std::string usage_text(const std::vector<host::RankUsage>& ranks, int job);

/// The same by call, summed over ranks, for people: the call that took most time first.
std::string profile_text(const std::vector<host::RankCalls>& ranks);

}  // namespace sanvp::jobs
