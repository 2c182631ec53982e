#include "platform/traffic/summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace sanvp::traffic {
namespace {

using Json = nlohmann::ordered_json;

constexpr double ps_per_ns = 1e3;

Latency in_ns_of(const Distribution& ps) {
  if (ps.count() == 0) return {};
  const auto percentile = [&](double percent) { return static_cast<double>(ps.percentile(percent)) / ps_per_ns; };
  return {ps.mean() / ps_per_ns, percentile(50), percentile(95), percentile(99),
          static_cast<double>(ps.most()) / ps_per_ns};
}

template <class Samples>
double mean_of(const Samples& samples) {
  return samples.count() == 0 ? unknown : samples.mean();
}

/// `bytes` in `span` as MB/s, which is bytes per microsecond.
double as_MBps(std::int64_t bytes, Time span) {
  constexpr double ps_per_us = 1e6;
  return span == Time{0} ? 0 : static_cast<double>(bytes) / (static_cast<double>(span.count()) / ps_per_us);
}

Json to_json(const Latency& ns) {
  return {{"mean", ns.mean}, {"p50", ns.p50}, {"p95", ns.p95}, {"p99", ns.p99}, {"max", ns.max}};
}

}  // namespace

std::string Summary::verdict() const {
  if (ending == Ending::deadlock) return "deadlock";
  if (ending == Ending::until_reached) return "until reached";
  if (ending == Ending::interrupted) return "interrupted";
  if (is_saturated()) return "saturated";
  return lost > 0 ? "packets lost" : "not saturated";
}

Summary summarize(const Measurement& run, const Load* load, Ending ending, double cpu_time_s) {
  const Meter& meter = run.meter();
  Summary all;
  if (load != nullptr) {
    all.load = load->to_text();
    all.load_fraction = load->payload_rate_Bps > 0 ? 0 : load->fraction;
  }
  all.senders = run.senders();
  NodeTotals sum;
  for (const NodeTotals& node : meter.nodes()) {
    sum.offered_bytes += node.offered_bytes;
    sum.offered_wire_bytes += node.offered_wire_bytes;
    sum.accepted_bytes += node.accepted_bytes;
    sum.lost_bytes += node.lost_bytes;
    sum.accepted_wire_bytes += node.accepted_wire_bytes;
    all.receivers += node.received_bytes > 0 ? 1 : 0;
    all.source_queue_mean += node.source_queue_mean;
  }
  if (all.senders > 0) all.source_queue_mean /= all.senders;
  const Time window = meter.window();
  all.offered_MBps = as_MBps(sum.offered_bytes, window);
  all.accepted_MBps = as_MBps(sum.accepted_bytes, window);
  all.lost_MBps = as_MBps(sum.lost_bytes, window);
  all.offered_wire_MBps = as_MBps(sum.offered_wire_bytes, window);
  all.accepted_wire_MBps = as_MBps(sum.accepted_wire_bytes, window);
  all.latency_ns = in_ns_of(meter.latency_ps());
  all.half_width_ns = meter.latency_estimate_ps().half_width / ps_per_ns;
  all.network_latency_ns = in_ns_of(meter.network_latency_ps());
  all.messages = static_cast<std::int64_t>(meter.latency_ps().count());
  all.packets = meter.packets_delivered();
  all.undelivered = meter.messages_outstanding();
  all.lost = meter.packets_lost();
  all.corrupt = meter.packets_corrupt();
  all.unserved = run.unserved();
  all.itbs_per_packet = mean_of(meter.in_transit_hosts());
  all.pool_most_bytes = run.pool_most_bytes();
  all.spilled = run.spilled();
  all.blocked_ns = mean_of(meter.blocked_ps()) / ps_per_ns;
  all.head_blocked_ns = mean_of(meter.head_blocked_ps()) / ps_per_ns;
  for (std::size_t i = 0; i < meter.classes().size(); ++i) {
    const ClassTotals& one = meter.classes()[i];
    all.classes.push_back({{static_cast<std::int64_t>(one.latency_ps.count()), as_MBps(one.offered_bytes, window),
                            as_MBps(one.accepted_bytes, window), in_ns_of(one.latency_ps)},
                           run.classes()[i]});
  }
  all.window_ns = in_ns(window);
  all.warm_up_ns = in_ns(meter.opened());
  all.sim_time_ns = in_ns(run.now());
  all.cpu_time_s = cpu_time_s;
  all.events = run.events();
  all.has_settled = run.has_settled();
  all.has_drained = run.has_drained();
  all.ending = ending;
  all.congestion = run.congestion();
  if (run.outages() != nullptr) all.faults = run.outages()->account().totals();
  return all;
}

Json to_json(const Summary& all) {
  Json json = {{"verdict", all.verdict()},
               {"load", all.load},
               {"offered_MBps", all.offered_MBps},
               {"offered_per_node_MBps", all.offered_per_node_MBps()},
               {"offered_wire_MBps", all.offered_wire_MBps},
               {"accepted_MBps", all.accepted_MBps},
               {"accepted_per_node_MBps", all.accepted_per_node_MBps()},
               {"accepted_per_receiver_MBps", all.accepted_per_receiver_MBps()},
               {"accepted_wire_MBps", all.accepted_wire_MBps},
               {"latency_ns", to_json(all.latency_ns)},
               {"latency_half_width_ns", nullptr},
               {"network_latency_ns", to_json(all.network_latency_ns)},
               {"packets", all.packets},
               {"messages", all.messages},
               {"undelivered_messages", all.undelivered},
               {"lost_packets", all.lost},
               {"corrupt_packets", all.corrupt},
               {"unserved_messages", all.unserved},
               {"itbs_per_packet", all.itbs_per_packet},
               {"in_transit_pool_most_bytes", all.pool_most_bytes},
               {"in_transit_spilled_packets", all.spilled},
               {"blocked_ns_per_packet", all.blocked_ns},
               {"head_blocked_ns_per_packet", all.head_blocked_ns},
               {"source_queue_messages", all.source_queue_mean},
               {"senders", all.senders},
               {"receivers", all.receivers},
               {"settled", all.has_settled},
               {"drained", all.has_drained},
               {"warm_up_ns", all.warm_up_ns},
               {"window_ns", all.window_ns},
               {"sim_time_ns", all.sim_time_ns},
               {"cpu_time_s", all.cpu_time_s},
               {"events", all.events}};
  if (std::isfinite(all.half_width_ns)) json["latency_half_width_ns"] = all.half_width_ns;
  for (const ClassSummary& one : all.classes)
    json["classes"].push_back({{"class", one.name},
                               {"messages", one.messages},
                               {"offered_MBps", one.offered_MBps},
                               {"accepted_MBps", one.accepted_MBps},
                               {"latency_ns", to_json(one.latency_ns)}});
  if (all.congestion)
    json["congestion"] = {{"marked_packets", all.congestion->marked}, {"notifications", all.congestion->notifications}};
  if (all.faults) json["faults"] = faults::to_json(*all.faults);
  return json;
}

Table latency_table(const std::vector<Summary>& runs) {
  Table table({"load", "offered_per_node_MBps", "accepted_per_node_MBps", "offered_MBps", "accepted_MBps",
               "latency_mean_ns", "latency_half_width_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns",
               "latency_max_ns", "network_latency_mean_ns", "network_latency_p99_ns", "packets", "itbs_per_packet",
               "settled", "drained", "verdict"});
  for (const Summary& one : runs) {
    const Latency& ns = one.latency_ns;
    table.add({one.load, one.offered_per_node_MBps(), one.accepted_per_node_MBps(), one.offered_MBps, one.accepted_MBps,
               ns.mean, one.half_width_ns, ns.p50, ns.p95, ns.p99, ns.max, one.network_latency_ns.mean,
               one.network_latency_ns.p99, one.packets, one.itbs_per_packet,
               std::string(one.has_settled ? "yes" : "no"), std::string(one.has_drained ? "yes" : "no"),
               one.verdict()});
  }
  return table;
}

Table class_table(const std::vector<Summary>& runs) {
  Table table({"load", "class", "messages", "offered_MBps", "accepted_MBps", "latency_mean_ns", "latency_p50_ns",
               "latency_p95_ns", "latency_p99_ns", "latency_max_ns"});
  for (const Summary& run : runs)
    for (const ClassSummary& one : run.classes) {
      const Latency& ns = one.latency_ns;
      table.add({run.load, one.name, one.messages, one.offered_MBps, one.accepted_MBps, ns.mean, ns.p50, ns.p95, ns.p99,
                 ns.max});
    }
  return table;
}

/// "3 packets lost, 1 message not delivered": problems with messages, or empty.
std::string troubles(const Summary& one) {
  std::string text;
  const auto add = [&](std::int64_t count, const char* what, const char* fate) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what + (count == 1 ? " " : "s ") + fate;
  };
  add(one.lost, "packet", "lost");
  add(one.corrupt, "packet", "corrupt");
  add(one.undelivered, "message", "not delivered");
  add(one.unserved, "message", "without a route");
  add(one.spilled, "packet", "in transit sent on to hosts' memory by full pools");
  return text;
}

/// Says of a verdict that the messages under way at both ends of a short window can make it, and the cure; or nothing.
std::string doubt(const Summary& one) {
  constexpr double deviations = 3;
  if (!one.is_saturated() || !one.has_settled || !one.has_drained) return "";
  const auto messages = static_cast<double>(one.messages);
  const double missing = messages * (1 - (one.accepted_MBps + one.lost_MBps) / one.offered_MBps);
  const double under_way = messages * one.latency_ns.mean / one.window_ns;  // Little's law
  if (!(missing < deviations * std::sqrt(2 * under_way))) return "";
  return fmt::format(
      "`saturated` may be chance: {:.0f} of {} messages fewer than offered were delivered in the window, at whose ends "
      "some {:.0f} are under way; a larger --packets makes sure\n",
      missing, one.messages, under_way);
}

std::string to_text(const std::vector<Summary>& runs) {
  std::string text = fmt::format("{:>9} {:>14} {:>15} {:>12} {:>12} {:>12} {:>12} {:>9}  {}\n", "load", "offered MB/s",
                                 "accepted MB/s", "latency ns", "+- ns", "p99 ns", "network ns", "packets", "");
  bool all_drained = true;
  std::string lacks;
  for (const Summary& one : runs) {
    const auto ns = [](double value) { return std::isfinite(value) ? fmt::format("{:.1f}", value) : "-"; };
    text +=
        fmt::format("{:>9} {:>14.3f} {:>15.3f} {:>12} {:>12} {:>12} {:>12} {:>9}  {}{}\n",
                    one.load.empty() ? "own pace" : one.load, one.offered_per_node_MBps(), one.accepted_per_node_MBps(),
                    ns(one.latency_ns.mean), ns(one.half_width_ns), ns(one.latency_ns.p99),
                    ns(one.network_latency_ns.mean), one.packets, one.verdict(), one.has_drained ? "" : " *");
    all_drained &= one.has_drained;
    if (const std::string trouble = troubles(one); !trouble.empty())
      lacks += (runs.size() > 1 ? one.load + ": " : "of what was measured: ") + trouble + "\n";
    if (one.faults) lacks += (runs.size() > 1 ? one.load + ": " : "") + faults::to_text(*one.faults);
    if (const std::string chance = doubt(one); !chance.empty())
      lacks += (runs.size() > 1 ? one.load + ": " : "") + chance;
  }
  for (const Summary& run : runs)
    for (const ClassSummary& one : run.classes)
      text += fmt::format(
          "class {}{}: {} messages, {:.3f} of {:.3f} MB/s accepted in all, latency {:.1f} ns, p50 {:.1f}, p99 {:.1f}\n",
          one.name, runs.size() > 1 ? " at load " + run.load : "", one.messages, one.accepted_MBps, one.offered_MBps,
          one.latency_ns.mean, one.latency_ns.p50, one.latency_ns.p99);
  for (const Summary& run : runs)
    if (run.congestion)
      text += fmt::format("congestion{}: {} packets marked, {} notifications\n",
                          runs.size() > 1 ? " at load " + run.load : "", run.congestion->marked,
                          run.congestion->notifications);
  text += lacks;
  if (!all_drained)
    text += "* the run ended before all measured messages were delivered: the longest latencies are missing\n";
  return text + "(loads per sending node, payload; latency from generation with its 95 % confidence interval)\n";
}

}  // namespace sanvp::traffic
