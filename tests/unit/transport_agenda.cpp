/// Which actors act on a timeline after the network, and when.
#include "models/net/agenda.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>

using namespace sanvp;
using net::Agenda;
using net::EventQueue;

namespace {

struct Actor final : net::Actor {
  explicit Actor(Agenda& agenda, std::function<void()> does) : net::Actor(agenda), does(std::move(does)) {}
  void act() override { does(); }
  std::function<void()> does;
};

struct Bench {
  EventQueue queue{net::Elision::on};
  Agenda agenda{queue};
  std::string acts;
  Actor a{agenda, [this] { acts += "a" + std::to_string(agenda.now().count()) + " "; }};
  Actor b{agenda, [this] { acts += "b" + std::to_string(agenda.now().count()) + " "; }};

  std::string run() {
    while (!agenda.empty()) agenda.run_round();
    return acts;
  }
};

}  // namespace

TEST_CASE("an actor acts once, at the earliest instant that it was scheduled for") {
  Bench bench;
  bench.agenda.schedule(bench.a, Time{30});
  bench.agenda.schedule(bench.a, Time{10});
  bench.agenda.schedule(bench.a, Time{20});
  CHECK(bench.agenda.next() == Time{10});
  CHECK(bench.run() == "a10 ");
  CHECK(bench.agenda.next() == never);
}

TEST_CASE("actors of one instant act in the order of their construction") {
  Bench bench;
  bench.agenda.schedule(bench.b, Time{5});
  bench.agenda.schedule(bench.a, Time{5});
  CHECK(bench.run() == "a5 b5 ");
}

TEST_CASE("an actor scheduled for the current instant acts in another round, and one in the round only once") {
  Bench bench;
  bench.a.does = [&] {
    bench.acts += "a ";
    if (bench.agenda.rounds() == 1) {
      bench.agenda.schedule(bench.a, bench.agenda.now());
      bench.agenda.schedule(bench.b, bench.agenda.now());
    }
  };
  bench.agenda.schedule(bench.a, Time{5});
  bench.agenda.schedule(bench.b, Time{5});
  CHECK(bench.run() == "a b5 a ");
  CHECK(bench.agenda.rounds() == 2);
}

TEST_CASE("an agenda does not grow with what was scheduled earlier after all") {
  Bench bench;
  Actor third{bench.agenda, [] {}};
  int acts = 0;
  bench.a.does = [&] {
    if (++acts == 10'000) return;
    bench.agenda.schedule(bench.a, Time{acts + 1'000'000});
    bench.agenda.schedule(bench.a, Time{acts});
  };
  bench.agenda.schedule(bench.a, Time{0});
  bench.agenda.schedule(third, Time{2'000'000});
  while (acts < 10'000) bench.agenda.run_round();
  CHECK(bench.agenda.size() < 200);
  CHECK(bench.agenda.next() == Time{2'000'000});
}

TEST_CASE("an actor that is gone is forgotten") {
  Bench bench;
  {
    Actor third{bench.agenda, [] {}};
    bench.agenda.schedule(third, Time{1});
  }
  bench.agenda.schedule(bench.a, Time{2});
  CHECK(bench.run() == "a2 ");
}

TEST_CASE("an actor passes to an instant before which nothing happens and not otherwise") {
  Bench bench;
  std::string passes;
  const auto pass = [&](Time at) { passes += bench.agenda.fast_forward_to(at) ? "yes " : "no "; };
  const auto run = [&] {
    bench.queue.set_horizon(Time{100});
    return bench.run();
  };
  bench.a.does = [&] {
    pass(Time{20});
    pass(Time{30});  // b acts then
    CHECK(bench.agenda.now() == Time{20});
  };
  bench.agenda.schedule(bench.a, Time{10});
  bench.agenda.schedule(bench.b, Time{30});
  CHECK(run() == "b30 ");
  CHECK(passes == "yes no ");
  CHECK(bench.agenda.rounds() == 3);

  // Two in one round, then what the horizon allows.
  passes.clear();
  bench.a.does = [&] { pass(Time{50}); };
  bench.agenda.schedule(bench.a, Time{40});
  bench.agenda.schedule(bench.b, Time{40});
  run();
  bench.a.does = [&] {
    pass(Time{99});
    pass(Time{100});
  };
  bench.agenda.schedule(bench.a, Time{60});
  run();
  CHECK(passes == "no yes no ");
}
