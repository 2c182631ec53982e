/// riscv_run [--cpus N] [--quantum N] [--most N] [--no-time] [--folder F] [--set NAME=VALUE]... [--disk US]
/// [--translate RUNS] [--mhz F] [--report]
/// PROGRAM [ARGUMENT...]
///
/// Runs an RV64 program by itself, without a machine. `--no-time`: instructions cost none. `--disk`: each request for a
/// file takes so long, and 1 ns for each byte, after those before it; without it none. `--translate`:
/// blocks that have run so often are translated. `--mhz`: the clock, 1000 without it. `--report` prints instructions,
/// simulated time, MIPS, blocks and the instructions of each class to standard error. Exit status: the
/// program's; 128 and the number of the signal that has killed it; 3 if it hangs or reaches `--most`.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/cpu/riscv/linux/crash.hpp"
#include "models/cpu/riscv/linux/scheduler.hpp"
#include "platform/core/error.hpp"

namespace {

using namespace sanvp::riscv;

struct Options {
  os::ProcessSettings process{};
  std::uint64_t quantum = 20'000;
  std::uint64_t most = ~std::uint64_t{0};
  double mhz = 1000;
  bool timing = true;
  bool reports = false;
};

/// A disk that serves its requests one after the other.
auto disk(std::int64_t us) {
  return [us, free_ps = std::int64_t{0}](const os::FileAccess& access, std::int64_t now_ps) mutable {
    constexpr std::int64_t ps_per_us = 1'000'000, ps_per_ns = 1000;
    const bool is_sync = access.way == os::FileAccess::Way::sync;
    free_ps = std::max(free_ps, now_ps);
    if (!is_sync) free_ps += us * ps_per_us + static_cast<std::int64_t>(access.bytes) * ps_per_ns;
    return free_ps;
  };
}

Options read_options(std::vector<std::string> words) {
  Options options;
  std::size_t at = 0;
  const auto value = [&] { return at + 1 < words.size() ? words[++at] : std::string(); };
  for (; at < words.size() && words[at].starts_with("--"); ++at) {
    const std::string name = words[at];
    if (name == "--cpus") options.process.cpus = std::stoi(value());
    if (name == "--quantum") options.quantum = std::stoull(value());
    if (name == "--most") options.most = std::stoull(value());
    if (name == "--folder") options.process.folder = value();
    if (name == "--set") options.process.environment.push_back(value());
    if (name == "--disk") options.process.access_file = disk(std::stoll(value()));
    if (name == "--translate") options.process.translation = TranslationSettings{.after_runs = std::stoull(value())};
    if (name == "--mhz") options.mhz = std::stod(value());
    if (name == "--no-time") options.timing = false;
    if (name == "--report") options.reports = true;
  }
  if (at >= words.size()) throw sanvp::UserError("riscv_run", "a program is missing");
  options.process.path = words[at];
  options.process.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  return options;
}

int run(Options options) {
  options.process.costs.cycle_ps = 1e6 / options.mhz;  // an instruction a cycle
  options.process.costs.cycles.fill(options.timing ? 1 : 0);
  options.process.output = [](bool is_error, std::string_view bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), is_error ? stderr : stdout);
  };
  options.process.warn = [](const std::string& sentence) { fmt::print(stderr, "riscv_run: {}\n", sentence); };
  if (const char* const why = Translation::unavailable(); why != nullptr && options.process.translation)
    throw sanvp::UserError("--translate", why, "leave it out");
  os::Process process(options.process);
  os::Scheduler scheduler(process, options.quantum);
  const std::clock_t before = std::clock();
  const auto over = scheduler.run({.instructions = options.most});
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  if (options.reports)
    fmt::print(stderr, "instructions {} time_ps {} MIPS {:.0f} blocks {} classes {}\n", process.retired(),
               scheduler.now_ps(), static_cast<double>(process.retired()) / seconds / 1e6,
               process.interpreter().blocks().size(), fmt::join(process.interpreter().blocks().executed(), ","));
  std::fflush(stdout);
  if (over != os::Scheduler::Over::ended) {
    const bool hangs = over == os::Scheduler::Over::hangs;
    fmt::print(stderr, "riscv_run: {}\n", hangs ? "all threads wait for ever" : "it has run too long");
    return 3;
  }
  const os::End& end = *process.end();
  if (end.signal == 0) return end.status;
  fmt::print(stderr, "riscv_run: {}\n", os::crash_text(process));
  return 128 + end.signal;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options({words + 1, words + count}));
  } catch (const sanvp::UserError& error) {
    fmt::print(stderr, "riscv_run: {}\n", error.what());
    return 2;
  }
}
