#include "platform/goal/reader.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "platform/core/error.hpp"
#include "platform/core/random.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using namespace sanvp::goal;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using sanvp::test::complaint;

namespace {

Program read(const std::string& text) {
  std::istringstream in(text);
  return read_program(in, "p.goal");
}

}  // namespace

TEST_CASE("a GOAL program is read with its operations, labels and dependences") {
  const Program program = read(
      "// two ranks\nnum_ranks 3\n\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 8b to 1 tag 3 cpu 0 nic 2\n"
      "l2 requires l1\nl3: recv 16b from -1 tag -1; l3 irequires l2 /* a comment\n of two lines */\n}\n"
      "rank 2 { recv 0b from 0 }\n");
  REQUIRE(program.ranks.size() == 3);
  const Rank& first = program.ranks[0];
  REQUIRE(first.size() == 3);
  CHECK(first[0] == Operation{.size = 100, .cpu = 1, .kind = Kind::calc});
  CHECK(first[1] == Operation{.size = 8, .partner = 1, .tag = 3, .interface = 2, .kind = Kind::send});
  CHECK(first[2] == Operation{.size = 16, .partner = any, .tag = any, .kind = Kind::receive});
  CHECK(first.predecessors(0) == 0);
  CHECK(first.predecessors(1) == 1);
  REQUIRE(first.successors_end(0) - first.successors_begin(0) == 1);
  CHECK(*first.successors_begin(0) == Successor{.operation = 1, .at_start = 0});
  CHECK(*first.successors_begin(1) == Successor{.operation = 2, .at_start = 1});
  CHECK(program.ranks[1].size() == 0);
  CHECK(program.ranks[2][0] == Operation{.size = 0, .partner = 0, .kind = Kind::receive});
}

TEST_CASE("a random GOAL program that is written is read back the same") {
  Random random(1, "goal");
  const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random.below(bound)); };
  for (int round = 0; round < 50; ++round) {
    Program program;
    program.ranks.resize(1 + below(5));
    for (Rank& rank : program.ranks) {
      std::vector<Operation> operations;
      std::vector<Rank::Dependence> dependences;
      const std::uint32_t count = below(30);
      for (std::uint32_t i = 0; i < count; ++i) {
        Operation one{.size = random.below(1 << 20), .cpu = static_cast<std::uint8_t>(below(3))};
        one.kind = static_cast<Kind>(below(3));
        if (one.kind != Kind::calc) {
          one.partner = below(program.ranks.size());
          one.tag = below(9);
          if (one.kind == Kind::receive && below(4) == 0) one.partner = any;
          if (one.kind == Kind::receive && below(4) == 0) one.tag = any;
        }
        operations.push_back(one);
        if (i > 0) dependences.push_back({.before = below(i), .after = i, .at_start = below(2) == 1});
      }
      rank = Rank(operations, dependences);
    }
    std::ostringstream out;
    write_program(program, out);
    CHECK(read(out.str()) == program);
  }
}

TEST_CASE("collective operations and communicators are read, and written back the same") {
  const std::string text =
      "num_ranks 3\ncomm 1 { 2 0 }\n\nrank 0 {\nl1: collective allreduce gives 8b\n"
      "l2: collective gatherv gives 8b takes 8b 16b root 1 comm 1\nl3: calc 5\nl2 requires l1\n}\n\nrank 1 {\n}\n\n"
      "rank 2 {\nl1: collective barrier\n}\n";
  const Program program = read(text);
  REQUIRE(program.communicators == std::vector<std::vector<std::uint32_t>>{{2, 0}});
  const Rank& first = program.ranks[0];
  REQUIRE(first.collectives().size() == 2);
  CHECK(first.collectives()[0] == Collective{.name = "allreduce", .gives = {8}, .takes = {}});
  CHECK(first.collectives()[1] ==
        Collective{.name = "gatherv", .gives = {8}, .takes = {8, 16}, .root = 1, .communicator = 1});
  CHECK(first[1] == Operation{.size = 1, .kind = Kind::collective});
  CHECK(has_collectives(program));
  std::ostringstream out;
  write_program(program, out);
  CHECK(out.str() == text);
}

TEST_CASE("every mistake in a GOAL file is named with file, line and cure") {
  const auto expect = [](const std::string& text, int line, const std::string& cause) {
    INFO(text);
    CHECK_THAT(complaint([&] { read(text); }), StartsWith("p.goal:" + std::to_string(line) + ": ") && Contains(cause));
  };
  const auto in_rank = [&](const std::string& statement, const std::string& cause) {
    expect("num_ranks 2\nrank 1 {\nl1: calc 1\n" + statement + "\n}\n", 4, cause);
  };
  expect("", 1, "expected 'num_ranks', not the end of the file");
  expect("rank 0 {", 1, "begin the file with the number of ranks");
  expect("num_ranks x", 1, "expected the number of ranks, not 'x'");
  expect("num_ranks 0", 1, "no ranks");
  expect("num_ranks 99999999999999999999", 1, "too large");
  expect("num_ranks 2\nrank 2 {\n}", 2, "rank 2 of 2");
  expect("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}", 4, "a second block of rank 1");
  expect("num_ranks 2\nrank 1 {\ncalc 1\n", 4, "rank 1 has no end");
  expect("num_ranks 2\n/* \n", 2, "a comment has no end");
  in_rank("send 8 to 1", "expected the number of bytes, not '8'");
  in_rank("send 8b from 1", "expected 'to', not 'from'");
  in_rank("send 8b to 2", "there is no rank 2");
  in_rank("send 8b to -1", "expected the rank, not '-1'");
  in_rank("recv 8b from 0 tag x", "expected the tag, not 'x'");
  in_rank("calc 1 tag 3", "'tag' does not belong there");
  in_rank("calc 5 cpu 256", "the most is 255");
  in_rank("calc -5", "expected the time in nanoseconds, not '-5'");
  in_rank("wait 5", "no statement begins with 'wait'");
  in_rank("l1: calc 2", "a second label 'l1'");
  in_rank("l1 requires l2", "no operation of the rank above this line has the label 'l2'");
  in_rank("l1 requires l1 l1", "'l1' does not belong there");
  in_rank("/ comment", "a lone '/'");
  in_rank("collective sum gives 8b", "'sum' is no collective operation");
  in_rank("collective bcast gives 8", "expected a number of bytes, not '8'");
  in_rank("collective bcast gives 8b root 2", "there is no rank 2 in the communicator");
  in_rank("collective bcast gives 8b root 0 comm 1", "there is no communicator 1");
  in_rank("collective allgatherv gives 8b takes 8b 8b 8b", "3 sizes for 2 ranks");
  in_rank("collective barrier tag 1", "'tag' does not belong there");
  expect("num_ranks 2\ncomm 2 { 0 }", 2, "number them 1, 2, 3");
  expect("num_ranks 2\ncomm 1 { 0 0 }", 2, "each once");
  expect("num_ranks 2\ncomm 1 { }", 2, "a communicator of no ranks");
  expect("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n", 7,
         "operations of rank 0 wait for each other: ");
}
