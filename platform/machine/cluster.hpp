/// A whole running machine: nodes with memory, I/O bus, CPUs and processes, their cards, and the network.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/host/node.hpp"
#include "models/net/fabric.hpp"
#include "models/net/hop_trace.hpp"
#include "models/net/newest_first.hpp"
#include "models/net/observers.hpp"
#include "models/net/packet_observers.hpp"
#include "models/nic/card/register_watch.hpp"
#include "models/nic/module.hpp"
#include "platform/faults/outages.hpp"
#include "platform/machine/machine.hpp"
#include "platform/machine/router_load.hpp"
#include "platform/machine/server_services.hpp"

namespace sanvp {

/// A program and the placement of its ranks.
struct Program {
  std::string image;                   ///< path of a shared object
  std::vector<std::string> arguments;  ///< argv; [0] is its name
  std::vector<int> nodes;              ///< per rank
};

class Cluster {
 public:
  enum class End {
    stopped,  ///< stop() was called
    idle,     ///< no event is left, or only retries without progress, and stop() was not called
    until,    ///< the given time is reached
  };

  /// One per process of the host computer, because SystemC elaborates once.
  /// @param software  folder of images: drivers, firmware/
  /// @param counts_blocks  whether programs count the instructions that they execute, for executed()
  /// @param lead  of its time; all that acts in it is its own
  /// @param programs  all begin when every node has booted; the index is the number of the job
  Cluster(const Machine& machine, net::Fidelity fidelity, const std::string& software,
          const std::vector<Program>& programs, host::Services& services, Trace* trace, bool counts_blocks = false,
          net::Lead lead = net::Lead::to_next_event);
  ~Cluster();

  /// @param keep_going  called every few hundred instants of the network; the run stops when it returns false
  End run(Time until, std::function<bool()> keep_going);
  /// For a program that calls sc_start itself instead of run(): reports that programs wait without progress, as
  /// SC_ERROR.
  void report_no_progress();
  /// Nothing happens after the present instant.
  void hold() { timeline_.hold_after(now()); }
  /// The difference by which its time is ahead of the kernel's.
  sc_core::sc_time ahead() const { return timeline_.ahead(); }
  std::vector<nic::NicModule*> cards();
  /// Tells that the node has just died or is cut off. The network handles its packets in flight. After fault.detect the
  /// processes of its jobs are notified, and from then on wait no longer than host.patience for messages that do not
  /// arrive.
  void node_died(int node);
  /// Ends the run at the present instant.
  void stop();
  /// Called while a process only polls for something that has not arrived: ends the run if there is no progress.
  void stop_if_no_progress();

  /// Time of the simulation, not of the SystemC kernel.
  Time now() const { return timeline_.run_queue().now(); }
  /// When the programs began.
  Time booted() const { return booted_; }
  /// The processes of all jobs, ordered by job and rank.
  const std::vector<host::Process*>& processes() const { return processes_; }
  net::Network& network() { return fabric_.network(); }
  /// Instructions of a job, by function: of an image if the cluster counts blocks, of what an interpreter runs always.
  std::map<std::string, native::Executed> executed(std::size_t job);
  /// Instructions by class of all interpreted programs; nothing if none is interpreted.
  std::optional<cpu::InstructionCounts> interpreted() const;
  /// Call it before the run.
  void observe(net::Observer& observer);
  /// During the run as well.
  void observe_packets(net::PacketObserver& observer);
  void forget_packets(net::PacketObserver& observer);
  /// The registers of a node's card; null if it does not declare them.
  nic::RegisterWatch* registers_of(int node);
  net::EventQueue& queue() { return timeline_.queue(); }
  /// Null if no part fails during the run.
  faults::Outages* outages() { return outages_ && outages_->has_plan() ? &*outages_ : nullptr; }
  /// Calls `look` once, at `at` or now if that is over: after all that happens by then, if anything is still to happen.
  /// The run stops if it returns false.
  void look_at(Time at, std::function<bool()> look);
  /// Before the run: follow() may be called in it, although the machine has no faults.
  void expect_faults(const Machine& machine);
  /// From now on the faults of another plan happen.
  void follow(const faults::Plan& plan) { outages_->follow(plan); }
  /// From now on its CPUs have the noise of another machine.
  void disturb(const Machine& machine);
  /// From now on computing costs what it does on another machine. What has been counted keeps its price.
  void reprice(const Machine& machine);
  /// Tells the cards of the times that links have on another machine.
  void change_links_of_cards(const Machine& machine);
  /// In a child process: takes what a fork does not copy, or shares.
  void continue_in_child();
  /// A line for each process that has not ended, with what it waits for, and for each card that is not idle.
  std::vector<std::string> waiting() const;
  /// Has processes that have not ended pass on what they have printed and not written.
  void print_unwritten();
  /// Whether a process sleeps until an instant beyond the range of simulated time: its further actions are unknown.
  bool outlasts_time() const;
  /// Packets with a bit error that no card detected: programs received wrong data.
  std::uint64_t damaged() const;
  /// The calls of every rank, ordered by job and rank.
  std::vector<host::RankCalls> calls() const;
  /// The same for the use of their time.
  std::vector<host::RankUsage> usage() const;
  /// Statistics of buses, cards and hosts.
  void report(StatisticsTable& statistics) const;

 private:
  class Line;
  class DeathNotices;

  /// Interval of the checks for progress. It is longer than drivers retry a partner that does not answer
  /// (sw/elan3drv/traps.c: 20 ms).
  static constexpr Time progress_period = 50ms;

  void add_card(int node, const Machine& machine, const std::string& software, Trace* trace, const nic::NicLoad& load);
  bool awaits_fault() const;
  void plan_outages(const Machine& machine);
  void follow_outages(const Machine& machine);
  void notify_of_death(int node, Time died);
  void find_disconnected(const Machine& machine);
  void add_programs(const std::vector<Program>& programs, const host::IoNodes& io, const std::string& software);
  void node_booted(int node);
  void node_down(int node);
  bool is_dead(std::size_t node) const { return dead_[node] != 0; }
  void start_processes();
  End find_end(Time until);
  bool has_more(Time until);
  bool take_looks();
  void run_with_looks(Time until);
  bool has_no_progress();

  host::Settings host_;  ///< of all nodes
  native::Loader loader_;
  net::Timeline timeline_;
  faults::CurrentRoutes routes_;
  net::Fabric fabric_;
  std::vector<std::vector<int>> rank_processes_;  ///< by job; behind those of its ranks, those of its file servers
  std::deque<std::vector<int>> process_nodes_;    ///< the same; processes keep pointers to them
  std::vector<Program> programs_;
  net::NewestFirst<std::unique_ptr<host::Node>> nodes_;
  std::vector<host::Process*> processes_;  ///< ordered by job and rank
  std::vector<host::Process*> servers_;    ///< of files, on I/O nodes; they never end
  net::NewestFirst<std::unique_ptr<nic::NicModule>> cards_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::unique_ptr<DeathNotices> deaths_;
  net::Observers observers_;
  net::PacketObservers packet_observers_;
  std::optional<net::HopTrace> hops_;
  std::optional<RouterLoad> router_load_;
  std::optional<faults::Outages> outages_;
  std::optional<faults::Remap> remap_;
  host::Services& services_;
  ServerServices server_services_;
  std::vector<char> dead_;  ///< per node
  std::vector<char> booted_nodes_;
  int booting_ = 0;
  Time booted_{0};
  bool stopped_ = false;
  bool is_running_ = false;
  bool has_new_look_ = false;
  std::multimap<Time, std::function<bool()>> looks_at_;
  Time last_check_{0};      ///< when has_no_progress() last checked
  std::uint64_t work_ = 0;  ///< sum over all cards at that check
  Time looks_{0};           ///< host.looks
  bool no_progress_ = false;
};

}  // namespace sanvp
