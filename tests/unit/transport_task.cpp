#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/net/task.hpp"
#include "platform/core/random.hpp"

using namespace sanvp;
using namespace sanvp::net;

namespace {

struct Log {
  Clock& clock;
  std::vector<std::pair<Time, std::string>> lines{};
  void operator()(std::string what) { lines.emplace_back(clock.now(), std::move(what)); }
  using Lines = std::vector<std::pair<Time, std::string>>;
};

Task<int> twice(Clock& clock, int value) {
  co_await clock.after(5ns);
  co_return 2 * value;
}

Task<> count_to(Clock& clock, Log& log, int last) {
  for (int i = 1; i <= last; ++i) {
    co_await clock.after(10ns);
    log(std::to_string(co_await twice(clock, i)));
  }
}

Task<> consume(Mailbox<int>& mailbox, Log& log) {
  for (;;) log("got " + std::to_string(co_await mailbox.pop()));
}

Task<> produce(Clock& clock, Mailbox<int>& mailbox) {
  mailbox.push(1);
  co_await clock.after(3ns);
  mailbox.push(2);
  mailbox.push(3);
}

Task<> step(Clock& clock, Log& log, std::string name, Time until) {
  co_await clock.until(5ns);
  log(name + " begins");
  co_await clock.until(until);
  log(name + " goes on");
}

Task<> fail(Clock& clock) {
  co_await clock.after(1ns);
  throw std::runtime_error("broken");
}

/// Units that wait at random, from an instant to many slots of the queue, and wake each other, beside a handler that is
/// updated for some of it.
struct Crowd final : EventHandler {
  Crowd(EventQueue& crowds, std::uint64_t seed, int units) : queue(crowds), random(seed, "crowd") {
    queue.enroll(*this, false);
    for (int i = 0; i < units; ++i) {
      clocks.push_back(std::make_unique<Clock>(queue, i));
      bells.push_back(std::make_unique<Condition>(*clocks.back()));
    }
    for (int i = 0; i < units; ++i) tasks.push_back(work(i));
    for (int i = 0; i < units; ++i) tasks[i].start(*clocks[i]);
  }
  ~Crowd() { queue.withdraw(*this); }
  void handle(const Event& event) override { note("event " + std::to_string(event.unit)); }
  void update() override {
    note("updates");
    if (random.below(4) == 0) add(0ns);
  }

  Task<> work(int unit) {
    for (int turn = 0; turn < 200; ++turn) {
      co_await clocks[unit]->after(span());
      note("unit " + std::to_string(unit));
      if (random.below(8) == 0) queue.request_update();
      if (random.below(8) == 0) add(span());
      bells[random.below(bells.size())]->notify();
      if (random.below(8) == 0 && unit > 0) co_await bells[unit]->wait();
    }
  }
  /// Of each length up to 2^20 ps as often, by powers of two.
  Time span() {
    const std::uint64_t below = std::uint64_t{1} << random.below(21);
    return Time{static_cast<std::int64_t>(random.below(below))};
  }
  void add(Time later) {
    queue.schedule(
        {.ps = (queue.now() + later).count(), .handler = this, .unit = static_cast<std::uint32_t>(random.below(3))});
  }
  void note(std::string what) { log.emplace_back(queue.now(), std::move(what)); }

  EventQueue& queue;
  Random random;
  std::vector<std::unique_ptr<Clock>> clocks;
  std::vector<std::unique_ptr<Condition>> bells;
  std::vector<Task<>> tasks;
  Log::Lines log;
};

/// Starts a task in the middle of its event.
struct Starter final : EventHandler {
  explicit Starter(EventQueue& queue) : clock(queue, 0) { queue.schedule({.ps = 1000, .handler = this}); }
  void handle(const Event&) override {
    task.start(clock);
    after_start = clock.now();
  }

  Clock clock;
  Log log{clock};
  Task<> task = step(clock, log, "started", 20ns);
  Time after_start = never;
};

Task<> survive(Clock& clock, Log& log) {
  try {
    co_await fail(clock);
  } catch (const std::runtime_error& error) {
    log(error.what());
  }
}

}  // namespace

TEST_CASE("a process waits for simulated time and for other tasks and gets their values") {
  EventQueue queue;
  Clock clock(queue, 0);
  Log log{clock};
  auto counting = count_to(clock, log, 2);
  counting.start(clock);
  queue.run_until(1us);
  CHECK(log.lines == Log::Lines{{15ns, "2"}, {30ns, "4"}});
}

TEST_CASE("a mailbox hands over in order and its consumer sleeps while it is empty") {
  EventQueue queue;
  Clock clock(queue, 0);
  Log log{clock};
  Mailbox<int> mailbox(clock);
  auto consumer = consume(mailbox, log);
  auto producer = produce(clock, mailbox);
  consumer.start(clock);
  producer.start(clock);
  queue.run_until(1us);
  CHECK(log.lines == Log::Lines{{0ns, "got 1"}, {3ns, "got 2"}, {3ns, "got 3"}});
  CHECK(mailbox.empty());
}

TEST_CASE("a wait that is over at once lets those go first whose turn comes before") {
  EventQueue queue;
  Clock low(queue, 1), high(queue, 2);
  Log log{low};
  Task<> tasks[] = {step(low, log, "a", 0ns), step(low, log, "b", 0ns), step(high, log, "c", 0ns),
                    step(high, log, "d", 6ns), step(low, log, "e", 6ns)};
  for (Task<>& task : tasks) task.start(low);
  queue.run_until(1us);
  // Of the first unit a, b and e are due before a and b go on; of the second c and d before c does.
  const Log::Lines expected{{5ns, "a begins"},  {5ns, "b begins"}, {5ns, "e begins"}, {5ns, "a goes on"},
                            {5ns, "b goes on"}, {5ns, "c begins"}, {5ns, "d begins"}, {5ns, "c goes on"},
                            {6ns, "e goes on"}, {6ns, "d goes on"}};
  CHECK(log.lines == expected);
  // Two waits of each, whether or not it had to be called a second time in the instant.
  CHECK(queue.processed() == 10);
}

TEST_CASE("a process that waits while nothing else happens goes on at once, with the same results") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const int units = 1 + static_cast<int>(seed % 5);
    EventQueue all{Elision::off}, queue{Elision::on}, passed{Elision::on}, in_a_row{Elision::on};
    Crowd with_all_events(all, seed, units), one_by_one(queue, seed, units), at_once(passed, seed, units),
        with_one_horizon(in_a_row, seed, units);
    REQUIRE_FALSE(all.run_until(1ms));
    REQUIRE_FALSE(queue.run_until(1ms));
    std::uint64_t instants = 0;
    for (; !passed.empty(); ++instants) {
      passed.set_horizon(1ms);
      passed.run_instant();
    }
    in_a_row.set_horizon(1ms);
    while (in_a_row.is_before_horizon()) in_a_row.run_instant();
    INFO("seed " << seed);
    REQUIRE(with_all_events.log == one_by_one.log);
    REQUIRE(one_by_one.log == at_once.log);
    REQUIRE(one_by_one.log == with_one_horizon.log);
    CHECK(in_a_row.processed() == passed.processed());
    CHECK(queue.processed() == passed.processed());
    CHECK(all.processed() == passed.processed());
    if (units == 1) CHECK(instants * 2 < passed.processed());
  }
}

TEST_CASE("a task that is started inside an event leaves the time as it is") {
  EventQueue queue{Elision::on};
  Starter starter(queue);
  queue.set_horizon(1us);
  queue.run_instant();
  CHECK(starter.after_start == 1ns);
  CHECK(queue.now() == 1ns);
  CHECK(starter.log.lines.empty());
  queue.set_horizon(1us);
  queue.run_instant();
  CHECK(starter.log.lines == Log::Lines{{5ns, "started begins"}, {20ns, "started goes on"}});
}

TEST_CASE("no process goes on beyond what happens outside") {
  EventQueue queue;
  Clock clock(queue, 0);
  Log log{clock};
  auto stepping = step(clock, log, "a", 20ns);
  stepping.start(clock);
  SECTION("known before") { queue.set_horizon(20ns); }
  SECTION("told meanwhile") {
    queue.set_horizon(1us);
    queue.lower_horizon(20ns);
  }
  queue.run_instant();
  CHECK(log.lines == Log::Lines{{5ns, "a begins"}});
  queue.set_horizon(1us);
  queue.run_instant();
  CHECK(log.lines == Log::Lines{{5ns, "a begins"}, {20ns, "a goes on"}});
}

TEST_CASE("what is due at the horizon is not before it") {
  EventQueue queue;
  Clock clock(queue, 0);
  Log log{clock};
  auto stepping = step(clock, log, "a", 20ns);
  stepping.start(clock);
  queue.set_horizon(20ns);
  CHECK(queue.is_before_horizon());
  queue.run_instant();
  CHECK_FALSE(queue.is_before_horizon());
  queue.set_horizon(21ns);
  CHECK(queue.is_before_horizon());
  queue.run_instant();
  CHECK_FALSE(queue.is_before_horizon());  // nothing is due
}

TEST_CASE("an exception of a task reaches the process that awaits it") {
  EventQueue queue;
  Clock clock(queue, 0);
  Log log{clock};
  auto survivor = survive(clock, log);
  survivor.start(clock);
  queue.run_until(1us);
  CHECK(log.lines == Log::Lines{{1ns, "broken"}});
}

TEST_CASE("an exception that no process awaits reaches the caller that runs the queue") {
  EventQueue queue;
  Clock clock(queue, 0);
  auto failing = fail(clock);
  failing.start(clock);
  CHECK_THROWS_WITH(queue.run_until(1us), "broken");
}
