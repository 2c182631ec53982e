#include "platform/machine/cluster.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "models/native/forked.hpp"
#include "models/native/surroundings.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parts.hpp"
#include "platform/core/units.hpp"
#include "platform/machine/cards.hpp"
#include "topologies/connected.hpp"

namespace sanvp {
namespace {

/// The server of files that runs on I/O nodes: of the same kind as the programs, whose messages it receives.
std::string server_image(const std::string& software, const std::string& program) {
  const host::ProcessKind& kind = host::process_kind_of(program);
  return software_file(software, kind.name == "native" ? "servers/io_server.so" : kind.name + "/servers/io_server");
}

}  // namespace

/// A card's interrupt line to its node.
class Cluster::Line final : public nic::InterruptLine {
 public:
  explicit Line(host::Node& node) : node_(node) {}
  void set(bool raised, const sc_core::sc_time& delay) override { node_.interrupt(raised, delay); }

 private:
  host::Node& node_;
};

/// The machine's monitoring: nodes that died, and notices to the others after a delay.
class Cluster::DeathNotices final : private net::EventHandler {
 public:
  DeathNotices(Cluster& cluster, Time detect) : cluster_(cluster), detect_(detect) {}

  void add(int node) {
    net::EventQueue& queue = cluster_.queue();
    if (!died_.try_emplace(node, queue.now()).second) return;
    ++pending_;
    constexpr std::uint16_t kind = 127;
    queue.schedule({.ps = (queue.now() + detect_).count(),
                    .handler = this,
                    .kind = kind,
                    .unit = static_cast<std::uint32_t>(node)});
  }
  /// Whether a notice of a death is still to come.
  bool has_pending_notices() const { return pending_ > 0; }

 private:
  void handle(const net::Event& event) override {
    const int node = static_cast<int>(event.unit);
    --pending_;
    cluster_.notify_of_death(node, died_.at(node));
  }

  Cluster& cluster_;
  Time detect_;
  std::map<int, Time> died_;
  int pending_ = 0;
};

Cluster::Cluster(const Machine& machine, net::Fidelity fidelity, const std::string& software,
                 const std::vector<Program>& programs, host::Services& services, Trace* trace, bool counts_blocks,
                 net::Lead lead)
    : host_(machine.host()),
      loader_(host_.cpu.program_costs, host_.cpu.library_costs),
      timeline_("timeline", lead),
      routes_(machine.routing()),
      fabric_("network", timeline_, wiring_for_cards(machine), fidelity, machine.seed()),
      programs_(programs),
      services_(services),
      server_services_(services),
      dead_(static_cast<std::size_t>(machine.nodes())),
      booted_nodes_(static_cast<std::size_t>(machine.nodes())),
      looks_(machine.host().looks) {
  if (counts_blocks) loader_.count_blocks();
  std::vector<std::vector<const host::ProcessKind*>> processes(static_cast<std::size_t>(machine.nodes()));
  for (const Program& program : programs) {
    auto& numbers = rank_processes_.emplace_back();
    const host::ProcessKind& kind = host::process_kind_of(program.image);
    for (const int node : program.nodes) {
      numbers.push_back(static_cast<int>(processes[node].size()));
      processes[node].push_back(&kind);
    }
    if (machine.io().nodes.empty()) continue;
    const host::ProcessKind& server = host::process_kind_of(server_image(software, program.image));
    for (const int node : machine.io().nodes) {
      numbers.push_back(static_cast<int>(processes[node].size()));
      processes[node].push_back(&server);
    }
  }
  nic::NicLoad load;
  for (const auto& node : processes) load.processes = std::max(load.processes, static_cast<int>(node.size()));
  for (const auto& job : rank_processes_) load.ranks = std::max(load.ranks, static_cast<int>(job.size()));
  for (int i = 0; i < machine.nodes(); ++i) {
    nodes_.push_back(std::make_unique<host::Node>(("node_" + std::to_string(i)).c_str(), i, machine.nodes(),
                                                  processes[i], host_, loader_, services, timeline_, trace,
                                                  machine.seed()));
    if (!machine.io().nodes.empty() && !machine.io().contains(i)) nodes_.back()->remove_disk();
    if (machine.nic().make_module) add_card(i, machine, software, trace, load);
  }
  deaths_ = std::make_unique<DeathNotices>(*this, machine.fault_detect());
  add_programs(programs_, machine.io(), software);
  if (!machine.failures().empty()) find_disconnected(machine);
  router_load_.emplace(network().wiring(), nodes_);
  if (router_load_->is_needed()) observe(*router_load_);
  if (trace != nullptr) {
    observe(hops_.emplace(network().wiring(), *trace));
    hops_->observe(network());
  }
  timeline_.end_when([this] { return network().is_over() && !awaits_fault(); });
  if (!machine.faults().empty()) plan_outages(machine);
}

void Cluster::plan_outages(const Machine& machine) {
  outages_.emplace(machine.faults(), machine.stock(), network(), queue());
  observe_packets(outages_->packet_observer());
  outages_->add_listener([this](const faults::Event& event, const topologies::Failures&) {
    if (event.part.kind == faults::Part::Kind::node && event.down) node_down(event.part.number);
  });
  if (machine.remap().on) follow_outages(machine);
  if (cards_.empty() || !cards_.front()->resent()) return;
  outages_->count_resent([this] {
    std::uint64_t sum = 0;
    for (const auto& card : cards_) sum += card->resent().value_or(0);
    return sum;
  });
}

void Cluster::follow_outages(const Machine& machine) {
  for (const auto& card : cards_)
    if (!card->follows_routes())
      throw UserError("fault.remap", "no software of this machine loads routes during a run",
                      "leave it out, or on Macrame use nic.configure=no; `sanvp traffic` shows what it would bring");
  remap_.emplace(
      machine.remap().total(machine.graph()),
      [&machine](const topologies::Failures& down) { return machine.routes_around(down); }, routes_, queue(),
      [this] {
        for (const auto& card : cards_) card->routes_changed();
      });
  outages_->add_listener([this](const faults::Event&, const topologies::Failures& down) { remap_->begin(down); });
}

Cluster::~Cluster() = default;

void Cluster::add_card(int node, const Machine& machine, const std::string& software, Trace* trace,
                       const nic::NicLoad& load) {
  host::Node& host = *nodes_[node];
  nic::NicContext context = card_context(machine, routes_, timeline_, node);
  context.firmware_folder = software + "/firmware";
  context.trace = trace;
  context.load = load;
  cards_.push_back(machine.nic().make_module(("nic_" + std::to_string(node)).c_str(), context));
  nic::NicModule& card = *cards_.back();
  lines_.push_back(std::make_unique<Line>(host));
  host.pci.device.bind(card.registers);
  card.bus.bind(host.pci.master);
  int port = context.host;
  for (net::NetworkInitiatorSocket* socket : card.ports()) socket->bind(fabric_.host[port++]);
  card.interrupt_line.bind(*lines_.back());
  host.insert({machine.nic().name, card.windows(),
               [&card](const std::string& name) { return card.load_firmware(name); },
               [&card] { return card.firmware_complaint(); }});
  if (machine.nic().driver.empty()) return;
  ++booting_;
  host.install_driver(software_file(software, machine.nic().driver + ".so"), [this, node] { node_booted(node); });
}

void Cluster::add_programs(const std::vector<Program>& programs, const host::IoNodes& io, const std::string& software) {
  for (std::size_t job = 0; job < programs.size(); ++job) {
    const Program& program = programs[job];
    std::vector<int>& nodes = process_nodes_.emplace_back(program.nodes);
    nodes.insert(nodes.end(), io.nodes.begin(), io.nodes.end());
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
      const host::Identity identity{.job = static_cast<int>(job),
                                    .rank = static_cast<int>(rank),
                                    .ranks = static_cast<int>(nodes.size()),
                                    .rank_nodes = nodes.data(),
                                    .rank_processes = rank_processes_[job].data(),
                                    .io_servers = static_cast<int>(io.nodes.size()),
                                    .io_stripe = io.stripe_bytes};
      host::Node& node = *nodes_[nodes[rank]];
      if (rank < program.nodes.size())
        processes_.push_back(&node.add_process(program.image, program.arguments, identity, services_));
      else
        servers_.push_back(
            &node.add_process(server_image(software, program.image), {"io_server"}, identity, server_services_));
    }
  }
  if (booting_ == 0) start_processes();
}

void Cluster::node_booted(int node) {
  if (std::exchange(booted_nodes_[node], 1) != 0 || --booting_ > 0) return;
  booted_ = now();
  start_processes();
}

/// Its cables are dead, too (faults::Outages). The other nodes do not wait for it to boot.
void Cluster::node_down(int node) {
  dead_[node] = 1;
  nodes_[node]->go_down();
  node_died(node);
  if (booting_ > 0) node_booted(node);
}

void Cluster::start_processes() {
  native::keep_descriptors();
  for (host::Process* process : processes_) process->start();
  for (host::Process* server : servers_) server->start();
}

void Cluster::expect_faults(const Machine& machine) {
  if (!outages_) plan_outages(machine);
}

void Cluster::look_at(Time at, std::function<bool()> look) {
  looks_at_.emplace(std::max(at, now()), std::move(look));
  has_new_look_ = true;
  if (is_running_) timeline_.pause();
}

/// Whether anything happens after the pause that has just been made, by `until`.
bool Cluster::has_more(Time until) {
  const Time due = std::min(queue().next(), timeline_.run_queue().next());
  if (stopped_ || due > until || due == never) return false;
  return !(queue().is_idle() && timeline_.run_queue().empty() && network().is_over() && !awaits_fault());
}

/// @return whether the run continues
bool Cluster::take_looks() {
  const Time at = looks_at_.begin()->first;
  queue().advance_to(at);  // no event before that
  while (!looks_at_.empty() && looks_at_.begin()->first <= at) {
    const std::function<bool()> look = std::move(looks_at_.begin()->second);
    looks_at_.erase(looks_at_.begin());
    if (!look()) stopped_ = true;
  }
  return !stopped_;
}

Cluster::End Cluster::run(Time until, std::function<bool()> keep_going) {
  timeline_.watch([this, keep_going = std::move(keep_going)] {
    if (keep_going && !keep_going()) stopped_ = true;
    return !stopped_;
  });
  timeline_.look_every(progress_period, [this] {
    if (!stopped_ && has_no_progress()) stopped_ = no_progress_ = true;
    return !stopped_;
  });
  run_with_looks(until);
  timeline_.watch({});
  const End end = find_end(until);
  if (outages_) outages_->close();
  if (hops_) hops_->run_over(network());
  return end;
}

void Cluster::disturb(const Machine& machine) {
  for (const auto& node : nodes_) node->disturb(machine.host().noise, machine.seed());
}

void Cluster::reprice(const Machine& machine) {
  host::adopt_prices(host_.cpu, machine.host().cpu);
  loader_.reprice(host_.cpu.program_costs, host_.cpu.library_costs);
  for (const auto& node : nodes_) node->reprice();
}

void Cluster::change_links_of_cards(const Machine& machine) {
  for (std::size_t i = 0; i < cards_.size(); ++i)
    cards_[i]->link_changed(machine.flit_time_in(static_cast<int>(i) * machine.nic().ports));
}

void Cluster::continue_in_child() {
  native::continue_in_child();
  for (const auto& node : nodes_) node->continue_in_child();
}

/// Between two looks the kernel runs as in a run without any.
void Cluster::run_with_looks(Time until) {
  while (true) {
    const Time look = looks_at_.empty() ? never : looks_at_.begin()->first;
    has_new_look_ = false;
    timeline_.hold_after(std::min(until, look));
    is_running_ = true;
    timeline_.run(until == never ? never : until - net::kernel_now());
    is_running_ = false;
    if (has_new_look_ && !stopped_) {
      timeline_.wake();
      continue;
    }
    if (look > until || look == never || !has_more(until) || !take_looks()) return;
    timeline_.wake();
  }
}

void Cluster::report_no_progress() {
  timeline_.look_every(progress_period, [this] {
    if (stopped_ || !has_no_progress()) return true;
    stopped_ = no_progress_ = true;
    std::string lines = "no progress, and there are ranks that wait:";
    for (const std::string& line : waiting()) lines += "\n" + line;
    throw std::runtime_error(lines);
  });
}

std::vector<nic::NicModule*> Cluster::cards() {
  std::vector<nic::NicModule*> all;
  for (const auto& card : cards_) all.push_back(card.get());
  return all;
}

Cluster::End Cluster::find_end(Time until) {
  if (no_progress_) return End::idle;
  if (stopped_) return End::stopped;
  const bool is_idle =
      network().is_over() && !awaits_fault() && timeline_.run_queue().empty() && !sc_core::sc_pending_activity();
  if (is_idle && network().conclude(until)) return End::idle;
  queue().advance_to(until);  // no event before that
  return End::until;
}

/// A card may retry for ever, for example in a barrier that one process never enters. Then all processes wait, and no
/// card has done any work for them for a long time. A card that will give up and report an error is given time, unless
/// the network is deadlocked: then its retries cannot succeed.
bool Cluster::has_no_progress() {
  if (now() - last_check_ < progress_period || deaths_->has_pending_notices() || awaits_fault()) return false;
  std::uint64_t work = 0;
  bool tries = false;
  for (std::size_t node = 0; node < cards_.size(); ++node) {
    if (is_dead(node)) continue;
    work += cards_[node]->work();
    tries = tries || cards_[node]->tries_again();
  }
  const bool idle = work == std::exchange(work_, work);
  const Time since = std::exchange(last_check_, now());
  const auto has_nothing_to_do = [&](host::Process* process) {
    return process->has_ended() || (!process->first_cpu().limits_waits() && process->has_waited(since));
  };
  const bool all_wait = idle && std::all_of(processes_.begin(), processes_.end(), has_nothing_to_do) &&
                        std::all_of(servers_.begin(), servers_.end(), has_nothing_to_do);
  return all_wait && (!tries || !network().find_deadlock().empty());
}

/// Whether ranks wait while a listed fault or repair is still to come, which may let them continue.
bool Cluster::awaits_fault() const {
  return outages_ && outages_->has_listed_ahead() &&
         std::any_of(processes_.begin(), processes_.end(),
                     [](host::Process* process) { return !process->has_ended(); });
}

void Cluster::node_died(int node) { deaths_->add(node); }

void Cluster::notify_of_death(int node, Time died) {
  for (const Program& program : programs_) {
    if (std::find(program.nodes.begin(), program.nodes.end(), node) == program.nodes.end()) continue;
    const auto job = static_cast<int>(&program - programs_.data());
    for (const auto& one : nodes_) one->learn_of_death(job, node, died);
  }
}

/// Nodes that cables do not join to the largest part of the used nodes are dead for these, from the start.
void Cluster::find_disconnected(const Machine& machine) {
  std::set<int> used;
  for (const Program& program : programs_) used.insert(program.nodes.begin(), program.nodes.end());
  const std::vector<int> parts = topologies::connected_parts(machine.working_graph());
  const auto parts_of = [&](int node) {
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(node) * machine.nic().ports;
    return std::set<int>(first, first + machine.nic().ports);
  };
  std::map<int, int> members;  // per part: number of used nodes in it
  for (const int node : used)
    for (const int part : parts_of(node)) ++members[part];
  const auto largest = std::max_element(members.begin(), members.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const int node : used)
    if (!parts_of(node).contains(largest->first)) node_died(node);
}

void Cluster::stop_if_no_progress() {
  if (stopped_ || !has_no_progress()) return;
  no_progress_ = true;
  stop();
}

void Cluster::stop() {
  if (std::exchange(stopped_, true)) return;
  timeline_.pause();
}

void Cluster::observe(net::Observer& observer) {
  observers_.add(observer);
  network().observe(&observers_.all());
}

void Cluster::observe_packets(net::PacketObserver& observer) {
  packet_observers_.add(observer);
  network().observe_packets(packet_observers_.all());
}

void Cluster::forget_packets(net::PacketObserver& observer) {
  packet_observers_.remove(observer);
  network().observe_packets(packet_observers_.all());
}

nic::RegisterWatch* Cluster::registers_of(int node) {
  return dynamic_cast<nic::RegisterWatch*>(cards_.at(static_cast<std::size_t>(node))->registers.get_interface());
}

bool Cluster::outlasts_time() const {
  return std::any_of(processes_.begin(), processes_.end(), [](host::Process* process) {
    return !process->has_ended() && process->first_cpu().sleeps_past_end();
  });
}

void Cluster::print_unwritten() {
  for (host::Process* const process : processes_)
    if (!process->has_ended()) process->print_unwritten();
}

}  // namespace sanvp
