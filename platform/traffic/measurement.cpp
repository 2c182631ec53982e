#include "platform/traffic/measurement.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::traffic {
namespace {

// The first check for the end of the warm-up comes after so many packets per sender and so many in all; each further
// check after half as many more.
constexpr std::int64_t fewest_packets_per_sender = 20;
constexpr std::int64_t fewest_packets = 500;
/// If a network delivers less than this part of the generated traffic, the load is beyond saturation and reaches no
/// steady state.
constexpr std::int64_t least_delivered_part = 4;
/// If latencies are not steady after this multiple of the packets at the first check, the load is beyond saturation.
constexpr std::int64_t looks_before_giving_up = 16;
/// The drain ends after so many window lengths: messages that are still undelivered then are beyond saturation.
constexpr int longest_drain_windows = 3;
/// Every so many steps a check for progress, and every so many checks a proof that there is no deadlock.
constexpr std::uint64_t steps_per_look = 4096;
constexpr std::uint64_t looks_per_proof = 64;
constexpr std::uint64_t instants_per_progress_line = 4096;  // and per question for Ctrl-C

}  // namespace

Measurement::Measurement(const NetworkUnderTest& under_test, Pattern& pattern, const Workload& workload,
                         const Plan& plan)
    : under_test_(under_test),
      workload_(workload),
      plan_(plan),
      pattern_(pattern),
      network_(net::Network::Borrowed{under_test.wiring}, queue_, under_test.fidelity, under_test.seed),
      meter_(under_test.nodes(), under_test.format.send_latency + under_test.format.receive_latency, plan.series,
             pattern.classes().size()),
      traffic_nodes_(under_test_, network_, queue_, pattern, workload_, ledger_, meter_),
      blocking_(under_test.wiring, ledger_, [this](const PacketRecord& record) { meter_.packet_over(record); }) {
  observe(blocking_);
  const bool may_follow = plan.look.at != never;  // faults that a branch adds
  if (under_test.faults != nullptr && (may_follow || !under_test.faults->empty())) {
    outages_.emplace(*under_test.faults, *under_test.stock, network_, queue_);
    observe_packets(outages_->packet_observer());
  }
  if (outages_ && under_test.current_routes != nullptr) {
    under_test.current_routes->reset();
    remap_.emplace(under_test.remap_takes, under_test.routes_around, *under_test.current_routes, queue_);
    outages_->add_listener([this](const faults::Event&, const topologies::Failures& down) { remap_->begin(down); });
  }
  for (int node = 0; node < under_test.nodes(); ++node) senders_ += pattern.sends(node) ? 1 : 0;
}

void Measurement::trace(Trace& trace) {
  trace_ = std::make_unique<net::HopTrace>(under_test_.wiring, trace);
  observe(*trace_);
  trace_->observe(network_);
}

void Measurement::observe(net::Observer& observer) {
  observers_.add(observer);
  network_.observe(&observers_.all());
}

void Measurement::observe_packets(net::PacketObserver& observer) {
  packet_observers_.add(observer);
  network_.observe_packets(packet_observers_.all());
}

void Measurement::forget_packets(net::PacketObserver& observer) {
  packet_observers_.remove(observer);
  network_.observe_packets(packet_observers_.all());
}

void Measurement::list_packets(PacketLog& log) {
  log.begin(pattern_.pace() == Pattern::Pace::load ? workload_.load.to_text() : "");
  traffic_nodes_.packet_over = [&log](const net::Packet& packet, const PacketRecord& record) {
    log.add(packet, record);
  };
}

void Measurement::time_probes(const TimingNodeSettings& settings) {
  timing_node_ = std::make_unique<TimingNode>(
      settings, under_test_.format.send_latency + under_test_.format.receive_latency, traffic_nodes_, queue_);
}

Ending Measurement::run_to_end() {
  traffic_nodes_.start();
  const bool is_steady = pattern_.extent() == Pattern::Extent::steady;
  if (is_steady)
    if (const Advance how = warm_up(); how != Advance::reached) return finish(how);

  meter_.open(queue_.now());
  network_.clear_statistics();
  before_window_ = network_.under_way();
  blocking_.count_links(true);
  Advance how = advance([&] { return plan_.packets > 0 && meter_.packets_generated() >= plan_.packets; }, plan_.until);
  if (!is_steady && how == Advance::reached) {
    // The pattern ends here; the window ends when all generated messages are delivered.
    traffic_nodes_.silence();
    how = advance([&] { return meter_.messages_outstanding() == 0; }, plan_.until);
  }
  if (how != Advance::reached || !is_steady || !plan_.drains) return finish(how);

  close_window();
  const Time drain_deadline = queue_.now() + longest_drain_windows * meter_.window();
  how = advance([&] { return meter_.messages_outstanding() == 0; }, std::min(drain_deadline, plan_.until));
  return finish(how == Advance::until_reached && drain_deadline <= plan_.until ? Advance::reached : how);
}

std::optional<CongestionTotals> Measurement::congestion() const {
  const auto marks = [](const net::Wiring::Switch& unit) { return unit.rules.marking.threshold > 0; };
  if (std::ranges::none_of(under_test_.wiring.switches, marks)) return {};
  return traffic_nodes_.congestion();
}

Ending Measurement::run() {
  const Ending ending = run_to_end();
  if (outages_) outages_->close();
  if (trace_) trace_->run_over(network_);
  return ending;
}

void Measurement::close_window() {
  network_.catch_up();
  blocking_.count_links(false);
  if (meter_.opened() == never) meter_.open(queue_.now());
  if (!meter_.is_open()) return;
  meter_.close(queue_.now());
  const std::vector<net::ChannelUse> after = network_.under_way();
  before_window_.resize(after.size());
  for (std::size_t c = 0; c < after.size(); ++c) {
    net::ChannelStatistics& one = channels_.emplace_back(network_.statistics(static_cast<int>(c)));
    one.busy_ps += after[c].busy_ps - before_window_[c].busy_ps;
    one.held_ps += after[c].held_ps - before_window_[c].held_ps;
  }
  for (int node = 0; node < under_test_.nodes(); ++node) {
    pool_most_flits_ = std::max(pool_most_flits_, network_.pool_most(node));
    spilled_ += network_.spilled(node);
  }
}

/// Ends the run and its window.
Ending Measurement::finish(Advance how) {
  close_window();
  if (how == Advance::ran_empty && network_.in_flight() > 0 && deadlock_.empty()) {
    deadlock_ = network_.find_deadlock();
    if (deadlock_.empty())
      deadlock_ = std::to_string(network_.in_flight()) + " packets are stuck for an unknown reason";
    return Ending::deadlock;
  }
  if (how == Advance::deadlock) return Ending::deadlock;
  if (how == Advance::interrupted) return Ending::interrupted;
  // A short run ends before the regular look for a deadlock.
  if (network_.in_flight() > 0) deadlock_ = network_.find_deadlock();
  if (!deadlock_.empty()) return Ending::deadlock;
  return how == Advance::until_reached ? Ending::until_reached : Ending::done;
}

/// Runs until the latencies from generation on show no trend (MSER) over twice the warm-up that it finds.
Measurement::Advance Measurement::warm_up() {
  if (plan_.warm_up) {
    const Advance how = advance([] { return false; }, std::min(*plan_.warm_up, plan_.until));
    return how == Advance::until_reached && *plan_.warm_up <= plan_.until ? Advance::reached : how;
  }
  const std::int64_t first = std::max(fewest_packets, fewest_packets_per_sender * senders_);
  for (std::int64_t packets = first;; packets += packets / 2) {
    if (packets > looks_before_giving_up * first) {
      has_settled_ = false;
      return Advance::reached;
    }
    const auto is_swamped = [&] { return meter_.packets_generated_so_far() > least_delivered_part * packets; };
    const Advance how = advance([&] { return meter_.packets_so_far() >= packets || is_swamped(); }, plan_.until);
    if (how != Advance::reached) return how;
    if (is_swamped()) {
      has_settled_ = false;
      return Advance::reached;
    }
    if (warm_up_length(meter_.warm_up())) return Advance::reached;
  }
}

/// What ends a step here, and when, does not depend on which instants have events, because an observer adds events.
Measurement::Advance Measurement::advance(const std::function<bool()>& is_reached, Time limit) {
  while (!is_reached()) {
    if (network_.is_over()) return network_.conclude(limit) ? Advance::ran_empty : Advance::until_reached;
    if (queue_.next() > plan_.look.at && plan_.look.at <= limit) {
      queue_.advance_to(std::exchange(plan_.look.at, never));
      if (!plan_.look.take(*this)) return Advance::interrupted;
      continue;
    }
    if (queue_.next() > limit) {
      queue_.advance_to(limit);
      return Advance::until_reached;
    }
    queue_.run_instant();
    if (is_deadlocked()) return Advance::deadlock;
    if (++instants_ % instants_per_progress_line != 0) continue;
    if (progress_ != nullptr) show_progress();
    if (plan_.is_interrupted()) return Advance::interrupted;
  }
  return Advance::reached;
}

void Measurement::show_progress() {
  std::optional<double> share;
  if (plan_.packets > 0 && meter_.opened() != never)
    share = std::min(1.0, static_cast<double>(meter_.packets_generated()) / static_cast<double>(plan_.packets));
  progress_->update(queue_.now(), network_.delivered(), share);
}

/// Searches for a deadlock when nothing has moved since the last check, and regularly in any case, because a part of
/// the network can be stuck while the rest moves.
bool Measurement::is_deadlocked() {
  const std::uint64_t progress = network_.progress();
  if (progress + traffic_nodes_.turns() < next_look_) return false;
  next_look_ = progress + traffic_nodes_.turns() + steps_per_look;
  const bool moved = std::exchange(progress_seen_, progress) != progress;
  const bool in_any_case = ++looks_ % looks_per_proof == 0;
  if (network_.in_flight() == 0 || (moved && !in_any_case)) return false;
  deadlock_ = network_.find_deadlock();
  return !deadlock_.empty();
}

}  // namespace sanvp::traffic
