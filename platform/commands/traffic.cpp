/// `sanvp traffic`: NIC-level traffic without host software. platform/traffic/README.md defines the measurements.
#include <ctime>
#include <iostream>
#include <set>

#include "models/native/forked.hpp"
#include "models/native/safety_net.hpp"
#include "platform/commands/branches.hpp"
#include "platform/commands/command.hpp"
#include "platform/commands/idle_options.hpp"
#include "platform/commands/interruption.hpp"
#include "platform/commands/log_file.hpp"
#include "platform/commands/parallel_loads.hpp"
#include "platform/commands/proof.hpp"
#include "platform/commands/trace_file.hpp"
#include "platform/commands/traffic_notes.hpp"
#include "platform/commands/traffic_program.hpp"
#include "platform/commands/traffic_results.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/machine/memory_estimate.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/row_of_hosts.hpp"
#include "platform/traffic/saturation.hpp"
#include "platform/traffic/settings.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

using traffic::Ending;
using traffic::PatternPart;
using traffic::Summary;

/// Parameters of all patterns, as options: by name, the patterns that read it and its documentation.
std::map<std::string, std::pair<std::string, std::string>> pattern_options() {
  // A row of nodes whose number is a power of four is enough for every pattern to declare its parameters.
  constexpr int nodes = 4;
  const topologies::Graph graph = traffic::row_of_hosts(nodes);
  std::map<std::string, std::pair<std::string, std::string>> options;
  for (const auto& [name, part] : Registry<PatternPart>::all()) {
    ParameterSet set;
    const Parameters parameters{set, "pattern"};
    try {
      part.build({graph, parameters});
    } catch (const UserError&) {
      // The parameters read before a required one was missing are declared.
    }
    for (const auto& [key, one] : set.declared()) {
      auto& [patterns, help] = options[key.substr(key.find('.') + 1)];
      patterns += (patterns.empty() ? "" : ", ") + name;
      help = one.documentation;
    }
  }
  return options;
}

void options(po::options_description_easy_init add) {
  for (const auto& [name, value, help] : traffic::option_help())
    add(name, po::value<std::string>()->value_name(value), help);
  add("saturation", po::bool_switch(), "find the largest load that is accepted");
  add("packets-out", po::value<std::string>()->value_name("FILE"),
      "a line for each packet as `replay` prints it, in the order of deliveries; compressed if FILE ends in .gz");
  add("jobs", po::value<std::string>()->value_name("N"),
      "of several loads, and of --saturation, so many runs at once (as many as there are processors, and as fit into "
      "machine.memory); the results are the same");
  add_network_files(add);
  add_branch_options(add);
  add_log_options(add);
  for (const auto& [name, about] : pattern_options())
    add(name.c_str(), po::value<std::string>()->value_name("VALUE"), ("[" + about.first + "] " + about.second).c_str());
  for (const auto& [name, program] : Registry<TrafficProgram>::all())
    if (program.options) program.options(add);
}

/// Settings and options of sections [traffic] and [pattern].
ParameterSet own_parameters(const Invocation& invocation) {
  ParameterSet set = invocation.own_settings();
  take_trace_window(invocation, set);
  const auto take = [&](const std::string& section, const std::string& name) {
    if (invocation.has(name)) set.set(section + "." + name, invocation.text(name), "--" + name);
  };
  for (const auto& option : traffic::option_help()) take("traffic", option.name);
  for (const auto& [name, about] : pattern_options()) take("pattern", name);
  if (invocation.values["saturation"].as<bool>()) set.set("traffic.saturation", "yes", "--saturation");
  return set;
}

/// The runs of one command: one load, a sweep, or the probes of a search for saturation.
class Experiment {
 public:
  explicit Experiment(Invocation& invocation)
      : invocation_(invocation),
        machine_(invocation.machine_request()),
        routes_(machine_.routing()),
        parameters_(own_parameters(invocation)),
        part_(Registry<PatternPart>::get(invocation.text("pattern"), "sanvp traffic")),
        under_test_{.graph = machine_.graph(),
                    .routing = routes_,
                    .wiring = machine_.wiring(),
                    .format = machine_.format(),
                    .make_route_selection = [this] { return machine_.make_route_selection(); },
                    .congestion = machine_.nic().congestion,
                    .port_selection = machine_.nic().port_selection,
                    .address =
                        [this](net::Packet& packet, int source, int destination, int alternative) {
                          packet.source = source;
                          packet.destination = destination;
                          routes_.route(source, destination, alternative, packet.route);
                        },
                    .unhindered = [this](int host, int flits) { return machine_.unhindered(host, flits); },
                    .faults = &machine_.faults(),
                    .stock = machine_.stock(),
                    .current_routes = machine_.remap().on ? &routes_ : nullptr,
                    .routes_around = [this](const topologies::Failures& down) { return machine_.routes_around(down); },
                    .remap_takes = machine_.remap().total(machine_.graph()),
                    .fidelity = invocation.common.fidelity,
                    .seed = invocation.common.seed},
        settings_(read_settings()),
        trace_file_(invocation, {parameters_, "traffic"}),
        log_(invocation, machine_, LogFile::Around::network_alone),
        progress_(invocation.common.progress),
        branches_(invocation, machine_) {
    if (invocation.has("packets-out")) packet_log_.emplace(invocation.text("packets-out"));
    settings_.plan.until = invocation.common.until;
    trace_file_.before_message([this] { progress_.clear(); });
    jobs_ = jobs();
    log_.before_line([this] { progress_.clear(); });
    parameters_.require_all_read();
    if (branches_.are_wanted() && (settings_.finds_saturation || settings_.loads.size() > 1))
      throw UserError("--branch-at", "several loads are run, one after the other", "give one load, such as --load 0.3");
    if (settings_.finds_saturation && !machine_.faults().empty())
      throw UserError("--saturation", "a load that loses packets to faults is never fully accepted",
                      "give loads, such as --load 0.1:0.9:0.1, or leave out --fault and [fault]");
  }

  Exit run() {
    prove_deadlock_free(invocation_, machine_);
    TrafficResults results(invocation_, machine_, parameters_);
    results.folder().watch([&] { run(results); });
    if (branches_.are_over()) return branches_.finish(results.folder());
    const Summary& last = runs_.back();
    if (last.ending == Ending::deadlock) stop_at_deadlock(deadlock_);
    if (last.ending == Ending::interrupted) {
      std::cout.flush();
      std::cerr << heading("error") << interruption() << "\n";
      return status_of_interrupt();
    }
    if (last.ending == Ending::until_reached) return Exit::until_reached;
    branches_.require_begun(ended_);
    return Exit::done;
  }

 private:
  void run(TrafficResults& results) {
    trace_ = trace_file_.open(log_.format());
    native::catch_interrupts();
    ParallelLoads loads(jobs_, [&](const traffic::Load& load) { return run_at(load, results); });
    if (settings_.finds_saturation) {
      saturation_ = traffic::find_saturation(
          [&](const traffic::Load& load, const std::vector<traffic::Load>& likely_next) {
            return take(loads.at(load, likely_next), results);
          },
          settings_.highest_load, settings_.resolution);
    } else {
      for (auto load = settings_.loads.begin(); load != settings_.loads.end(); ++load) {
        if (take(loads.at(*load, {load + 1, settings_.loads.end()}), results).ending != Ending::done) break;
        results.write_so_far(runs_);
      }
    }
    progress_.clear();
    if (branches_.are_over()) return;
    const std::string why = runs_.back().ending == Ending::interrupted ? interruption() : about_deadlock(deadlock_);
    if (runs_.back().ending == Ending::done || runs_.back().ending == Ending::until_reached) {
      if (!settings_.finds_saturation) note_not_reached(settings_.loads.front(), ended_);
      note_late_faults(machine_.faults(), ended_);
    }
    if (packet_log_) packet_log_->close();
    results.write(runs_, saturation_ ? &*saturation_ : nullptr, why);
    log_.close();
    trace_file_.close(ended_);  // the last: it fails if the disk has become full
  }

  std::string interruption() const {
    const Summary& last = runs_.back();
    return name_of_interrupt() + " at " + to_text(interrupted_at_) + " of simulated time" +
           (last.load.empty() ? "" : ", at load " + last.load) + ": its numbers are those up to then";
  }

  std::unique_ptr<traffic::Pattern> make_pattern(std::vector<std::string>* notes = nullptr) {
    const Parameters section{parameters_, "pattern"};
    return part_.build(
        {.graph = machine_.graph(), .parameters = section, .seed = invocation_.common.seed, .notes = notes});
  }

  traffic::Settings read_settings() {
    std::vector<std::string> notes;
    const auto pattern = make_pattern(&notes);
    traffic::require_sender(*pattern, machine_.graph().host_count(), "pattern " + part_.name);
    traffic::Settings settings = traffic::Settings::read({parameters_, "traffic"}, under_test_, *pattern);
    for (const std::string& note : notes) std::cerr << heading("note") << note << "\n";
    note_idle_settings(invocation_, parameters_, settings, *pattern);
    return settings;
  }

  /// The branches of the run, at Plan::look.
  bool branch(traffic::Measurement& run, TrafficResults& results) {
    progress_.clear();
    return branches_.fork_all({.run = {.network = run.network(),
                                       .follow = [&](const faults::Plan& plan) { run.follow(plan); },
                                       .measurement = &run},
                               .folder = results.folder(),
                               .continue_in_child = [this] {
                                 native::continue_in_child();
                                 started_ = std::clock();  // which counts from the fork
                               }});
  }

  /// Runs at once. A timeline, a log and a list of packets are written in the order of the runs.
  std::size_t jobs() const {
    const bool is_one = !settings_.finds_saturation && settings_.loads.size() == 1;
    const bool writes_meanwhile =
        !invocation_.common.trace.empty() || packet_log_.has_value() || invocation_.has("log");
    const std::string place = "--jobs";
    if (invocation_.has("jobs")) {
      const std::size_t wanted = parse_jobs(invocation_.text("jobs"), place);
      if (wanted > 1 && writes_meanwhile)
        throw UserError(place, "a timeline, a log or a list of packets is written by one run after the other",
                        "leave out --trace, --log and --packets-out, or give --jobs 1");
      if (is_one && wanted > 1) note_idle(invocation_, {"jobs"}, "does nothing with one load");
      return is_one ? 1 : wanted;
    }
    if (is_one || writes_meanwhile) return 1;
    const std::int64_t memory = parse_size(machine_.parameters().declared().at("machine.memory").value, place);
    return std::min(processors(),
                    static_cast<std::size_t>(std::max<std::int64_t>(1, memory / estimated_bytes(machine_.graph()))));
  }

  /// The next run of the command.
  const Summary& take(traffic::LoadRun run, TrafficResults& results) {
    if (jobs_ > 1) progress_.update(static_cast<std::int64_t>(runs_.size() + 1), "loads done");
    ended_ = std::max(ended_, run.ended);
    const Summary& summary = run.summary;
    if (summary.ending == Ending::deadlock) deadlock_ = run.deadlock;
    if (summary.ending == Ending::interrupted) interrupted_at_ = run.ended;
    if (!settings_.finds_saturation || runs_.empty() || !summary.is_refused()) results.keep(std::move(run.tables));
    return runs_.emplace_back(summary);
  }

  traffic::LoadRun run_at(const traffic::Load& load, TrafficResults& results) {
    started_ = std::clock();
    const auto pattern = make_pattern();  // patterns keep state
    traffic::Workload workload = settings_.workload;
    workload.load = load;
    traffic::Plan plan = settings_.plan;
    plan.is_interrupted = native::was_interrupted;
    plan.drains = plan.drains && !settings_.finds_saturation;
    if (branches_.are_wanted())
      plan.look = {branches_.at(), [&](traffic::Measurement& run) { return branch(run, results); }};
    traffic::Measurement run(under_test_, *pattern, workload, plan);
    if (jobs_ == 1) run.show(progress_);
    if (trace_ != nullptr) run.trace(*trace_);
    std::optional<traffic::Spy> spy;
    if (const auto& [channel, place, from, until] = settings_.spy; !channel.empty())
      run.spy(spy.emplace(machine_.wiring(), channel, place, from, until));
    if (packet_log_) run.list_packets(*packet_log_);
    run.time_probes(settings_.timing_node);
    const std::shared_ptr<void> logging =
        log_.begin({.hosts = static_cast<std::size_t>(machine_.hosts()),
                    .now = [&run] { return run.now(); },
                    .observe = [&run](net::PacketObserver& one) { run.observe_packets(one); },
                    .forget = [&run](net::PacketObserver& one) { run.forget_packets(one); }});

    const Ending ending = run.run();
    progress_.clear();
    const double cpu_time_s = static_cast<double>(std::clock() - started_) / CLOCKS_PER_SEC;
    const bool has_load = pattern->pace() == traffic::Pattern::Pace::load;
    return {.summary = traffic::summarize(run, has_load ? &load : nullptr, ending, cpu_time_s),
            .tables = results.tables(run, spy ? &*spy : nullptr),
            .ended = run.now(),
            .deadlock = run.deadlock()};
  }

  const Invocation& invocation_;
  Machine machine_;
  faults::CurrentRoutes routes_;
  ParameterSet parameters_;
  const PatternPart& part_;
  traffic::NetworkUnderTest under_test_;
  traffic::Settings settings_;
  TraceFile trace_file_;
  LogFile log_;
  Progress progress_;
  Branches branches_;
  std::size_t jobs_ = 1;
  std::clock_t started_{};
  Trace* trace_ = nullptr;  ///< the timeline, or null
  std::optional<traffic::PacketLog> packet_log_;
  Time ended_{0};           ///< end of the longest run
  Time interrupted_at_{0};  ///< by Ctrl-C or the like
  std::vector<Summary> runs_;
  std::optional<traffic::Saturation> saturation_;
  std::string deadlock_;
};

/// Those that a program in the place of a pattern has no use for.
std::vector<std::string> options_of_patterns(const TrafficProgram& program) {
  std::vector<std::string> names{"packets-out", "jobs", "log-file", "branch"};
  for (const auto& option : traffic::option_help()) names.emplace_back(option.name);
  for (const auto& [name, about] : pattern_options())
    if (std::ranges::find(program.options_of_patterns, name) == program.options_of_patterns.end())
      names.push_back(name);
  return names;
}

Exit run(const Invocation& given) {
  Invocation invocation = given;  // a branch has one of its own
  const auto& programs = Registry<TrafficProgram>::all();
  const auto program = programs.find(invocation.text("pattern"));
  if (program == programs.end()) {
    leave_to_programs(invocation);
    return Experiment(invocation).run();
  }
  for (const auto& [option, what] : {std::pair("branch-at", "branches"), std::pair("log", "log")})
    if (invocation.has(option))
      throw UserError(std::string("--") + option, in_quotes(program->first) + " has no " + what, "a pattern has");
  leave_to_patterns(invocation, program->first, options_of_patterns(program->second));
  return program->second.run(invocation);
}

const Registration<Command> registration{
    {.name = "traffic",
     .summary = "send the traffic of a pattern through a machine's network and measure it",
     .positional = {{"machine"}, {"pattern"}},
     .common = {"s", "fault", "seed", "fidelity", "out", "json", "trace", "trace-from", "trace-until", "trace-limit",
                "until", "progress", "force"},
     .sections = {"traffic", "pattern"},
     .options = options,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
