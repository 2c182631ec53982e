#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "platform/core/random.hpp"
#include "platform/core/units.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using sanvp::test::complaint;

namespace {

std::string time_complaint(const std::string& text) {
  return complaint([&] { parse_time(text, "m.ini:3"); });
}

}  // namespace

TEST_CASE("times are exact picoseconds in every unit") {
  CHECK(parse_time("1ps", "") == Time{1});
  CHECK(parse_time("6.25ns", "") == Time{6250});
  CHECK(parse_time("35 ns", "") == 35ns);
  CHECK(parse_time(" 2us ", "") == 2us);
  CHECK(parse_time("1.000000001ms", "") == Time{1'000'000'001});
  CHECK(parse_time("0.000000000001s", "") == Time{1});
  CHECK(parse_time("0s", "") == Time{0});
  CHECK(parse_time("5.10000ns", "") == Time{5100});
  CHECK(parse_time("00035ns", "") == 35ns);
}

TEST_CASE("decimal fractions that no double holds are exact") {
  // 4503599627.370497 s needs 53 bits for the seconds alone were it a double.
  CHECK(parse_time("9000000.000000000001s", "") == Time{9'000'000'000'000'000'001});
  CHECK(parse_time("0.1us", "") == Time{100'000});
  CHECK(parse_time("0.3us", "") == Time{300'000});
}

TEST_CASE("the largest time is read, and one picosecond more is too large") {
  CHECK(parse_time("9223372036854775807ps", "") == Time::max());
  CHECK(parse_time("9223372.036854775807s", "") == Time::max());
  CHECK_THAT(time_complaint("9223372036854775808ps"), Catch::Contains("too large"));
  CHECK_THAT(time_complaint("9223372.036854775808s"), Catch::Contains("too large"));
  CHECK_THAT(time_complaint("9223373s"), Catch::Contains("too large"));
  CHECK_THAT(time_complaint(std::string(1 << 20, '9') + "ns"), Catch::Contains("too large"));
}

TEST_CASE("a time finer than a picosecond is refused, not rounded") {
  CHECK_THAT(time_complaint("0.5ps"), Catch::Contains("not a multiple of 1 ps"));
  CHECK_THAT(time_complaint("6.2505ns"), Catch::Contains("not a multiple of 1 ps"));
  CHECK_THAT(time_complaint("0." + std::string(1 << 20, '0') + "1s"), Catch::Contains("not a multiple of 1 ps"));
}

TEST_CASE("a message about a value names its place, cause and cure") {
  CHECK(time_complaint("35xs") == "m.ini:3: '35xs' has the unknown unit 'xs'; known: ps, ns, us, ms, s");
  CHECK(time_complaint("35") == "m.ini:3: '35' has no unit; known: ps, ns, us, ms, s");
  CHECK(time_complaint("-5ns") == "m.ini:3: '-5ns' is negative");
  CHECK(time_complaint("fast") == "m.ini:3: 'fast' is not a time; write it like 35ns");
}

TEST_CASE("only decimal numbers are times") {
  for (const auto* text : {"", " ", "ns", ".5ns", "5.ns", "+5ns", "--5ns", "nan", "inf", "0x10ns", "1e3ns", "1,5ns",
                           "1.2.3ns", "5 5ns", "5NS"}) {
    CAPTURE(text);
    CHECK(time_complaint(text) != "(no complaint)");
  }
}

TEST_CASE("a time is written in the largest unit that leaves a whole part") {
  CHECK(to_text(Time{6250}) == "6.25ns");
  CHECK(to_text(35ns) == "35ns");
  CHECK(to_text(Time{999}) == "999ps");
  CHECK(to_text(1us) == "1us");
  CHECK(to_text(Time{0}) == "0ns");
  CHECK(to_text(Time{-6250}) == "-6.25ns");
  CHECK(to_text(never) == "9223372.036854775807s");
  CHECK(to_text(Time::min()) == "-9223372.036854775807s");
}

TEST_CASE("every time that is written is read back as it was") {
  Random random(1, "times");
  for (int i = 0; i < 2000; ++i) {
    const Time time{static_cast<std::int64_t>(random.next() >> (1 + random.below(63)))};
    REQUIRE(parse_time(to_text(time), "") == time);
  }
}

TEST_CASE("sizes know decimal and binary units, and parts of them that are whole bytes") {
  CHECK(parse_size("320B", "") == 320);
  CHECK(parse_size("64KiB", "") == 65'536);
  CHECK(parse_size("1.5kB", "") == 1500);
  CHECK(parse_size("0.5KiB", "") == 512);
  CHECK(parse_size("2GiB", "") == std::int64_t{2} << 30);
  CHECK_THAT(complaint([] { parse_size("0.3KiB", "x"); }), Catch::Contains("not a multiple of 1 B"));
  CHECK_THAT(complaint([] { parse_size("64kb", "x"); }), Catch::Contains("unknown unit 'kb'; known: B, kB"));
  CHECK_THAT(complaint([] { parse_size("64", "x"); }), Catch::Contains("no unit"));
  CHECK_THAT(complaint([] { parse_size("8589934592GiB", "x"); }), Catch::Contains("too large"));
}

TEST_CASE("every size that is written is read back as it was") {
  CHECK(size_to_text(65'536) == "64KiB");
  CHECK(size_to_text(320) == "320B");
  CHECK(size_to_text(0) == "0B");
  CHECK(size_to_text(std::int64_t{3} << 30) == "3GiB");
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1536}, std::int64_t{1} << 40,
                                  std::numeric_limits<std::int64_t>::max()})
    CHECK(parse_size(size_to_text(size), "") == size);
}

TEST_CASE("counts may be negative and have suffixes, but no parts") {
  CHECK(parse_count("64", "") == 64);
  CHECK(parse_count("-3", "") == -3);
  CHECK(parse_count("1.5k", "") == 1500);
  CHECK(parse_count("4Ki", "") == 4096);
  CHECK(parse_count("2M", "") == 2'000'000);
  CHECK_THAT(complaint([] { parse_count("2.5", "x"); }), Catch::Contains("not a multiple of 1"));
  CHECK_THAT(complaint([] { parse_count("12 monkeys", "x"); }), Catch::Contains("unknown unit 'monkeys'"));
  CHECK_THAT(complaint([] { parse_count("9223372036854775808", "x"); }), Catch::Contains("too large"));
  CHECK_THAT(complaint([] { parse_count("1e3", "x"); }), Catch::Contains("unknown unit 'e3'"));
}

TEST_CASE("rates are bytes per second, from bytes or bits") {
  CHECK(parse_rate("400MB/s", "") == 400e6);
  CHECK(parse_rate("5GB/s", "") == 5e9);
  CHECK(parse_rate("100Mbit/s", "") == 12.5e6);
  CHECK(parse_rate("9.5 MiB/s", "") == 9.5 * 1024 * 1024);
  CHECK(parse_rate("1e3B/s", "") == 1000);
  for (const auto* text : {"400", "400MB", "400Mb/s", "-1MB/s", "nanMB/s", "infMB/s", "1e308GB/s", "/s", "400/s", ""}) {
    CAPTURE(text);
    CHECK(complaint([&] { parse_rate(text, "x"); }) != "(no complaint)");
  }
}

TEST_CASE("real numbers are finite and read whole") {
  CHECK(parse_real("0.75", "") == 0.75);
  CHECK(parse_real("-1e-9", "") == -1e-9);
  for (const auto* text : {"nan", "inf", "-inf", "infinity", "1e999", "1e-999", "0.5x", "", "0x1p3", "1 2"}) {
    CAPTURE(text);
    CHECK(complaint([&] { parse_real(text, "x"); }) != "(no complaint)");
  }
}

TEST_CASE("a real number is written as the shortest text that reads back") {
  CHECK(real_to_text(0.1) == "0.1");
  CHECK(real_to_text(215) == "215");
  CHECK(real_to_text(1.0 / 3) == "0.3333333333333333");
  CHECK(real_to_text(-0.0) == "0");
}

TEST_CASE("a flag has four spellings for each value, and no others") {
  for (const auto* yes : {"true", "yes", "on", "1"}) CHECK(parse_flag(yes, ""));
  for (const auto* no : {"false", "no", "off", "0"}) CHECK_FALSE(parse_flag(no, ""));
  CHECK_THAT(complaint([] { parse_flag("maybe", "m.ini:7"); }), Catch::Contains("m.ini:7: 'maybe' is neither"));
  CHECK_THAT(complaint([] { parse_flag("", "m.ini:7"); }), Catch::Contains("neither"));
}
