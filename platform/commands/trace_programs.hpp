/// Programs that are traces: `sanvp run MACHINE goal -- --file F.goal`, `sanvp run MACHINE otf2 -- --file F.otf2`.
#pragma once

#include <vector>

#include "platform/jobs/apps.hpp"
#include "platform/jobs/job.hpp"

namespace sanvp::commands {

/// What the apps `goal` and `otf2` need before the run; keeps the programs that archives were converted into.
class TracePrograms {
 public:
  TracePrograms() = default;
  ~TracePrograms();
  TracePrograms(const TracePrograms&) = delete;
  TracePrograms& operator=(const TracePrograms&) = delete;

  /// A request for one of these apps gets as many ranks as its trace has. For `otf2`, Python converts the archive to
  /// GOAL, in a file without a name that replaces the archive among the arguments; it reports what is wrong with an
  /// archive. Throws UserError, also if the request has another number of ranks.
  void prepare(jobs::JobRequest& request, jobs::AppKind kind);

 private:
  std::vector<int> converted_;
};

}  // namespace sanvp::commands
