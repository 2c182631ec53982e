#include "platform/goal/critical_path.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <sstream>

#include "platform/goal/ideal_player.hpp"
#include "platform/goal/reader.hpp"

using namespace sanvp;
using namespace sanvp::goal;

namespace {

constexpr LogGops costs{.L = 2500ns, .o = 1500ns, .g = 1000ns, .G = 6ns, .O = 2ns, .S = 1000};

struct Played {
  CriticalPath path;
  Time end{0};
};

/// The critical path on an ideal network.
Played play(const std::string& text, const LogGops& with = costs) {
  std::istringstream in(text);
  const Program program = read_program(in, "p.goal");
  IdealPlayer player(program, with);
  History history(program, with.S);
  player.watch(history);
  REQUIRE(player.run(never, [](Time) { return true; }));
  REQUIRE(player.ranks().is_done());
  Played played{.path = critical_path(program, with, history, true, {})};
  for (const Rank& rank : program.ranks)
    for (std::uint32_t i = 0; i < rank.size(); ++i)
      played.end =
          std::max(played.end, history.record(static_cast<std::uint32_t>(&rank - program.ranks.data()), i).end);
  return played;
}

}  // namespace

TEST_CASE("the critical path of a message is its overheads, its latency and its bytes") {
  const auto [path, end] = play("num_ranks 2\nrank 0 { send 101b to 1 }\nrank 1 { recv 101b from 0 }");
  CHECK(path.total() == end);
  CHECK(path.messages == 1);
  CHECK(path.overhead == 2 * costs.o + 100 * costs.O);
  CHECK(path.latency == costs.L);
  CHECK(path.bandwidth == 100 * (costs.G - costs.O));  // the receiver's CPU is busy for G, of which O is its own
  CHECK(path.computing == Time{0});
}

TEST_CASE("the critical path goes by what is late: the computation or the message") {
  const std::string sender = "num_ranks 2\nrank 0 {\na: calc 100\nb: send 1b to 1\nb requires a\n}\n";
  const auto late = play(sender + "rank 1 {\na: calc 90000\nb: recv 1b from 0\nb requires a\n}");
  CHECK(late.path.computing == 90'000ns);
  CHECK(late.path.total() == late.end);
  CHECK(late.path.messages == 0);
  const auto early =
      play(sender + "rank 1 {\na: calc 200\nb: recv 1b from 0\nc: calc 30\nb requires a\nc requires b\n}");
  CHECK(early.path.computing == 130ns);
  CHECK(early.path.overhead == 2 * costs.o);
  CHECK(early.path.latency == costs.L);
  CHECK(early.path.total() == early.end);
}

TEST_CASE("messages that wait for the CPU of their receiver or for their interface are on the critical path") {
  constexpr LogGops wide{.L = 10ns, .o = 100ns, .g = 5000ns, .G = 0ns, .O = 0ns, .S = 1000};
  const auto [path, end] = play(
      "num_ranks 2\nrank 0 {\nsend 1b to 1\nsend 1b to 1\n}\nrank 1 {\na: recv 1b from 0\nb: recv 1b from 0\n}", wide);
  CHECK(end == 5000ns + 100ns + 10ns + 100ns);
  CHECK(path.total() == end);
  CHECK(path.bandwidth == 4900ns);  // the second send waits for the gap of the first
}

TEST_CASE("a long send is over when its receive has begun, and the path goes through the receiver") {
  const auto [path, end] = play(
      "num_ranks 2\nrank 0 {\na: send 1001b to 1\nb: calc 10\nb requires a\n}\n"
      "rank 1 {\na: calc 100000\nb: recv 1001b from 0\nb requires a\n}");
  CHECK(path.total() == end);
  CHECK(path.computing >= 100'000ns);
}

TEST_CASE("the parts of each random program's critical path are its time") {
  std::mt19937 dice(7);
  const auto draw = [&](unsigned most) { return static_cast<unsigned>(dice() % most); };
  for (int round = 0; round < 100; ++round) {
    const unsigned ranks = 2 + draw(3);
    std::vector<std::string> blocks(ranks);
    std::vector<unsigned> count(ranks);
    const auto add = [&](unsigned rank, const std::string& operation) {
      const unsigned number = ++count[rank];
      blocks[rank] += "l" + std::to_string(number) + ": " + operation + "\n";
      for (unsigned i = 0; i < 2 && number > 1; ++i)
        blocks[rank] += "l" + std::to_string(number) + (draw(3) == 0 ? " irequires l" : " requires l") +
                        std::to_string(1 + draw(number - 1)) + "\n";
    };
    for (unsigned i = 0; i < 30; ++i) {
      const unsigned from = draw(ranks), to = draw(ranks);
      if (from == to) {
        add(from, "calc " + std::to_string(draw(5000)) + " cpu " + std::to_string(draw(2)));
        continue;
      }
      const std::string size = std::to_string(draw(2000)) + "b", tag = " tag " + std::to_string(i);
      add(from, "send " + size + " to " + std::to_string(to) + tag + " cpu " + std::to_string(draw(2)));
      add(to, "recv " + size + " from " + std::to_string(from) + tag);
    }
    std::string text = "num_ranks " + std::to_string(ranks) + "\n";
    for (unsigned rank = 0; rank < ranks; ++rank)
      text += "rank " + std::to_string(rank) + " {\n" + blocks[rank] + "}\n";
    constexpr LogGops without_long{.S = 1'000'000};  // long sends of such programs may wait for each other
    const auto [path, end] = play(text, without_long);
    CHECK(path.total() == end);
  }
}
