/// A whole machine with its programs as one module, beside the modules of another simulation:
///
///   embedding::MachineModule qsnet("qsnet", {.name = "qsnet-16"}, {{.app = "ping"}});
///   sc_core::sc_start();
///
/// Its nodes (node_N), cards (nic_N), switches and links (platform/machine/objects.hpp) are its children.
#pragma once

#include <iosfwd>
#include <iostream>
#include <string>
#include <vector>

#include "platform/jobs/job.hpp"
#include "platform/jobs/job_run.hpp"
#include "platform/machine/cluster.hpp"
#include "platform/machine/machine.hpp"
#include "platform/machine/objects.hpp"

namespace sanvp::embedding {

class MachineModule : public sc_core::sc_module {
 public:
  /// Nodes boot at time 0; then the jobs begin. Throws UserError for a mistake in the request. An error during the run
  /// is an SC_ERROR of type net::Timeline::report_type, also that programs wait for each other without progress.
  /// @param request  `settings` may have those of programs, too
  /// @param out      takes the output of programs; `error` takes their standard error
  /// @param lead     of the machine's time: Lead::none if you step (sc_start in a loop) and look at it between two
  /// steps
  MachineModule(const sc_core::sc_module_name& name, const MachineRequest& request,
                const std::vector<jobs::JobRequest>& jobs, std::ostream& out = std::cout,
                std::ostream& error = std::cerr, net::Lead lead = net::Lead::to_next_event);

  const Machine& machine() const { return machine_; }
  /// Nodes, cards and network.
  Cluster& cluster() { return cluster_; }
  /// Outcome and metrics of the jobs.
  const jobs::JobRun& jobs() const { return jobs_; }

  /// Notified when all jobs have ended, or one has failed. The machine stands still from then on.
  const sc_core::sc_event& ended() const { return ended_; }
  bool has_ended() const { return has_ended_; }

 private:
  Machine machine_;
  std::vector<Program> programs_;
  jobs::JobRun jobs_;
  Cluster cluster_;
  PartObjects parts_;
  sc_core::sc_event ended_{"ended"};
  bool has_ended_ = false;
};

}  // namespace sanvp::embedding
