#include <catch2/catch.hpp>

#include <sstream>

#include "platform/core/progress.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using sanvp::test::complaint;

namespace {

/// A progress line that writes into a string, on a clock that the test moves.
struct Stage {
  explicit Stage(Progress::Mode mode, bool is_terminal)
      : progress(std::make_unique<Progress>(mode, out, is_terminal, [this] { return clock; })) {}

  std::ostringstream out;
  std::chrono::nanoseconds clock{0};
  std::unique_ptr<Progress> progress;
};

}  // namespace

TEST_CASE("progress shows simulated time, packets, percent and the time left") {
  Stage stage(Progress::Mode::on, true);
  stage.clock = std::chrono::seconds(30);
  stage.progress->update(12'500ns, 1234, 0.25);  // 30 s for a quarter, so 90 s for the rest
  CHECK(stage.out.str() == "\r\033[K12.500 us simulated, 1234 packets, 25 %, 1:30 left");
}

TEST_CASE("long runs are shown in hours, and hopeless ones do not overflow") {
  Stage stage(Progress::Mode::on, false);
  stage.clock = std::chrono::seconds(36);
  stage.progress->update(1us, 1, 0.01);  // 36 s * 99 = 3564 s
  stage.clock = std::chrono::seconds(72);
  stage.progress->update(1us, 1, 0.01);  // 72 s * 99 = 7128 s
  stage.clock = std::chrono::seconds(108);
  stage.progress->update(1us, 1, 1e-300);
  CHECK(stage.out.str() ==
        "1.000 us simulated, 1 packets, 1 %, 59:24 left\n"
        "1.000 us simulated, 1 packets, 1 %, 1:58:48 left\n"
        "1.000 us simulated, 1 packets, 0 %, 2777:46:40 left\n");
}

TEST_CASE("a share that is unknown or nothing yet gives no percent") {
  Stage stage(Progress::Mode::on, false);
  stage.clock = std::chrono::seconds(10);
  stage.progress->update(1us, 5);
  stage.clock = std::chrono::seconds(20);
  stage.progress->update(2us, 6, 0.0);
  CHECK(stage.out.str() == "1.000 us simulated, 5 packets\n2.000 us simulated, 6 packets\n");
}

TEST_CASE("progress of other work shows what is counted, and on a terminal what comes before") {
  for (const bool is_terminal : {true, false}) {
    Stage stage(Progress::Mode::on, is_terminal);
    stage.progress->announce("building");
    CHECK(stage.out.str() == (is_terminal ? "\r\033[Kbuilding" : ""));
    stage.out.str("");
    stage.clock = std::chrono::seconds(10);
    stage.progress->update(5000, "pairs checked", 0.5);
    CHECK(stage.out.str() ==
          (is_terminal ? "\r\033[K5000 pairs checked, 50 %, 0:10 left" : "5000 pairs checked, 50 %, 0:10 left\n"));
  }
}

TEST_CASE("a terminal gets four updates a second at most") {
  Stage stage(Progress::Mode::on, true);
  for (int ms = 0; ms <= 1000; ++ms) {
    stage.clock = std::chrono::milliseconds(ms);
    stage.progress->update(1us, 1);
  }
  const std::string shown = stage.out.str();
  CHECK(std::count(shown.begin(), shown.end(), '\r') == 4);
}

TEST_CASE("a terminal's line is erased at the end, a log's lines are not") {
  Stage terminal(Progress::Mode::on, true), log(Progress::Mode::on, false);
  for (auto* stage : {&terminal, &log}) {
    stage->clock = std::chrono::seconds(10);
    stage->progress->update(1us, 1);
    stage->progress.reset();
  }
  CHECK_THAT(terminal.out.str(), Catch::EndsWith("packets\r\033[K"));
  CHECK_THAT(log.out.str(), Catch::EndsWith("packets\n"));
}

TEST_CASE("auto shows on a terminal only, off never, and nothing is written before the first update is due") {
  for (const auto& [mode, is_terminal, shows] : {std::tuple{Progress::Mode::automatic, true, true},
                                                 {Progress::Mode::automatic, false, false},
                                                 {Progress::Mode::off, true, false},
                                                 {Progress::Mode::on, false, true}}) {
    Stage stage(mode, is_terminal);
    stage.progress->update(1us, 1);
    CHECK(stage.out.str().empty());
    stage.clock = std::chrono::seconds(10);
    stage.progress->update(1us, 1);
    CHECK(stage.out.str().empty() == !shows);
  }
}

TEST_CASE("the mode is one of three words") {
  CHECK(Progress::parse_mode("auto", "") == Progress::Mode::automatic);
  CHECK(Progress::parse_mode("on", "") == Progress::Mode::on);
  CHECK(Progress::parse_mode("off", "") == Progress::Mode::off);
  CHECK(complaint([] { Progress::parse_mode("yes", "--progress"); }) ==
        "--progress: 'yes' is not one of auto, on, off");
}
