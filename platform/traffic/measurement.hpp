/// One traffic run: warm-up, measuring window, drain. An object runs once; each load needs another object.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/net/hop_trace.hpp"
#include "models/net/network.hpp"
#include "models/net/observers.hpp"
#include "models/net/packet_observers.hpp"
#include "platform/core/progress.hpp"
#include "platform/core/trace.hpp"
#include "platform/faults/outages.hpp"
#include "platform/traffic/blocking.hpp"
#include "platform/traffic/meter.hpp"
#include "platform/traffic/packet_log.hpp"
#include "platform/traffic/spy.hpp"
#include "platform/traffic/timing_node.hpp"
#include "platform/traffic/traffic_nodes.hpp"

namespace sanvp::traffic {

class Measurement;

struct Plan {
  std::int64_t packets = 20'000;  ///< generated in the measuring window; 0: unlimited, for patterns that end
  std::optional<Time> warm_up{};  ///< empty: detected
  Time until = never;
  Time series{0};  ///< width of the intervals of Meter::series(); 0: no series
  /// Called once at an instant of the run, after all that happens by then; the run is interrupted if it returns false.
  struct Look {
    Time at = never;
    std::function<bool(Measurement&)> take{};
  };
  Look look{};
  bool drains = true;  ///< continue until every measured message is delivered, within limits
  std::function<bool()> is_interrupted = [] { return false; };  ///< asked every few thousand instants
};

/// How a run ended.
enum class Ending : std::uint8_t { done, until_reached, deadlock, interrupted };

class Measurement {
 public:
  Measurement(const NetworkUnderTest& under_test, Pattern& pattern, const Workload& workload, const Plan& plan);
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  // Instruments, before run().
  void trace(Trace& trace);
  void spy(Spy& spy) { observe(spy); }
  void list_packets(PacketLog& log);
  /// The observer outlives the run, or is forgotten.
  void observe_packets(net::PacketObserver& observer);
  void forget_packets(net::PacketObserver& observer);
  void time_probes(const TimingNodeSettings& settings);
  void show(Progress& progress) { progress_ = &progress; }

  Ending run();

  // What may change during the run, at Plan::look.
  net::Network& network() { return network_; }
  void follow(const faults::Plan& plan) { outages_->follow(plan); }
  void change_load(const Load& load);
  void reseed(std::uint64_t seed);

  const Meter& meter() const { return meter_; }
  const BlockingObserver& blocking() const { return blocking_; }
  const TimingNode* timing_node() const { return timing_node_.get(); }
  /// Null if no part fails during the run.
  const faults::Outages* outages() const { return outages_ && outages_->has_plan() ? &*outages_ : nullptr; }
  faults::Outages* outages() { return outages_ && outages_->has_plan() ? &*outages_ : nullptr; }
  const NetworkUnderTest& under_test() const { return under_test_; }
  /// Within the window.
  const net::ChannelStatistics& channel(int channel) const { return channels_[channel]; }
  /// The most that any NIC had in its in-transit pool at once, in the window, including what spilled to its host's
  /// memory.
  std::int64_t pool_most_bytes() const { return pool_most_flits_ * under_test_.format.flit_bytes; }
  /// Packets that a full in-transit pool spilled to its host's memory, in the window.
  std::int64_t spilled() const { return spilled_; }
  /// Names of the classes of meter().classes().
  std::vector<std::string> classes() const { return pattern_.classes(); }
  /// Nodes that generate messages by themselves.
  int senders() const { return senders_; }
  /// Whether the warm-up ended (or was given). If not, the load is probably beyond saturation.
  bool has_settled() const { return has_settled_; }
  /// Whether every measured message was delivered. If not, the longest latencies are missing: the load is beyond
  /// saturation.
  bool has_drained() const { return meter_.messages_outstanding() == 0; }
  std::int64_t unserved() const { return traffic_nodes_.unserved(); }
  /// Empty if no switch marks packets.
  std::optional<CongestionTotals> congestion() const;
  /// How often links retransmitted a packet by themselves, in the whole run.
  std::uint64_t link_retries() const { return network_.retries(); }
  Time now() const { return queue_.now(); }
  std::uint64_t events() const { return queue_.processed(); }
  const std::string& deadlock() const { return deadlock_; }

 private:
  enum class Advance : std::uint8_t { reached, ran_empty, until_reached, deadlock, interrupted };
  Advance advance(const std::function<bool()>& is_reached, Time limit);
  void show_progress();
  bool is_deadlocked();
  Ending run_to_end();
  Advance warm_up();
  void close_window();
  Ending finish(Advance how);
  void observe(net::Observer& observer);

  NetworkUnderTest under_test_;
  Workload workload_;
  Plan plan_;
  Pattern& pattern_;
  Ledger ledger_;
  net::EventQueue queue_;
  net::Network network_;
  Meter meter_;
  TrafficNodes traffic_nodes_;
  BlockingObserver blocking_;
  net::Observers observers_;
  net::PacketObservers packet_observers_;
  std::optional<faults::Outages> outages_;
  std::optional<faults::Remap> remap_;
  std::unique_ptr<net::HopTrace> trace_;
  std::unique_ptr<TimingNode> timing_node_;
  Progress* progress_ = nullptr;
  std::vector<net::ChannelStatistics> channels_;
  std::vector<net::ChannelUse> before_window_;  // of packets that hold a channel when it opens
  std::int64_t pool_most_flits_ = 0;
  std::int64_t spilled_ = 0;
  int senders_ = 0;
  bool has_settled_ = true;
  std::string deadlock_;
  std::uint64_t progress_seen_ = 0;
  std::uint64_t next_look_ = 0;
  std::uint64_t looks_ = 0;
  std::uint64_t instants_ = 0;
};

}  // namespace sanvp::traffic
