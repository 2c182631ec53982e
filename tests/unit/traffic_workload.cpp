#include <catch2/catch.hpp>
#include <cmath>

#include "platform/core/error.hpp"
#include "platform/traffic/arrivals.hpp"
#include "platform/traffic/load.hpp"
#include "platform/traffic/workload.hpp"

using namespace sanvp;
using namespace sanvp::traffic;

namespace {

MessageSizes sizes(const std::string& text) { return MessageSizes::parse(text, "test"); }

double sampled_mean(const MessageSizes& law, int draws) {
  Random random{1, "test"};
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += static_cast<double>(law.draw(random));
  return sum / draws;
}

}  // namespace

TEST_CASE("the means of the distributions of message lengths are those of their closed forms") {
  CHECK(sizes("320").mean_bytes() == 320);
  CHECK(sizes("1KiB").mean_bytes() == 1024);
  CHECK(sizes("uniform:10:20").mean_bytes() == Approx(15));
  CHECK(sizes("bimodal:32:512:0.3").mean_bytes() == Approx(0.7 * 32 + 0.3 * 512));  // the Myrinet paper's 176 B
  // ceil of an exponential variate of mean m is geometric with mean 1 / (1 - exp(-1/m)).
  CHECK(sizes("exp:100").mean_bytes() == Approx(1 / (1 - std::exp(-0.01))).epsilon(1e-6));
  CHECK(sizes("exp:1MB").mean_bytes() == Approx(1e6).epsilon(1e-4));
}

TEST_CASE("drawn message lengths have the mean of their distribution") {
  constexpr int draws = 40'000;
  // Within four standard errors: the laws' standard deviations are known.
  CHECK(std::abs(sampled_mean(sizes("uniform:1:1000"), draws) - 500.5) < 4 * 288.7 / std::sqrt(draws));
  CHECK(std::abs(sampled_mean(sizes("exp:1000"), draws) - 1000.5) < 4 * 1000 / std::sqrt(draws));
  CHECK(std::abs(sampled_mean(sizes("bimodal:32:512:0.3"), draws) - 176) < 4 * 220 / std::sqrt(draws));
}

TEST_CASE("text that is not a distribution of message lengths is refused with the valid forms") {
  for (const char* text :
       {"", "0", "-5", "abc", "uniform:5", "uniform:20:10", "unifrom:1:2", "exp:", "exp:0", "exp:1GiB", "bimodal:1:2",
        "bimodal:1:2:1.5", "bimodal:1:2:x", "5 parsec", "99999999999999999999", "2GiB", "exp:1:2", "uniform:1:2:3"}) {
    INFO(text);
    CHECK_THROWS_AS(sizes(text), UserError);
  }
  CHECK_THROWS_WITH(sizes("unifrom:1:2"), Catch::Contains("uniform"));
}

TEST_CASE("messages of constant arrivals keep their interval exactly, even if it is not a whole picosecond") {
  ArrivalProcess process{Arrivals::constant, 1000.25, {1, "test"}};
  const Time first = process.now();
  CHECK(first < Time{1001});
  for (int i = 0; i < 4000; ++i) process.advance();
  CHECK(process.now() - first == Time{4'001'000});
}

TEST_CASE("nodes with constant arrivals are not in lockstep") {
  const ArrivalProcess a{Arrivals::constant, 1e6, {1, "a"}};
  const ArrivalProcess b{Arrivals::constant, 1e6, {1, "b"}};
  CHECK(a.now() != b.now());
}

TEST_CASE("random intervals have the mean they are given") {
  constexpr int draws = 40'000;
  for (const auto& [law, deviation] : {std::pair{Arrivals::exponential, 1.0}, std::pair{Arrivals::uniform, 0.5774}}) {
    ArrivalProcess process{law, 1e6, {1, "test"}};
    const Time first = process.now();
    for (int i = 0; i < draws; ++i) process.advance();
    const double mean = static_cast<double>((process.now() - first).count()) / draws;
    CHECK(std::abs(mean - 1e6) < 4 * deviation * 1e6 / std::sqrt(draws));
  }
}

TEST_CASE("an interval in which the load changes is as long as its parts at both loads") {
  // A message each 1000 ps; from 2500 ps on four times as many, from 3500 ps on half of the first.
  const std::vector<LoadStep> steps{{Time{2500}, 4}, {Time{3500}, 0.5}};
  ArrivalProcess process{Arrivals::constant, 1000, {1, "test"}, steps};
  const std::int64_t phase = process.now().count();
  REQUIRE(phase < 1000);
  // Work of the load until t, in messages: t / 1000 to 2500, then 2.5 + (t - 2500) / 250 to 6.5, then at half pace.
  const auto instant = [&](std::int64_t milli_messages) -> double {
    if (milli_messages <= 2500) return static_cast<double>(milli_messages);
    if (milli_messages <= 6500) return 2500 + static_cast<double>(milli_messages - 2500) / 4;
    return 3500 + static_cast<double>(milli_messages - 6500) * 2;
  };
  for (int i = 0; i < 12; ++i) {
    CHECK(std::abs(static_cast<double>(process.now().count()) - instant(phase + 1000 * i)) <= 2);
    process.advance();
  }
}

TEST_CASE("a node that is woken continues at the load of that time") {
  const std::vector<LoadStep> steps{{Time{1000}, 10}, {Time{100'000}, 2}};
  ArrivalProcess process{Arrivals::constant, 1000, {1, "test"}, steps};
  process.restart(Time{5000});
  const Time first = process.now();
  CHECK(first >= Time{5000});
  CHECK(first <= Time{5100});
  process.advance();
  CHECK(process.now() - first == Time{100});
}

TEST_CASE("a load may change during the run") {
  const Load load = Load::parse_sweep("0.1,0.5@3ms, 0.05@7ms", "test").front();
  CHECK(load.fraction == 0.1);
  REQUIRE(load.steps.size() == 2);
  CHECK(load.steps[0].from == 3ms);
  CHECK(load.steps[0].factor == Approx(5));
  CHECK(load.steps[1].from == 7ms);
  CHECK(load.steps[1].factor == Approx(0.5));
  CHECK(load.to_text() == "0.1,0.5@3ms,0.05@7ms");
  CHECK(Load::parse_sweep("10MB/s,40MB/s@1us", "test").front().steps.at(0).factor == Approx(4));
  for (const char* text : {"0.1,", "0.1,0.5", "0.1,@3ms", "0.1,0.5@", "0.1,0.5@3 parsec", "0.1,0.5@0s", "0.1,0@3ms",
                           "0.1,0.5@3ms,0.2@3ms", "0.1,0.5@3ms,0.2@1ms", "0.1,5MB/s@3ms", "0.1:0.2:0.1,0.5@3ms"}) {
    INFO(text);
    CHECK_THROWS_AS(Load::parse_sweep(text, "test"), UserError);
  }
}

TEST_CASE("a load is a fraction, a rate or a sweep") {
  CHECK(Load::parse("0.5", "test").fraction == 0.5);
  CHECK(Load::parse("120MB/s", "test").payload_rate_Bps == 120e6);
  const auto sweep = Load::parse_sweep("0.1:0.9:0.1", "test");
  REQUIRE(sweep.size() == 9);
  CHECK(sweep[2].to_text() == "0.3");
  CHECK(sweep[8].to_text() == "0.9");
  const auto rates = Load::parse_sweep("100MB/s:300MB/s:100MB/s", "test");
  REQUIRE(rates.size() == 3);
  CHECK(rates[1].payload_rate_Bps == 200e6);
  CHECK(rates[2].to_text() == "300MB/s");
  CHECK_THROWS_WITH(Load::parse("100MB", "test"), Catch::Contains("write 100MB/s"));
  CHECK_THROWS_WITH(Load::parse("half", "test"), Catch::Contains("120MB/s"));
  for (const char* text :
       {"", "0", "-0.1", "11", "half", "nan", "inf", "0.1:0.9", "0.9:0.1:0.1", "0.1:0.9:0", "0.1:0.9:0.1:0.1",
        "1MB/s:2MB/s:0.1", "3MB/s:2MB/s:1MB/s", "0.0001:9:0.0001", "5 furlongs/s"}) {
    INFO(text);
    CHECK_THROWS_AS(Load::parse_sweep(text, "test"), UserError);
  }
}

TEST_CASE("a message on the wire is its packets with their overheads") {
  // QsNET: 320 bytes of payload and 58 of overhead per packet, flits of two bytes.
  const nic::PacketFormat qsnet{.flit_bytes = 2, .overhead_bytes = 58, .most_payload = 320};
  CHECK(wire_bytes(qsnet, 320) == 378);
  CHECK(wire_bytes(qsnet, 1) == 60);               // 59 bytes fill 30 flits
  CHECK(wire_bytes(qsnet, 1000) == 3 * 378 + 98);  // 1000 = 3 * 320 + 40
  // DS link: an end token carries no byte.
  CHECK(wire_bytes({.flit_bytes = 1, .overhead_bytes = 2, .end_token = true}, 64) == 66);
}
