// Blocks of memory by their place, against a list of all of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "platform/mpi_check/accesses.hpp"
#include "platform/mpi_check/intervals.hpp"

using namespace sanvp::mpi_check;

namespace {

struct Entry {
  std::uint64_t number;
  std::vector<Bytes> blocks;
};

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  std::int64_t below(std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most - 1)(engine_); }
  /// Mostly short, some that cover much.
  std::vector<Bytes> blocks() {
    std::vector<Bytes> list;
    for (auto count = 1 + below(3); count > 0; --count)
      list.push_back({below(1000), below(10) == 0 ? below(600) : below(20)});
    return list;
  }

 private:
  std::mt19937 engine_;
};

bool meet(const std::vector<Bytes>& one, const std::vector<Bytes>& other) {
  return std::any_of(one.begin(), one.end(), [&](const Bytes& a) {
    return std::any_of(other.begin(), other.end(),
                       [&](const Bytes& b) { return std::max(a.begin, b.begin) < std::min(a.end(), b.end()); });
  });
}

bool is_there(const std::vector<Entry>& all, const std::vector<Bytes>& blocks, std::uint64_t except) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Entry& entry) { return entry.number != except && meet(entry.blocks, blocks); });
}

Access put(std::uint64_t number, int actor, std::int64_t begin, std::int64_t count) {
  Access access;
  access.number = number;
  access.actor = actor;
  access.process = access.target = 0;
  access.epoch = Epoch::fence;
  access.blocks = {{begin, count}};
  return access;
}

bool never(const AccessKind& /*kind*/) { return false; }
bool if_ended(const AccessKind& kind) { return kind.ended != 0; }

}  // namespace

TEST_CASE("blocks are found where a list of all of them has one, whatever is added, removed and taken over") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Draw draw(seed);
    Intervals intervals, others;
    std::vector<Entry> all, in_others;
    for (std::uint64_t number = 0; number < 300; ++number) {
      const bool is_other = draw.below(3) == 0;
      auto& list = is_other ? in_others : all;
      list.push_back({number, draw.blocks()});
      (is_other ? others : intervals).add(list.back().blocks, number);
      if (draw.below(4) == 0 && !all.empty()) {
        const auto removed = all.begin() + draw.below(static_cast<std::int64_t>(all.size()));
        intervals.remove(removed->blocks, removed->number);
        all.erase(removed);
      }
      if (draw.below(50) == 0) {
        intervals.take(others);
        all.insert(all.end(), in_others.begin(), in_others.end());
        in_others.clear();
      }
      const auto asked = draw.blocks();
      const auto except = static_cast<std::uint64_t>(draw.below(300));
      const auto found = intervals.find(asked, except);
      REQUIRE(found.has_value() == is_there(all, asked, except));
      if (!found) continue;
      const auto entry = std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.number == *found; });
      REQUIRE(entry != all.end());
      REQUIRE(meet(entry->blocks, asked));
    }
  }
}

TEST_CASE("of several operations on one place the first is found") {
  Intervals intervals;
  for (const std::uint64_t number : {7U, 3U, 5U}) intervals.add({{100, 4}}, number);
  CHECK(intervals.find({{102, 1}}) == 3U);
  CHECK(intervals.find({{102, 1}}, 3) == 5U);
  CHECK_FALSE(intervals.find({{104, 10}}));
  CHECK_FALSE(intervals.find({{90, 10}}));
  CHECK_FALSE(intervals.find({{101, 0}}));
}

TEST_CASE("an access meets those to the same memory that might not be over") {
  Accesses accesses;
  accesses.add(put(1, 0, 100, 8));
  const Access overlapping = put(3, 1, 104, 8), beside = put(5, 1, 108, 8);
  Access elsewhere = put(7, 1, 104, 8);
  elsewhere.process = 2;
  REQUIRE(accesses.conflict(overlapping, never) != nullptr);
  CHECK(accesses.conflict(overlapping, never)->number == 1);
  CHECK(accesses.conflict(beside, never) == nullptr);
  CHECK(accesses.conflict(elsewhere, never) == nullptr);

  int ended = 0;
  const auto of_rank_0 = [](const AccessKind& kind) { return kind.actor == 0; };
  for (int time = 1; time <= 2; ++time)
    accesses.end(0, of_rank_0, static_cast<std::uint64_t>(time), 9, [&](Access&) { ++ended; });
  CHECK(ended == 1);
  CHECK(accesses.conflict(overlapping, never) != nullptr);  // its end is not known to the other rank
  CHECK(accesses.conflict(overlapping, if_ended) == nullptr);
}

TEST_CASE("an access is overwritten by another one, not by itself nor by a read") {
  Accesses accesses;
  Access read = put(1, 0, 0, 4);
  read.way = Way::get;
  const Access first = put(3, 0, 0, 4);
  accesses.add(read);
  accesses.add(first);
  CHECK_FALSE(accesses.is_overwritten(first));
  accesses.add(put(5, 1, 2, 4));
  CHECK(accesses.is_overwritten(first));
}

TEST_CASE("an access is found by its request until that is over") {
  Accesses accesses;
  Access access = put(1, 0, 0, 4);
  access.site.rank = 6;
  access.request = 1000;
  accesses.add(access);
  REQUIRE(accesses.of_request(6, 1000) != nullptr);
  CHECK(accesses.of_request(5, 1000) == nullptr);
  accesses.end_request(*accesses.of_request(6, 1000));
  CHECK(accesses.of_request(6, 1000) == nullptr);
  CHECK(accesses.conflict(put(3, 1, 0, 4), never) != nullptr);
}
