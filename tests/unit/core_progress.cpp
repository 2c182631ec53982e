#include <catch2/catch.hpp>

#include <sstream>

#include "platform/core/progress.hpp"
#include "platform/core/terminal.hpp"
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

TEST_CASE("a run on a terminal shows its rate, and the time left where its end is known") {
  Stage stage(Progress::Mode::on, true);
  stage.clock = std::chrono::seconds(2);
  stage.progress->update_towards(10us, 5, {});
  CHECK(stage.out.str() == "\r\033[K10.000 us simulated, 5 packets, 5 us/s");
  stage.out.str("");
  stage.clock = std::chrono::seconds(4);
  stage.progress->update_towards(20us, 6, Progress::Goal{100us, false});  // 80 us at 5 us/s
  CHECK(stage.out.str() == "\r\033[K20.000 us simulated, 6 packets, 5 us/s, 20 %, 0:16 left");
  stage.out.str("");
  stage.clock = std::chrono::seconds(6);
  stage.progress->update_towards(30us, 7, Progress::Goal{60us, true});
  CHECK(stage.out.str() == "\r\033[K30.000 us simulated, 7 packets, 5 us/s, 50 % of --until, at most 0:06 left");
}

TEST_CASE("the rate follows the last seconds, and a goal that is passed is not shown") {
  Stage stage(Progress::Mode::on, true);
  stage.clock = std::chrono::seconds(1);
  stage.progress->update_towards(10us, 0, {});
  stage.clock = std::chrono::seconds(2);
  stage.progress->update_towards(40us, 0, Progress::Goal{40us, false});  // 0.9 * 10 + 0.1 * 30
  CHECK_THAT(stage.out.str(), Catch::EndsWith("40.000 us simulated, 0 packets, 12 us/s"));
}

TEST_CASE("a rate has three digits and a unit in which they have no exponent") {
  const auto shown = [](Time simulated) {
    Stage stage(Progress::Mode::on, true);
    stage.clock = std::chrono::seconds(1);
    stage.progress->update_towards(simulated, 0, {});
    const std::string line = stage.out.str();
    return line.substr(line.rfind(", ") + 2);
  };
  CHECK(shown(2470us) == "2.47 ms/s");
  CHECK(shown(999us) == "999 us/s");
  CHECK(shown(999600ns) == "1 ms/s");
  CHECK(shown(12345us) == "12.3 ms/s");
  CHECK(shown(2000ms) == "2 s/s");
}

TEST_CASE("a log gets neither rate nor time left of a run, as they differ from computer to computer") {
  Stage stage(Progress::Mode::on, false);
  stage.clock = std::chrono::seconds(10);
  stage.progress->update_towards(10us, 5, Progress::Goal{100us, false});
  CHECK(stage.out.str() == "10.000 us simulated, 5 packets\n");
}

TEST_CASE("other output may ask for an empty line, which is shown again later") {
  Stage stage(Progress::Mode::on, true);
  stage.progress->clear();
  CHECK(stage.out.str().empty());
  stage.clock = std::chrono::seconds(1);
  stage.progress->update(1us, 1);
  stage.out.str("");
  stage.progress->clear();
  stage.progress->clear();
  CHECK(stage.out.str() == "\r\033[K");
  stage.clock = std::chrono::seconds(2);
  stage.progress->update(2us, 2);
  CHECK_THAT(stage.out.str(), Catch::EndsWith("2 packets"));
}

TEST_CASE("headings of messages are coloured where that is wanted") {
  CHECK(heading("error", false) == "error: ");
  CHECK(heading("error", true) == "\033[1;31merror: \033[0m");
  CHECK(heading("warning", true) != heading("note", true));
}
