#include "platform/commands/run_seeds.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/native/interrupts.hpp"
#include "models/native/safety_net.hpp"
#include "platform/commands/interruption.hpp"
#include "platform/commands/run_folder.hpp"
#include "platform/core/bytes.hpp"
#include "platform/core/files.hpp"
#include "platform/core/statistics.hpp"
#include "platform/core/temporary_folder.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/snapshots/forked_results.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

/// What one run leaves besides its folder.
struct SeedRun {
  int exit_status = 0;
  std::string printed, said;  ///< standard output and error
  std::string json;

  std::string to_bytes() const {
    ByteWriter writer;
    writer.put(exit_status);
    for (const std::string* text : {&printed, &said, &json}) writer.put(*text);
    return writer.bytes();
  }
  static SeedRun from_bytes(const std::string& bytes) {
    SeedRun run;
    ByteReader reader(bytes);
    reader.take(run.exit_status);
    for (std::string* text : {&run.printed, &run.said, &run.json}) reader.take(*text);
    return run;
  }
};

struct Seeds {
  std::uint64_t first = 0, last = 0;

  static Seeds parse(const std::string& text) {
    const std::string place = "--seeds", cure = "give the first and the last one, such as 1:8";
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) throw UserError(place, in_quotes(text) + " is no range", cure);
    const std::int64_t first = parse_count(text.substr(0, colon), place),
                       last = parse_count(text.substr(colon + 1), place);
    if (first < 0 || last < first) throw UserError(place, in_quotes(text) + " has no seeds", cure);
    return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last)};
  }
};

/// What needs one run: a file that it writes alone, or a user who looks at it.
void refuse_options_of_one_run(const Invocation& invocation) {
  const auto refuse = [](const std::string& option) {
    throw UserError("--seeds", "--" + option + " is for one run", "give one seed, such as --seed 7");
  };
  if (!invocation.values["seed"].defaulted()) refuse("seed");
  if (!invocation.common.trace.empty()) refuse("trace");
  for (const char* option : {"gdb", "snapshots", "on-crash", "branch-at", "record", "log-file"})
    if (invocation.has(option)) refuse(option);
}

/// The command line without an option that has a value.
std::vector<std::string> without(const std::vector<std::string>& arguments, const std::string& option) {
  std::vector<std::string> left;
  const auto end = std::ranges::find(arguments, "--");
  for (auto argument = arguments.begin(); argument < end; ++argument) {
    if (*argument == option)
      ++argument;
    else if (!argument->starts_with(option + "="))
      left.push_back(*argument);
  }
  left.insert(left.end(), end, arguments.end());
  return left;
}

/// A file in memory in the place of a standard stream.
class Captured {
 public:
  explicit Captured(int stream) : file_(memfd_create("captured", MFD_CLOEXEC)) { dup2(file_, stream); }

  std::string text() const {
    std::string all;
    std::array<char, 1 << 16> part{};
    for (ssize_t more = 0; (more = pread(file_, part.data(), part.size(), static_cast<off_t>(all.size()))) > 0;)
      all.append(part.data(), static_cast<std::size_t>(more));
    return all;
  }

 private:
  int file_;
};

/// Messages say in which run they were told: standard error may be read apart from what is printed.
std::string with_seed(const std::string& said, std::uint64_t seed) {
  std::istringstream lines(said);
  std::string all;
  for (std::string line; std::getline(lines, line); all += line + "\n")
    for (const char* kind : {"error", "warning", "note"})
      if (const std::string begin = heading(kind, false); line.starts_with(begin))
        line.replace(0, begin.size(), fmt::format("{}seed {}: ", heading(kind), seed));
  return all;
}

class SeedRuns {
 public:
  explicit SeedRuns(const Invocation& invocation)
      : invocation_(invocation), seeds_(Seeds::parse(invocation.text("seeds"))), jobs_(processors()) {
    if (invocation.has("jobs")) jobs_ = parse_jobs(invocation.text("jobs"), "--jobs");
    common_ = invocation.command_line;
    for (const char* option : {"--seeds", "--jobs", "--out", "--json", "--progress"})
      common_ = without(common_, option);
  }

  Exit run() {
    const RunFolder folder(invocation_, {});
    return folder.watch([&] { return run(folder); });
  }

 private:
  Exit run(const RunFolder& folder) {
    Progress progress(invocation_.common.progress);
    native::catch_interrupts();
    Exit exit = Exit::done;
    std::vector<SeedRun> runs;
    for (std::uint64_t seed = seeds_.first; seed <= seeds_.last && !native::was_interrupted(); ++seed) {
      const auto begin_next = [&] {
        for (std::uint64_t next = seed; next <= seeds_.last && results_.running() < jobs_; ++next) begin(next);
      };
      begin_next();
      const auto bytes = results_.take(std::to_string(seed), begin_next);
      SeedRun run;
      if (bytes) {
        run = SeedRun::from_bytes(*bytes);
      } else {
        run.exit_status = static_cast<int>(Exit::program_failed);
        run.said = heading("error", false) + "the process of this run was killed\n";
      }
      progress.clear();
      std::ostream& out = invocation_.common.json == "-" ? std::cerr : std::cout;
      out << "seed " << seed << ":\n" << run.printed << std::flush;
      std::cerr << with_seed(run.said, seed) << std::flush;
      if (exit == Exit::done) exit = static_cast<Exit>(run.exit_status);
      runs.push_back(std::move(run));
      progress.update(static_cast<std::int64_t>(runs.size()), "seeds done");
    }
    progress.clear();
    if (native::was_interrupted()) exit = status_of_interrupt();
    write(folder, runs, exit);
    return exit;
  }

  void begin(std::uint64_t seed) {
    if (results_.has_begun(std::to_string(seed))) return;
    const std::string& out = invocation_.common.out;
    const std::string folder = out.empty() ? temporary_.path() : out + "/seed-" + std::to_string(seed);
    std::vector<std::string> own{"--seed", std::to_string(seed), "--progress", "off"};
    if (!out.empty()) own.insert(own.end(), {"--out", folder});
    std::filesystem::create_directories(folder);
    std::vector<std::string> arguments = common_;
    arguments.insert(std::ranges::find(arguments, "--"), own.begin(), own.end());
    const std::string json = fmt::format("{}/{}.json", folder, out.empty() ? std::to_string(seed) : "result");
    std::filesystem::remove(json);  // of an earlier command: a run that fails leaves none
    results_.begin(std::to_string(seed), [&] { return run_in_child(std::move(arguments), json).to_bytes(); });
  }

  static SeedRun run_in_child(std::vector<std::string> arguments, const std::string& json_file) {
    if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
    const Captured printed(STDOUT_FILENO), said(STDERR_FILENO);
    arguments.insert(std::ranges::find(arguments, "--"), {"--json", json_file});
    SeedRun run;
    run.exit_status = run_command_line(arguments);
    std::cout.flush();
    std::fflush(nullptr);
    run.printed = printed.text();
    run.said = said.text();
    if (std::filesystem::exists(json_file)) run.json = read_text_file(json_file);
    return run;
  }

  void write(const RunFolder& folder, const std::vector<SeedRun>& runs, Exit exit) const {
    Json all{{"machine", invocation_.text("machine")}, {"runs", Json::array()}};
    std::vector<Json> results;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Json result = Json::parse(runs[i].json, nullptr, false);
      if (result.is_discarded()) result = nullptr;  // the run did not get so far
      all["runs"].push_back({{"seed", seeds_.first + i}, {"exit_status", runs[i].exit_status}, {"result", result}});
      results.push_back(std::move(result));
    }
    const std::map<std::string, Moments> numbers = numbers_of(results);
    Table table({"seed", "exit_status", "metric", "value"});
    std::string text = fmt::format("{:<24} {:>14} {:>14} {:>6}\n", "over all seeds", "mean", "deviation", "seeds");
    for (const auto& [name, moments] : numbers) {
      all["metrics"][name] = {
          {"mean", moments.mean()}, {"deviation", moments.standard_deviation()}, {"seeds", moments.count()}};
      text += fmt::format("{:<24} {:>14.6g} {:>14.3g} {:>6}\n", name, moments.mean(), moments.standard_deviation(),
                          moments.count());
      for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].is_object() && results[i].contains(name) && results[i][name].is_number())
          table.add({static_cast<std::int64_t>(seeds_.first + i), std::int64_t{runs[i].exit_status}, name,
                     results[i][name].get<double>()});
    }
    if (!numbers.empty()) invocation_.print(text);
    invocation_.write_json(all);
    folder.write("seeds", table);
    folder.ended(exit == Exit::done ? "done" : is_interruption(exit) ? "interrupted" : "failed", Time{0});
  }

  /// The numbers at the top of the runs' results, without those that are of the simulating computer.
  static std::map<std::string, Moments> numbers_of(const std::vector<Json>& results) {
    std::map<std::string, Moments> numbers;
    for (const Json& result : results) {
      if (!result.is_object()) continue;
      for (const auto& [name, value] : result.items())
        if (value.is_number() && name != "cpu_time_s" && name != "events") numbers[name].add(value.get<double>());
    }
    return numbers;
  }

  const Invocation& invocation_;
  Seeds seeds_;
  std::size_t jobs_;
  std::vector<std::string> common_;  ///< the command line of every run
  TemporaryFolder temporary_;        ///< for their JSON, without --out
  ForkedResults results_{native::interrupting_signal};
};

}  // namespace

void add_seeds_options(po::options_description_easy_init add) {
  add("seeds", po::value<std::string>()->value_name("A:B"),
      "run once with each of these seeds; a folder for each in --out, and the mean and deviation of all numbers "
      "(docs/result-folder.md)");
  add("jobs", po::value<std::string>()->value_name("N"),
      "with --seeds: so many runs at once (as many as there are processors); the results are the same");
}

bool has_seeds(const Invocation& invocation) {
  if (invocation.has("jobs") && !invocation.has("seeds"))
    throw UserError("--jobs", "there is one run", "give several seeds, such as --seeds 1:8");
  return invocation.has("seeds");
}

Exit run_seeds(const Invocation& invocation) {
  refuse_options_of_one_run(invocation);
  return SeedRuns(invocation).run();
}

}  // namespace sanvp::commands
