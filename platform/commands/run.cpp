/// `sanvp run`: boots the virtual machine and runs programs on it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <numeric>

#include "models/native/safety_net.hpp"
#include "platform/commands/branches.hpp"
#include "platform/commands/changes/begun_collectives.hpp"
#include "platform/commands/command.hpp"
#include "platform/commands/gdb.hpp"
#include "platform/commands/going_back.hpp"
#include "platform/commands/inspections.hpp"
#include "platform/commands/kinds_of_programs.hpp"
#include "platform/commands/log_file.hpp"
#include "platform/commands/otf2_file.hpp"
#include "platform/commands/own_firmware.hpp"
#include "platform/commands/proof.hpp"
#include "platform/commands/record_file.hpp"
#include "platform/commands/run_folder.hpp"
#include "platform/commands/run_seeds.hpp"
#include "platform/commands/run_verdict.hpp"
#include "platform/commands/trace_file.hpp"
#include "platform/commands/trace_programs.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/file_reserve.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/parts.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/jobs/apps.hpp"
#include "platform/jobs/job.hpp"
#include "platform/jobs/job_run.hpp"
#include "platform/jobs/known_settings.hpp"
#include "platform/jobs/profile.hpp"
#include "platform/jobs/setting_values.hpp"
#include "platform/machine/cluster.hpp"
#include "platform/mpi_check/checker.hpp"
#include "platform/traffic/tables.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

using jobs::JobRequest;
using jobs::JobRun;
using Json = nlohmann::ordered_json;

void options(po::options_description_easy_init add) {
  add("np", po::value<std::string>()->value_name("N"), "number of ranks; default: as many as the machine has nodes");
  add("map", po::value<std::string>()->value_name("spread|block|cyclic")->default_value("spread"),
      "spread: one rank per node, then even shares; block: a node's CPUs first; cyclic; or nodes such as 0,4,8-15");
  add("job", po::value<std::vector<std::string>>()->composing()->value_name("JOB"),
      "another job at the same time: \"APP [--np N] [--map MAP] [-- ARGUMENTS]\" (repeat for more)");
  add("profile", po::bool_switch(),
      "time and bytes of each rank in MPI, shmem and the like: printed by call, and by rank in profile.csv of the "
      "results folder");
  add("check-mpi", po::value<std::string>()->value_name("calls|memory")->implicit_value("calls", ""),
      "look for mistakes in the use of MPI: types and counts that do not fit, buffers that are in use, requests and "
      "objects that are left, deadlocks, also those that buffering hides; in mpi_check.json of the results folder, "
      "too; memory (of programs for RISC-V): loads and stores of windows and of buffers in use as well");
  add("waits-from", po::value<std::string>()->value_name("TIME"), "start time of congestion.csv in --out");
  add("waits-until", po::value<std::string>()->value_name("TIME"), "end time of congestion.csv in --out");
  add_network_files(add);
  add("cpu", po::value<std::string>()->value_name("native|riscv"),
      "which program of an app that comes with sanvp; other programs' files tell");
  add_gdb_options(add);
  add_record_options(add);
  add_going_back_options(add);
  add_branch_options(add);
  add_inspection_options(add);
  add_log_options(add);
  add_seeds_options(add);
}

std::optional<mpi_check::Checker> checker_of(const Invocation& invocation, const std::vector<Program>& programs) {
  if (!invocation.has("check-mpi")) return {};
  std::vector<std::size_t> ranks;
  for (const Program& program : programs) ranks.push_back(program.nodes.size());
  return std::optional<mpi_check::Checker>(std::in_place, ranks, invocation.text("check-mpi") == "memory");
}

std::vector<JobRequest> requests(const Invocation& invocation, TracePrograms& traces) {
  JobRequest first{.app = invocation.text("app"),
                   .map = invocation.text("map"),
                   .arguments = invocation.program_arguments,
                   .place = "sanvp run"};
  if (invocation.has("np")) first.ranks = jobs::parse_ranks(invocation.text("np"), "--np");
  std::vector<JobRequest> all{std::move(first)};
  if (invocation.has("job"))
    for (const std::string& text : invocation.values["job"].as<std::vector<std::string>>())
      all.push_back(jobs::parse_job(text, "--job"));
  for (JobRequest& request : all) {
    request.app = jobs::canonical_name(request.app);
    jobs::require_known_options(request.app, request.arguments, request.place);
    traces.prepare(request, asked_kind(invocation));
  }
  return all;
}

std::vector<Program> programs(const std::vector<JobRequest>& requests, const Machine& machine, jobs::AppKind kind) {
  std::vector<Program> placed;
  std::vector<std::vector<int>> nodes;
  for (JobRequest request : requests) {
    const std::string path = jobs::find_app(request.app, request.place, kind);
    if (!request.ranks && is_of_linux_alone(path)) request.ranks = 1;
    nodes.push_back(jobs::place_ranks(request, machine.nodes(), machine.host().cpus, machine.io().reserved()));
    jobs::require_room(nodes.back(),
                       {.processes = sends_messages(path) ? machine.nic().most_processes : 0,
                        .memory_bytes = machine.host().memory_bytes},
                       request.place + ": --np");
    if (jobs::hides_file(request.app))
      std::cerr << heading("note") << request.app
                << " is the app that comes with sanvp; for the file of that name write ./" << request.app << "\n";
    Program program{.image = path, .arguments = {request.app}, .nodes = nodes.back()};
    program.arguments.insert(program.arguments.end(), request.arguments.begin(), request.arguments.end());
    const ElfFile file(program.image);
    const std::span<const char> uncounted = file.section(".sanvp.uncounted").bytes;
    if (!uncounted.empty() && machine.host().cpu.timing)
      std::cerr << heading("note") << request.app
                << ": not compiled by sanvp-cc, or assembly, so its computing takes no time: "
                << std::string_view(uncounted.data(), uncounted.size()) << "\n";
    if (file.has_section(".sanvp.openmp"))
      std::cerr << heading("note") << request.app
                << ": OpenMP has one thread here, as a native rank has; for more compile the program with "
                << own_program("sanvp-cc") << " --target riscv64 -fopenmp\n";
    placed.push_back(std::move(program));
  }
  if (const std::string crowded = jobs::crowded_nodes(nodes, machine.nodes(), machine.host().cpus); !crowded.empty())
    std::cerr << heading("note") << crowded << "\n";
  return placed;
}

/// The time span of congestion.csv.
struct Window {
  Time from{0};
  Time until = never;
};

Window waits_window(const Invocation& invocation) {
  Window window;
  if (invocation.has("waits-from")) window.from = parse_time(invocation.text("waits-from"), "--waits-from");
  for (const char* name : {"waits-from", "waits-until"})
    if (invocation.has(name) && !invocation.has("out"))
      std::cerr << heading("note") << "--" << name << " does nothing without --out DIR\n";
  if (invocation.has("waits-until")) window.until = parse_time(invocation.text("waits-until"), "--waits-until");
  if (window.until <= window.from)
    throw UserError("--waits-until", "is not after --waits-from", "there would be nothing in between");
  return window;
}

/// The simulated time at which the run ends, if that is known: the end of its programs' measurement, or at most
/// --until.
std::optional<Progress::Goal> goal(const Invocation& invocation, const JobRun& run) {
  const Time until = invocation.common.until;
  if (const auto measured = run.measured_until(); measured && *measured < until)
    return Progress::Goal{*measured, false};
  if (until != never) return Progress::Goal{until, true};
  return {};
}

/// Refuses settings for software that no image reads, and values that it would refuse, before the run.
void require_known_settings(const Invocation& invocation, const Machine& machine,
                            const std::vector<Program>& programs) {
  std::vector<std::string> images;
  for (const Program& program : programs) images.push_back(program.image);
  if (const std::string& driver = machine.nic().driver; !driver.empty())
    images.push_back(software_file(jobs::software_folder(), driver + ".so"));
  jobs::require_known(invocation.software_settings(), machine.parameters(), images);
  jobs::require_values(invocation.software_settings(), images);
}

/// A warning if no part of the machine detects bit errors: results may be wrong even though programs ended well.
std::string wrong_data(const Cluster& cluster) {
  if (cluster.damaged() == 0) return {};
  return fmt::format(
      "{} packets with a wrong bit were accepted, because nothing on this machine detects them: what programs "
      "computed may be wrong (lower link.bit_error_rate, or try -s nic.protection=crc)",
      cluster.damaged());
}

/// Tells what the checker has found, and makes its errors a failure of the run.
void finish_check(mpi_check::Checker& checker, Verdict& verdict) {
  checker.finish(verdict.exit == Exit::done  ? mpi_check::Outcome::complete
                 : verdict.status == "hangs" ? mpi_check::Outcome::hangs
                                             : mpi_check::Outcome::cut_off);
  int errors = 0;
  const auto lines = checker.lines();
  for (const auto& [severity, line] : lines) {
    std::cerr << heading(mpi_check::name_of(severity)) << line << "\n";
    if (severity == mpi_check::Severity::error) ++errors;
  }
  if (lines.empty() && verdict.exit == Exit::done) std::cerr << "--check-mpi: nothing was found\n";
  if (errors > 0 && verdict.exit == Exit::done)
    verdict = {"failed", Exit::program_failed,
               fmt::format("--check-mpi found {} mistake{} in the use of MPI", errors, errors == 1 ? "" : "s")};
}

Json to_json(const host::Usage& usage) {
  return {{"computing_ns", in_ns(usage.computing)},
          {"library_ns", in_ns(usage.library)},
          {"waiting_ns", in_ns(usage.waiting)},
          {"noise_ns", in_ns(usage.noise)}};
}

/// Instruction counts of interpreted programs.
Json to_json(const cpu::InstructionCounts& counts) {
  Json by_class = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i) by_class[std::string(cpu::instruction_class_name(i))] = counts[i];
  return {{"instructions", std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})},
          {"instructions_by_class", by_class}};
}

/// The same keys as in `sanvp traffic`.
Json to_json(const Acceptance::Report& report) {
  Json json{{"settled", report.has_settled},
            {"accepted_half_width_MBps", nullptr},
            {"warm_up_ns", in_ns(report.warm_up)},
            {"window_ns", in_ns(report.window)}};
  if (std::isfinite(report.MBps.half_width)) json["accepted_half_width_MBps"] = report.MBps.half_width;
  return json;
}

Json to_json(const Machine& machine, Cluster& cluster, const JobRun& run, const Verdict& verdict) {
  const std::vector<host::RankUsage> usage = cluster.usage();
  Json json{{"machine", machine.name()}, {"status", verdict.status}};
  // The headline metrics of a single job are at the same place as those of `sanvp traffic`.
  if (run.jobs().size() == 1) {
    for (const auto& [name, metric] : run.jobs()[0].metrics()) json[name] = metric.value;
    if (const auto steadiness = run.jobs()[0].acceptance.report()) json.update(to_json(*steadiness));
  }
  for (const auto& job : run.jobs()) {
    Json metrics = Json::object();
    for (const auto& [name, metric] : job.metrics()) metrics[name] = {{"value", metric.value}, {"unit", metric.unit}};
    const auto number = json.contains("jobs") ? static_cast<int>(json["jobs"].size()) : 0;
    const host::Usage of_job = jobs::usage_of(usage, number);
    json["jobs"].push_back({{"app", job.name},
                            {"ranks", job.nodes.size()},
                            {"metrics", metrics},
                            {"time", to_json(of_job)},
                            {"computing_interval_ns", {in_ns(of_job.least_computing), in_ns(of_job.most_computing)}}});
    if (const auto steadiness = job.acceptance.report()) json["jobs"].back().update(to_json(*steadiness));
  }
  if (Json firmware = own_firmware(cluster); !firmware.empty()) json["firmware"] = std::move(firmware);
  if (const auto executed = cluster.interpreted()) json.update(to_json(*executed));
  json["packets"] = cluster.network().delivered();
  json["lost_packets"] = cluster.network().lost();
  json["corrupt_packets"] = cluster.network().corrupt();
  if (const faults::Outages* outages = cluster.outages()) json["faults"] = faults::to_json(outages->account().totals());
  json["undetected_packets"] = cluster.damaged();
  json["link_retries"] = cluster.network().retries();
  json["boot_time_ns"] = in_ns(cluster.booted());
  json["sim_time_ns"] = in_ns(cluster.now());
  json["events"] = cluster.queue().processed();
  json["cpu_time_s"] = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  if (!verdict.message.empty()) json["message"] = verdict.message;
  if (const std::string wrong = wrong_data(cluster); !wrong.empty()) json["warning"] = wrong;
  return json;
}

void require_final_deaths(const Machine& machine) {
  if (machine.faults().repairs_nodes())
    throw UserError("fault", "a node that went down does not boot again in `sanvp run`",
                    "leave out its return (node_mttr = 0); `sanvp traffic` supports it");
}

/// Times of faults count from the start of the boot.
void note_early_faults(const Machine& machine, Time booted) {
  const auto& events = machine.faults().listed;
  if (!events.empty() && events.front().at < booted)
    std::cerr << heading("note") << faults::to_text(events.front().part) << " fails at " << to_text(events.front().at)
              << ", before programs begin at " << to_text(booted) << "\n";
}

/// Calendars of programs are in UTC unless the user names a time zone. That of the simulating computer would show in
/// what they print.
void set_time_zone() {
  setenv("TZ", "UTC0", 0);
  tzset();
}

Exit run(const Invocation& given) {
  if (has_seeds(given)) return run_seeds(given);
  set_time_zone();
  Invocation invocation = given;  // a branch has one of its own
  GoingBack going_back(invocation);
  const Machine machine(invocation.machine_request());
  require_final_deaths(machine);
  ParameterSet own = invocation.own_settings();
  take_trace_window(invocation, own);
  TraceFile trace_file(invocation, {own, "traffic"});
  own.require_all_read();
  TracePrograms traces;
  const std::vector<JobRequest> requested = requests(invocation, traces);
  const std::vector<Program> placed = programs(requested, machine, asked_kind(invocation));
  check_cpu_model(invocation, placed);
  check_wrappers(invocation, placed);
  note_if_not_translated(machine.host().cpu, placed);
  Gdb checked_gdb(invocation, placed);
  Branches branches(invocation, machine);
  if (branches.have("algorithms")) require_told_calls(placed);
  Inspections inspections(invocation);
  LogFile log(invocation, machine);
  const Window waits = waits_window(invocation);

  require_known_settings(invocation, machine, placed);
  std::vector<std::vector<int>> nodes;
  for (const Program& program : placed) nodes.push_back(program.nodes);
  prove_for_jobs(invocation, machine, nodes);
  if (const std::string note = machine.check_cards(); !note.empty()) std::cerr << heading("note") << note << "\n";

  std::vector<JobRun::Job> jobs;
  for (std::size_t i = 0; i < placed.size(); ++i) jobs.push_back({.name = requested[i].app, .nodes = placed[i].nodes});
  // If JSON goes to standard output, the output of programs must go elsewhere.
  JobRun job_run(jobs, invocation.software_settings(), invocation.common.json == "-" ? std::cerr : std::cout,
                 std::cerr);
  if (placed.size() == 1 && placed[0].nodes.size() == 1 && is_of_linux_alone(placed[0].image)) job_run.leave_output();

  std::optional<mpi_check::Checker> checker = checker_of(invocation, placed);
  if (checker) job_run.check_by(*checker);
  RecordFile record(invocation, placed);
  if (goal::Recorder* recorder = record.recorder())
    job_run.record_by([recorder](const host::Identity& process, const host::Recorded& recorded, Time at, Time worked) {
      recorder->record(static_cast<std::uint32_t>(process.rank), recorded, at, worked);
    });
  if (goal::CollectiveCalls* const calls = record.calls()) job_run.tell(*calls);

  Otf2File otf2_file(invocation, machine, placed);
  if (otf2::Recorder* const recorder = otf2_file.recorder()) job_run.tell(*recorder);

  std::vector<std::size_t> ranks;
  for (const Program& program : placed) ranks.push_back(program.nodes.size());
  BegunCollectives begun(ranks);
  if (branches.have("algorithms")) job_run.tell(begun);

  RunFolder folder(invocation, machine.parameters().with(own));
  Exit exit = Exit::done;
  folder.watch([&] {
    Progress progress(invocation.common.progress);
    job_run.before_output([&] { progress.clear(); });
    trace_file.before_message([&] { progress.clear(); });
    log.before_line([&] { progress.clear(); });
    Trace* const trace = trace_file.open(log.format());
    Cluster cluster(machine, invocation.common.fidelity, jobs::software_folder(), placed, job_run, trace,
                    invocation.values["profile"].as<bool>());
    if (otf2::Recorder* const recorder = otf2_file.recorder())
      recorder->ask_cables([&cluster](int node) {
        const auto& nics = cluster.network().wiring().nics;
        return Time{cluster.network().statistics(nics[static_cast<std::size_t>(node)].out).busy_ps};
      });
    traffic::LinkBlocking blocking(cluster.network().wiring(), waits.from, waits.until);
    if (folder.is_wanted()) cluster.observe(blocking);
    job_run.when_over([&] { cluster.stop(); });
    job_run.when_looking([&] { cluster.stop_if_no_progress(); });
    constexpr std::size_t open_for_results = 16;  // a results folder, one of its tables, a program's symbols
    FileReserve reserve(open_for_results);
    const std::shared_ptr<void> logging = log.begin(cluster);
    native::catch_interrupts();
    Gdb gdb = std::move(checked_gdb);  // it ends before the processes
    const Inspected inspected{machine, cluster, job_run};
    gdb.serve(inspected, job_run, going_back);
    inspections.begin(inspected, [&](const std::string& text) {
      progress.clear();
      invocation.print(text);
    });
    if (branches.are_wanted()) {
      cluster.expect_faults(machine);
      cluster.look_at(branches.at(), [&] {
        progress.clear();
        job_run.keep_input();
        return branches.fork_all(
            {.run = {.network = cluster.network(),
                     .follow = [&](const faults::Plan& plan) { cluster.follow(plan); },
                     .disturb = [&](const Machine& changed) { cluster.disturb(changed); },
                     .reprice = [&](const Machine& changed) { cluster.reprice(changed); },
                     .change_cards = [&](const Machine& changed) { cluster.change_links_of_cards(changed); },
                     .choose_algorithms =
                         [&](const ParameterSet& settings) {
                           job_run.change_settings(settings);
                           begun.mark();
                           job_run.choose_algorithms_by([&](const auto& process) { return begun.is_later(process); });
                         }},
             .folder = folder,
             .continue_in_child = [&] { cluster.continue_in_child(); }});
      });
    }
    const auto end = cluster.run(invocation.common.until, [&] {
      progress.update_towards(cluster.now(), cluster.network().delivered(), goal(invocation, job_run));
      job_run.flush_at_intervals();
      return !native::was_interrupted() && gdb.lets_go_on();
    });
    gdb.finish();
    going_back.end();
    if (!branches.are_over()) inspections.note_missed(cluster.now());
    reserve.release();
    progress.clear();
    if (branches.are_over()) {
      exit = branches.finish(folder);
      return;
    }
    cluster.print_unwritten();
    Verdict ended = verdict(cluster, machine, job_run, end, gdb, checker.has_value());
    if (checker) finish_check(*checker, ended);
    exit = ended.exit;
    invocation.print(job_run.steadiness());
    std::cout.flush();
    if (job_run.failures().empty() && job_run.deaths().empty())
      for (const std::string& note : job_run.notes()) std::cerr << heading("note") << note << "\n";
    const std::vector<host::RankUsage> usage = cluster.usage();
    for (std::size_t i = 0; i < job_run.jobs().size(); ++i)
      std::cerr << fmt::format("job {} ({}, {} rank{}): {}{}\n", i, job_run.jobs()[i].name,
                               job_run.jobs()[i].nodes.size(), job_run.jobs()[i].nodes.size() == 1 ? "" : "s",
                               jobs::usage_text(usage, static_cast<int>(i)),
                               time_model_text(machine.host().cpu, placed[i]));
    if (const faults::Outages* outages = cluster.outages()) {
      note_early_faults(machine, cluster.booted());
      std::cerr << faults::to_text(outages->account().totals());
      folder.write("faults", faults::table(outages->account(), machine.format().flit_bytes));
    }
    const std::string wrong = wrong_data(cluster);
    for (const std::string& warning : {wrong, unused_firmware(cluster)})
      if (!warning.empty()) std::cerr << heading("warning") << warning << "\n";
    if (!ended.message.empty()) std::cerr << heading("error") << ended.message << "\n";
    StatisticsTable statistics;
    job_run.report(statistics);
    cluster.report(statistics);
    statistics.add("network", "packets_corrupt", "1", static_cast<std::int64_t>(cluster.network().corrupt()));
    statistics.add("network", "link_retries", "1", static_cast<std::int64_t>(cluster.network().retries()));
    Json json = to_json(machine, cluster, job_run, ended);
    if (inspections.are_wanted()) {
      json["inspections"] = inspections.seen();
      folder.write("inspections", inspections.seen());
    }
    invocation.write_json(json);
    folder.write("ranks", job_run.ranks(usage));
    if (checker && folder.is_wanted()) {
      folder.write("mpi_check", checker->table());
      folder.write("mpi_check", checker->to_json());
    }
    if (invocation.values["profile"].as<bool>()) {
      folder.write("profile", jobs::profile_table(cluster.calls()));
      std::vector<std::map<std::string, native::Executed>> executed;
      for (std::size_t job = 0; job < placed.size(); ++job) {
        if (placed.size() > 1) invocation.print(fmt::format("job {} ({}):\n", job, job_run.jobs()[job].name));
        invocation.print(jobs::profile_text(cluster.calls(), static_cast<int>(job)));
        executed.push_back(cluster.executed(job));
        const host::CpuSettings& cpu = machine.host().cpu;
        invocation.print(jobs::executed_text(executed.back(), cpu.timing ? cpu.program_costs : cpu.costs,
                                             host::process_kind_of(placed[job].image).name == "native"));
      }
      folder.write("functions", jobs::executed_table(executed));
    }
    cluster.network().catch_up();
    if (folder.is_wanted())
      folder.write("congestion", traffic::congestion_table(cluster.network().wiring(), blocking.by_channel(),
                                                           std::min(waits.until, cluster.now()) - waits.from));
    folder.write(statistics);
    folder.add(job_run.settings());
    record.close(exit == Exit::done);
    otf2_file.close();
    log.close();
    trace_file.close(cluster.now());  // the last: it fails if the disk has become full
    const std::string both = ended.message.empty() || wrong.empty() ? "" : "\n";
    folder.ended(ended.status, cluster.now(), ended.message + both + wrong);
    // It is unknown which settings a program that did not finish would have read.
    if (exit == Exit::done) branches.require_begun(cluster.now());
    if (exit == Exit::done) job_run.settings().with(machine.parameters()).require_all_read();
  });
  return exit;
}

const Registration<Command> registration{
    {.name = "run",
     .summary = "boot the virtual machine and run a program on it",
     .positional = {{"machine"}, {"app"}},
     .common = {"s", "fault", "seed", "fidelity", "out", "json", "trace", "trace-from", "trace-until", "trace-limit",
                "until", "progress", "force"},
     .sections = {"traffic"},
     .runs_programs = true,
     .options = options,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
