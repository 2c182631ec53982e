/// What an event costs, without a network: the floor under everything else. 1,024 events are pending; each, when it is
/// due, schedules itself again.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <queue>
#include <tuple>
#include <vector>

#include "models/net/fabric.hpp"
#include "platform/core/random.hpp"
#include "tests/bench/workloads.hpp"

namespace sanvp::bench {
namespace {

constexpr int pending = 1024;
constexpr int repetitions = 20;
constexpr std::uint64_t events_per_repetition = 500'000;

/// Staggered: each timer has a period of its own, so that hardly two are due at one instant.
std::vector<std::int64_t> periods_ps() {
  constexpr std::int64_t longest_ns = 2048;  // one event a nanosecond, roughly
  Random random(1, "periods");
  std::vector<std::int64_t> periods;
  for (int i = 0; i < pending; ++i) periods.push_back(static_cast<std::int64_t>(1 + random.below(longest_ns)) * 1000);
  return periods;
}

/// @param run  does one repetition and returns how many events it was
template <typename RunEvents>
void report_best(benchmark::State& state, RunEvents run) {
  double best_ns = std::numeric_limits<double>::infinity();
  for ([[maybe_unused]] auto _ : state) {
    const double start = cpu_seconds();
    const auto events = static_cast<double>(run());
    best_ns = std::min(best_ns, (cpu_seconds() - start) * 1e9 / events);
  }
  state.counters["ns/event"] = best_ns;
}

void event_queue(benchmark::State& state) {
  struct Timers final : net::EventHandler {
    net::EventQueue queue;
    std::vector<std::int64_t> periods = periods_ps();
    void handle(const net::Event& event) override {
      queue.schedule({.ps = event.ps + periods[event.unit], .handler = this, .unit = event.unit});
    }
  } timers;
  for (std::uint32_t i = 0; i < pending; ++i)
    timers.queue.schedule({.ps = timers.periods[i], .handler = &timers, .unit = i});
  report_best(state, [&] {
    const std::uint64_t before = timers.queue.processed();
    while (timers.queue.processed() - before < events_per_repetition) timers.queue.run_instant();
    return timers.queue.processed() - before;
  });
}

void binary_heap(benchmark::State& state) {
  struct Later {
    bool operator()(const net::Event& a, const net::Event& b) const {
      return std::tie(a.ps, a.unit) > std::tie(b.ps, b.unit);
    }
  };
  const std::vector<std::int64_t> periods = periods_ps();
  std::priority_queue<net::Event, std::vector<net::Event>, Later> heap;
  for (std::uint32_t i = 0; i < pending; ++i) heap.push({.ps = periods[i], .unit = i});
  report_best(state, [&] {
    for (std::uint64_t i = 0; i < events_per_repetition; ++i) {
      net::Event event = heap.top();
      heap.pop();
      event.ps += periods[event.unit];
      heap.push(event);
    }
    return events_per_repetition;
  });
}

/// SystemC's own: a timed notification and the SC_METHOD that it wakes.
class Timer : public sc_core::sc_module {
 public:
  Timer(const sc_core::sc_module_name& name, Time period) : sc_module(name), period_(net::to_sc_time(period)) {
    SANVP_HAS_PROCESS(Timer);
    SC_METHOD(expire);
    sensitive << due_;
    dont_initialize();
  }

  void start() {
    keep_going_ = true;
    due_.notify(period_);
  }
  void stop() { keep_going_ = false; }
  std::uint64_t expired() const { return expired_; }

 private:
  void expire() {
    ++expired_;
    if (keep_going_) due_.notify(period_);
  }

  sc_core::sc_event due_{"due"};
  sc_core::sc_time period_;
  bool keep_going_ = false;
  std::uint64_t expired_ = 0;
};

/// A tree at work inside the kernel.
struct TreeInKernel {
  TreeInKernel(const char* name, net::Lead lead)
      : timeline((std::string(name) + "_timeline").c_str(), lead),
        fabric(name, timeline, workload.wiring, net::Fidelity::worm, 1) {
    timeline.hold_after(Time{0});
  }
  void run(Time duration) {
    timeline.hold_after(net::kernel_now() + duration);
    timeline.wake();
    sc_core::sc_start(net::to_sc_time(duration));
  }

  Workload workload = tree(3, 20, 0.4);
  net::Timeline timeline;
  net::Fabric fabric;
  UniformLoad load{fabric.network(), timeline.queue(), *workload.routing, workload.load};
};

/// SystemC elaborates once in a process, so all benches that need it are in one system, each idle during the others:
/// the timers because they are stopped, the timelines because nothing wakes them.
struct System {
  static System& get() {
    static System system;
    return system;
  }

  System() { run(1_ps); }

  static void run(Time duration) { sc_core::sc_start(net::to_sc_time(duration)); }
  std::uint64_t expired() const {
    std::uint64_t sum = 0;
    for (const auto& timer : timers) sum += timer->expired();
    return sum;
  }

  TreeInKernel leading{"leading", net::Lead::to_next_event};
  TreeInKernel at_kernel_time{"at_kernel_time", net::Lead::none};
  std::vector<std::unique_ptr<Timer>> timers = [] {
    std::vector<std::unique_ptr<Timer>> made;
    for (const std::int64_t period : periods_ps())
      made.push_back(std::make_unique<Timer>(sc_core::sc_gen_unique_name("timer"), Time{period}));
    return made;
  }();
};

void systemc_method(benchmark::State& state) {
  System& system = System::get();
  for (const auto& timer : system.timers) timer->start();
  constexpr Time stretch = 100us;
  report_best(state, [&] {
    const std::uint64_t before = system.expired();
    system.run(stretch);
    return system.expired() - before;
  });
  for (const auto& timer : system.timers) timer->stop();
  system.run(stretch);
}

/// What the kernel adds to the transport.
void timeline_in_kernel(benchmark::State& state, TreeInKernel System::*which) {
  TreeInKernel& tree = System::get().*which;
  constexpr Time stretch = 50us;
  tree.run(stretch);  // warm-up
  const net::EventQueue& queue = tree.timeline.queue();
  const std::uint64_t activations = tree.timeline.activations();
  const std::uint64_t events = queue.processed();
  report_best(state, [&] {
    const std::uint64_t before = queue.processed();
    tree.run(stretch);
    return queue.processed() - before;
  });
  state.counters["events"] = static_cast<double>(queue.processed() - events);
  state.counters["activations"] = static_cast<double>(tree.timeline.activations() - activations);
}
void timeline_that_leads(benchmark::State& state) { timeline_in_kernel(state, &System::leading); }
void timeline_without_lead(benchmark::State& state) { timeline_in_kernel(state, &System::at_kernel_time); }

BENCHMARK(event_queue)->Iterations(repetitions)->Unit(benchmark::kMillisecond);
BENCHMARK(binary_heap)->Iterations(repetitions)->Unit(benchmark::kMillisecond);
BENCHMARK(systemc_method)->Iterations(repetitions)->Unit(benchmark::kMillisecond);
BENCHMARK(timeline_that_leads)->Iterations(repetitions)->Unit(benchmark::kMillisecond);
BENCHMARK(timeline_without_lead)->Iterations(repetitions)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sanvp::bench
