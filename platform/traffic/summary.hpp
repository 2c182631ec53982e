/// The headline results of a run, for the JSON and for a row of latency.csv. README.md defines each.
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/results.hpp"
#include "platform/faults/account.hpp"
#include "platform/traffic/load.hpp"
#include "platform/traffic/measurement.hpp"

namespace sanvp::traffic {

/// A run is not saturated if it accepts at least this share of the offered load (TIMING.md).
constexpr double least_accepted_share = 0.98;

/// A value that was not measured: an empty cell of a table, null in JSON, - in text.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Latency {
  double mean = unknown, p50 = unknown, p95 = unknown, p99 = unknown, max = unknown;
};

/// Messages of one class of a pattern.
struct ClassNumbers {
  std::int64_t messages = 0;  ///< measured and delivered
  double offered_MBps = 0, accepted_MBps = 0;
  Latency latency_ns;
};

struct ClassSummary : ClassNumbers {
  std::string name;
};

/// The part of a summary that is numbers alone, which another process can send as bytes.
struct SummaryNumbers {
  double load_fraction = 0;  ///< 0 if the load was given as a rate
  int senders = 0;
  int receivers = 0;                                     ///< nodes that received data in the window
  double offered_MBps = 0, accepted_MBps = 0;            ///< payload, all nodes
  double lost_MBps = 0;                                  ///< payload that was lost
  double offered_wire_MBps = 0, accepted_wire_MBps = 0;  ///< with headers
  Latency latency_ns;                                    ///< of messages, from generation
  double half_width_ns = 0;    ///< of the 95 % confidence interval of their mean; infinite if unknown
  Latency network_latency_ns;  ///< of packets, from injection
  std::int64_t messages = 0;   ///< measured and delivered
  std::int64_t packets = 0;
  std::int64_t undelivered = 0;        ///< measured messages
  std::int64_t lost = 0, corrupt = 0;  ///< measured packets
  std::int64_t unserved = 0;           ///< messages to nodes without a route
  double itbs_per_packet = unknown;
  std::int64_t pool_most_bytes = 0;  ///< in any NIC's in-transit pool at once
  std::int64_t spilled = 0;          ///< packets that a full pool spilled to its host's memory
  double source_queue_mean = 0;      ///< messages per sender
  double blocked_ns = unknown;       ///< effective, mean per packet
  double head_blocked_ns = unknown;
  double window_ns = 0;
  double warm_up_ns = 0;
  double sim_time_ns = 0;
  double cpu_time_s = 0;  ///< only for the JSON, because it differs between runs
  std::uint64_t events = 0;
  bool has_settled = true;
  bool has_drained = true;
  Ending ending = Ending::done;
  std::optional<CongestionTotals> congestion{};     ///< empty if no switch marks packets
  std::optional<faults::Account::Totals> faults{};  ///< if a plan of faults was given
};

struct Summary : SummaryNumbers {
  std::string load;                     ///< as requested; empty if the pattern sets its own pace
  std::vector<ClassSummary> classes{};  ///< if the pattern has some

  /// Whether part of the offered load does not arrive, for any reason. A search for saturation stays below such loads.
  bool is_refused() const { return accepted_MBps < least_accepted_share * offered_MBps; }
  /// Lost messages wait nowhere: if only they are missing, the network keeps up with the load.
  bool is_saturated() const { return accepted_MBps + lost_MBps < least_accepted_share * offered_MBps; }
  double accepted_per_node_MBps() const { return senders == 0 ? 0 : accepted_MBps / senders; }
  double offered_per_node_MBps() const { return senders == 0 ? 0 : offered_MBps / senders; }
  double accepted_per_receiver_MBps() const { return receivers == 0 ? 0 : accepted_MBps / receivers; }
  /// "deadlock", "until reached", "interrupted", "saturated", "packets lost" or "not saturated".
  std::string verdict() const;
};

/// @param load  null if the pattern sets its own pace
Summary summarize(const Measurement& run, const Load* load, Ending ending, double cpu_time_s);

nlohmann::ordered_json to_json(const Summary& summary);
/// latency.csv: a row per run.
Table latency_table(const std::vector<Summary>& runs);
/// classes.csv: a row per run and class.
Table class_table(const std::vector<Summary>& runs);
/// latency.csv as text for the terminal, and the classes.
std::string to_text(const std::vector<Summary>& runs);

}  // namespace sanvp::traffic
