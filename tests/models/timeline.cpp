/// A timeline beside other users of the kernel. Every case elaborates once, so each is a separate process.
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

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
  Timeline timeline("timeline");
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
  Timeline timeline("timeline");
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

TEST_CASE("a single timeline needs the kernel once, however many instants it has") {
  Timeline timeline("timeline");
  Caller caller(timeline);
  int calls = 0;
  for (int i = 1; i <= 1000; ++i) caller.at(i * 10ns, [&] { ++calls; });
  timeline.run();
  CHECK(calls == 1000);
  CHECK(timeline.activations() <= 2);  // the kernel calls every process at the start
}
