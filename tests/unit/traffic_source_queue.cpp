#include <catch2/catch.hpp>
#include <deque>

#include "platform/core/random.hpp"
#include "platform/traffic/source_queue.hpp"

namespace sanvp::traffic {

TEST_CASE("a source queue of messages and counts gives them back in the order in which they came", "[traffic]") {
  struct Expected {
    bool is_counted;
    bool is_measured;
    std::uint32_t message;
  };
  Random random(1, "source queue");
  SourceQueue queue;
  std::deque<Expected> expected;
  std::size_t counted = 0;
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    if (random.below(100) < (step / 1000 % 2 == 0 ? 60 : 40)) {
      const bool is_counted = random.below(3) > 0;
      const bool is_measured = random.below(4) == 0;
      is_counted ? queue.push_counted(is_measured) : queue.push(step);
      expected.push_back({is_counted, is_measured, step});
      counted += is_counted ? 1 : 0;
    } else if (!queue.empty()) {
      REQUIRE(queue.is_first_counted() == expected.front().is_counted);
      if (queue.is_first_counted()) {
        REQUIRE(queue.is_first_measured() == expected.front().is_measured);
        queue.generate_first(expected.front().message);
        --counted;
      }
      REQUIRE(queue.first() == expected.front().message);
      queue.pop();
      expected.pop_front();
    }
    REQUIRE(queue.size() == expected.size());
    REQUIRE(queue.counted() == counted);
  }
}

TEST_CASE("a source queue knows what lies between its counted messages and is not sent", "[traffic]") {
  SourceQueue queue;
  queue.push_counted(false);
  queue.push_discarded();
  queue.push_discarded();
  queue.push_counted(false);
  queue.push_counted(false);
  queue.push_discarded();
  for (const std::uint64_t before : {0U, 2U, 0U}) {
    CHECK(queue.take_discarded() == before);
    CHECK(queue.take_discarded() == 0);
    queue.generate_first(7);
    queue.pop();
  }
  queue.push_counted(true);  // the generator begins again: what was left out last does not count
  CHECK(queue.take_discarded() == 0);
}

}  // namespace sanvp::traffic
