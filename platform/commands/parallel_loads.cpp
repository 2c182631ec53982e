#include "platform/commands/parallel_loads.hpp"

#include <algorithm>

namespace sanvp::commands {

using traffic::Load;
using traffic::LoadRun;

LoadRun ParallelLoads::at(const Load& load, const std::vector<Load>& likely_next) {
  if (jobs_ == 1) return run_(load);
  results_.drop_unless([&](const std::string& name) {
    return name == load.to_text() ||
           std::ranges::any_of(likely_next, [&](const Load& next) { return name == next.to_text(); });
  });
  begin(load);
  const auto begin_next = [&] {
    for (const Load& next : likely_next) {
      if (results_.running() >= jobs_) return;
      begin(next);
    }
  };
  begin_next();
  const auto bytes = results_.take(load.to_text(), begin_next);
  return bytes ? LoadRun::from_bytes(*bytes) : run_(load);
}

void ParallelLoads::begin(const Load& load) {
  results_.begin(load.to_text(), [&] { return run_(load).to_bytes(); });
}

}  // namespace sanvp::commands
