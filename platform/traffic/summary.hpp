/// A run's headline numbers: what goes into the JSON and into a row of latency.csv. README.md defines each.
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/results.hpp"
#include "platform/faults/account.hpp"
#include "platform/traffic/load.hpp"
#include "platform/traffic/run.hpp"

namespace sanvp::traffic {

/// Accepted load of at least so much of the offered one is "not saturated" (TIMING.md).
constexpr double least_accepted_share = 0.98;

/// What is not known, since nothing was measured: an empty cell of a table, null in JSON, - in text.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Latency {
  double mean = unknown, p50 = unknown, p95 = unknown, p99 = unknown, max = unknown;
};

struct Summary {
  std::string load;          ///< as asked for; empty where the pattern has its own pace
  double load_fraction = 0;  ///< 0 where the load was given as a rate
  int senders = 0;
  int receivers = 0;                                     ///< nodes that received something in the window
  double offered_MBps = 0, accepted_MBps = 0;            ///< payload, all nodes
  double lost_MBps = 0;                                  ///< payload that got lost
  double offered_wire_MBps = 0, accepted_wire_MBps = 0;  ///< with headers
  Latency latency_ns;                                    ///< of messages, from generation
  double half_width_ns = 0;    ///< of the 95 % confidence interval of their mean; infinite where it is not known
  Latency network_latency_ns;  ///< of packets, from injection
  std::int64_t messages = 0;   ///< measured and delivered
  std::int64_t packets = 0;
  std::int64_t undelivered = 0;        ///< measured messages
  std::int64_t lost = 0, corrupt = 0;  ///< measured packets
  std::int64_t unserved = 0;           ///< messages to nodes that no route leads to
  double itbs_per_packet = unknown;
  std::int64_t pool_most_bytes = 0;  ///< in any NIC's in-transit pool at once
  std::int64_t spilled = 0;          ///< packets that such a pool had no room for, and its host's memory took
  double source_queue_mean = 0;      ///< messages per sender
  double blocked_ns = unknown;       ///< effective, mean per packet
  double head_blocked_ns = unknown;
  double window_ns = 0;
  double warm_up_ns = 0;
  double sim_time_ns = 0;
  double cpu_time_s = 0;  ///< for the JSON only: it differs from run to run
  std::uint64_t events = 0;
  bool has_settled = true;
  bool has_drained = true;
  Ending ending = Ending::done;
  std::optional<faults::Account::Totals> faults{};  ///< where something was to fail during the run

  /// What is offered and does not arrive, whatever the cause. A search for saturation stays below.
  bool is_refused() const { return accepted_MBps < least_accepted_share * offered_MBps; }
  /// What is lost waits nowhere: the network may keep up with the load all the same.
  bool is_saturated() const { return accepted_MBps + lost_MBps < least_accepted_share * offered_MBps; }
  double accepted_per_node_MBps() const { return senders == 0 ? 0 : accepted_MBps / senders; }
  double offered_per_node_MBps() const { return senders == 0 ? 0 : offered_MBps / senders; }
  double accepted_per_receiver_MBps() const { return receivers == 0 ? 0 : accepted_MBps / receivers; }
  /// "deadlock", "until reached", "saturated", "packets lost" or "not saturated".
  std::string verdict() const;
};

/// @param load  nothing where the pattern has its own pace
Summary summarize(const Run& run, const Load* load, Ending ending, double cpu_time_s);

nlohmann::ordered_json to_json(const Summary& summary);
/// latency.csv: a row for each run.
Table latency_table(const std::vector<Summary>& runs);
/// The same for people.
std::string to_text(const std::vector<Summary>& runs);

}  // namespace sanvp::traffic
