/// Random mutations of good input against every parser of the core: a parser must return a value or throw a UserError
/// that begins with the place. Deterministic, so that failures can be repeated.
#include <catch2/catch.hpp>

#include "platform/core/machine_file.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;

namespace {

constexpr std::string_view fragments[] = {"[",  "]",   "=",    "#",   "\n",  ".",   "-",    "9999999999999999999",
                                          "ns", "KiB", "MB/s", "nan", "inf", "1e9", "0x",   "\xff\xfe",
                                          " ",  "\r",  "\t",   "..",  "0.",  ",",   "=\n[", "include = /"};

/// Cuts, doubles, overwrites or inserts at random places, up to four times.
std::string mutated(std::string text, Random& random) {
  for (auto rounds = 1 + random.below(4); rounds > 0; --rounds) {
    const auto at = random.below(text.size() + 1);
    switch (random.below(6)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, random.below(8));
        break;
      case 2:
        text.insert(at, text.substr(random.below(text.size() + 1), random.below(32)));
        break;
      case 3:
        text.insert(at, fragments[random.below(std::size(fragments))]);
        break;
      case 4:
        text.insert(at, 1, static_cast<char>(random.below(256)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
    }
  }
  return text;
}

/// How often a parser accepted its input and how often it refused it, over many mutations of `seeds`.
struct Outcome {
  int accepted = 0;
  int refused = 0;
};

template <class Parse>
Outcome bombard(const std::vector<std::string>& seeds, int shots, Parse parse) {
  Random random(42, "hostile input");
  Outcome outcome;
  for (int shot = 0; shot < shots; ++shot) {
    const std::string text = mutated(seeds[random.below(seeds.size())], random);
    CAPTURE(text);
    try {
      parse(text);
      ++outcome.accepted;
    } catch (const UserError& error) {
      ++outcome.refused;
      // Reporting a million assertions would take seconds, so only failures are reported.
      if (!std::string_view(error.what()).starts_with("place")) FAIL(error.what());
      if (error.status() != Exit::user_mistake) FAIL("the exit status is not that of a user's mistake");
    }
  }
  return outcome;
}

void check_both_happened(const Outcome& outcome) {
  CHECK(outcome.accepted > 100);
  CHECK(outcome.refused > 100);
}

}  // namespace

TEST_CASE("mutated values with units are read or refused") {
  constexpr int shots = 4'000;
  check_both_happened(bombard({"6.25ns", "35ns", "9223372036854775807ps"}, shots, [](const auto& text) {
    if (parse_time(text, "place") < Time{0}) FAIL("a negative time");
  }));
  check_both_happened(bombard({"64KiB", "1.5kB", "8589934591GiB"}, shots, [](const auto& text) {
    if (parse_size(text, "place") < 0) FAIL("a negative size");
  }));
  check_both_happened(bombard({"400MB/s", "100Mbit/s", "1e300GB/s"}, shots, [](const auto& text) {
    if (const double rate = parse_rate(text, "place"); !(rate >= 0 && rate - rate == 0)) FAIL("a rate that is none");
  }));
  check_both_happened(
      bombard({"-17", "4Ki", "9223372036854775807"}, shots, [](const auto& text) { parse_count(text, "place"); }));
  check_both_happened(bombard({"0.75", "-1e-9", "1e308"}, shots, [](const auto& text) {
    if (const double real = parse_real(text, "place"); real - real != 0) FAIL("a number that is not finite");
  }));
  check_both_happened(bombard({"yes", "off", "true"}, shots, [](const auto& text) { parse_flag(text, "place"); }));
}

TEST_CASE("mutated machine files are read or refused with their line") {
  const std::string machine =
      "# a machine\nname = Q\n\n[switch]\nbuffer = 128 # flits\ndelay = 35ns\n"
      "[link.cable]\nrate = 400MB/s\nlength = 10\n[nic]\ndma.slice = 64KiB\n";
  check_both_happened(bombard({machine}, 8'000, [](const auto& text) {
    auto set = ParameterSet::from_text(text, "place");
    Parameters part(set, "switch");
    if (!part.place("buffer").starts_with("place:") && part.place("buffer") != "switch.buffer") FAIL("a place is lost");
  }));
}

TEST_CASE("mutated assignments of the command line are accepted or refused") {
  check_both_happened(bombard({"switch.buffer=128", "nic.dma.slice = 64KiB"}, 8'000, [](const auto& text) {
    try {
      ParameterSet().set(text);
    } catch (const UserError& error) {
      if (!std::string_view(error.what()).starts_with("-s: ")) FAIL(error.what());
      throw UserError("place", error.what());
    }
  }));
}
