#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "platform/traffic/load_run.hpp"

using namespace sanvp;
using namespace sanvp::traffic;

TEST_CASE("a run at one load reads back from its bytes as it was") {
  LoadRun run;
  run.summary.load = "0.25";
  run.summary.load_fraction = 0.25;
  run.summary.packets = 12;
  run.summary.blocked_ns = unknown;
  run.summary.congestion = CongestionTotals{.marked = 3, .notifications = 2};
  run.summary.faults.emplace().resent = 7;
  run.summary.classes.resize(2);
  run.summary.classes[0].name = "bulk";
  run.summary.classes[0].accepted_MBps = 1.5;
  run.tables = {{"links", "channel,use\n0,0.5\n"}, {"stats", std::string(100'000, 'x')}};
  run.ended = Time{123'456'789};
  run.deadlock = "packet 1 waits for packet 2";

  const LoadRun same = LoadRun::from_bytes(run.to_bytes());
  CHECK(to_json(same.summary).dump() == to_json(run.summary).dump());  // NaN is not equal to itself
  CHECK(same.summary.load_fraction == 0.25);
  CHECK(same.summary.faults->resent == 7U);
  REQUIRE(same.summary.classes.size() == 2);
  CHECK(same.summary.classes[0].name == "bulk");
  CHECK(same.summary.classes[0].accepted_MBps == 1.5);
  CHECK(same.tables == run.tables);
  CHECK(same.ended == run.ended);
  CHECK(same.deadlock == run.deadlock);
}

TEST_CASE("bytes of a run that end early are refused") {
  LoadRun run;
  run.tables = {{"links", "channel,use\n"}};
  const std::string bytes = run.to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(LoadRun::from_bytes(bytes.substr(0, size)), std::length_error);
}
