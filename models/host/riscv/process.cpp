#include "models/host/riscv/process.hpp"

#include <elf.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bit>

#include "models/cpu/riscv/linux/crash.hpp"
#include "models/cpu/riscv/linux/debugger.hpp"
#include "models/cpu/riscv/linux/signals.hpp"
#include "models/cpu/riscv/linux/unwritten.hpp"
#include "models/host/node.hpp"
#include "models/host/riscv/calls.hpp"
#include "models/host/riscv/core.hpp"
#include "models/host/riscv/environment.hpp"
#include "models/native/safety_net.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/units.hpp"
#include "sw/abi/hal/files.h"

namespace sanvp::host {
namespace {

namespace os = riscv::os;

/// Addresses for its memory, guards and reservations, and for what processes share.
std::uint64_t window_bytes(std::uint64_t memory, std::uint64_t shared) {
  constexpr std::uint64_t least = std::uint64_t{4} << 30;
  return os::rounded_to_pages(std::max(least, 2 * memory) + shared);
}

/// Behind the memories of nodes (models/host/memory.cpp), and far from programs and libraries on x86-64: a hint, on
/// which nothing depends but the bus addresses that users look at.
std::uint64_t window_place(const Identity& identity, std::uint64_t bytes) {
  constexpr std::uint64_t first = 0x4000'0000'0000, end = 0x5400'0000'0000;
  const std::uint64_t stride = std::bit_ceil(bytes), places = (end - first) / stride;
  const auto number = static_cast<std::uint64_t>(identity.process) * static_cast<std::uint64_t>(identity.nodes) +
                      static_cast<std::uint64_t>(identity.node);
  return first + number % std::max<std::uint64_t>(places, 1) * stride;
}

std::optional<riscv::TranslationSettings> translation(const CpuSettings& cpu) {
  if (cpu.translates == Translates::nothing) return {};
  const char* const why = riscv::Translation::unavailable();
  if (why == nullptr) return riscv::TranslationSettings{.shared = cpu.shared_code};
  if (cpu.translates == Translates::what_it_can) return {};
  throw UserError("host.cpu.translate", why, "or leave the option out: results are the same");
}

os::ProcessSettings settings_of(const ProcessStart& start, Node& node, std::size_t memory, os::Machine& machine,
                                Services& services) {
  const Settings& host = node.settings();
  os::ProcessSettings settings{.path = start.program, .arguments = start.arguments};
  settings.program = node.loader().program(start.program);
  settings.environment = environment_of(settings.program->path(), host.environment);
  settings.standard_input = services.standard_input();
  settings.node = "node" + std::to_string(start.identity.node);
  settings.id = 1000 * (start.identity.process + 1);  // thread ids follow it
  settings.cpus = host.cpus;
  settings.seed = node.seed();
  settings.memory_bytes = memory;
  settings.shared_bytes = os::rounded_to_pages(node.shared_room().bytes);
  settings.window_bytes = window_bytes(memory, settings.shared_bytes);
  settings.window_place = window_place(start.identity, settings.window_bytes);
  settings.stack_bytes = static_cast<std::uint64_t>(host.stack_bytes);
  settings.costs = host.cpu.program_costs;
  settings.library_costs = host.cpu.library_costs;
  if (host.cpu.follows != Follows::nothing && host.cpu.caches.has_any()) settings.caches = host.cpu.caches;
  if (settings.caches) settings.caches->samples = host.cpu.follows == Follows::a_sample;
  settings.translation = translation(host.cpu);
  settings.misprediction_ps = host.cpu.misprediction_ps;
  settings.system_call_ps = host.system_call.count();
  settings.machine = &machine;
  return settings;
}

}  // namespace

RiscvProcess::RiscvProcess(const ProcessStart& start, Node& node, const std::vector<Cpu*>& cpus, native::Range memory,
                           Services& services)
    : Process(spent_, start, node, *cpus.front(), core_stack_bytes, services),
      program_([&] {
        os::ProcessSettings settings = settings_of(start, node, memory.bytes, *this, services);
        settings.is_observed = services.checks_memory(start.identity);
        if (settings.is_observed) settings.translation.reset();  // translated code reports nothing
        settings.output = [this](bool is_error, std::string_view bytes) { write(is_error, bytes); };
        settings.warn = [this](const std::string& sentence) { write(true, "warning: " + sentence + "\n"); };
        if (files() == HAL_FILES_ON_IO_NODES)
          settings.carry_file = [this](os::Thread& thread, const os::FileAccess& access) {
            carry_file(thread, access);
          };
        else if (node.disk() != nullptr)
          settings.access_file = [this](const os::FileAccess& access, std::int64_t) { return access_file(access); };
        return settings;
      }()),
      current_(cpus.front()) {
  for (Cpu* cpu : cpus) {
    cores_.push_back(std::make_unique<Core>(*cpu, node.run_queue(), program_.settings().caches));
    // The ranks of a node begin on different CPUs. If there are more cores than CPUs, none is fixed.
    const int before = std::max(0, start.identity.process) + static_cast<int>(cores_.size()) - 1;
    cores_.back()->number = before % program_.settings().cpus;
  }
  if (program_.settings().is_observed)
    observed_ = std::make_unique<riscv::Observed>(
        program_.space().memory().bytes(), [this](const riscv::ObservedAccess& access) { report_access(access); });
  node.memory().observe([this](const std::byte* begin, std::size_t bytes) { written_by_bus(begin, bytes); });
  node.memory().add_window({base(), program_.shared_begin()}, [this](const std::byte* begin, std::size_t bytes) {
    return program_.space().memory().window().permits(static_cast<std::uint64_t>(begin - base()), bytes, riscv::mapped);
  });
}

RiscvProcess::~RiscvProcess() = default;

void RiscvProcess::reprice() {
  const CpuSettings& cpu = node().settings().cpu;
  program_.reprice(cpu.program_costs, cpu.library_costs, cpu.misprediction_ps);
  if (!program_.settings().caches) return;
  cpu::CachesSettings caches = cpu.caches;
  caches.samples = program_.settings().caches->samples;
  for (const auto& core : cores_) core->caches->adopt_times(caches);
}

std::vector<Cpu*> RiscvProcess::cpus() const {
  std::vector<Cpu*> cpus;
  for (const auto& core : cores_) cpus.push_back(&core->cpu);
  return cpus;
}

std::vector<Process::CpuUse> RiscvProcess::further_cpus() const {
  std::vector<CpuUse> used;
  for (const auto& core : cores_)
    if (core != cores_.front() && core->use) used.push_back(*core->use);
  return used;
}

double RiscvProcess::instruction_error() const { return node().settings().cpu.binary_error; }

void RiscvProcess::run_program() {
  native::exchange_net(nullptr);  // what runs here is the simulator's own code
  run_core(*cores_.front());
  for (const auto& core : cores_) {
    if (!core->fiber) continue;
    core->fiber->stop();
    core->cpu.withdraw();
  }
  current_ = &first_cpu();
  if (cores_.front()->drawn != 0) leave_track(*cores_.front());
  select_thread(0);
  if (program_.end()) set_status(program_.end()->status);
  if (!is_cut_off_ && program_.end() && program_.end()->signal == 0) return;
  if (const std::string text = unwritten(); !text.empty()) write(false, text);
}

void RiscvProcess::report(StatisticsTable& statistics, const std::string& path) const {
  if (!program_.settings().caches || program_.settings().caches->samples) return;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    if (!cores_[i]->caches || !cores_[i]->has_begun) continue;
    const auto row = [&, at = path + ".cpu " + std::to_string(i)](const char* name, const cpu::Cache& cache) {
      if (!cache.exists()) return;
      statistics.add(at, std::string(name) + "_accesses", "", static_cast<std::int64_t>(cache.accesses()));
      statistics.add(at, std::string(name) + "_misses", "", static_cast<std::int64_t>(cache.misses()));
    };
    row("l1i", cores_[i]->caches->instructions());
    row("l1d", cores_[i]->caches->data());
    row("l2", cores_[i]->caches->second());
  }
}

bool RiscvProcess::has_call(std::uint64_t number) const { return is_hal_call(number); }

os::Result RiscvProcess::call(os::Call& call, std::uint64_t number) {
  settle(call.thread);
  const os::Result result = call_hal(*this, call, number);
  resume(call.thread);
  return result;
}

std::vector<os::Process*> RiscvProcess::sharing() {
  std::vector<os::Process*> sharing;
  for (const auto& process : node().processes())
    if (os::Process* const program = process->interpreted()) sharing.push_back(program);
  return sharing;
}

bool RiscvProcess::has_device(std::uint64_t address) const { return Pci::is_device(address); }

bool RiscvProcess::access(os::Thread& thread, os::DeviceAccess& access) {
  settle(thread);
  const hal_calls& calls = calls_of_hal();
  if (access.is_store)
    calls.io_write(static_cast<Software*>(this), access.address, &access.value, access.bytes);
  else
    calls.io_read(static_cast<Software*>(this), access.address, &access.value, access.bytes);
  resume(thread);
  return true;
}

/// What a thread writes appears at its time.
void RiscvProcess::write(bool is_error, std::string_view bytes) {
  os::Thread* const thread = running_;
  if (!is_error) retired_at_write_ = program_.retired();
  if (thread != nullptr) {
    settle(*thread);
    current_ = &accounted_cpu();
  }
  if (services().leaves_output(identity())) {
    cpu().synchronise();
    services().bytes(identity(), is_error, bytes);
  } else {
    stream(is_error).write(bytes.data(), bytes.size());
    throw_failure();
  }
  if (thread != nullptr) resume(*thread);
}

/// Nothing while its library writes: it empties the buffer a few instructions after the system call.
std::string RiscvProcess::unwritten() {
  constexpr std::uint64_t after_write = 100;
  const bool is_writing = retired_at_write_ != 0 && program_.retired() - retired_at_write_ < after_write;
  return is_writing ? std::string() : os::unwritten_output(program_);
}

void RiscvProcess::print_unwritten() {
  const std::string text = unwritten();
  if (text.empty()) return;
  if (services().leaves_output(identity())) return services().bytes(identity(), false, text);
  const std::string all = stream(false).take_part() + text;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end + 1) {
    end = std::min(all.find('\n', begin), all.size());
    services().output(identity(), false, std::string_view(all).substr(begin, end - begin));
  }
}

/// The request is made at the thread's time.
std::int64_t RiscvProcess::access_file(const os::FileAccess& access) {
  os::Thread* const thread = running_;
  settle(*thread);
  const std::uint64_t end_ps = calls_of_hal().disk(static_cast<Software*>(this), static_cast<int>(access.way),
                                                   access.file, access.begin, access.bytes);
  resume(*thread);
  return static_cast<std::int64_t>(end_ps);
}

/// The program carries out the access, in the thread that made it, before that thread continues.
void RiscvProcess::carry_file(os::Thread& thread, const os::FileAccess& access) {
  if (file_carrier_ == 0)
    fail(
        "the files of this machine are on I/O nodes (io.nodes), which only programs of MPI reach; link the program "
        "with MPI, by " +
        own_program("sanvp-cc") + " --target riscv64, or leave out io.nodes: then each node has a disk");
  const std::array<std::uint64_t, 4> arguments{static_cast<std::uint64_t>(access.way), access.file, access.begin,
                                               access.bytes};
  if (!os::call_function(program_, thread, file_carrier_, arguments)) fail("no stack is left for an access of a file");
}

const std::string& RiscvProcess::card() const { return node().card(); }

void RiscvProcess::reject_version() {
  fail("was linked for another version of sanvp; link it again with " + own_program("sanvp-cc") + " --target riscv64");
  throw Ended{};
}

Heap& RiscvProcess::heap() { throw std::logic_error("a program for RISC-V allocates its memory itself"); }

std::int64_t RiscvProcess::ioctl(unsigned request, void* argument) {
  return node().ioctl(*this, accounted_cpu(), request, argument);
}

/// Others compute while this thread waits in a call, and must not account for what it has computed. A thread that is
/// alone may do so later.
Cpu& RiscvProcess::accounted_cpu() { return program_.threads().size() > 1 ? settled_cpu() : cpu(); }

void RiscvProcess::exit(int status) {
  is_cut_off_ = true;
  program_.exit(status);
  throw Ended{};
}

void RiscvProcess::end_job(int status) {
  set_ends_job();
  exit(status);
}

void RiscvProcess::fail(const std::string& why) {
  if (program_.debugger() != nullptr && running_ != nullptr) program_.debugger()->fails(program_, *running_, why);
  set_failure(why);
  exit(1);
}

std::string RiscvProcess::failure() const {
  if (native::was_interrupted() && !program_.end()) return "interrupted" + (place().empty() ? "" : ", in " + place());
  if (thread().fault()) return "the simulator's interpreter failed: " + thread().fault()->to_text();
  return program_.end() && program_.end()->signal != 0 ? os::crash_text(program_) : "";
}

std::string RiscvProcess::place() const {
  if (program_.threads().empty()) return {};
  return os::place_text(program_, *program_.threads().front());
}

native::OwnCalls RiscvProcess::own_calls(int thread) {
  for (const auto& one : program_.threads())
    if (number_of(*one) == thread && !one->has_ended) return os::own_calls(program_, *one);
  return {};
}

void RiscvProcess::die() {
  if (!has_ended()) print_unwritten();
  for (const auto& core : cores_)
    if (core->fiber) core->fiber->stop();
  Process::die();
}

std::optional<cpu::InstructionCounts> RiscvProcess::executed() const {
  return program_.interpreter().blocks().executed();
}

std::map<std::uint64_t, cpu::InstructionCounts> RiscvProcess::executed_by_address() const {
  return program_.interpreter().blocks().executed_by_block();
}

static const ProcessKindRegistration registration{
    {"riscv64", "a static program for 64-bit RISC-V under Linux: an interpreter runs it", EM_RISCV,
     [](const Settings& settings) { return std::max(1, settings.cpus - 1); }, true,
     [](const ProcessStart& start, Node& node, const std::vector<Cpu*>& cpus, native::Range memory, Services& services)
         -> std::unique_ptr<Process> { return std::make_unique<RiscvProcess>(start, node, cpus, memory, services); }}};

}  // namespace sanvp::host
