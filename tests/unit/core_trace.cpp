#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "platform/core/files.hpp"
#include "platform/core/trace.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using nlohmann::json;
using sanvp::test::complaint;
using sanvp::test::TemporaryFolder;

namespace {

/// The events of phase `phase`, in order.
std::vector<json> events(const std::string& path, const std::string& phase) {
  const auto trace = json::parse(read_text_file(path));
  std::vector<json> found;
  for (const auto& event : trace.at("traceEvents"))
    if (event.at("ph") == phase) found.push_back(event);
  return found;
}

}  // namespace

TEST_CASE("tracks have numbers and names, and asking again gives the same track") {
  const TemporaryFolder folder;
  Trace trace(folder / "t.json", {});
  const auto a = trace.track("switch 0", "port 1");
  const auto b = trace.track("switch 0", "port 2");
  const auto c = trace.track("nic \"3\"", "port 1");
  const auto again = trace.track("switch 0", "port 1");
  trace.close();
  CHECK(a.process == b.process);
  CHECK(a.thread != b.thread);
  CHECK(c.process != a.process);
  CHECK(again.process == a.process);
  CHECK(again.thread == a.thread);
  const auto names = events(folder / "t.json", "M");
  REQUIRE(names.size() == 5);  // two processes, three threads
  CHECK(names[0]["name"] == "process_name");
  CHECK(names[0]["args"]["name"] == "switch 0");
  CHECK(names[1]["name"] == "thread_name");
  CHECK(names[1]["args"]["name"] == "port 1");
  CHECK(names[3]["args"]["name"] == "nic \"3\"");
}

TEST_CASE("a slice has its begin and duration in microseconds, to the picosecond") {
  const TemporaryFolder folder;
  Trace trace(folder / "t.json", {});
  trace.slice(trace.track("s", "p"), "packet 17", Time{6250}, Time{2'000'007}, {{"bytes", 320}, {"hop", -1}});
  trace.close();
  const auto slices = events(folder / "t.json", "X");
  REQUIRE(slices.size() == 1);
  CHECK(slices[0]["name"] == "packet 17");
  CHECK(slices[0]["args"] == json({{"bytes", 320}, {"hop", -1}}));
  CHECK_THAT(read_text_file(folder / "t.json"), Catch::Contains("\"ts\":0.006250,\"dur\":1.993757,"));
}

TEST_CASE("only what falls into the window is kept, and slices are cut to it") {
  const TemporaryFolder folder;
  Trace trace(folder / "t.json", {10us, 20us});
  const auto track = trace.track("s", "p");
  trace.slice(track, "before", 5us, 10us);
  trace.slice(track, "into", 5us, 12us);
  trace.slice(track, "out of", 18us, 25us);
  trace.slice(track, "after", 20us, 21us);
  trace.slice(track, "over", 0us, 99us);
  trace.instant(track, "early", 9us);
  trace.instant(track, "first", 10us);
  trace.instant(track, "late", 20us);
  trace.counter(track, "queue", 9us, 1);
  trace.counter(track, "queue", 11us, 2);
  trace.close();
  CHECK_FALSE(trace.wants(5us, 10us));
  CHECK(trace.wants(10us, 10us));
  CHECK_FALSE(trace.wants(20us, 30us));

  std::vector<std::tuple<std::string, double, double>> slices;
  for (const auto& slice : events(folder / "t.json", "X"))
    slices.emplace_back(slice["name"], slice["ts"], slice["dur"]);
  CHECK(slices == decltype(slices){{"into", 10, 2}, {"out of", 18, 2}, {"over", 10, 10}});
  const auto instants = events(folder / "t.json", "i");
  REQUIRE(instants.size() == 1);
  CHECK(instants[0]["name"] == "first");
  const auto counters = events(folder / "t.json", "C");
  REQUIRE(counters.size() == 1);
  CHECK(counters[0]["args"]["value"] == 2);
  CHECK(counters[0]["name"] == "p queue");
}

TEST_CASE("an arrow chain starts, steps and finishes, and never ends without a start") {
  const TemporaryFolder folder;
  Trace trace(folder / "t.json", {10us, 20us});
  const auto track = trace.track("s", "p");
  trace.flow(track, 1, 11us);
  trace.flow(track, 1, 12us);
  trace.flow_end(track, 1, 13us);
  trace.flow(track, 2, 9us);  // its start lies before the window, so that it starts at its next point
  trace.flow(track, 2, 14us);
  trace.flow_end(track, 3, 15us);  // never started
  trace.flow(track, 1, 16us);      // the number is used again
  trace.close();
  CHECK(events(folder / "t.json", "s").size() == 3);
  CHECK(events(folder / "t.json", "t").size() == 1);
  const auto ends = events(folder / "t.json", "f");
  REQUIRE(ends.size() == 1);
  CHECK(ends[0]["id"] == 1);
  CHECK(ends[0]["bp"] == "e");
}

TEST_CASE("hostile names are escaped") {
  const TemporaryFolder folder;
  Trace trace(folder / "t.json", {});
  const std::string name = "\"},\n\t\\ \x01 \xff";
  trace.slice(trace.track(name, name), name, 0ns, 1ns);
  trace.close();
  CHECK(events(folder / "t.json", "X")[0]["name"] == "\"},\n\t\\ \x01 \xEF\xBF\xBD");
}

TEST_CASE("a trace is valid JSON when the run ends by an exception, and when it is empty") {
  const TemporaryFolder folder;
  try {
    Trace trace(folder / "t.json", {});
    trace.instant(trace.track("s", "p"), "last", 1ns);
    throw std::runtime_error("the run fails");
  } catch (const std::runtime_error&) {
  }
  CHECK(events(folder / "t.json", "i").size() == 1);
  { Trace empty(folder / "empty.json", {}); }
  CHECK(json::parse(read_text_file(folder / "empty.json"))["traceEvents"].empty());
}

TEST_CASE("a trace is valid JSON when the process dies in the middle") {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    Trace trace(folder / "t.json", {});
    const auto track = trace.track("s", "p");
    for (int i = 0; i < 30'000; ++i) trace.instant(track, "event", Time{i});
    ::_exit(1);  // no destructor runs
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WEXITSTATUS(status) == 1);
  // About 70 bytes an event: the file has been written to several times, the last block is lost.
  const auto kept = events(folder / "t.json", "i");
  CHECK(kept.size() > 10'000);
  CHECK(kept.size() < 30'000);
  CHECK(kept.back()["ts"] == Approx(1e-6 * static_cast<double>(kept.size() - 1)));
}

TEST_CASE("a trace of several blocks holds every event once") {
  const TemporaryFolder folder;
  Trace trace(folder / "t.json", {});
  const auto track = trace.track("s", "p");
  for (int i = 0; i < 30'000; ++i) trace.counter(track, "c", Time{i}, i);
  trace.close();
  const auto counters = events(folder / "t.json", "C");
  REQUIRE(counters.size() == 30'000);
  for (int i = 0; i < 30'000; ++i) REQUIRE(counters[static_cast<std::size_t>(i)]["args"]["value"] == i);
}

TEST_CASE("a trace that cannot be written is refused, at once or when the disk is full") {
  const TemporaryFolder folder;
  CHECK_THAT(complaint([&] { Trace(folder / "no/t.json", {}); }),
             Catch::Contains("no/t.json: cannot be written: No such file or directory"));
  CHECK_THAT(complaint([] { Trace("/dev/full", {}); }), Catch::Contains("No space left on device"));
}

TEST_CASE("a trace ends before its file exceeds the limit, is valid, and says until when it is complete") {
  const TemporaryFolder folder;
  constexpr std::int64_t limit = 100'000;
  Trace trace(folder / "t.json", {}, {.limit = limit});
  const auto track = trace.track("s", "p");
  CHECK_FALSE(trace.cut_at());
  for (int i = 0; i < 30'000; ++i) trace.instant(track, "event", Time{i});
  CHECK_FALSE(trace.wants(0ns, 1us));
  trace.close();
  const auto kept = events(folder / "t.json", "i");
  REQUIRE(trace.cut_at());
  CHECK(*trace.cut_at() == Time{static_cast<std::int64_t>(kept.size()) - 1});
  const auto size = static_cast<std::int64_t>(read_text_file(folder / "t.json").size());
  CHECK(size <= limit);
  CHECK(size > limit - limit / 8);  // a block is a sixteenth
}

TEST_CASE("a trace that grows large is noticed once, at the time that it has reached") {
  const TemporaryFolder folder;
  std::vector<Time> noticed;
  Trace trace(folder / "t.json", {}, {.notice = 1'500'000, .noticed = [&](Time at) { noticed.push_back(at); }});
  const auto track = trace.track("s", "p");
  for (int i = 0; i < 100'000; ++i) trace.instant(track, "event", Time{i});
  trace.close();
  REQUIRE(noticed.size() == 1);  // about 70 bytes an event, written by the MiB: after the second block
  CHECK(noticed[0] > Time{20'000});
  CHECK(noticed[0] < Time{35'000});
}
