#include "models/host/noise.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "platform/core/units.hpp"

namespace sanvp::host {
namespace {

constexpr Time least_period = 1us;  // each run of a daemon costs simulation time

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(" ,", begin)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" ,", begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return names;
}

/// All values of a daemon have defaults, so that a misspelt name would be one more daemon.
void require_section(const Parameters& noise, const std::string& name) {
  const Parameters section = noise.section(name);
  for (const char* key : {"period", "duration", "phase", "cpus"})
    if (section.is_given(key)) return;
  throw UserError(noise.where("daemons"), "names '" + name + "', and there is no section [" + section.path() + "]",
                  "give it one, such as -s " + section.path() + ".period=10ms");
}

}  // namespace

std::vector<DaemonSettings> read_noise(const Parameters& noise) {
  std::vector<DaemonSettings> daemons;
  const std::string list =
      noise.text("daemons", "",
                 "names of daemons that run on each node, separated by commas; each has a section [host.noise.NAME]",
                 "none: programs have the CPUs for themselves");
  double share = 0;  // of a CPU that all of them run on
  for (const std::string& name : names_in(list)) {
    if (std::any_of(daemons.begin(), daemons.end(), [&](const DaemonSettings& one) { return one.name == name; }))
      throw UserError(noise.where("daemons"), "names '" + name + "' twice", "name each daemon once");
    daemons.emplace_back().name = name;
  }
  for (DaemonSettings& daemon : daemons) {
    require_section(noise, daemon.name);
    const Parameters section = noise.section(daemon.name);
    daemon.period =
        section.time("period", 10ms, "from one activation of the daemon to the next", "assumed: a clock's tick");
    daemon.duration = section.time("duration", 10us, "CPU time of each activation", "assumed: a clock's tick");
    if (daemon.duration <= Time{0} || daemon.duration >= daemon.period)
      throw UserError(section.where("duration"), "a daemon's duration must be above 0 and below its period",
                      "give it a duration below host.noise." + daemon.name + ".period");
    if (daemon.period < least_period)
      throw UserError(section.where("period"), "a daemon's period must be 1 us or more", "give it a longer one");
    share += static_cast<double>(daemon.duration.count()) / static_cast<double>(daemon.period.count());
    if (share >= 1)
      throw UserError(section.where("duration"), "these daemons together leave a CPU no time for programs",
                      "make their durations shorter or their periods longer");
    const std::string phase = section.text("phase", "random", "when it first runs: a time, or random on each node",
                                           "SC2003: nodes are not synchronised");
    if (phase != "random") daemon.phase = parse_time(phase, section.where("phase"));
    daemon.on_all_cpus =
        section.choice("cpus", "one", {"one", "all"},
                       "one: it runs on one CPU of a node, an idle one if there is one; all: on all of them",
                       "assumed: a process of the system") == "all";
  }
  return daemons;
}

Noise::Noise(const std::vector<DaemonSettings>& daemons, int node, int cpu, int cpus, int busy, std::uint64_t seed) {
  for (const DaemonSettings& daemon : daemons) {
    // A separate generator for each daemon of each node, so that all CPUs agree on its phase.
    Random random(seed, "node " + std::to_string(node) + ", noise " + daemon.name);
    const Time phase = daemon.phase.value_or(
        Time{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(daemon.period.count())))});
    const int home = busy < cpus ? cpus - 1 : static_cast<int>(random.below(static_cast<std::uint64_t>(cpus)));
    if (daemon.on_all_cpus || home == cpu) daemons_.push_back({daemon.period, daemon.duration, phase % daemon.period});
  }
}

/// The end of the daemons that run at `at`; `at` if none runs.
Time Noise::next_free(Time at) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Daemon& daemon : daemons_) {
      if (at < daemon.phase) continue;
      const Time begun = at - (at - daemon.phase) % daemon.period;
      if (at >= begun + daemon.duration) continue;
      at = begun + daemon.duration;
      moved = true;
    }
  }
  return at;
}

Time Noise::next_begin(Time after) const {
  Time next = never;
  for (const Daemon& daemon : daemons_)
    next = std::min(
        next, after < daemon.phase ? daemon.phase : after - (after - daemon.phase) % daemon.period + daemon.period);
  return next;
}

Time Noise::end_of(Time begin, Time span) const {
  Time at = next_free(begin);
  for (Time left = span;;) {
    const Time undisturbed = next_begin(at) - at;
    if (left <= undisturbed) return at + left;
    left -= undisturbed;
    at = next_free(at + undisturbed);
  }
}

}  // namespace sanvp::host
