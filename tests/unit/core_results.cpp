#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/results.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using sanvp::test::complaint;
using sanvp::test::TemporaryFolder;

TEST_CASE("a table is CSV: whole numbers, shortest reals, quotes where a text needs them") {
  Table table({"path", "value"});
  table.add({"switch 3", std::int64_t{-5}});
  table.add({"a,b", 0.1});
  table.add({"say \"go\"", 335.0});
  table.add({"two\nlines", std::numeric_limits<double>::infinity()});
  table.add({"", std::nan("")});
  CHECK(table.csv() ==
        "path,value\n"
        "switch 3,-5\n"
        "\"a,b\",0.1\n"
        "\"say \"\"go\"\"\",335\n"
        "\"two\nlines\",\n"
        ",\n");
}

TEST_CASE("a row of the wrong width and a table without columns are refused") {
  Table table({"a", "b"});
  CHECK_THROWS_AS(table.add({1.0}), std::invalid_argument);
  CHECK_THROWS_AS(table.add({1.0, 2.0, 3.0}), std::invalid_argument);
  CHECK_THROWS_AS(Table({}), std::invalid_argument);
  CHECK(table.csv() == "a,b\n");
}

TEST_CASE("a distribution becomes rows of statistics in the wanted unit") {
  Distribution latency;
  for (int i = 1; i <= 100; ++i) latency.add(i * 1000);
  StatisticsTable statistics;
  statistics.add("nic 0", "latency", "ns", latency, 1000);
  CHECK(statistics.table().csv() ==
        "path,name,unit,value\n"
        "nic 0,latency.count,1,100\n"
        "nic 0,latency.mean,ns,50.5\n"
        "nic 0,latency.p50,ns,50\n"
        "nic 0,latency.p95,ns,95\n"
        "nic 0,latency.p99,ns,99\n"
        "nic 0,latency.min,ns,1\n"
        "nic 0,latency.max,ns,100\n");
}

TEST_CASE("a distribution without samples has only a count") {
  StatisticsTable statistics;
  statistics.add("nic 0", "latency", "ns", Distribution{});
  CHECK(statistics.table().csv() == "path,name,unit,value\nnic 0,latency.count,1,0\n");
}

TEST_CASE("a histogram becomes a table of its bins") {
  Distribution distribution;
  for (const int x : {3, 3, 300}) distribution.add(x);
  CHECK(histogram_table(distribution, "ps").csv() == "from_ps,to_ps,count\n3,3,2\n300,301,1\n");
  CHECK(histogram_table(distribution, "ns", 1000).csv() == "from_ns,to_ns,count\n0.003,0.003,2\n0.3,0.301,1\n");
}

TEST_CASE("a run's folder holds a manifest, statistics and series") {
  const TemporaryFolder temporary;
  const ResultFolder folder(temporary / "runs/1");

  auto parameters = ParameterSet::from_text("[link]\ndelay = 15ns\n", "m.ini");
  Parameters(parameters, "link").time("delay", 10ns, "d", "s");
  Parameters(parameters, "link").count("channels", 2, "d", "s");
  Manifest manifest;
  manifest.command = {"sanvp", "traffic", "qsnet-64"};
  manifest.seed = 18'446'744'073'709'551'615u;
  manifest.versions = {{"sanvp", "0.1.0"}};
  manifest.simulated = Time{6250};
  manifest.wall_seconds = 0.5;
  folder.write(manifest, parameters);
  CHECK(nlohmann::json::parse(read_text_file(temporary / "runs/1/manifest.json"))["status"] == "running");

  manifest.status = "done";
  folder.write(manifest, parameters);
  const auto json = nlohmann::json::parse(read_text_file(temporary / "runs/1/manifest.json"));
  CHECK(json["status"] == "done");
  CHECK(json["command"] == nlohmann::json({"sanvp", "traffic", "qsnet-64"}));
  CHECK(json["seed"] == 18'446'744'073'709'551'615u);
  CHECK(json["versions"]["sanvp"] == "0.1.0");
  CHECK(json["sim_time_ns"] == 6.25);
  CHECK(json["wall_seconds"] == 0.5);
  CHECK(json["parameters"]["link.delay"] ==
        nlohmann::json({{"value", "15ns"}, {"kind", "time"}, {"place", "m.ini:2"}}));
  CHECK(json["parameters"]["link.channels"]["place"] == "default");

  StatisticsTable statistics;
  statistics.add("switch 1", "packets", "1", std::int64_t{7});
  folder.write(statistics);
  CHECK(read_text_file(temporary / "runs/1/stats.csv") == "path,name,unit,value\nswitch 1,packets,1,7\n");
  folder.write("latency", Table({"generated_ns", "latency_ns"}));
  CHECK(read_text_file(temporary / "runs/1/latency.csv") == "generated_ns,latency_ns\n");
}

TEST_CASE("bytes that are not UTF-8 do not prevent the manifest") {
  const TemporaryFolder temporary;
  const ResultFolder folder(temporary / "r");
  Manifest manifest;
  manifest.command = {"sanvp", "\xff\xfe"};
  folder.write(manifest, ParameterSet{});
  const auto json = nlohmann::json::parse(read_text_file(temporary / "r/manifest.json"));
  CHECK(json["command"][0] == "sanvp");
  CHECK(json["command"][1] == "\uFFFD\uFFFD");
}

TEST_CASE("a folder that cannot be made or written to is refused before the run") {
  const TemporaryFolder temporary;
  write_text_file(temporary / "file", "x");
  CHECK_THAT(complaint([&] { ResultFolder(temporary / "file"); }), Catch::Contains("cannot be"));
  CHECK_THAT(complaint([&] { ResultFolder(temporary / "file/sub"); }),
             Catch::Contains("cannot be created: Not a directory; name another folder with --out"));
  CHECK_THAT(complaint([&] { ResultFolder("/proc/self"); }), Catch::Contains("cannot be written"));
  CHECK(read_text_file(temporary / "file") == "x");
}

TEST_CASE("a new result folder leaves no probe behind, and a series has a plain name") {
  const TemporaryFolder temporary;
  const ResultFolder folder(temporary / "r");
  CHECK(std::filesystem::is_empty(temporary / "r"));
  CHECK_THROWS_AS(folder.write("../escape", Table({"a"})), std::invalid_argument);
  CHECK_THROWS_AS(folder.write("", Table({"a"})), std::invalid_argument);
}
