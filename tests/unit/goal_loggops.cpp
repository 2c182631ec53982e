#include "platform/goal/loggops.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "platform/core/error.hpp"
#include "platform/goal/ideal_player.hpp"
#include "platform/goal/reader.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using namespace sanvp::goal;
using Catch::Matchers::Contains;
using sanvp::test::complaint;

namespace {

constexpr LogGops costs{.L = 2500ns, .o = 1500ns, .g = 1000ns, .G = 6ns, .O = 2ns, .S = 1000};

/// Times of the ranks on an ideal network, and the spans of their operations.
struct Played {
  std::vector<Time> ends{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Time, Time>> spans{};
  std::vector<std::string> unmatched{};
};

Played play(const std::string& text, const LogGops& with = costs) {
  std::istringstream in(text);
  const Program program = read_program(in, "p.goal");
  IdealPlayer player(program, with);
  Played played;
  player.observe([&](std::uint32_t rank, std::uint32_t operation, Time start, Time end) {
    CHECK(played.spans.emplace(std::pair(rank, operation), std::pair(start, end)).second);
  });
  CHECK(player.run(never, [](Time) { return true; }));
  for (std::uint32_t rank = 0; rank < program.ranks.size(); ++rank)
    played.ends.push_back(player.ranks().times(rank).end);
  played.unmatched = player.ranks().unmatched(10);
  CHECK(player.ranks().is_done() == played.unmatched.empty());
  return played;
}

}  // namespace

TEST_CASE("a message costs o and O at its sender, L on its way, and o and G at its receiver") {
  const Played one = play("num_ranks 2\nrank 0 { send 101b to 1 }\nrank 1 { recv 101b from 0 }");
  CHECK(one.ends[0] == costs.o + 100 * costs.O);
  // Its first byte arrives L after the CPU has handed it over; the other bytes follow at the gap, which is longer than
  // O.
  CHECK(one.ends[1] == costs.o + costs.L + costs.o + 100 * costs.G);
}

TEST_CASE("messages leave an interface at the gap, and come out of it at the gap") {
  const Played three = play(
      "num_ranks 2\nrank 0 {\nsend 101b to 1\nsend 101b to 1\nsend 101b to 1\n}\n"
      "rank 1 {\nrecv 101b from 0\nrecv 101b from 0\nrecv 101b from 0\n}");
  const Time cpu = costs.o + 100 * costs.O;  // 1,700 ns: longer than ...
  const Time gap = costs.g + 100 * costs.G;  // ... the interface's 1,600 ns
  CHECK(three.ends[0] == 3 * cpu);
  REQUIRE(cpu > gap);
  // Each arrives while the receiver is still busy with the one before it.
  CHECK(three.ends[1] == costs.o + costs.L + 3 * (costs.o + 100 * costs.G));
}

TEST_CASE("a message that is longer than S is over at its sender when its receive has begun") {
  const Played late = play(
      "num_ranks 2\nrank 0 {\na: send 1001b to 1\nb: calc 10\nb requires a\n}\n"
      "rank 1 {\na: calc 100000\nb: recv 1001b from 0\nb requires a\n}");
  // The message waits for the CPU, which computes; the receive finds it.
  const Time begun{100'000'000};
  CHECK(late.spans.at({1, 1}).first == begun);
  CHECK(late.ends[1] == begun + costs.o + 1000 * costs.G);
  CHECK(late.ends[0] == begun + 10ns);
  const Played eager = play(
      "num_ranks 2\nrank 0 {\na: send 1000b to 1\nb: calc 10\nb requires a\n}\n"
      "rank 1 {\na: calc 100000\nb: recv 1000b from 0\nb requires a\n}");
  CHECK(eager.ends[0] == costs.o + 999 * costs.O + 10ns);
}

TEST_CASE("requires waits for the end of an operation, irequires for its start") {
  const Played one =
      play("num_ranks 1\nrank 0 {\na: calc 100\nb: calc 10 cpu 1\nb irequires a\nc: calc 10 cpu 2\nc requires a\n}");
  CHECK(one.spans.at({0, 1}) == std::pair(Time{0}, Time{10ns}));
  CHECK(one.spans.at({0, 2}) == std::pair(Time{100ns}, Time{110ns}));
}

TEST_CASE("a broadcast along a binomial tree ends after its longest path") {
  // 0 -> 1, 2, 4; 1 -> 3, 5; 3 -> 7; 2 -> 6: sends of a rank follow each other by o, as o is more than g.
  const Played tree = play(
      "num_ranks 8\nrank 0 { send 1b to 1; send 1b to 2; send 1b to 4 }\n"
      "rank 1 {\na: recv 1b from 0\nb: send 1b to 3\nb requires a\nc: send 1b to 5\nc requires a\n}\n"
      "rank 2 {\na: recv 1b from 0\nb: send 1b to 6\nb requires a\n}\n"
      "rank 3 {\na: recv 1b from 1\nb: send 1b to 7\nb requires a\n}\n"
      "rank 4 { recv 1b from 0 }\nrank 5 { recv 1b from 1 }\nrank 6 { recv 1b from 2 }\nrank 7 { recv 1b from 3 }\n");
  const Time step = costs.o + costs.L + costs.o;
  CHECK(tree.ends[1] == step + 2 * costs.o);  // its two sends
  CHECK(tree.ends[2] == costs.o + step + costs.o);
  CHECK(tree.ends[4] == 2 * costs.o + step);
  CHECK(tree.ends[3] == 2 * step + costs.o);
  CHECK(tree.ends[7] == 3 * step);
}

TEST_CASE("receives match in their order, those of any rank or any tag too") {
  const Played one = play(
      "num_ranks 3\nrank 0 {\na: recv 1b from -1 tag -1\nb: recv 1b from 2 tag 7\nb irequires a\n"
      "c: calc 5\nc requires a\n}\nrank 1 { calc 99000; }\n"
      "rank 2 {\na: send 1b to 0 tag 7\nb: send 1b to 0 tag 7\nb requires a\n}\n");
  const Time first = costs.o + costs.L + costs.o;
  CHECK(one.spans.at({0, 0}).second == first);
  CHECK(one.spans.at({0, 1}).second == first + costs.o);
  CHECK(one.unmatched.empty());
}

TEST_CASE("receives without a message and messages without a receive are named") {
  const Played one =
      play("num_ranks 2\nrank 0 { send 8b to 1 tag 3; recv 4b from 1 tag 1 }\nrank 1 { recv 8b from 0 tag 4 }\n");
  REQUIRE(one.unmatched.size() == 3);
  CHECK(one.unmatched[0] == "rank 0: no message comes for the recv of 4 bytes from rank 1, tag 1");
  CHECK(one.unmatched[1] == "rank 1: no message comes for the recv of 8 bytes from rank 0, tag 4");
  CHECK(one.unmatched[2] == "rank 1: no receive takes the send of 8 bytes to rank 1, tag 3 from rank 0");
}

TEST_CASE("all times doubled double the end of a program") {
  const std::string text =
      "num_ranks 3\nrank 0 { a: calc 400; b: send 900b to 1; b requires a; c: recv 2000b from 2 }\n"
      "rank 1 { a: recv 900b from 0; b: send 50b to 2; b requires a }\n"
      "rank 2 { a: recv 50b from 1; b: calc 1000; b requires a; c: send 2000b to 0; c requires b }\n";
  std::string doubled = text;
  doubled.replace(doubled.find("calc 400"), 8, "calc 800");
  doubled.replace(doubled.find("calc 1000"), 9, "calc 2000");
  LogGops twice = costs;
  for (Time* one : {&twice.L, &twice.o, &twice.g, &twice.G, &twice.O}) *one *= 2;
  const Played once = play(text);
  const Played both = play(doubled, twice);
  for (std::size_t rank = 0; rank < once.ends.size(); ++rank) CHECK(both.ends[rank] == 2 * once.ends[rank]);
}

TEST_CASE("LogGOPS costs are read from six numbers") {
  const LogGops read = LogGops::parse("1.5,2,3,0.25,0,77", "--host");
  CHECK(read.L == 1500_ps);
  CHECK(read.G == 250_ps);
  CHECK(read.S == 77);
  CHECK_THAT(complaint([] { LogGops::parse("1,2,3", "--host"); }), Contains("six numbers are needed"));
  CHECK_THAT(complaint([] { LogGops::parse("1,2,3,x,5,6", "--host"); }), Contains("--host"));
}
