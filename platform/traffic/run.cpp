#include "platform/traffic/run.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::traffic {
namespace {

// Warm-up: first looked at after so many packets per sender and in all, then each time there are half as many more.
constexpr std::int64_t fewest_packets_per_sender = 20;
constexpr std::int64_t fewest_packets = 500;
/// Of a network that delivers less than this part of what is generated nothing better is to be expected either.
constexpr std::int64_t least_delivered_part = 4;
/// After so many times the first look the load is taken to be past saturation, where nothing ever settles.
constexpr std::int64_t looks_before_giving_up = 16;
/// The drain is given up after so many lengths of the window: what is still undelivered is past saturation.
constexpr int longest_drain_windows = 3;
/// The network is looked at for progress every so many steps, and proved free from deadlock every so many looks.
constexpr std::uint64_t steps_per_look = 4096;
constexpr std::uint64_t looks_per_proof = 64;
constexpr std::uint64_t instants_per_progress_line = 4096;

}  // namespace

Run::Run(const NetworkUnderTest& under_test, Pattern& pattern, const Workload& workload, const Plan& plan)
    : under_test_(under_test),
      workload_(workload),
      plan_(plan),
      pattern_(pattern),
      network_(under_test.wiring, queue_, under_test.fidelity, under_test.seed),
      meter_(under_test.nodes(), under_test.format.send_latency + under_test.format.receive_latency, plan.series),
      traffic_nodes_(under_test_, network_, queue_, pattern, workload_, ledger_, meter_),
      blocking_(under_test.wiring, ledger_, [this](const PacketRecord& record) { meter_.packet_over(record); }) {
  observe(blocking_);
  if (under_test.faults != nullptr && !under_test.faults->empty())
    outages_.emplace(*under_test.faults, *under_test.stock, network_, queue_);
  if (outages_ && under_test.current_routes != nullptr) {
    under_test.current_routes->reset();
    remap_.emplace(under_test.remap_takes, under_test.routes_around, *under_test.current_routes, queue_);
    outages_->add_listener([this](const faults::Event&, const topologies::Failures& down) { remap_->begin(down); });
  }
  for (int node = 0; node < under_test.nodes(); ++node) senders_ += pattern.sends(node) ? 1 : 0;
}

void Run::trace(Trace& trace) {
  trace_ = std::make_unique<net::HopTrace>(under_test_.wiring, trace);
  observe(*trace_);
}

void Run::observe(net::Observer& observer) {
  observers_.add(observer);
  network_.observe(&observers_.all());
}

void Run::time_probes(const TimingNodeSettings& settings) {
  timing_node_ = std::make_unique<TimingNode>(
      settings, under_test_.format.send_latency + under_test_.format.receive_latency, traffic_nodes_, queue_);
}

Ending Run::run_to_end() {
  traffic_nodes_.start();
  const bool is_steady = pattern_.extent() == Pattern::Extent::steady;
  if (is_steady)
    if (const Advance how = warm_up(); how != Advance::reached) return finish(how);

  meter_.open(queue_.now());
  network_.clear_statistics();
  blocking_.count_links(true);
  Advance how = advance([&] { return plan_.packets > 0 && meter_.packets_generated() >= plan_.packets; }, plan_.until);
  if (!is_steady && how == Advance::reached) {
    // What has been generated is all there is; the window ends with its delivery.
    traffic_nodes_.silence();
    how = advance([&] { return meter_.messages_outstanding() == 0; }, plan_.until);
  }
  if (how != Advance::reached || !is_steady || !plan_.drains) return finish(how);

  close_window();
  const Time patience = queue_.now() + longest_drain_windows * meter_.window();
  how = advance([&] { return meter_.messages_outstanding() == 0; }, std::min(patience, plan_.until));
  return how == Advance::until_reached && patience <= plan_.until ? Ending::done : finish(how);
}

Ending Run::run() {
  const Ending ending = run_to_end();
  if (outages_) outages_->close();
  return ending;
}

void Run::close_window() {
  network_.catch_up();
  blocking_.count_links(false);
  if (meter_.opened() == never) meter_.open(queue_.now());
  if (!meter_.is_open()) return;
  meter_.close(queue_.now());
  for (std::size_t c = 0; c < under_test_.wiring.channels.size(); ++c)
    channels_.push_back(network_.statistics(static_cast<int>(c)));
  for (int node = 0; node < under_test_.nodes(); ++node) {
    pool_most_flits_ = std::max(pool_most_flits_, network_.pool_most(node));
    spilled_ += network_.spilled(node);
  }
}

/// The run is over, and with it the window.
Ending Run::finish(Advance how) {
  close_window();
  if (how == Advance::ran_empty && network_.in_flight() > 0 && deadlock_.empty()) {
    deadlock_ = network_.find_deadlock();
    if (deadlock_.empty())
      deadlock_ = std::to_string(network_.in_flight()) + " packets are stuck, and nothing is known that they wait for";
    return Ending::deadlock;
  }
  if (how == Advance::deadlock) return Ending::deadlock;
  return how == Advance::until_reached ? Ending::until_reached : Ending::done;
}

/// Until the latencies from generation on show no trend any more (MSER), seen over twice the warm-up that it finds.
Run::Advance Run::warm_up() {
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
    if (warm_up_length(meter_.settling())) return Advance::reached;
  }
}

/// What ends here, and when, does not depend on which instants have events: an observer makes more of them.
Run::Advance Run::advance(const std::function<bool()>& is_reached, Time limit) {
  while (!is_reached()) {
    if (network_.is_over()) return network_.conclude(limit) ? Advance::ran_empty : Advance::until_reached;
    if (queue_.next() > limit) {
      queue_.advance_to(limit);
      return Advance::until_reached;
    }
    queue_.run_instant();
    if (is_deadlocked()) return Advance::deadlock;
    if (progress_ != nullptr && ++instants_ % instants_per_progress_line == 0) show_progress();
  }
  return Advance::reached;
}

void Run::show_progress() {
  std::optional<double> share;
  if (plan_.packets > 0 && meter_.opened() != never)
    share = std::min(1.0, static_cast<double>(meter_.packets_generated()) / static_cast<double>(plan_.packets));
  progress_->update(queue_.now(), network_.delivered(), share);
}

/// Looks at once where nothing has moved since the last look; now and then in any case, since a part of the network can
/// be stuck while the rest goes on.
bool Run::is_deadlocked() {
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
