/// `sanvp network`: the parts of a machine's network with their numbers, for people and for `sanvp draw`.
#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "platform/commands/command.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "topologies/connected.hpp"
#include "topologies/export.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

using Json = nlohmann::ordered_json;
using topologies::End;
using topologies::Graph;

constexpr double ps_per_ns = 1e3;
constexpr int bits_per_byte = 8;

void options(po::options_description_easy_init add) {
  add_network_files(add);
  add("route", po::value<std::vector<std::string>>()->composing()->value_name("SRC,DST"),
      "add the routes from host SRC to host DST (repeat for more)");
}

double ns(Time time) { return static_cast<double>(time.count()) / ps_per_ns; }

double rate_MBps(const net::ChannelRules& rules) {
  constexpr double ps_per_us = 1e6;
  return rules.flit_bits / static_cast<double>(bits_per_byte) / static_cast<double>(rules.flit_time.count()) *
         ps_per_us;
}

Json flow_json(const net::FlowControl& flow) {
  if (const auto* rule = std::get_if<net::StopGo>(&flow))
    return {{"kind", "STOP/GO"},
            {"buffer_flits", rule->buffer},
            {"stop", rule->stop},
            {"go", rule->go},
            {"signal_delay_ns", ns(rule->signal_delay)}};
  const auto& rule = std::get<net::Credits>(flow);
  return {{"kind", "credits"},
          {"buffer_flits", rule.buffer},
          {"batch", rule.batch},
          {"return_delay_ns", ns(rule.return_delay)},
          {"token_ns", ns(rule.token_time)}};
}

Json rules_json(const net::ChannelRules& rules) {
  return {{"rate_MBps", rate_MBps(rules)},
          {"flit_bits", rules.flit_bits},
          {"flit_ns", ns(rules.flit_time)},
          {"tail_ns", ns(rules.tail_time)},
          {"delay_ns", ns(rules.delay)},
          {"tail_lead_ns", ns(rules.tail_lead)},
          {"wire_ns", ns(rules.wire)},
          {"virtual_channels", rules.virtual_channels},
          {"flow_control", flow_json(rules.flow)}};
}

/// [0, n, port] is host n, [1, n, port] switch n, or an output buffer behind the switches.
Json terminal_json(const net::Terminal& end) {
  return {end.kind == net::Terminal::Kind::nic ? 0 : 1, end.unit, end.port};
}

/// The channels of the graph, and those inside switches. Equal rules are listed once.
void add_channels(const Machine& machine, Json& json) {
  std::vector<net::ChannelRules> known;
  Json& channels = json["channels"] = Json::array();
  Json& rules = json["rules"] = Json::array();
  for (const auto& channel : machine.wiring().channels) {
    auto found = std::find(known.begin(), known.end(), channel.rules);
    if (found == known.end()) {
      found = known.insert(known.end(), channel.rules);
      rules.push_back(rules_json(channel.rules));
    }
    channels.push_back({{"name", channel.name},
                        {"from", terminal_json(channel.from)},
                        {"to", terminal_json(channel.to)},
                        {"rules", found - known.begin()}});
  }
}

void add_units(const Machine& machine, Json& json) {
  for (const auto& nic : machine.wiring().nics) json["units"]["hosts"].push_back(nic.name);
  for (const auto& unit : machine.wiring().switches) json["units"]["switches"].push_back(unit.name);
}

/// The parameters of links and switches with their sources.
void add_sources(const Machine& machine, Json& json) {
  Json& sources = json["parameters"] = Json::array();
  for (const auto& [key, one] : machine.parameters().declared())
    if (key.starts_with("link.") || key.starts_with("switch."))
      sources.push_back({{"key", key},
                         {"value", one.value},
                         {"documentation", one.documentation},
                         {"source", one.source},
                         {"place", one.place}});
}

/// Follows steps over every port that they permit. @return channels, a list for each step, the injection channel first
Json channels_of(const Graph& graph, int source, int port, std::span<const topologies::Step> steps) {
  const int first = graph.channel_from(End::host(source, port));
  if (first < 0) return Json::array();
  Json layers = Json::array({Json::array({first})});
  std::vector<int> reached{first};
  for (const topologies::Step& step : steps) {
    std::vector<int> next;
    for (const int channel : reached) {
      End at = graph.channel_target(channel);
      // After an in-transit host the next step is that of its switch again.
      if (at.is_host()) {
        const int back = graph.channel_from(at);
        if (back < 0) continue;
        next.push_back(back);
        at = graph.channel_target(back);
      }
      if (!at.is_switch()) continue;
      for (int i = 0; i < step.ports; ++i)
        if (const int out = graph.channel_from(End::switch_(at.index, step.port + i)); out >= 0) next.push_back(out);
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layers.push_back(next);
    std::erase_if(next, [&](int channel) {
      const End from = graph.channel_source(channel);
      return from.is_host();
    });
    reached = std::move(next);
  }
  return layers;
}

/// A channel that a relation permits at some hop, by whatever way a packet came there.
struct Permitted {
  topologies::VcSet vcs = 0;
  int rank = 0;        ///< the lowest one with which it is permitted
  bool escape = true;  ///< it is permitted as an escape only
};

/// Follows a relation over all that it permits. @return channels by hop, those of shorter ways first
std::vector<std::map<int, Permitted>> channels_of(const Machine& machine, const topologies::Relation& relation,
                                                  int source, int destination, const topologies::Route& route) {
  struct Place {
    int channel;
    int vc;
    std::uint32_t state;
    auto operator<=>(const Place&) const = default;
  };
  const Graph& graph = machine.working_graph();
  const int first = graph.channel_from(End::host(source, route.source_port));
  std::vector<std::map<int, Permitted>> hops;
  if (first < 0) return hops;
  hops.push_back({{first, {.vcs = 1, .escape = false}}});
  std::set<Place> seen{{first, 0, route.state}};
  std::vector<topologies::Candidate> candidates;
  for (std::vector<Place> at(seen.begin(), seen.end()); !at.empty();) {
    std::map<int, Permitted> permitted;
    std::vector<Place> next;
    for (const Place& place : at) {
      const End end = graph.channel_target(place.channel);
      if (!end.is_switch()) continue;
      candidates.clear();
      relation.candidates(
          {.switch_ = end.index, .in_port = end.port, .vc = place.vc, .destination = destination, .state = place.state},
          candidates);
      for (const topologies::Candidate& candidate : candidates)
        for (int port = candidate.port; port < candidate.port + candidate.ports; ++port) {
          const int out = graph.channel_from(End::switch_(end.index, port));
          if (out < 0) continue;
          const int virtual_channels = machine.wiring().channels[out].rules.virtual_channels;
          const auto existing = topologies::vc_set(0, static_cast<std::uint8_t>(virtual_channels));
          const topologies::VcSet vcs = topologies::vc_set(candidate.vc, candidate.vcs) & existing;
          const auto [found, is_new] = permitted.try_emplace(out, Permitted{.rank = candidate.rank});
          found->second.vcs |= vcs;
          found->second.rank = std::min<int>(found->second.rank, candidate.rank);
          found->second.escape = found->second.escape && candidate.escape;
          for (int vc = 0; vc < virtual_channels; ++vc)
            if (const Place there{out, vc, candidate.state}; (vcs >> vc & 1) != 0 && seen.insert(there).second)
              next.push_back(there);
        }
    }
    if (!permitted.empty()) hops.push_back(std::move(permitted));
    at = std::move(next);
  }
  return hops;
}

/// The ways of a relation: `paths` has their channels, as for fixed routes, and `hops` says how each is permitted.
void add_relation(const Machine& machine, int source, int destination, const topologies::Route& route, Json& json) {
  Json layers = Json::array();
  Json& hops = json["hops"] = Json::array();
  for (const auto& permitted : channels_of(machine, *route.relation, source, destination, route)) {
    Json& layer = layers.emplace_back(Json::array());
    Json& hop = hops.emplace_back(Json::array());
    for (const auto& [channel, one] : permitted) {
      layer.push_back(channel);
      Json vcs = Json::array();
      for (int vc = 0; vc < 32; ++vc)
        if ((one.vcs >> vc & 1) != 0) vcs.push_back(vc);
      hop.push_back({{"channel", channel}, {"vcs", vcs}, {"rank", one.rank}, {"escape", one.escape}});
    }
  }
  json["paths"] = Json::array({layers});
}

std::pair<int, int> pair_of(const std::string& text, int hosts) {
  const std::size_t comma = text.find_first_of(", ");
  const std::string place = "--route " + in_quotes(text);
  if (comma == std::string::npos) throw UserError(place, "is no pair of hosts", "write it as --route 3,60");
  const auto number = [&](const std::string& word) {
    const std::int64_t host = parse_count(std::string(trimmed(word)), place);
    if (host < 0 || host >= hosts)
      throw UserError(place, "there is no host " + std::to_string(host),
                      "they go from 0 to " + std::to_string(hosts - 1));
    return static_cast<int>(host);
  };
  const std::pair<int, int> pair{number(text.substr(0, comma)), number(text.substr(comma + 1))};
  if (pair.first == pair.second) throw UserError(place, "a host has no route to itself", "name two hosts");
  return pair;
}

void add_routes(const Invocation& invocation, const Machine& machine, Json& json) {
  if (!invocation.has("route")) return;
  const topologies::Routing& routing = machine.routing();
  for (const std::string& text : invocation.values["route"].as<std::vector<std::string>>()) {
    const auto [source, destination] = pair_of(text, machine.hosts());
    Json one{{"source", source}, {"destination", destination}, {"random", routing.random_alternative()}};
    one["alternatives"] = Json::array();
    const int count = routing.alternatives(source, destination);
    for (int i = 0; i < count; ++i) {
      topologies::Route route;
      routing.route(source, destination, i, route);
      Json& alternative = one["alternatives"].emplace_back(Json{{"id", routing.route_id(source, destination, i)}});
      if (route.relation != nullptr) {
        add_relation(machine, source, destination, route, alternative);
        continue;
      }
      const Graph& graph = machine.working_graph();
      Json paths = Json::array({channels_of(graph, source, route.source_port, route.first_path())});
      if (route.has_choice()) paths.push_back(channels_of(graph, source, route.source_port, route.second_path()));
      alternative["paths"] = std::move(paths);
    }
    if (count == 0) {
      const std::vector<int> parts = topologies::connected_parts(machine.working_graph());
      one["why"] =
          parts[source] == parts[destination] ? routing.why_unserved(source, destination) : topologies::not_joined;
    }
    json["routes"].push_back(one);
  }
}

std::string table(const Machine& machine) {
  const Graph& graph = machine.graph();
  std::string text;
  for (int link = 0; link < graph.link_count(); ++link) {
    const topologies::Link& cable = graph.links()[link];
    const auto& channel = machine.wiring().channels[2 * link];
    text += "link " + std::to_string(link) + ": " + channel.name + ", " + graph.link_classes()[cable.link_class] +
            ", " + rate_to_text(rate_MBps(channel.rules) * 1e6) + (channel.failed ? ", failed" : "") + "\n";
  }
  return text;
}

Exit run(const Invocation& invocation) {
  const Machine machine(invocation.machine_request());
  const Graph& graph = machine.graph();
  Json json{{"machine", machine.name()},
            {"summary", machine.summary()},
            {"changes", machine.changes()},
            {"seed", machine.seed()},
            {"hosts_per_node", machine.hosts() / machine.nodes()}};
  json["failed_switches"] = machine.failures().switches;
  json["failed_links"] = Json::array();
  for (int link = 0; link < graph.link_count(); ++link)
    if (machine.wiring().channels[2 * link].failed) json["failed_links"].push_back(link);
  json["graph"] = topologies::to_json(graph);
  add_units(machine, json);
  add_channels(machine, json);
  add_sources(machine, json);
  add_routes(invocation, machine, json);
  invocation.print(machine.headline() + "\n" + table(machine));
  invocation.write_json(json);
  return Exit::done;
}

const Registration<Command> registration{
    {.name = "network",
     .summary = "hosts, switches and cables with their numbers; as JSON also channels, rules, routes",
     .positional = {{"machine"}},
     .common = {"s", "fault", "seed", "json"},
     .options = options,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
