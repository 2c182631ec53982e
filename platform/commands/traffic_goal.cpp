/// `sanvp traffic MACHINE goal`: plays the program of a GOAL file on the machine's network, or on an ideal one.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <optional>

#include "models/native/safety_net.hpp"
#include "models/net/hop_trace.hpp"
#include "models/net/observers.hpp"
#include "platform/commands/idle_options.hpp"
#include "platform/commands/interruption.hpp"
#include "platform/commands/proof.hpp"
#include "platform/commands/run_folder.hpp"
#include "platform/commands/trace_file.hpp"
#include "platform/commands/traffic_program.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/goal/critical_path.hpp"
#include "platform/goal/history.hpp"
#include "platform/goal/ideal_player.hpp"
#include "platform/goal/player.hpp"
#include "platform/goal/reader.hpp"
#include "platform/jobs/job.hpp"
#include "platform/machine/simulation.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr const char* host_model = "loggops";
constexpr std::size_t most_lines = 10;  // of a program that hangs

void options(po::options_description_easy_init add) {
  const auto value = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add("host", value("MODEL"),
      "[goal] loggops:L,o,g,G,O,S, the costs of a message at its hosts (ns, S in bytes); default: LogGOPSim's "
      "2500,1500,1000,6,0,65535, but L and G are 0 on the machine's network, which has its own")(
      "map", value("MAP"), "[goal] spread, block, cyclic, or hosts such as 0,4,8-15: where ranks are, as in `run`")(
      "network", value("machine|ideal"),
      "[goal] ideal: messages take L and never wait for each other, as in LogGOPSim (machine)")(
      "cpu-ratio", value("R"), "[goal] by which calcs take longer than the file says (1)")(
      "critical-path", po::bool_switch(),
      "[goal] what the time of the longest chain of operations and messages consists of: computing, overhead, latency, "
      "bandwidth, contention; by link in contention.csv of the results folder");
}

double percent_of(Time part, Time all) { return all > Time{0} ? 100 * in_ns(part) / in_ns(all) : 0; }

Json json_of(const goal::CriticalPath& path) {
  Json json;
  for (const auto& [name, part] : path.parts()) {
    json[std::string(name) + "_ns"] = in_ns(part);
    json[std::string(name) + "_percent"] = percent_of(part, path.total());
  }
  json["messages"] = path.messages;
  return json;
}

std::string text_of(const goal::CriticalPath& path) {
  std::string text = "critical path:";
  for (const auto& [name, part] : path.parts())
    text += fmt::format("{} {} {:.1f} %", text.back() == ':' ? "" : ",", name, percent_of(part, path.total()));
  return text + fmt::format("; {} messages", path.messages);
}

/// Contention on the critical path by the link that was waited for, the longest first.
Table contention_table(const goal::CriticalPath& path, const net::Wiring& wiring) {
  std::vector<std::pair<Time, int>> links;
  for (const auto& [channel, wait] : path.by_channel) links.emplace_back(-wait, channel);
  std::sort(links.begin(), links.end());
  Table table({"link", "wait_ns", "percent"});
  for (const auto& [wait, channel] : links)
    table.add({wiring.channels[channel].name, in_ns(-wait), percent_of(-wait, path.total())});
  return table;
}

struct Outcome {
  bool is_done = false;
  Simulation::End end = Simulation::End::idle;
  std::string deadlock{};  ///< of the network
  std::vector<std::string> unmatched{};
  std::uint64_t lost = 0;
  Time simulated{0};
  std::uint64_t events = 0;
  double cpu_seconds = 0;

  std::string verdict() const {
    if (!deadlock.empty()) return "deadlock";
    if (is_done) return "done";
    if (end == Simulation::End::paused) return "interrupted";
    if (end == Simulation::End::until) return "until reached";
    return lost > 0 ? "packets lost" : "deadlock";
  }
};

class Run {
 public:
  explicit Run(const Invocation& invocation)
      : invocation_(invocation),
        machine_(invocation.machine_request()),
        own_(settings(invocation)),
        trace_file_(invocation, {own_, "traffic"}),
        is_ideal_(network(invocation) == "ideal"),
        costs_(costs(invocation)) {
    own_.require_all_read();
    if (!invocation.has("file"))
      throw UserError("sanvp traffic goal", "there is no program", "name a GOAL file, as in --file program.goal");
    file_ = invocation.text("file");
    program_ = goal::read_program_file(file_);
    if (goal::has_collectives(program_))
      throw UserError(
          file_, "has collective operations as calls, which the MPI of a whole machine does",
          "play it by `sanvp run " + invocation.text("machine") + " goal`, or record it with --record-level messages");
    if (invocation.has("cpu-ratio")) scale_calcs(parse_real(invocation.text("cpu-ratio"), "--cpu-ratio"));
    if (invocation.values["critical-path"].as<bool>()) history_.emplace(program_, costs_.S);
    hosts_ = jobs::place_ranks({.app = "goal",
                                .ranks = static_cast<int>(program_.ranks.size()),
                                .map = invocation.has("map") ? invocation.text("map") : "spread",
                                .place = file_},
                               machine_.hosts(), 1);
  }

  Exit run() {
    if (!is_ideal_) prove_deadlock_free(invocation_, machine_);
    const RunFolder folder(invocation_, machine_.parameters().with(own_));
    native::catch_interrupts();
    folder.watch([&] {
      const std::clock_t start = std::clock();
      if (is_ideal_)
        play_on_ideal_network(start, folder);
      else
        play_on_machine(start, folder);
    });
    if (!outcome_.deadlock.empty()) stop_at_deadlock(outcome_.deadlock);
    if (outcome_.end == Simulation::End::paused) {
      std::cerr << heading("error") << name_of_interrupt() << " at " << to_text(outcome_.simulated)
                << " of simulated time\n";
      return status_of_interrupt();
    }
    if (outcome_.end == Simulation::End::until && !outcome_.is_done) return Exit::until_reached;
    return outcome_.is_done || outcome_.lost > 0 ? Exit::done : Exit::deadlock;
  }

 private:
  void scale_calcs(double ratio) {
    constexpr double most_ratio = 1e6;
    if (!(ratio > 0 && ratio < most_ratio))
      throw UserError("--cpu-ratio", "is not above 0 and below 1e6", "give a number such as 2.5");
    for (goal::Rank& rank : program_.ranks) rank.scale_calcs(ratio);
  }

  static ParameterSet settings(const Invocation& invocation) {
    ParameterSet own = invocation.own_settings();
    take_trace_window(invocation, own);
    return own;
  }

  static std::string network(const Invocation& invocation) {
    std::string name = invocation.has("network") ? invocation.text("network") : "machine";
    if (name != "machine" && name != "ideal")
      throw UserError("--network", in_quotes(name) + " is no network", "give machine or ideal");
    return name;
  }

  static goal::LogGops costs(const Invocation& invocation) {
    const std::string text = invocation.has("host") ? invocation.text("host") : host_model;
    const std::string name = text.substr(0, text.find(':'));
    if (name != host_model)
      throw UserError("--host", "there is no host model " + in_quotes(name), "give loggops or loggops:L,o,g,G,O,S");
    if (name.size() < text.size()) return goal::LogGops::parse(text.substr(name.size() + 1), "--host");
    goal::LogGops costs;
    if (network(invocation) != "ideal") costs.L = costs.G = Time{0};
    return costs;
  }

  void play_on_ideal_network(std::clock_t start, const RunFolder& folder) {
    goal::IdealPlayer player(program_, costs_);
    if (history_) player.watch(*history_);
    Progress progress(invocation_.common.progress);
    bool goes_on = true;
    const bool is_over = player.run(invocation_.common.until, [&](Time now) {
      progress.update(now, player.ranks().messages_sent(), share(player.ranks()));
      goes_on = !native::was_interrupted();
      return goes_on;
    });
    progress.clear();
    outcome_.end = is_over ? Simulation::End::idle : goes_on ? Simulation::End::until : Simulation::End::paused;
    outcome_.events = player.ranks().operations_done() + player.ranks().messages_sent();
    if (history_ && player.ranks().is_done()) path_ = goal::critical_path(program_, costs_, *history_, true, {});
    finish(player.ranks(), start, folder);
  }

  void play_on_machine(std::clock_t start, const RunFolder& folder) {
    Simulation simulation(machine_, invocation_.common.fidelity);
    std::optional<net::HopTrace> hops;
    net::Observers observers;
    if (Trace* trace = trace_file_.open()) {
      hops.emplace(simulation.network().wiring(), *trace);
      observers.add(*hops);
    }
    goal::Player player(program_, costs_, hosts_, machine_, simulation.queue(), simulation.network());
    if (history_) {
      player.record(*history_);
      observers.add(*history_);
    }
    if (hops || history_) simulation.network().observe(&observers.all());
    {
      Progress progress(invocation_.common.progress);
      trace_file_.before_message([&] { progress.clear(); });
      outcome_.end = simulation.run(invocation_.common.until, [&] {
        progress.update(simulation.now(), player.ranks().messages_sent(), share(player.ranks()));
        return !native::was_interrupted();
      });
      trace_file_.before_message({});
    }
    outcome_.deadlock = simulation.deadlock();
    outcome_.lost = player.lost();
    outcome_.events = simulation.queue().processed();
    simulation.network().catch_up();
    if (history_ && player.ranks().is_done())
      path_ = goal::critical_path(program_, costs_, *history_, false,
                                  [&](const goal::Message& message) { return player.serialisation(message); });
    finish(player.ranks(), start, folder);
    if (path_) folder.write("contention", contention_table(*path_, simulation.network().wiring()));
    trace_file_.close(outcome_.simulated);  // the last: it fails if the disk has become full
  }

  static double share(const goal::Hosts& ranks) {
    return ranks.operations() == 0
               ? 1
               : static_cast<double>(ranks.operations_done()) / static_cast<double>(ranks.operations());
  }

  void finish(const goal::Hosts& ranks, std::clock_t start, const RunFolder& folder) {
    outcome_.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    outcome_.is_done = ranks.is_done();
    Table table({"rank", "host", "end_ns", "computing_ns", "overhead_ns"});
    goal::RankTimes sum;
    for (std::uint32_t rank = 0; rank < program_.ranks.size(); ++rank) {
      const goal::RankTimes times = ranks.times(rank);
      table.add({std::int64_t{rank}, std::int64_t{hosts_[rank]}, in_ns(times.end), in_ns(times.computing),
                 in_ns(times.overhead)});
      if (times.end > sum.end) {
        sum.end = times.end;
        last_rank_ = rank;
      }
      sum.computing += times.computing;
      sum.overhead += times.overhead;
    }
    outcome_.simulated = sum.end;
    if (!outcome_.is_done && outcome_.end == Simulation::End::idle) outcome_.unmatched = ranks.unmatched(most_lines);
    print(ranks, sum);
    folder.write("ranks", table);
    folder.ended(outcome_.verdict(), outcome_.simulated, about_deadlock(outcome_.deadlock));
  }

  void print(const goal::Hosts& ranks, const goal::RankTimes& sum) const {
    const double all = in_ns(sum.end) * static_cast<double>(program_.ranks.size());
    const auto percent = [&](Time part) { return all > 0 ? 100 * in_ns(part) / all : 0; };
    const double computing = percent(sum.computing), overhead = percent(sum.overhead);
    Json json{{"machine", machine_.name()},
              {"seed", machine_.seed()},
              {"pattern", "goal"},
              {"file", file_},
              {"network", is_ideal_ ? "ideal" : "machine"},
              {"ranks", program_.ranks.size()},
              {"operations", ranks.operations()},
              {"operations_done", ranks.operations_done()},
              {"messages", ranks.messages_sent()},
              {"messages_lost", outcome_.lost},
              {"time_ns", in_ns(sum.end)},
              {"last_rank", last_rank_},
              {"computing_percent", computing},
              {"overhead_percent", overhead},
              {"waiting_percent", all > 0 ? 100 - computing - overhead : 0},
              {"events", outcome_.events},
              {"cpu_time_s", outcome_.cpu_seconds}};
    if (path_) json["critical_path"] = json_of(*path_);
    json["verdict"] = json["status"] = outcome_.verdict();
    if (!outcome_.deadlock.empty()) json["deadlock"] = outcome_.deadlock;
    if (!outcome_.unmatched.empty()) json["unmatched"] = outcome_.unmatched;
    char shares[96];
    std::snprintf(shares, sizeof shares, "computing %.1f %%, overhead %.1f %%, waiting %.1f %%", computing, overhead,
                  all > 0 ? 100 - computing - overhead : 0);
    invocation_.print(machine_.headline() + "\n" + file_ + ": " + std::to_string(program_.ranks.size()) + " ranks, " +
                      std::to_string(ranks.operations()) + " operations, " + std::to_string(ranks.messages_sent()) +
                      " messages" + (is_ideal_ ? ", an ideal network" : "") + "\ntime " + to_text(sum.end) + ", rank " +
                      std::to_string(last_rank_) + " is the last; " + shares + "\n" +
                      (path_ ? text_of(*path_) + "\n" : "") + "verdict: " + outcome_.verdict() + "\n");
    invocation_.write_json(json);
    if (outcome_.lost > 0)
      std::cerr << heading("note") << outcome_.lost
                << " messages were lost or had no route, so the program cannot end\n";
    if (outcome_.end == Simulation::End::idle) note_late_faults(machine_.faults(), outcome_.simulated);
    for (const std::string& line : outcome_.unmatched) std::cerr << heading("error") << file_ << ": " << line << "\n";
  }

  const Invocation& invocation_;
  Machine machine_;
  ParameterSet own_;
  TraceFile trace_file_;
  bool is_ideal_;
  goal::LogGops costs_;
  std::string file_;
  goal::Program program_;
  std::vector<int> hosts_;  ///< by rank
  Outcome outcome_;
  std::uint32_t last_rank_ = 0;
  std::optional<goal::History> history_;    ///< --critical-path
  std::optional<goal::CriticalPath> path_;  ///< of a program that is done
};

const Registration<TrafficProgram> registration{
    {.name = "goal",
     .summary = "the program of a GOAL file (--file), whose messages wait for each other; hosts by LogGOPS",
     .options = options,
     .options_of_patterns = {"file"},
     .run = [](const Invocation& invocation) { return Run(invocation).run(); }}};

}  // namespace
}  // namespace sanvp::commands
