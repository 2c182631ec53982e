#include "models/host/process.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/host/node.hpp"
#include "platform/core/elf_file.hpp"

namespace sanvp::host {

namespace {

constexpr std::int64_t least_looks = 1 << 16;  // settings.cpp (looks) tells of them

}  // namespace

Process::Process(const ProcessStart& start, Node& node, Cpu& cpu, Services& services)
    : Software(start.program, start.identity, node, services),
      cpu_(cpu),
      thread_(node.run_queue(), static_cast<std::size_t>(node.settings().stack_bytes), [this] { run(); },
              {stream(false).file(), stream(true).file()}) {
  thread_.at_end([this] { finish(); });
}

Process::Process(std::int64_t& spent, const ProcessStart& start, Node& node, Cpu& cpu, std::size_t stack_bytes,
                 Services& services)
    : Software(spent, start.identity, node, services),
      cpu_(cpu),
      thread_(node.run_queue(), stack_bytes, [this] { run(); }) {
  thread_.at_end([this] { finish(); });
}

void Process::start() {
  if (is_dead_) return;
  cpu_.run(thread_);
  begun_ = node().run_queue().now();
  thread_.start();
}

void Process::run() {
  cpu_.begin_work();
  begin_computing(cpu());
  node().memory().add(thread_.stack());
  run_program();
}

/// Called after the program has returned, and after exit, a failure or a crash.
void Process::finish() {
  for (const bool is_error : {false, true}) stream(is_error).finish();
  throw_failure();
  if (const std::string cause = failure(); !cause.empty()) failure_ = cause;
  settled_cpu().synchronise();
  draw_computing(cpu(), cpu().now());
  cpu_.end_work();
  ended_ = cpu_.now();
  if (failure_.empty() && ends_job_)
    services().ended_job(identity(), status_, cpu_.now());
  else if (failure_.empty())
    services().ended(identity(), status_, cpu_.now());
  else
    services().failed(identity(), failure_, cpu_.now());
}

Usage Process::usage() const {
  Usage usage{.computing = computed()};
  Time lifetime{0};
  const auto add = [&](const CpuUse& use) {
    const Time end = ended_.value_or(use.cpu->now());
    usage.waiting += use.cpu->idle(end) - use.idle_before;
    usage.noise += use.cpu->disturbed();
    lifetime += end - use.since;
  };
  add({&cpu_, begun_, Time{0}});
  for (const CpuUse& further : further_cpus()) add(further);
  usage.library = std::max(Time{0}, lifetime - usage.total());
  const double factor = 1 + instruction_error();
  const auto executing = static_cast<double>((computed() - stalled()).count());
  usage.least_computing = stalled() + Time{std::llround(executing / factor)};
  usage.most_computing = stalled() + Time{std::llround(executing * factor)};
  return usage;
}

bool Process::has_waited(Time since) const {
  if (const auto waiting = cpu_.waiting(); waiting && waiting->until == never) return waiting->since <= since;
  return has_tested(0, since);
}

std::optional<int> Process::tests_without_progress() const {
  return calls().tests_without_progress(least_looks, node().run_queue().now() - node().settings().looks);
}

bool Process::has_tested(int thread, Time since) const {
  const auto [count, begun] = calls().looks(thread);
  const Time now = node().run_queue().now();
  return count >= least_looks && begun <= std::min(since, now - node().settings().looks);
}

bool Process::may_access(std::uint64_t bus_address, std::size_t bytes) const {
  return !node().grants_devices() || grants_.allow(bus_address, bytes);
}

void Process::kill(const std::string& why) { services().failed(identity(), why, cpu_.now()); }

void Process::die() {
  if (has_ended()) return;
  is_dead_ = true;
  thread_.stop();
  ended_ = node().run_queue().now();
  services().died(identity(), *ended_);
}

void Process::exit(int status) {
  set_status(status);
  thread_.leave();
}

void Process::end_job(int status) {
  ends_job_ = true;
  exit(status);
}

void Process::set_failure(const std::string& why) {
  failure_ = why.empty() ? "the program aborted without a message" : why;
}

void Process::fail(const std::string& why) {
  set_failure(why);
  thread_.leave();
}

const ProcessKind& process_kind_of(const std::string& program) {
  const auto header = ElfFile(program).header();
  for (const auto& [name, kind] : Registry<ProcessKind>::all())
    if (header && header->e_machine == kind.elf_machine) return kind;
  return Registry<ProcessKind>::get("native", program);
}

}  // namespace sanvp::host
