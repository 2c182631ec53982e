/// Draws random cases by seed until the time is over, runs each in both fidelities, and says where they differ.
/// README.md has the usage.

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "platform/core/error.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/random_rules.hpp"
#include "tests/support/sharing_case.hpp"

namespace {

using namespace sanvp;
using namespace sanvp::test;

constexpr std::array all_rules{Sharing::hold, Sharing::flit, Sharing::tokens};

struct Options {
  double minutes = 1;
  std::vector<Sharing> rules{all_rules.begin(), all_rules.end()};
  std::uint64_t seed = 0;
  std::uint64_t cases = UINT64_MAX;  ///< of each rule
  double shrink_seconds = 20;
  int most_shown = 3;
};

struct Count {
  std::uint64_t cases = 0;
  std::uint64_t exact = 0;
};

[[noreturn]] void explain() {
  fmt::print(
      stderr,
      "usage: exactness MINUTES [--rule hold|flit|tokens] [--seed N] [--cases N] [--shrink SECONDS] [--show N]\n");
  std::exit(2);
}

Options parse(int argc, char** argv) {
  Options options;
  if (argc < 2) explain();
  options.minutes = std::atof(argv[1]);
  for (int i = 2; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) explain();
    const std::string value = argv[i + 1];
    const auto known =
        std::find_if(all_rules.begin(), all_rules.end(), [&](Sharing rule) { return value == name_of(rule); });
    if (option == "--rule" && known != all_rules.end())
      options.rules = {*known};
    else if (option == "--seed")
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--cases")
      options.cases = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--shrink")
      options.shrink_seconds = std::atof(value.c_str());
    else if (option == "--show")
      options.most_shown = std::atoi(value.c_str());
    else
      explain();
  }
  return options;
}

/// @return whether both fidelities agree
bool compare(Sharing rule, std::uint64_t seed, const Options& options, bool show) {
  Case one = sharing_case(seed, rule);
  constexpr std::uint64_t every = 4;
  if (seed % every == every - 1) make_links_retry(one.wiring, {seed, "retry"});
  const auto difference = first_difference(one);
  if (!difference) return true;
  fmt::print("rule {}, seed {}: {}\n  {}\n", name_of(rule), seed, one.description, difference->text);
  if (show && options.shrink_seconds > 0) {
    const Case smallest = shrink(one, options.shrink_seconds);
    fmt::print("  the smallest case found that differs:\n{}  {}\n", to_text(smallest),
               first_difference(smallest)->text);
  }
  return false;
}

int run(const Options& options) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(60 * options.minutes);
  std::vector<Count> counts(options.rules.size());
  int shown = 0;
  for (std::uint64_t n = 0; n < options.cases && std::chrono::steady_clock::now() < end; ++n)
    for (std::size_t r = 0; r < options.rules.size(); ++r) {
      const bool exact = compare(options.rules[r], options.seed + n, options, shown < options.most_shown);
      ++counts[r].cases;
      counts[r].exact += exact ? 1 : 0;
      shown += exact ? 0 : 1;
    }
  for (std::size_t r = 0; r < counts.size(); ++r)
    fmt::print("rule {}: {} of {} cases exact, seeds from {}\n", name_of(options.rules[r]), counts[r].exact,
               counts[r].cases, options.seed);
  return std::all_of(counts.begin(), counts.end(), [](const Count& c) { return c.exact == c.cases; }) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "exactness: {}\n", error.what());
    return 2;
  }
}
