#include "platform/commands/traffic_results.hpp"

#include <fmt/format.h>

#include "platform/core/parameters.hpp"
#include "platform/traffic/tables.hpp"

namespace sanvp::commands {
namespace {

using Json = nlohmann::ordered_json;
using traffic::Saturation;
using traffic::Summary;

constexpr double ps_per_ns = 1e3;

/// The headline run: the highest accepted load of a search for saturation, otherwise the last run.
const Summary& headline(const std::vector<Summary>& runs, const Saturation* saturation) {
  return saturation != nullptr && saturation->highest ? *saturation->highest : runs.back();
}

Json row(const Summary& one) {
  return {{"load", one.load},
          {"offered_per_node_MBps", one.offered_per_node_MBps()},
          {"accepted_per_node_MBps", one.accepted_per_node_MBps()},
          {"accepted_MBps", one.accepted_MBps},
          {"latency_mean_ns", one.latency_ns.mean},
          {"verdict", one.verdict()}};
}

const char* status(traffic::Ending ending) {
  switch (ending) {
    case traffic::Ending::done:
      return "done";
    case traffic::Ending::deadlock:
      return "deadlock";
    case traffic::Ending::interrupted:
      return "interrupted";
    case traffic::Ending::until_reached:
      break;
  }
  return "until reached";
}

std::string to_text(const Saturation& found) {
  if (!found.highest) return "saturation: none of the loads was accepted\n";
  const Summary& at = *found.highest;
  return fmt::format("saturation: {} of the link rate, {:.3f} MB/s per node accepted, {:.1f} MB/s in all{}\n", at.load,
                     at.accepted_per_node_MBps(), at.accepted_MBps,
                     found.least_refused == 0 ? " (the highest load tried; raise it with -s traffic.highest)"
                                              : fmt::format(" ({} was refused)", real_to_text(found.least_refused)));
}

}  // namespace

TrafficResults::TrafficResults(const Invocation& invocation, const Machine& machine, const ParameterSet& parameters)
    : invocation_(invocation), machine_(machine), folder_(invocation, machine.parameters().with(parameters)) {}

std::map<std::string, std::string> TrafficResults::tables(const traffic::Measurement& run,
                                                          const traffic::Spy* spy) const {
  std::map<std::string, std::string> tables;
  if (!folder_.is_wanted()) return tables;
  tables["congestion"] = traffic::congestion_table(run).csv();
  tables["links"] = traffic::link_table(run).csv();
  tables["nodes"] = traffic::node_table(run).csv();
  tables["histogram"] = histogram_table(run.meter().latency_ps(), "ns", ps_per_ns).csv();
  tables["stats"] = traffic::statistics(run).table().csv();
  if (const auto& series = run.meter().series(); series.is_kept()) tables["series"] = series.table().csv();
  if (spy != nullptr) tables["spy"] = spy->table().csv();
  if (const auto* timing = run.timing_node(); timing != nullptr && !timing->probes().empty())
    tables["probes"] = timing->table().csv();
  if (run.outages() != nullptr)
    tables["faults"] = faults::table(run.outages()->account(), machine_.format().flit_bytes).csv();
  return tables;
}

void TrafficResults::write_so_far(const std::vector<Summary>& runs) const {
  folder_.write("latency", traffic::latency_table(runs));
}

double TrafficResults::payload_load(const Summary& one) const {
  constexpr double bytes_per_MB = 1e6;
  return one.accepted_per_node_MBps() * bytes_per_MB / machine_.link_rate();
}

void TrafficResults::write(const std::vector<Summary>& runs, const Saturation* saturation, const std::string& message) {
  const Summary& main = headline(runs, saturation);
  Json json = {{"machine", machine_.name()}, {"pattern", invocation_.text("pattern")}};
  json.update(traffic::to_json(main));
  if (saturation != nullptr) {
    json["saturation"] = {
        {"found", saturation->highest.has_value()},
        {"load", saturation->highest ? Json(saturation->highest->load_fraction) : Json(nullptr)},
        {"payload_load", saturation->highest ? Json(payload_load(*saturation->highest)) : Json(nullptr)},
        {"least_refused_load", saturation->least_refused}};
  }
  if (runs.size() > 1) {
    json["cpu_time_s"] = 0.0;
    json["events"] = 0;
    double cpu_time_s = 0;
    std::uint64_t events = 0;
    for (const Summary& one : runs) {
      cpu_time_s += one.cpu_time_s;
      events += one.events;
      json["runs"].push_back(row(one));
    }
    json["cpu_time_s"] = cpu_time_s;
    json["events"] = events;
  }
  json["status"] = status(runs.back().ending);
  folder_.write("latency", traffic::latency_table(runs));
  if (!main.classes.empty()) folder_.write("classes", traffic::class_table(runs));
  for (const auto& [name, csv] : tables_) folder_.write_text(name + ".csv", csv);
  folder_.ended(status(runs.back().ending), Time{static_cast<std::int64_t>(runs.back().sim_time_ns * ps_per_ns)},
                message);
  invocation_.print(traffic::to_text(runs) + (saturation != nullptr ? to_text(*saturation) : ""));
  invocation_.write_json(json);
}

}  // namespace sanvp::commands
