#include "platform/machine/machine.hpp"

#include <algorithm>
#include <filesystem>

#include "models/cpu/riscv/translation/translation.hpp"
#include "models/net/marking.hpp"
#include "models/net/policy.hpp"
#include "platform/core/error.hpp"
#include "platform/core/lists.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/machine/link_classes.hpp"
#include "platform/machine/memory_estimate.hpp"
#include "platform/machine/own_parts.hpp"
#include "platform/machine/replaced_sections.hpp"
#include "platform/machine/wire.hpp"
#include "platform/machine/working_routes.hpp"
#include "topologies/host_ports.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/port_routing.hpp"
#include "topologies/routing/relation.hpp"
#include "topologies/routing/route_file.hpp"
#include "topologies/routing/vc_classes.hpp"
#include "topologies/text_graph.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

const char* const machine_source = "platform/machines/README.md";

/// The part that `type` of a section names.
template <class Part>
const Part& chosen_part(const Parameters& section) {
  const std::string name =
      section.text("type", "", std::string("the ") + Part::kind() + ", a part of `sanvp list parts`", machine_source);
  if (name.empty())
    throw UserError(section.path(), std::string("the machine names no ") + Part::kind(),
                    "write type = NAME in [" + section.path() + "]; `sanvp list parts` names all");
  try {
    return Registry<Part>::get(name, section.place("type"));
  } catch (const UserError& error) {
    throw Error(Exit::user_mistake, std::string(error.what()) + "; for a part of your own, name its file with --part");
  }
}

/// The folder to which a path of the machine file is relative: the file's; nothing for a value of the command line,
/// which is relative to the working directory.
std::optional<fs::path> folder_of(const ParameterSet::Given* given) {
  if (given == nullptr || given->place.starts_with("-s")) return {};
  return fs::path(given->place.substr(0, given->place.rfind(':'))).parent_path();
}

void resolve_path(const std::string& key, ParameterSet& parameters) {
  const auto* given = parameters.find(key);
  if (const auto folder = folder_of(given)) parameters.set(key, (*folder / given->text).string(), given->place);
}

/// The same for paths with commas between them.
void resolve_paths(const std::string& key, ParameterSet& parameters) {
  const auto* given = parameters.find(key);
  const auto folder = folder_of(given);
  if (!folder) return;
  std::string paths;
  for (const std::string_view path : between_commas(given->text))
    paths += (paths.empty() ? "" : ",") + (*folder / path).string();
  parameters.set(key, paths, given->place);
}

std::vector<int> read_failures(const Parameters& topology, const std::string& name, const std::string& what,
                               int count) {
  const std::string text =
      topology.text(name, "", "numbers of failed parts, such as 5,17", "yours; `sanvp check --json` numbers them");
  std::vector<int> failed;
  for (const std::string_view item : between_commas(text)) {
    const std::string place = topology.place(name), one(item);
    if (one.empty() || one.find_first_not_of("0123456789") != std::string::npos)
      throw UserError(place, in_quotes(one) + " is not the number of a " + what,
                      "write numbers with commas between them, such as 5,17; `sanvp check --json` numbers them");
    const std::int64_t number = parse_count(one, place);
    if (number < 0 || number >= count)
      throw UserError(place, "there is no " + what + " " + std::to_string(number),
                      "they go from 0 to " + std::to_string(count - 1));
    failed.push_back(static_cast<int>(number));
  }
  return failed;
}

constexpr const char* no_detours = "none";

/// What the routing does about failed parts.
std::string read_detours(const Parameters& section, const topologies::RoutingPart& part) {
  std::vector<std::string> choices = part.detours;
  if (choices.empty() && part.avoids_failures) choices.emplace_back("own");
  choices.emplace_back(no_detours);
  return section.choice(
      "detours", choices.front(), choices,
      "where parts have failed: own: as the routing's hardware finds other ways; apart: only pairs whose paths have "
      "failed change, to up*/down* on a virtual channel of their own; up-down: every pair takes up*/down*; auto: apart "
      "if there is a virtual channel for it, else up-down; none: routes that cross a failed part are dropped",
      "topologies/routing/README.md");
}

std::unique_ptr<topologies::Routing> build_of(const topologies::RoutingPart& part, const topologies::Graph& graph,
                                              const Parameters& section, const topologies::RoutingContext& context) {
  try {
    return part.build(graph, section, context);
  } catch (const topologies::UnsuitableGraph& error) {
    throw UserError(section.place("type"),
                    std::string(error.what()) + ", or give -s routing.type=ud, which routes any network");
  }
}

}  // namespace

const std::vector<std::string>& machine_sections() {
  static const std::vector<std::string> sections{"machine", "topology", "routing", "switch", "nic",
                                                 "link",    "host",     "fault",   "io"};
  return sections;
}

Machine::Machine(const MachineRequest& request) : seed_(request.seed), random_seed_(request.seed) {
  const std::string path = find_machine_file(request.name);
  name_ = fs::path(path).stem().string();
  parameters_ = ParameterSet::from_file(path);
  drop_what_files_replace(request);
  const ParameterSet from_file = parameters_;
  for (const std::string& setting : request.settings) parameters_.set(setting);
  for (const char* key : {"topology.file", "routing.file"}) resolve_path(key, parameters_);
  resolve_paths("nic.firmware", parameters_);
  load_own_parts({parameters_, "machine"});
  summary_ = Parameters(parameters_, "machine").text("summary", "", "one line about the machine", machine_source);

  replay_counts_payload_ =
      Parameters(parameters_, "machine")
          .choice("replay_bytes", "wire", {"wire", "payload"},
                  "meaning of BYTES in a traffic file; payload: nic.overhead is added",
                  "assumed: the same packets as for other simulators (docs/result-folder.md)") == "payload";

  build_topology(request);
  const Parameters switch_section(parameters_, "switch");
  switch_ = chosen_part<switches::SwitchPart>(switch_section).build(switch_section);
  check_switch_ports(request);
  const Parameters nic_section(parameters_, "nic");
  const auto& nic_part = chosen_part<nic::NicPart>(nic_section);
  nic_ = nic_part.build(nic_section, switch_.flit_bytes);
  nic_.name = nic_part.name;
  if (nic_.rules.slots == 0) nic_.rules.slots = switch_.virtual_channels;
  read_marking_of_nic();
  check_card_ports();
  build_routing(request);
  const auto links = read_link_classes({parameters_, "link"}, graph_.link_classes(), switch_.flit_bytes);
  wiring_ = wire(graph_, links, switch_, nic_, failures_);
  require_what_routes_need();
  host_ = host::read_settings({parameters_, "host"});
  host_.cpu.shared_code = riscv::SharedCode::make();
  io_ = host::read_io_nodes({parameters_, "io"}, nodes(), host_.disk.has_value());
  faults::add_events(request.faults, parameters_);
  faults_ = faults::Plan::read({parameters_, "fault"}, stock(), seed_);
  fault_detect_ = Parameters(parameters_, "fault")
                      .time("detect", 10ms, "time from a node's death or disconnection until the others are notified",
                            "assumed: a separate management network that polls every node");
  remap_ = faults::RemapTimes::read({parameters_, "fault"});
  require_none_replaced(parameters_, request);
  parameters_.require_all_read();
  wiring_.validate();
  find_changes(from_file, request);
}

/// Called before the settings of the command line are added, because those must have an effect or be refused.
void Machine::drop_what_files_replace(const MachineRequest& request) {
  if (!request.routes_file.empty()) parameters_.drop_section("routing");
  if (request.topology_file.empty()) return;
  parameters_.drop_section("topology");
  graph_ = topologies::read_graph_file(request.topology_file);
  drop_absent_link_classes();
}

/// Cable classes that the machine file describes for its own topology, and that another one lacks.
void Machine::drop_absent_link_classes() {
  const auto& classes = graph_.link_classes();
  for (const char* known : {"host", "cable", "mesh", "global"})
    if (std::find(classes.begin(), classes.end(), known) == classes.end())
      parameters_.drop_section_of_file(std::string("link.") + known);
}

void Machine::build_topology(const MachineRequest& request) {
  const Parameters section(parameters_, "topology");
  if (request.topology_file.empty()) {
    const auto& part = chosen_part<topologies::TopologyPart>(section);
    random_seed_ = static_cast<std::uint64_t>(
        section.count("seed", static_cast<std::int64_t>(seed_ & INT64_MAX),
                      "seed of random topologies and routes; the default is --seed", "Myrinet paper 4.1"));
    graph_ = part.build(section, random_seed_);
    if (section.place("type").starts_with("-s ")) drop_absent_link_classes();
  }
  if (graph_.host_count() < 2) throw UserError("topology", "the network has fewer than two hosts", "give it more");
  require_memory();
  failures_.links = read_failures(section, "failed_links", "link", graph_.link_count());
  failures_.switches = read_failures(section, "failed_switches", "switch", graph_.switch_count());
  fail_at_random(section);
  working_graph_ = topologies::working_part(graph_, failures_);
}

/// Before routes and channels are made, which take the most.
void Machine::require_memory() {
  constexpr std::int64_t usual = std::int64_t{4} << 30;
  const std::int64_t most = Parameters(parameters_, "machine")
                                .size("memory", usual, "memory of the simulating computer that the network may take",
                                      "assumed: half of a usual computer's; estimated as 4 KiB for each cable");
  const std::int64_t estimate = estimated_bytes(graph_);
  if (estimate > most)
    throw UserError("topology",
                    "the network has " + std::to_string(graph_.link_count()) + " cables, and would take about " +
                        size_to_text(estimate) + " of this computer's memory",
                    "choose smaller sizes, or allow it with -s machine.memory=" + size_to_text(estimate));
}

/// Adds random failures to those that are listed.
void Machine::fail_at_random(const Parameters& section) {
  const auto count = [&](const std::string& name, const std::string& of) {
    return section.count(name, 0, "number of " + of + " that have failed, drawn by --seed", "yours", 0, INT32_MAX);
  };
  const std::int64_t links = count("random_failed_links", "cables between switches");
  const std::int64_t switches = count("random_failed_switches", "switches without hosts");
  std::vector<int> between;
  std::vector<bool> has_host(graph_.switches().size());
  for (int link = 0; link < graph_.link_count(); ++link) {
    const topologies::Link& cable = graph_.links()[link];
    if (cable.a.is_switch() && cable.b.is_switch()) between.push_back(link);
    for (const auto& [one, other] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)})
      if (one.is_switch() && other.is_host()) has_host[one.index] = true;
  }
  std::vector<int> without_hosts;
  for (int unit = 0; unit < graph_.switch_count(); ++unit)
    if (!has_host[unit]) without_hosts.push_back(unit);
  const auto draw = [&](std::vector<int> from, std::int64_t wanted, const char* name, std::vector<int>& to) {
    if (wanted > static_cast<std::int64_t>(from.size()))
      throw UserError(section.place(name), "the network has " + std::to_string(from.size()) + " of them",
                      "give at most that number");
    Random random(seed_, name);
    for (; wanted > 0; --wanted) {
      const std::size_t chosen = random.below(from.size());
      to.push_back(from[chosen]);
      from[chosen] = from.back();
      from.pop_back();
    }
  };
  draw(between, links, "random_failed_links", failures_.links);
  draw(without_hosts, switches, "random_failed_switches", failures_.switches);
}

void Machine::check_switch_ports(const MachineRequest& request) const {
  if (switch_.ports == 0) return;
  for (const auto& unit : graph_.switches()) {
    const auto cables = std::count_if(unit.link_at.begin(), unit.link_at.end(), [](int link) { return link >= 0; });
    if (cables > switch_.ports)
      throw UserError(request.topology_file.empty() ? "topology" : request.topology_file,
                      unit.name + " has " + std::to_string(cables) + " cables, but " + std::to_string(switch_.ports) +
                          " ports (switch.ports)",
                      "give it fewer, or explore -s switch.ports=" + std::to_string(cables));
  }
}

/// A switch that leaves it to the NIC which packets it marks: as the source of its congestion control has it.
void Machine::read_marking_of_nic() {
  if (!switch_.marks_as_nic_says || nic_.congestion.marking.empty()) return;
  switch_.rules.marking = Registry<net::MarkingPart>::get(nic_.congestion.marking, "nic.congestion")
                              .build({parameters_, "switch"}, switch_.flit_bytes);
}

/// All ports of a card must lead to the same switch.
void Machine::check_card_ports() const {
  const auto switch_of = [this](int host) {
    const int link = graph_.hosts()[host].link_at.front();
    const auto& ends = graph_.links()[link];
    return ends.a.is_host() ? ends.b.index : ends.a.index;
  };
  for (int host = 0; nic_.ports > 1 && host < hosts(); ++host)
    if (hosts() % nic_.ports != 0 || switch_of(host) != switch_of(host - host % nic_.ports))
      throw UserError("nic.ports",
                      "a card has " + std::to_string(nic_.ports) +
                          " ports, but the topology has another number of hosts per switch",
                      "give the topology the same number of hosts per node (topology.hosts_per_node)");
}

void Machine::build_routing(const MachineRequest& request) {
  routes_file_ = request.routes_file;
  routing_ = routes_of({parameters_, "routing"}, working_graph_, failures_, all_routes_);
}

/// @param all  receives the routes of the whole network, if the result only removes some of them
std::unique_ptr<topologies::Routing> Machine::routes_of(const Parameters& section, const topologies::Graph& working,
                                                        const topologies::Failures& failures,
                                                        std::unique_ptr<topologies::Routing>& all) const {
  std::unique_ptr<topologies::Routing> routing;
  if (!routes_file_.empty()) {
    routing = topologies::read_route_file(graph_, routes_file_);
  } else if (graph_.host_ports > 1) {
    return routes_by_port(section, working, failures);
  } else {
    bool whole = false;
    routing = routing_on(graph_, working, section, whole);
    if (whole) return routing;
  }
  if (failures.empty()) return routing;
  all = std::move(routing);
  return working_routes(graph_, *all, {.virtual_channels = switch_.virtual_channels, .failures = failures});
}

/// @param all  the network without failures
/// @param serves  receives whether it needs no look at what has failed
std::unique_ptr<topologies::Routing> Machine::routing_on(const topologies::Graph& all, const topologies::Graph& working,
                                                         const Parameters& section, bool& serves) const {
  const auto& part = chosen_part<topologies::RoutingPart>(section);
  const topologies::RoutingContext context{random_seed_, switch_.virtual_channels, read_detours(section, part)};
  const bool avoids = part.avoids_failures && context.detours != no_detours;
  auto routing =
      topologies::with_vc_classes(build_of(part, avoids ? working : all, section, context), switch_.virtual_channels);
  serves = avoids || routing->relation() != nullptr;
  return routing;
}

/// If hosts have several ports, each port has a routing of its own.
std::unique_ptr<topologies::Routing> Machine::routes_by_port(const Parameters& section,
                                                             const topologies::Graph& working,
                                                             const topologies::Failures& failures) const {
  struct Kept {
    topologies::Graph working;
    std::unique_ptr<topologies::Routing> all, routing;
  };
  std::vector<std::shared_ptr<const topologies::Routing>> ports;
  for (int port = 0; port < graph_.host_ports; ++port) {
    const topologies::Failures of_port = topologies::failures_of_port(graph_, port, failures);
    const bool same = !ports.empty() && (!graph_.has_planes || failures.empty());
    if (same) {
      ports.push_back(ports.front());
      continue;
    }
    const auto kept = std::make_shared<Kept>();
    kept->working = topologies::network_of_port(working, port);
    bool serves = false;
    kept->routing = routing_on(*graph_.by_port, kept->working, section, serves);
    if (!serves && !of_port.empty()) {
      kept->all = std::move(kept->routing);
      kept->routing = working_routes(*graph_.by_port, *kept->all,
                                     {.virtual_channels = switch_.virtual_channels, .failures = of_port});
    }
    ports.emplace_back(kept, kept->routing.get());
  }
  return topologies::port_routing(graph_, std::move(ports));
}

/// @return routes that need no more virtual channels than there are
std::shared_ptr<const topologies::Routing> Machine::routes_around(const topologies::Failures& down) const {
  struct Kept {
    topologies::Graph working;
    std::unique_ptr<topologies::Routing> all, routing;
  };
  const auto kept = std::make_shared<Kept>();
  kept->working = topologies::working_part(graph_, down);
  ParameterSet parameters = parameters_;
  kept->routing = routes_of({parameters, "routing"}, kept->working, down, kept->all);
  if (kept->routing->virtual_channels() > switch_.virtual_channels) {
    parameters.set("routing.detours", "up-down", "too few virtual channels");
    kept->routing = routes_of({parameters, "routing"}, kept->working, down, kept->all);
  }
  return {kept, kept->routing.get()};
}

/// Before time 0: else packets would be lost, as if parts had failed.
void Machine::require_what_routes_need() {
  const int needed = routing_->virtual_channels();
  if (needed > switch_.virtual_channels)
    throw UserError(
        routes_file_.empty() ? Parameters(parameters_, "routing").place("type") : routes_file_,
        "the routing needs " + std::to_string(needed) + " virtual channels, and the switches have " +
            std::to_string(switch_.virtual_channels),
        "give -s switch.virtual_channels=" + std::to_string(needed) + ", or another routing: ud needs none");
  if (routing_->passes_hosts() && !nic_.has_in_transit_buffers)
    throw UserError(routes_file_.empty() ? Parameters(parameters_, "routing").place("type") : routes_file_,
                    "its routes lead through hosts, and NICs of type " + nic_.name + " have no in-transit buffers",
                    "give -s nic.type=plain or lanai, or another routing: ud needs none");
  if (graph_.host_ports > 1 && (nic_.make_module || nic_.rules.circuit || routing_->passes_hosts()))
    throw UserError(Parameters(parameters_, "nic").place("type"),
                    "hosts have " + std::to_string(graph_.host_ports) +
                        " ports, of which cards, circuits and in-transit buffers know one",
                    "give -s nic.type=plain, or a topology whose hosts have one port");
  const auto looks = [](const auto& policy) { return policy->looks_at_queues(); };
  const bool marks = switch_.rules.marking.threshold > 0;
  if (nic_.congestion.is_on() && !marks)
    throw UserError(Parameters(parameters_, "nic").where("congestion"),
                    "it has nothing to act on: the switches mark no packets",
                    "give a queue from which they do, in flits: -s switch.type=simple -s switch.mark_threshold=64");
  wiring_.looks_at_queues = marks || routing_->looks_at_queues() || looks(switch_.rules.selection) ||
                            looks(switch_.rules.vc_selection) || looks(nic_.rules.vc_selection);
  for (net::Wiring::Switch& unit : wiring_.switches) unit.rules.detour_threshold = routing_->detour_threshold();
  const topologies::Relation* relation = routing_->relation();
  if (relation == nullptr) return;
  for (net::Wiring::Channel& channel : wiring_.channels)
    if (channel.from.kind == net::Terminal::Kind::switch_ && channel.to.kind == net::Terminal::Kind::switch_)
      channel.rules.exclusive = relation->exclusive_vcs();
  if (switch_.output_buffer)
    throw UserError(Parameters(parameters_, "switch").place("type"),
                    "output buffers are not modelled for routings that decide at each switch",
                    "give switch.output_buffer=0");
}

void Machine::require_no_congestion_control(const std::string& what) const {
  if (nic_.congestion.is_on())
    throw UserError("nic.congestion", what + " sends packets without congestion control",
                    "give nic.congestion=none, or a pattern of `sanvp traffic`, such as flows");
}

std::string Machine::about_failures() const {
  if (failures_.empty()) return {};
  const auto count = [](std::size_t n, const std::string& what) {
    return std::to_string(n) + " failed " + what + (n == 1 ? "" : what == "switch" ? "es" : "s");
  };
  std::string text;
  if (!failures_.links.empty()) text = count(failures_.links.size(), "link");
  if (!failures_.switches.empty()) text += (text.empty() ? "" : ", ") + count(failures_.switches.size(), "switch");
  const std::string what = routing_->about_failures();
  return text + ": " + (what.empty() ? "the routing finds ways around them" : what);
}

void Machine::find_changes(const ParameterSet& from_file, const MachineRequest& request) {
  if (!request.topology_file.empty()) changes_.push_back("--topology " + request.topology_file);
  for (const auto& [key, given] : parameters_.given()) {
    if (!key.starts_with("topology.") || !given.place.starts_with("-s")) continue;
    const auto* before = from_file.find(key);
    const auto& declared = parameters_.declared().at(key);
    if (before == nullptr ? declared.value != declared.fallback : given.text != before->text)
      changes_.push_back(key + "=" + given.text);
  }
}

std::string Machine::headline() const {
  std::string text = name_ + ": " + summary_;
  for (const std::string& change : changes_) text += (&change == &changes_.front() ? " (changed: " : ", ") + change;
  return changes_.empty() ? text : text + ")";
}

topologies::CheckReport Machine::check(topologies::CheckOptions options) const {
  options.virtual_channels = switch_.virtual_channels;
  options.failures = failures_;
  options.pools_hold_back = std::any_of(wiring_.nics.begin(), wiring_.nics.end(), [](const net::Wiring::Nic& nic) {
    return nic.rules.full_pool == net::FullPool::holds_back && nic.rules.pool_flits != INT64_MAX;
  });
  options.seed = seed_;
  return topologies::check(graph_, *routing_, options);
}

std::string Machine::check_cards() const {
  if (nic_.make_module && routing_->relation() != nullptr)
    throw UserError("routing",
                    "each switch decides (routing.type), and a packet of card " + nic_.name +
                        " needs a route, which the card or its tables name",
                    "give a routing with routes, such as ud; traffic and replay run with this one");
  return nic_.check_network ? nic_.check_network({graph_, working_graph_, *routing_}) : std::string();
}

int Machine::replay_flits(std::int64_t bytes) const {
  return replay_counts_payload_ ? nic_.format.flits(bytes) : nic_.format.wire_flits(bytes);
}

double Machine::link_rate(int host) const {
  constexpr double ps_per_second = 1e12;
  const auto& injection = wiring_.channels[wiring_.nics[host].out];
  return graph_.host_ports * switch_.flit_bytes * ps_per_second /
         static_cast<double>(injection.rules.flit_time.count());
}

Time Machine::unhindered(int host, int flits) const {
  const auto& rules = wiring_.channels[wiring_.nics[host].out].rules;
  return (flits - 1) * rules.flit_time + rules.tail_time;
}

int Machine::alternative(int source, int destination, int route_id) const {
  const int count = routing_->alternatives(source, destination);
  for (int alternative = 0; alternative < count; ++alternative)
    if (routing_->route_id(source, destination, alternative) == route_id) return alternative;
  return -1;
}

void Machine::address(net::Packet& packet, int source, int destination, int alternative) const {
  packet.source = source;
  packet.destination = destination;
  routing_->route(source, destination, alternative, packet.route);
}

}  // namespace sanvp
