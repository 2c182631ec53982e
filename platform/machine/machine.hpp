/// The network of a virtual machine, built from its description: parameters -> graph -> routes -> wiring. It does not
/// simulate; simulation.hpp runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/host/io_nodes.hpp"
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

/// The user's request.
struct MachineRequest {
  std::string name{};                   ///< "qsnet-64", or the path of a machine file
  std::vector<std::string> settings{};  ///< `-s key=value`
  std::uint64_t seed = 1;
  std::string topology_file{};        ///< replaces [topology], if given
  std::string routes_file{};          ///< replaces [routing], if given
  std::vector<std::string> faults{};  ///< `--fault`: events in addition to those of [fault]
};

class Machine {
 public:
  /// Throws UserError for any error in the description: an unknown part or key, a value out of range, a key that no
  /// part reads.
  explicit Machine(const MachineRequest& request);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const std::string& name() const { return name_; }
  /// Its summary from the machine file.
  const std::string& summary() const { return summary_; }
  /// Changes of the topology relative to its file: "topology.height=9", "--topology t.txt".
  const std::vector<std::string>& changes() const { return changes_; }
  /// Name, summary and changes, in one line.
  std::string headline() const;
  /// What has failed, and what the routing does about it; empty if nothing has.
  std::string about_failures() const;
  std::uint64_t seed() const { return seed_; }
  int hosts() const { return graph_.host_count(); }
  /// Number of computers. A node whose card has several ports is that many hosts of the network, with adjacent numbers.
  int nodes() const { return hosts() / nic_.ports; }

  const topologies::Graph& graph() const { return graph_; }
  /// The same without the cables that have failed.
  const topologies::Graph& working_graph() const { return working_graph_; }
  /// Without the alternatives that cross failed parts.
  const topologies::Routing& routing() const { return *routing_; }
  /// Channel c of the graph is channel c of the wiring; channels inside switches follow. Host h is NIC h (and further
  /// ports of hosts are further NICs: Wiring::nic), switch s is switch s; output buffers follow the switches.
  const net::Wiring& wiring() const { return wiring_; }
  /// The parameters that every part declared, with the effective values.
  const ParameterSet& parameters() const { return parameters_; }
  const topologies::Failures& failures() const { return failures_; }
  /// Parts that fail during a run.
  const faults::Plan& faults() const { return faults_; }
  /// Whether routes change when parts fail, and after what time.
  const faults::RemapTimes& remap() const { return remap_; }
  /// Routes for the rest of the network while these parts are down.
  std::shared_ptr<const topologies::Routing> routes_around(const topologies::Failures& down) const;
  /// The parts that can fail.
  faults::Stock stock() const { return {.graph = graph_, .hosts_per_node = nic_.ports, .failed = failures_}; }
  /// Time from a node's death until the others are notified.
  Time fault_detect() const { return fault_detect_; }
  /// The proof that no deadlock is possible. Failures, virtual channels and seed are those of the machine.
  topologies::CheckReport check(topologies::CheckOptions options = {}) const;

  const nic::NicModel& nic() const { return nic_; }
  /// Whether the cards and their drivers can run on the network, as `run` needs and `traffic` does not. Throws
  /// UserError with the reason and the cure if they cannot. @return a note on how they do, or an empty string
  std::string check_cards() const;
  /// Settings of the hosts, for software.
  const host::Settings& host() const { return host_; }
  /// Nodes that have the files of all.
  const host::IoNodes& io() const { return io_; }
  const nic::PacketFormat& format() const { return nic_.format; }
  /// Flits of a packet of `bytes` in a traffic file. BYTES count on the wire unless machine.replay_bytes says
  /// otherwise.
  int replay_flits(std::int64_t bytes) const;
  /// Bytes per second of a host's injection channel, or of those of all its ports: the unit of loads.
  double link_rate(int host = 0) const;
  /// Time of a flit on a host's ejection channel.
  Time flit_time_in(int host) const { return wiring_.channels[wiring_.nics[host].in].rules.flit_time; }
  /// Time of `flits` on a host's injection channel without contention.
  Time unhindered(int host, int flits) const;

  /// Throws UserError if NICs control congestion, for commands that do not. @param what  sends
  void require_no_congestion_control(const std::string& what) const;

  /// Creates the route selection of one NIC; each NIC has its own.
  std::unique_ptr<nic::RouteSelection> make_route_selection() const { return nic_.make_route_selection(); }
  /// The number of the alternative whose route id is `route_id`, or -1.
  int alternative(int source, int destination, int route_id) const;
  /// Sets source, destination and route.
  void address(net::Packet& packet, int source, int destination, int alternative) const;

 private:
  void drop_what_files_replace(const MachineRequest& request);
  void drop_absent_link_classes();
  void build_topology(const MachineRequest& request);
  void build_routing(const MachineRequest& request);
  std::unique_ptr<topologies::Routing> routes_of(const Parameters& section, const topologies::Graph& working,
                                                 const topologies::Failures& failures,
                                                 std::unique_ptr<topologies::Routing>& all) const;
  std::unique_ptr<topologies::Routing> routing_on(const topologies::Graph& all, const topologies::Graph& working,
                                                  const Parameters& section, bool& serves) const;
  std::unique_ptr<topologies::Routing> routes_by_port(const Parameters& section, const topologies::Graph& working,
                                                      const topologies::Failures& failures) const;
  void read_marking_of_nic();
  void require_memory();
  void fail_at_random(const Parameters& section);
  void check_switch_ports(const MachineRequest& request) const;
  void check_card_ports() const;
  void require_what_routes_need();
  void find_changes(const ParameterSet& from_file, const MachineRequest& request);

  std::string name_;
  std::string summary_;
  std::vector<std::string> changes_;
  std::uint64_t seed_;
  std::uint64_t random_seed_;  ///< for the topology and its routes
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
  host::IoNodes io_;
  bool replay_counts_payload_ = false;
  std::string routes_file_;                          ///< empty: [routing] is used
  std::unique_ptr<topologies::Routing> all_routes_;  ///< null if no part has failed
  std::unique_ptr<topologies::Routing> routing_;
  net::Wiring wiring_;
};

/// Sections of a machine file, and of -s, that belong to the machine.
const std::vector<std::string>& machine_sections();

/// Folder of the shipped machine files.
std::string machine_folder();
/// Names of the shipped machines, ordered by name and size.
std::vector<std::string> machine_names();
/// The file of a machine by name or path. Throws UserError that names the nearest machine.
std::string find_machine_file(const std::string& name);

}  // namespace sanvp
