/// A virtual machine's network, made from its description: parameters -> graph -> routes -> wiring. No simulation yet:
/// simulation.hpp runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/host/settings.hpp"
#include "models/net/packet.hpp"
#include "models/net/wiring.hpp"
#include "models/nic/part.hpp"
#include "models/switches/part.hpp"
#include "platform/core/parameters.hpp"
#include "platform/faults/plan.hpp"
#include "platform/faults/remap.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {

/// What a user asks for.
struct MachineRequest {
  std::string name{};                   ///< "qsnet-64", or the path of a machine file
  std::vector<std::string> settings{};  ///< `-s key=value`
  std::uint64_t seed = 1;
  std::string topology_file{};        ///< replaces [topology] where given
  std::string routes_file{};          ///< replaces [routing] where given
  std::vector<std::string> faults{};  ///< `--fault`: events beside those of [fault]
};

class Machine {
 public:
  /// Throws UserError for whatever is wrong in the description: a part or key that does not exist, a value out of
  /// range, a key that nothing reads.
  explicit Machine(const MachineRequest& request);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const std::string& name() const { return name_; }
  /// What its file says of it.
  const std::string& summary() const { return summary_; }
  /// What of the topology is not as in its file: "topology.height=9", "--topology t.txt".
  const std::vector<std::string>& changes() const { return changes_; }
  /// Name, summary and changes, on a line.
  std::string headline() const;
  std::uint64_t seed() const { return seed_; }
  int hosts() const { return graph_.host_count(); }
  /// Computers: a node whose card has several ports is so many hosts of the network, adjacent in number.
  int nodes() const { return hosts() / nic_.ports; }

  const topologies::Graph& graph() const { return graph_; }
  /// The same without the cables that do not work.
  const topologies::Graph& working_graph() const { return working_graph_; }
  /// Without the alternatives that failed parts break.
  const topologies::Routing& routing() const { return *routing_; }
  /// Channel c of the graph is channel c here; channels inside switches come after them. Host h is NIC h, switch s is
  /// switch s; output buffers come after the switches.
  const net::Wiring& wiring() const { return wiring_; }
  /// What every part declared, with the values in force.
  const ParameterSet& parameters() const { return parameters_; }
  const topologies::Failures& failures() const { return failures_; }
  /// What fails during a run.
  const faults::Plan& faults() const { return faults_; }
  /// Whether and when routes follow what fails.
  const faults::RemapTimes& remap() const { return remap_; }
  /// Routes for what is left where these parts are down, for as long as they are kept.
  std::shared_ptr<const topologies::Routing> routes_around(const topologies::Failures& down) const;
  /// What may.
  faults::Stock stock() const { return {.graph = graph_, .hosts_per_node = nic_.ports, .failed = failures_}; }
  /// From a node's death until the others are told.
  Time fault_detect() const { return fault_detect_; }
  /// The proof that nothing can deadlock. Failures, virtual channels and seed are the machine's own.
  topologies::CheckReport check(topologies::CheckOptions options = {}) const;

  const nic::NicModel& nic() const { return nic_; }
  /// Of the hosts, where they run software.
  const host::Settings& host() const { return host_; }
  const nic::PacketFormat& format() const { return nic_.format; }
  /// Flits of a packet of `bytes` in a traffic file, which counts what is on the wire unless the user chose otherwise.
  int replay_flits(std::int64_t bytes) const;
  /// Bytes per second of a host's injection channel: what a load is a fraction of.
  double link_rate(int host = 0) const;
  /// Time of a flit on a host's ejection channel.
  Time flit_time_in(int host) const { return wiring_.channels[wiring_.nics[host].in].rules.flit_time; }
  /// Time of `flits` on a host's injection channel with nothing in their way.
  Time unhindered(int host, int flits) const;

  /// What selects routes for one NIC; each NIC has its own.
  std::unique_ptr<nic::RouteSelection> make_route_selection() const { return nic_.make_route_selection(); }
  /// The number of the alternative whose route id is `route_id`, or -1.
  int alternative(int source, int destination, int route_id) const;
  /// Fills in source, destination and route.
  void address(net::Packet& packet, int source, int destination, int alternative) const;

 private:
  void drop_what_files_replace(const MachineRequest& request);
  void build_topology(const MachineRequest& request);
  void build_routing(const MachineRequest& request);
  std::unique_ptr<topologies::Routing> routes_of(const Parameters& section, const topologies::Graph& working,
                                                 const topologies::Failures& failures,
                                                 std::unique_ptr<topologies::Routing>& all) const;
  void fail_at_random(const Parameters& section);
  void check_switch_ports(const MachineRequest& request) const;
  void check_card_ports() const;
  void find_changes(const ParameterSet& from_file, const MachineRequest& request);

  std::string name_;
  std::string summary_;
  std::vector<std::string> changes_;
  std::uint64_t seed_;
  std::uint64_t random_seed_;  ///< of the topology and its routes
  ParameterSet parameters_;
  topologies::Graph graph_;
  topologies::Failures failures_;
  faults::Plan faults_;
  faults::RemapTimes remap_;
  Time fault_detect_{0};
  topologies::Graph working_graph_;
  switches::SwitchModel switch_;
  nic::NicModel nic_;
  host::Settings host_;
  bool replay_counts_payload_ = false;
  std::string routes_file_;                          ///< empty: [routing]
  std::unique_ptr<topologies::Routing> all_routes_;  ///< null where nothing has failed
  std::unique_ptr<topologies::Routing> routing_;
  net::Wiring wiring_;
};

/// Sections of a machine's file, and of -s, that a machine reads.
const std::vector<std::string>& machine_sections();

/// Folder of the machine files that came with the program.
std::string machine_folder();
/// Names of the machines there, in order of their sizes.
std::vector<std::string> machine_names();
/// The file of a machine by name or path. Throws UserError that names the nearest machine.
std::string find_machine_file(const std::string& name);

}  // namespace sanvp
