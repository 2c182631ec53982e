/// A whole virtual machine at work: nodes with memory, I/O bus, CPUs and processes, their cards, and the network.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/host/node.hpp"
#include "models/net/fabric.hpp"
#include "models/net/hop_trace.hpp"
#include "models/net/observers.hpp"
#include "models/nic/module.hpp"
#include "platform/faults/outages.hpp"
#include "platform/machine/machine.hpp"
#include "platform/machine/router_load.hpp"

namespace sanvp {

/// A program and where its ranks run.
struct Program {
  std::string image;                   ///< path of a shared object
  std::vector<std::string> arguments;  ///< argv; [0] is its name
  std::vector<int> nodes;              ///< of each rank
};

class Cluster {
 public:
  enum class End {
    stopped,  ///< stop() was called
    idle,     ///< nothing more happens, or nothing but attempts in vain, and nobody has called stop()
    until,    ///< the time given is reached
  };

  /// One per process of the simulating computer: SystemC elaborates once.
  /// @param software  folder of images: drivers, firmware/
  /// @param counts_blocks  programs count what they execute: for executed()
  /// @param programs  they begin together, when every node has booted; their number is that of the job
  Cluster(const Machine& machine, net::Fidelity fidelity, const std::string& software,
          const std::vector<Program>& programs, host::Services& services, Trace* trace, bool counts_blocks = false);
  ~Cluster();

  /// @param keep_going  asked every few hundred instants of the network; where it says no, the run stops
  End run(Time until, std::function<bool()> keep_going);
  /// The node has died now, or is cut off: what it has in hand is the network's affair; the processes of its jobs are
  /// told fault.detect later, and then wait no longer than host.patience for what does not come.
  void node_died(int node);
  /// Ends the run in the present instant.
  void stop();
  /// To be called while some process does nothing but look for what has not come: ends the run where that is in vain.
  void stop_if_in_vain();

  /// Of the simulated world, which has no processes in the kernel.
  Time now() const { return timeline_.agenda().now(); }
  /// When the programs began.
  Time booted() const { return booted_; }
  net::Network& network() { return fabric_.network(); }
  /// Of a program, by function: in a cluster that counts blocks.
  std::map<std::string, native::Executed> executed(const std::string& image) const {
    return loader_.executed_by_function(image);
  }
  /// Before the run.
  void observe(net::Observer& observer);
  net::EventQueue& queue() { return timeline_.queue(); }
  /// Null where nothing fails during the run.
  faults::Outages* outages() { return outages_ ? &*outages_ : nullptr; }
  /// All processes that have not ended and what they wait for, a line each; with cards that are not idle.
  std::vector<std::string> waiting() const;
  /// Some process sleeps until an instant that simulated time does not reach: what it would do then is not known.
  bool outlasts_time() const;
  /// Packets with a bit error that no card found: what was wrong has reached programs.
  std::uint64_t damaged() const;
  /// Of every rank, in the order of jobs and ranks.
  std::vector<host::RankCalls> calls() const;
  /// The same of what their time went for.
  std::vector<host::RankUsage> usage() const;
  /// Buses, cards, hosts.
  void report(StatisticsTable& statistics) const;

 private:
  class Line;
  class DeathNotices;

  void add_card(int node, const Machine& machine, const std::string& software, Trace* trace);
  bool awaits_fault() const;
  void plan_outages(const Machine& machine);
  void follow_outages(const Machine& machine);
  void tell_of_death(int node, Time died);
  void find_cut_off(const Machine& machine);
  void add_programs(const std::vector<Program>& programs);
  void node_booted(int node);
  void node_down(int node);
  bool is_dead(std::size_t node) const { return dead_[node] != 0; }
  void start_processes();
  End find_end(Time until);
  bool is_in_vain();
  bool waits_since(host::Process& process, Time since);
  bool looks_in_vain(const host::Process& process) const;

  native::Loader loader_;
  net::Timeline timeline_{"timeline"};
  faults::CurrentRoutes routes_;
  net::Fabric fabric_;
  std::vector<std::vector<int>> rank_processes_;  ///< by job
  std::vector<Program> programs_;
  std::vector<std::unique_ptr<host::Node>> nodes_;
  std::vector<host::Process*> processes_;  ///< in the order of jobs and ranks
  std::vector<std::unique_ptr<nic::NicModule>> cards_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::unique_ptr<DeathNotices> deaths_;
  net::Observers observers_;
  std::optional<net::HopTrace> hops_;
  std::optional<RouterLoad> router_load_;
  std::optional<faults::Outages> outages_;
  std::optional<faults::Remap> remap_;
  std::vector<char> dead_;  ///< of each node
  std::vector<char> booted_nodes_;
  int booting_ = 0;
  Time booted_{0};
  bool stopped_ = false;
  Time looked_{0};          ///< when is_in_vain() last looked
  std::uint64_t work_ = 0;  ///< of all cards, then
  Time looks_{0};           ///< host.looks
  bool in_vain_ = false;
};

}  // namespace sanvp
