/// Which actors act on a timeline after the network, and when.
#include "models/net/run_queue.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>

using namespace sanvp;
using net::EventQueue;
using net::RunQueue;

namespace {

struct Actor final : net::Actor {
  explicit Actor(RunQueue& run_queue, std::function<void()> does) : net::Actor(run_queue), does(std::move(does)) {}
  void act() override { does(); }
  std::function<void()> does;
};

struct Bench {
  EventQueue queue{net::Elision::on};
  RunQueue run_queue{queue};
  std::string acts;
  Actor a{run_queue, [this] { acts += "a" + std::to_string(run_queue.now().count()) + " "; }};
  Actor b{run_queue, [this] { acts += "b" + std::to_string(run_queue.now().count()) + " "; }};

  std::string run() {
    while (!run_queue.empty()) run_queue.run_round();
    return acts;
  }
};

}  // namespace

TEST_CASE("an actor acts once, at the earliest instant that it was scheduled for") {
  Bench bench;
  bench.run_queue.schedule(bench.a, Time{30});
  bench.run_queue.schedule(bench.a, Time{10});
  bench.run_queue.schedule(bench.a, Time{20});
  CHECK(bench.run_queue.next() == Time{10});
  CHECK(bench.run() == "a10 ");
  CHECK(bench.run_queue.next() == never);
}

TEST_CASE("actors of one instant act in the order of their construction") {
  Bench bench;
  bench.run_queue.schedule(bench.b, Time{5});
  bench.run_queue.schedule(bench.a, Time{5});
  CHECK(bench.run() == "a5 b5 ");
}

TEST_CASE("an actor scheduled for the current instant acts in another round, and one in the round only once") {
  Bench bench;
  bench.a.does = [&] {
    bench.acts += "a ";
    if (bench.run_queue.rounds() == 1) {
      bench.run_queue.schedule(bench.a, bench.run_queue.now());
      bench.run_queue.schedule(bench.b, bench.run_queue.now());
    }
  };
  bench.run_queue.schedule(bench.a, Time{5});
  bench.run_queue.schedule(bench.b, Time{5});
  CHECK(bench.run() == "a b5 a ");
  CHECK(bench.run_queue.rounds() == 2);
}

TEST_CASE("a run queue does not grow with what was scheduled earlier after all") {
  Bench bench;
  Actor third{bench.run_queue, [] {}};
  int acts = 0;
  bench.a.does = [&] {
    if (++acts == 10'000) return;
    bench.run_queue.schedule(bench.a, Time{acts + 1'000'000});
    bench.run_queue.schedule(bench.a, Time{acts});
  };
  bench.run_queue.schedule(bench.a, Time{0});
  bench.run_queue.schedule(third, Time{2'000'000});
  while (acts < 10'000) bench.run_queue.run_round();
  CHECK(bench.run_queue.size() < 200);
  CHECK(bench.run_queue.next() == Time{2'000'000});
}

TEST_CASE("an actor that is gone is forgotten") {
  Bench bench;
  {
    Actor third{bench.run_queue, [] {}};
    bench.run_queue.schedule(third, Time{1});
  }
  bench.run_queue.schedule(bench.a, Time{2});
  CHECK(bench.run() == "a2 ");
}

TEST_CASE("an actor passes to an instant before which nothing happens and not otherwise") {
  Bench bench;
  std::string passes;
  const auto pass = [&](Time at) { passes += bench.run_queue.fast_forward_to(at) ? "yes " : "no "; };
  const auto run = [&] {
    bench.queue.set_horizon(Time{100});
    return bench.run();
  };
  bench.a.does = [&] {
    pass(Time{20});
    pass(Time{30});  // b acts then
    CHECK(bench.run_queue.now() == Time{20});
  };
  bench.run_queue.schedule(bench.a, Time{10});
  bench.run_queue.schedule(bench.b, Time{30});
  CHECK(run() == "b30 ");
  CHECK(passes == "yes no ");
  CHECK(bench.run_queue.rounds() == 3);

  // Two in one round, then what the horizon allows.
  passes.clear();
  bench.a.does = [&] { pass(Time{50}); };
  bench.run_queue.schedule(bench.a, Time{40});
  bench.run_queue.schedule(bench.b, Time{40});
  run();
  bench.a.does = [&] {
    pass(Time{99});
    pass(Time{100});
  };
  bench.run_queue.schedule(bench.a, Time{60});
  run();
  CHECK(passes == "no yes no ");
}
