/// The event queue: order, far events, instants that are opened again.

#include "models/net/event_queue.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "platform/core/random.hpp"

using namespace sanvp;
using namespace sanvp::net;

namespace {

using Key = std::tuple<std::int64_t, std::uint16_t, std::uint32_t>;

/// Records what it is given, and acts as told at an event or in the update phase.
class Notebook : public EventHandler {
 public:
  explicit Notebook(EventQueue& queue) : queue_(queue) { queue.enroll(*this); }

  void handle(const Event& event) override {
    seen.emplace_back(event.ps, event.kind, event.unit);
    on_time &= event.ps == queue_.now_ps();
    if (at_event) at_event(event);
  }
  void update() override {
    ++updates;
    if (at_update) at_update();
  }
  void close_instant() override { ++closed; }

  void add(std::int64_t ps, std::uint16_t kind = 0, std::uint32_t unit = 0) {
    queue_.schedule({.ps = ps, .handler = this, .kind = kind, .unit = unit});
  }

  std::vector<Key> seen;
  std::function<void(const Event&)> at_event;
  std::function<void()> at_update;
  bool on_time = true;
  int updates = 0;
  int closed = 0;

 private:
  EventQueue& queue_;
};

void run(EventQueue& queue) {
  while (queue.run_until(never)) {
  }
}

}  // namespace

TEST_CASE("events of one instant come by kind, then unit, whatever the order of scheduling") {
  EventQueue queue;
  Notebook notes{queue};
  notes.add(5, 2, 0);
  notes.add(5, 1, 7);
  notes.add(4, 9, 9);
  notes.add(5, 1, 3);
  notes.add(5, 0, 8);
  run(queue);
  CHECK(notes.seen == std::vector<Key>{{4, 9, 9}, {5, 0, 8}, {5, 1, 3}, {5, 1, 7}, {5, 2, 0}});
  CHECK(notes.updates == 2);
  CHECK(notes.closed == 2);
}

TEST_CASE("a million events at all distances come out sorted, each at its time") {
  // From a picosecond to hours: within a slot of the wheel, within the wheel, beyond it.
  EventQueue queue;
  Notebook notes{queue};
  Random random{1, "events"};
  constexpr std::size_t events = 1'000'000;
  std::size_t scheduled = 0;
  const auto add = [&] {
    const auto magnitude = random.below(44);
    const auto wait = static_cast<std::int64_t>(random.below(std::uint64_t{1} << magnitude));
    notes.add(queue.now_ps() + wait, static_cast<std::uint16_t>(random.below(4)),
              static_cast<std::uint32_t>(random.below(8)));
    ++scheduled;
  };
  notes.at_event = [&](const Event&) {
    while (scheduled < events && queue.pending() < 3000) add();
  };
  for (int i = 0; i < 1000; ++i) add();
  run(queue);
  CHECK(notes.on_time);
  CHECK(notes.seen.size() == events);
  CHECK(queue.processed() == events);
  CHECK(std::is_sorted(notes.seen.begin(), notes.seen.end(),
                       [](const Key& a, const Key& b) { return std::get<0>(a) < std::get<0>(b); }));
}

TEST_CASE("few pending events that become a crowd, and few again, come out in the full order") {
  // Tides between two and 400 pending events, long enough at either end for the queue to change how it keeps them.
  EventQueue queue;
  Notebook notes{queue};
  Random random{3, "tides"};
  constexpr std::uint32_t events = 300'000;
  constexpr std::uint32_t tide = 30'000;
  std::uint32_t scheduled = 0;
  std::set<std::pair<std::int64_t, std::uint32_t>> expected;
  std::uint32_t out_of_order = 0;
  const auto add = [&] {
    const auto wait = static_cast<std::int64_t>(1 + random.below(std::uint64_t{1} << random.below(42)));
    expected.emplace(queue.now_ps() + wait, scheduled);
    notes.add(queue.now_ps() + wait, 0, scheduled++);
  };
  notes.at_event = [&](const Event& event) {
    const auto first = *expected.begin();
    out_of_order += first == std::pair{event.ps, event.unit} ? 0 : 1;
    expected.erase(std::pair{event.ps, event.unit});
    const std::size_t wanted = scheduled / tide % 2 == 0 ? 2 : 400;
    for (int i = 0; i < 2 && scheduled < events && queue.pending() < wanted; ++i) add();
  };
  add();
  run(queue);
  CHECK(notes.on_time);
  CHECK(queue.processed() == events);
  CHECK(out_of_order == 0);
  CHECK(expected.empty());
}

TEST_CASE("a million events scheduled beforehand come out in the full order") {
  EventQueue queue;
  Notebook notes{queue};
  Random random{2, "events"};
  for (int i = 0; i < 1'000'000; ++i)
    notes.add(static_cast<std::int64_t>(random.below(std::uint64_t{1} << (24 + random.below(16)))),
              static_cast<std::uint16_t>(random.below(4)), static_cast<std::uint32_t>(random.below(8)));
  run(queue);
  CHECK(notes.seen.size() == 1'000'000);
  CHECK(std::is_sorted(notes.seen.begin(), notes.seen.end()));
}

TEST_CASE("a lone event hours away comes at its time, and the queue knows when it is empty") {
  EventQueue queue;
  Notebook notes{queue};
  CHECK(queue.empty());
  CHECK(queue.next() == never);
  constexpr std::int64_t hours = 3'600'000'000'000'000 * 5;  // ps
  notes.add(hours);
  CHECK(queue.next() == Time{hours});
  CHECK(queue.run_until(Time{hours - 1}));
  CHECK(notes.seen.empty());
  CHECK_FALSE(queue.run_until(Time{hours}));
  CHECK(notes.seen.size() == 1);
  CHECK(queue.now_ps() == hours);
  CHECK(queue.empty());
}

TEST_CASE("an event earlier than the one already looked at is not missed") {
  EventQueue queue;
  Notebook notes{queue};
  notes.add(1'000'000'000'000);
  CHECK(queue.next() == Time{1'000'000'000'000});  // the wheel has turned to it
  notes.add(7);
  notes.add(5'000'000);
  CHECK(queue.next() == Time{7});
  run(queue);
  CHECK(notes.seen == std::vector<Key>{{7, 0, 0}, {5'000'000, 0, 0}, {1'000'000'000'000, 0, 0}});
}

TEST_CASE("a handler that looks at the next instant and schedules before it always sees the truth") {
  // As the kernel's side does: it looks, may schedule something earlier or in the slot under way, looks again, runs.
  EventQueue queue;
  Notebook notes{queue};
  Random random{3, "events"};
  std::multiset<std::int64_t> waiting;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    const std::int64_t ps = from + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(to - from)));
    notes.add(ps);
    waiting.insert(ps);
  };
  notes.at_event = [&](const Event& event) { waiting.erase(waiting.find(event.ps)); };
  for (int i = 0; i < 200'000; ++i) {
    if (waiting.size() < 20) add(queue.now_ps(), queue.now_ps() + (std::int64_t{1} << random.below(40)) + 1);
    REQUIRE(queue.next() == Time{*waiting.begin()});
    if (random.below(3) == 0) add(queue.now_ps(), *waiting.begin() + 1);
    REQUIRE(queue.next() == Time{*waiting.begin()});
    if (random.below(2) == 0) queue.run_instant();
  }
  CHECK(notes.on_time);
}

TEST_CASE("an update phase that adds events opens the instant again, and closes it once") {
  EventQueue queue;
  Notebook notes{queue};
  int rounds = 0;
  notes.at_update = [&] {
    if (++rounds < 4) notes.add(queue.now_ps(), 0, static_cast<std::uint32_t>(rounds));
  };
  notes.add(10);
  run(queue);
  CHECK(notes.seen == std::vector<Key>{{10, 0, 0}, {10, 0, 1}, {10, 0, 2}, {10, 0, 3}});
  CHECK(notes.updates == 4);
  CHECK(notes.closed == 1);
}

TEST_CASE("a crowd that comes into the slot under way, last first, comes out in order and soon") {
  constexpr std::uint32_t crowd = 200'000;  // one by one to its place: minutes
  EventQueue queue;
  Notebook notes{queue};
  notes.add(10, 1);
  notes.add(11);
  notes.at_event = [&](const Event& event) {
    if (event.ps != 10 || event.kind != 1) return;
    for (std::uint32_t unit = crowd; unit-- > 0;) notes.add(10, 2, unit);
  };
  run(queue);
  std::vector<Key> expected{{10, 1, 0}};
  for (std::uint32_t unit = 0; unit < crowd; ++unit) expected.emplace_back(10, 2, unit);
  expected.emplace_back(11, 0, 0);
  CHECK((notes.seen == expected));
}

TEST_CASE("what is done from outside is updated at its time, together with events of that time") {
  EventQueue queue;
  Notebook notes{queue};
  notes.add(100);
  queue.run_outside(Time{40});
  CHECK(queue.now_ps() == 40);
  CHECK(notes.updates == 1);
  CHECK(notes.closed == 1);
  CHECK(notes.seen.empty());
  queue.run_outside(Time{100});
  CHECK(notes.seen.size() == 1);
  CHECK(notes.closed == 2);
}

TEST_CASE("a handler that was withdrawn is not updated any more") {
  EventQueue queue;
  Notebook notes{queue}, other{queue};
  queue.withdraw(other);
  notes.add(1);
  run(queue);
  CHECK(notes.updates == 1);
  CHECK(other.updates == 0);
}

TEST_CASE("the past is closed") {
  EventQueue queue;
  Notebook notes{queue};
  notes.add(10);
  run(queue);
  CHECK_THROWS_AS(notes.add(9), std::logic_error);
  CHECK_NOTHROW(notes.add(10));
}

TEST_CASE("equal events come in the order in which they were scheduled, however far ahead they lay") {
  for (const std::int64_t ahead_ps : {1'000, 1'000'000'000}) {  // in the wheel, and beyond it
    EventQueue queue;
    std::array<int, 9> subjects{};
    std::vector<std::ptrdiff_t> order;
    Notebook notebook(queue);
    notebook.at_event = [&](const Event& event) {
      order.push_back(static_cast<int*>(event.subject) - subjects.data());
    };
    for (int& subject : subjects) queue.schedule({.ps = ahead_ps, .handler = &notebook, .subject = &subject});
    run(queue);
    CHECK(order == std::vector<std::ptrdiff_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  }
}
