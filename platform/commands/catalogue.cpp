#include "platform/commands/catalogue.hpp"

#include <array>

#include "models/cpu/costs/cpu_part.hpp"
#include "models/host/settings.hpp"
#include "models/net/marking.hpp"
#include "models/net/policy.hpp"
#include "models/nic/card/register_map.hpp"
#include "models/nic/part.hpp"
#include "models/switches/part.hpp"
#include "platform/commands/traffic_program.hpp"
#include "platform/core/parameters.hpp"
#include "platform/jobs/apps.hpp"
#include "platform/machine/machine.hpp"
#include "platform/traffic/pattern.hpp"
#include "topologies/parts.hpp"

namespace sanvp::commands {
namespace {

using topologies::Graph;

/// Visits every kind of part with its section and a function that builds one from defaults. Routings need a network,
/// which `graph` provides.
template <class Visit>
void for_each_kind(Visit visit) {
  visit(Registry<topologies::TopologyPart>::all(), "topology",
        [](const topologies::TopologyPart& part, const Parameters& parameters) { part.build(parameters, 1); });
  visit(Registry<topologies::RoutingPart>::all(), "routing",
        [](const topologies::RoutingPart& part, const Parameters& parameters) {
          // A routing supports only some families: the first topology that it accepts shows its parameters.
          std::string refusal;
          for (const auto& [name, topology] : Registry<topologies::TopologyPart>::all()) {
            try {
              ParameterSet defaults;
              const Graph graph = topology.build({defaults, "topology"}, 1);
              part.build(graph, parameters, 1);
              return;
            } catch (const UserError& error) {
              refusal = error.what();
            }
          }
          throw UserError(part.name, refusal);
        });
  visit(Registry<switches::SwitchPart>::all(), "switch",
        [](const switches::SwitchPart& part, const Parameters& parameters) { part.build(parameters); });
  const auto build_policy = [](const auto& part, const Parameters& parameters) { part.build(parameters); };
  visit(Registry<net::ArbitrationPart>::all(), "switch", build_policy);
  visit(Registry<net::OutputSelectionPart>::all(), "switch", build_policy);
  visit(Registry<net::VcSelectionPart>::all(), "switch", build_policy);
  visit(Registry<net::MarkingPart>::all(), "switch",
        [](const net::MarkingPart& part, const Parameters& parameters) { part.build(parameters, 1); });
  visit(Registry<nic::PortSelectionPart>::all(), "nic", build_policy);
  visit(Registry<cpu::CpuPart>::all(), "host",
        [](const cpu::CpuPart& part, const Parameters& host) { host::read_cpu(host.section("cpu"), part); });
  visit(Registry<nic::NicPart>::all(), "nic",
        [](const nic::NicPart& part, const Parameters& parameters) { part.build(parameters, 1); });
  visit(Registry<nic::RouteSelectionPart>::all(), "nic", build_policy);
  visit(Registry<nic::CongestionControlPart>::all(), "nic", build_policy);
}

template <class Part>
void append(const std::map<std::string, Part>& parts, std::vector<Entry>& entries) {
  for (const auto& [name, part] : parts) entries.push_back({name, Part::kind(), part.summary});
}

/// The default graph that patterns are described on.
Graph small_network() {
  ParameterSet defaults;
  return Registry<topologies::TopologyPart>::get("fat_tree", "describe").build({defaults, "topology"}, 1);
}

}  // namespace

std::vector<Entry> catalogue(const std::string& category) {
  std::vector<Entry> entries;
  if (category == "machines")
    for (const std::string& name : machine_names()) {
      const ParameterSet file = ParameterSet::from_file(find_machine_file(name));
      const auto* summary = file.find("machine.summary");
      entries.push_back({name, "machine", summary == nullptr ? "" : summary->text});
    }
  if (category == "apps")
    for (const jobs::App& app : jobs::apps()) entries.push_back({app.name, "app", app.summary});
  if (category == "patterns") {
    append(Registry<traffic::PatternPart>::all(), entries);
    append(Registry<TrafficProgram>::all(), entries);
  }
  if (category == "parts") for_each_kind([&](const auto& parts, const char*, auto) { append(parts, entries); });
  return entries;
}

std::vector<Description> describe_parts(const std::string& name) {
  std::vector<Description> found;
  const auto describe = [&](const auto& parts, const char* section, auto build) {
    const auto part = parts.find(name);
    if (part == parts.end()) return;
    using Part = std::decay_t<decltype(part->second)>;
    Description& description = found.emplace_back(Description{{name, Part::kind(), part->second.summary}, {}});
    const auto& maps = Registry<nic::RegisterMapPart>::all();
    if (const auto map = maps.find(name); map != maps.end() && map->second.part_kind == Part::kind())
      description.registers = &map->second.table();
    try {
      build(part->second, Parameters(description.parameters, section));
    } catch (const UserError& error) {
      // Some parts cannot be built from defaults alone (a file does not exist); the parameters read before that are
      // declared.
      description.note = error.what();
    }
  };
  for_each_kind(describe);
  describe(Registry<traffic::PatternPart>::all(), "pattern",
           [](const traffic::PatternPart& part, const Parameters& parameters) {
             const Graph graph = small_network();
             part.build({graph, parameters});
           });
  describe(Registry<TrafficProgram>::all(), "traffic", [](const TrafficProgram&, const Parameters&) {});
  return found;
}

}  // namespace sanvp::commands
