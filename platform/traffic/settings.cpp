#include "platform/traffic/settings.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::traffic {
namespace {

constexpr const char* explained_in = "platform/traffic/README.md";

/// One full packet, but not longer than the short messages of the studies.
std::int64_t usual_bytes(const nic::PacketFormat& format) {
  constexpr std::int64_t without_limit = 64;  // the standard packet of the Macramé paper
  constexpr std::int64_t most = 512;          // the longer message of the Myrinet paper
  return format.most_payload == 0 ? without_limit : std::min(format.most_payload, most);
}

Arrivals read_arrivals(const Parameters& parameters) {
  const auto law = parameters.choice("arrivals", "exponential", {"constant", "exponential", "uniform", "on-off"},
                                     "Distribution of the intervals between a node's messages.", explained_in);
  return law == "constant"  ? Arrivals::constant
         : law == "uniform" ? Arrivals::uniform
         : law == "on-off"  ? Arrivals::on_off
                            : Arrivals::exponential;
}

Bursts read_bursts(const Parameters& parameters) {
  constexpr const char* source =
      "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 24";
  Bursts bursts;
  bursts.messages =
      parameters.real("burst", bursts.messages, "Arrivals on-off: mean number of messages in a burst.", source, 1, 1e9);
  bursts.duty = parameters.real("duty", bursts.duty, "Arrivals on-off: intervals in a burst, as a share of the mean.",
                                source, 1e-6, 1);
  return bursts;
}

Plan read_plan(const Parameters& parameters, Pattern::Extent extent) {
  Plan plan;
  const bool ends = extent == Pattern::Extent::finite;
  constexpr std::int64_t most_packets = 1'000'000'000;
  plan.packets = parameters.count("packets", ends ? 0 : plan.packets,
                                  "Packets to measure, then stop; 0: all packets of a pattern that ends by itself.",
                                  explained_in, ends ? 0 : 1, most_packets);
  const auto warm_up =
      parameters.text("warmup", "auto", "Time before the measuring window, or auto: detected (MSER-5).", explained_in);
  if (warm_up != "auto") plan.warm_up = parse_time(warm_up, parameters.place("warmup"));
  plan.drains =
      parameters.flag("drain", true, "Continue until all measured messages are delivered, for at most three windows.",
                      "so that the longest latencies are not missing");
  return plan;
}

int read_node(const Parameters& parameters, std::string_view name, int fallback, const char* what, int nodes) {
  return static_cast<int>(
      parameters.count(name, fallback, what, "Macramé paper, section 3.1", 0, std::max(0, nodes - 1)));
}

TimingNodeSettings read_timing_node(const Parameters& parameters, const NetworkUnderTest& under_test) {
  TimingNodeSettings settings;
  const int nodes = under_test.nodes();
  settings.interval =
      parameters.time("probe-interval", Time{0}, "Interval between a timing node's packets; 0: no timing node.",
                      "Macramé paper, section 3.1");
  settings.source = read_node(parameters, "probe-source", 0, "The node that sends the probes.", nodes);
  settings.destination =
      read_node(parameters, "probe-destination", std::max(0, nodes - 1), "The node that receives them.", nodes);
  settings.bytes = parameters.size("probe-bytes", usual_bytes(under_test.format), "Payload of its packets.",
                                   "one packet of the usual length");
  if (settings.bytes < 1 || settings.bytes > most_message_bytes)
    throw UserError(parameters.place("probe-bytes"), size_to_text(settings.bytes) + " is not a message length",
                    "choose 1B to 1GiB");
  if (settings.interval > Time{0} && (settings.source == settings.destination ||
                                      under_test.routing.alternatives(settings.source, settings.destination) == 0))
    throw UserError(parameters.place("probe-destination"), "no route from the timing node leads there",
                    "name another node");
  if (settings.interval > Time{0}) {
    if (const Time least = wire_time(under_test, settings.source, settings.bytes); settings.interval < least)
      throw UserError(parameters.place("probe-interval"),
                      in_quotes(to_text(settings.interval)) + " is less than the " + to_text(least) +
                          " that a probe occupies its link: ever more of them would wait",
                      "give at least that");
  }
  return settings;
}

/// A pattern at its own pace has no load that could be searched for or swept.
void require_load(const Parameters& parameters, const Settings& settings, const Pattern& pattern) {
  if (pattern.pace() == Pattern::Pace::load) return;
  const std::string cause = "this pattern sets its own pace, whatever the load";
  const std::string cure = "leave it out, or choose a pattern that follows --load, such as uniform";
  if (settings.finds_saturation) throw UserError(parameters.place("saturation"), cause, cure);
  if (settings.loads.size() > 1 || !settings.loads.front().steps.empty())
    throw UserError(parameters.place("load"), cause, cure);
}

}  // namespace

Settings Settings::read(const Parameters& parameters, const NetworkUnderTest& under_test, const Pattern& pattern) {
  const Pattern::Extent extent = pattern.extent();
  const auto bytes = parameters.text("bytes", size_to_text(usual_bytes(under_test.format)),
                                     "Payload of messages: N, uniform:A:B, exp:MEAN, bimodal:A:B:P (B with "
                                     "probability P) or cdf:FILE (lines BYTES SHARE).",
                                     explained_in);
  const auto load = parameters.text("load", "0.1",
                                    "Fraction of the link rate (all bytes on the wire count), payload per node "
                                    "(120MB/s), a load that changes (0.1,0.5@3ms), or a sweep of either, "
                                    "FIRST:LAST:STEP.",
                                    explained_in);
  Settings settings{.loads = Load::parse_sweep(load, parameters.place("load")),
                    .workload = {.sizes = MessageSizes::parse(bytes, parameters.place("bytes"))},
                    .plan = read_plan(parameters, extent),
                    .timing_node = read_timing_node(parameters, under_test),
                    .spy = {}};
  settings.workload.arrivals = read_arrivals(parameters);
  if (settings.workload.arrivals == Arrivals::on_off) settings.workload.bursts = read_bursts(parameters);
  settings.plan.series =
      parameters.time("series", Time{0}, "Width of the intervals of series.csv, the traffic over time; 0: none.",
                      "Myrinet paper, figure 7");
  constexpr std::int64_t request_bytes = 16;
  settings.workload.request_bytes = parameters.size("request-bytes", request_bytes,
                                                    "Payload of the packet that asks for data.", "address and length");
  if (settings.workload.request_bytes < 1 || settings.workload.request_bytes > most_message_bytes)
    throw UserError(parameters.place("request-bytes"),
                    size_to_text(settings.workload.request_bytes) + " is not a message length", "choose 1B to 1GiB");
  settings.finds_saturation =
      parameters.flag("saturation", false, "Find the largest load that is accepted.", "TIMING.md: 0.98 of the offered");
  settings.resolution =
      parameters.real("resolution", settings.resolution, "Accuracy of the saturation, as a share of the link rate.",
                      "half of what accepted and offered load may differ", 1e-4, 1);
  settings.highest_load = parameters.real("highest", settings.highest_load,
                                          "The search for saturation begins at this load.", "the link rate", 1e-3, 10);
  settings.spy.channel =
      parameters.text("spy", "", "List the packets that pass the channel of this name.", "Macramé paper, section 3.1");
  settings.spy.place = parameters.place("spy");
  settings.spy.from = parameters.time("spy-from", Time{0}, "Start of the spy's recording.", "a choice");
  const auto until = parameters.text("spy-until", "never", "End of the spy's recording.", "a choice");
  settings.spy.until = until == "never" ? never : parse_time(until, parameters.place("spy-until"));
  if (extent != Pattern::Extent::steady && settings.finds_saturation)
    throw UserError(parameters.place("saturation"), "this pattern has no steady state, so it has no saturation",
                    "choose an endless pattern, such as uniform");
  require_load(parameters, settings, pattern);
  if (!settings.loads.front().steps.empty()) {
    if (extent != Pattern::Extent::steady || settings.finds_saturation)
      throw UserError(parameters.place("load"), "a load that changes has no steady state",
                      "use it with an endless pattern and without --saturation");
    if (!settings.plan.warm_up) settings.plan.warm_up = Time{0};  // nothing to detect: the whole run is measured
  }
  return settings;
}

const std::vector<OptionHelp>& option_help() {
  static const std::vector<OptionHelp> options{
      {"load", "LOAD",
       "fraction of the link rate (0.5), payload per node (120MB/s), changing (0.1,0.5@3ms) or sweep (0.1:0.9:0.1)"},
      {"bytes", "SIZES", "payload of messages: N, uniform:A:B, exp:MEAN, bimodal:A:B:P (P of B) or cdf:FILE"},
      {"packets", "N", "packets to measure, then stop"},
      {"arrivals", "constant|exponential|uniform|on-off", "law of the intervals between messages"},
      {"warmup", "TIME", "before the measurement, or auto"},
      {"resolution", "SHARE", "of --saturation, as a share of the link rate"},
      {"spy", "CHANNEL", "list the packets that pass this channel (spy.csv)"},
      {"probe-interval", "TIME", "a timing node's packets, one per interval (probes.csv)"},
      {"probe-source", "NODE", "where the timing node is"},
      {"probe-destination", "NODE", "where its packets go"}};
  return options;
}

}  // namespace sanvp::traffic
