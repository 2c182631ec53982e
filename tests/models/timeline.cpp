/// A timeline beside other users of the kernel. Every case elaborates once, so each is a separate process.
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "models/net/kept_stack.hpp"
#include "models/net/timeline.hpp"

using namespace sanvp;
using namespace sanvp::net;

namespace {

/// Runs a given function at instants of a timeline.
class Caller final : public EventHandler {
 public:
  explicit Caller(Timeline& timeline) : timeline_(timeline) {}

  void at(Time time, std::function<void()> call) {
    calls_.emplace_back(time, std::move(call));
    timeline_.queue().schedule({.ps = time.count(), .handler = this, .unit = static_cast<unsigned>(calls_.size() - 1)});
    timeline_.wake();
  }
  void handle(const Event& event) override { calls_[event.unit].second(); }

 private:
  Timeline& timeline_;
  std::vector<std::pair<Time, std::function<void()>>> calls_;
};

std::string stamp(const std::string& what, Time at) { return what + " " + std::to_string(at / 1ns); }

}  // namespace

TEST_CASE("a process that a handler spawns runs, even if the timeline was alone before") {
  Timeline timeline("timeline", Lead::to_next_event);
  Caller caller(timeline);
  std::vector<std::string> order;
  const auto say = [&](const std::string& what) { order.push_back(stamp(what, timeline.queue().now())); };
  caller.at(10ns, [&] { say("event"); });
  caller.at(20ns, [&] {
    say("event");
    // The kernel is still at 0, so the process learns how far ahead the call is.
    const sc_core::sc_time ahead = timeline.ahead();
    sc_core::sc_spawn([&order, ahead] {
      sc_core::wait(ahead + sc_core::sc_time(5, sc_core::SC_NS));
      order.push_back(stamp("process", kernel_now()));
    });
  });
  caller.at(30ns, [&] { say("event"); });
  timeline.run();
  CHECK(order == std::vector<std::string>{"event 10", "event 20", "process 25", "event 30"});
}

TEST_CASE("a signal that a handler writes has its value before the next instant, without any process") {
  Timeline timeline("timeline", Lead::to_next_event);
  Caller caller(timeline);
  sc_core::sc_signal<int> signal("signal");
  std::vector<int> seen;
  caller.at(10ns, [&] {
    signal.write(1);
    seen.push_back(signal.read());
  });
  caller.at(20ns, [&] { seen.push_back(signal.read()); });
  timeline.run();
  CHECK(seen == std::vector<int>{0, 1});
}

TEST_CASE("a single timeline that leads needs the kernel once, however many instants it has") {
  Timeline timeline("timeline", Lead::to_next_event);
  Caller caller(timeline);
  int calls = 0;
  for (int i = 1; i <= 1000; ++i) caller.at(i * 10ns, [&] { ++calls; });
  timeline.run();
  CHECK(calls == 1000);
  CHECK(timeline.activations() <= 2);  // the kernel calls every process at the start
}

namespace {

/// Acts at instants of a timeline, and notes the kernel's time.
struct Clockwork {
  explicit Clockwork(Lead lead) : timeline("timeline", lead), caller(timeline) {
    for (const Time at : {10ns, 20ns, 30ns}) caller.at(at, [this, at] { seen.emplace_back(at, kernel_now()); });
  }
  Timeline timeline;
  Caller caller;
  std::vector<std::pair<Time, Time>> seen;  ///< when it acts, and the kernel's time then
};

/// A thread of the computer that asks the kernel for an update, as a console or a remote port does.
struct FromOutside : sc_core::sc_prim_channel {
  explicit FromOutside(std::function<void()> act_) : sc_prim_channel("from_outside"), act(std::move(act_)) {}
  void update() override { act(); }
  void ask() {
    std::thread([this] { async_request_update(); }).join();
  }
  std::function<void()> act;
};

}  // namespace

TEST_CASE("a timeline without a lead acts at the kernel's time, though no other process is there") {
  Clockwork clockwork(Lead::none);
  clockwork.timeline.run();
  CHECK(clockwork.seen == std::vector<std::pair<Time, Time>>{{10ns, 10ns}, {20ns, 20ns}, {30ns, 30ns}});
}

TEST_CASE("a timeline that leads acts before the kernel's time") {
  Clockwork clockwork(Lead::to_next_event);
  clockwork.timeline.run();
  CHECK(clockwork.seen == std::vector<std::pair<Time, Time>>{{10ns, 0ns}, {20ns, 0ns}, {30ns, 0ns}});
}

TEST_CASE("a program that steps finds a timeline without a lead where the step has ended, and may act there") {
  Clockwork clockwork(Lead::none);
  std::vector<std::string> order;
  for (int step = 1; step <= 5; ++step) {
    sc_core::sc_start(sc_core::sc_time(8, sc_core::SC_NS));
    order.push_back(stamp("step with " + std::to_string(clockwork.seen.size()) + " by", kernel_now()));
    clockwork.caller.at(kernel_now() + 1ns, [&] { order.push_back(stamp("act", kernel_now())); });
  }
  CHECK(order == std::vector<std::string>{"step with 0 by 8", "act 9", "step with 1 by 16", "act 17",
                                          "step with 2 by 24", "act 25", "step with 3 by 32", "act 33",
                                          "step with 3 by 40"});
}

TEST_CASE("what is touched between two steps has seen the events of the instant at which the step ended") {
  Clockwork clockwork(Lead::none);
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_NS));
  clockwork.timeline.catch_up();
  CHECK(clockwork.seen == std::vector<std::pair<Time, Time>>{{10ns, 10ns}, {20ns, 20ns}});
  sc_core::sc_start();
  CHECK(clockwork.seen.size() == 3);
}

TEST_CASE("a thread of the computer acts on a timeline without a lead at the kernel's time") {
  Clockwork clockwork(Lead::none);
  std::vector<std::string> order;
  FromOutside outside(
      [&] { clockwork.caller.at(kernel_now() + 5ns, [&] { order.push_back(stamp("act", kernel_now())); }); });
  for (int step = 0; step < 3; ++step) {
    outside.ask();
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
  }
  CHECK(order == std::vector<std::string>{"act 5", "act 15", "act 25"});
}

TEST_CASE("a delta cycle that an event notifies may act on a timeline without a lead") {
  Timeline timeline("timeline");
  Caller caller(timeline);
  std::vector<std::string> order;
  sc_core::sc_event told("told");
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&told);
  sc_core::sc_spawn(
      [&] {
        timeline.catch_up();
        caller.at(kernel_now(), [&] { order.push_back(stamp("answer", kernel_now())); });
      },
      "listener", &options);
  caller.at(10ns, [&] { told.notify(sc_core::SC_ZERO_TIME); });
  caller.at(20ns, [&] { order.push_back(stamp("event", kernel_now())); });
  timeline.run();
  CHECK(order == std::vector<std::string>{"answer 10", "event 20"});
}

TEST_CASE("an act before the time of a timeline that leads is an error that names the process and the cure") {
  Clockwork clockwork(Lead::to_next_event);
  {
    [[maybe_unused]] const KeptStack stack{};
    sc_core::sc_start(sc_core::sc_time(8, sc_core::SC_NS));
  }
  CHECK_THROWS_WITH(clockwork.timeline.schedule({.ps = 9000}),
                    Catch::Contains("timeline: the program, between two sc_start(), acts at 9ns, but the timeline "
                                    "leads, and is at 30ns; construct it with net::Lead::none"));
}

TEST_CASE("events of a timeline come from a thread process") {
  Timeline timeline("timeline");
  Caller caller(timeline);
  sc_core::sc_curr_proc_kind kind = sc_core::SC_NO_PROC_;
  caller.at(10ns, [&] { kind = sc_core::sc_get_current_process_handle().proc_kind(); });
  timeline.run();
  CHECK(kind == sc_core::SC_THREAD_PROC_);
}
