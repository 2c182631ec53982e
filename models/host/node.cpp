#include "models/host/node.hpp"

#include <algorithm>
#include <cstring>

#include "models/net/module.hpp"
#include "platform/core/error.hpp"

namespace sanvp::host {
namespace {

constexpr std::size_t kernel_stack_bytes = 256 << 10;  // more generous than kernels of the period
constexpr std::size_t shared_alignment = 4096;         // pieces may be mapped into a card page by page
constexpr std::size_t other_shares = 2;                // the driver's, and what processes share

bool shows_shared(const std::vector<const ProcessKind*>& processes) {
  return std::any_of(processes.begin(), processes.end(), [](const ProcessKind* kind) { return kind->shows_shared; });
}

}  // namespace

Node::Node(const sc_core::sc_module_name& name, int number, int nodes, const std::vector<const ProcessKind*>& processes,
           const Settings& settings, native::Loader& loader, Services& services, net::Timeline& timeline, Trace* trace,
           std::uint64_t seed)
    : sc_module(name),
      pci("pci", settings.pci, channel_, trace, number),
      number_(number),
      nodes_(nodes),
      seed_(seed),
      settings_(settings),
      loader_(loader),
      services_(services),
      run_queue_(timeline.run_queue()),
      trace_(trace),
      memory_("memory", number, static_cast<std::size_t>(settings.memory_bytes), settings.poll_latency, run_queue_),
      channel_(settings.memory_Bps),
      share_(static_cast<std::size_t>(settings.memory_bytes) / (processes.size() + other_shares) &
             ~(shared_alignment - 1)),
      shared_heap_(shows_shared(processes) ? memory_.take_shared(share_) : memory_.take(share_)),
      kernel_cpu_(add_cpu("kernel")),
      interrupt_(run_queue_) {
  kinds_ = processes;
  pci.memory.bind(memory_.socket);
  if (settings.disk) disk_.emplace(*settings.disk);
  const int ranks = static_cast<int>(processes.size());
  int threads = ranks;
  for (const ProcessKind* kind : processes) threads += kind->more_cpus(settings);
  if (threads > settings.cpus) queue_.emplace(settings.cpus, settings.time_slice);
  for (int i = 0; i < ranks; ++i) {
    std::vector<Cpu*>& own = cpus_of_processes_.emplace_back();
    for (int k = 0; k <= processes[i]->more_cpus(settings); ++k) {
      const std::string place = "cpu_" + std::to_string(i) + (k == 0 ? "" : "_" + std::to_string(k));
      own.push_back(&add_cpu(place));
      if (queue_) own.back()->share(*queue_);
    }
  }
  disturb(settings.noise, seed);
}

void Node::disturb(const std::vector<DaemonSettings>& daemons, std::uint64_t seed) {
  const int busy = std::min(static_cast<int>(cpus_of_processes_.size()), settings_.cpus);
  int number = 0;
  for (const std::vector<Cpu*>& cpus : cpus_of_processes_)
    for (Cpu* cpu : cpus) cpu->disturb({daemons, number_, number++ % settings_.cpus, settings_.cpus, busy, seed});
}

Node::~Node() = default;

Cpu& Node::add_cpu(const std::string& name) {
  cpus_.push_back(std::make_unique<Cpu>(name.c_str(), settings_, memory_, channel_, run_queue_, trace_, number_));
  cpus_.back()->bus.bind(pci.cpus);
  return *cpus_.back();
}

void Node::install_driver(const std::string& image, std::function<void()> booted) {
  const Identity identity{.node = number_, .nodes = nodes_};
  driver_ = std::make_unique<Driver>(image, identity, *this, memory_.take(share_), services_);
  booted_ = std::move(booted);
  kernel_ = std::make_unique<native::Thread>(run_queue_, kernel_stack_bytes, [this] { run_kernel(); });
  kernel_cpu_.run(*kernel_);
  kernel_->at_end([this] {
    if (const auto& fault = kernel_->fault())
      services_.failed(driver_->identity(), fault->to_text(driver_->image()), kernel_cpu_.now());
  });
  kernel_->start();
}

void Node::run_kernel() {
  memory_.add(kernel_->stack());
  driver_->boot(kernel_cpu_);
  kernel_cpu_.synchronise();
  booted_();
  for (;;) {
    while (!raised_) kernel_cpu_.wait_for(interrupt_);
    kernel_->wait(settings_.interrupt_latency);
    if (!raised_) continue;
    ++interrupts_;
    const Time begin = kernel_cpu_.now();
    kernel_cpu_.begin_slice("interrupt");
    driver_->interrupt(kernel_cpu_);
    kernel_cpu_.end_slice();
    kernel_cpu_.synchronise();
    if (!processes_.empty()) processes_.front()->first_cpu().steal(kernel_cpu_.now() - begin);
  }
}

Process& Node::add_process(const std::string& program, std::vector<std::string> arguments, Identity identity,
                           Services& services) {
  identity.node = number_;
  identity.nodes = nodes_;
  identity.process = process_count();
  const ProcessStart start{program, std::move(arguments), identity};
  const std::vector<Cpu*>& cpus = cpus_of_processes_.at(processes_.size());
  processes_.push_back(kinds_.at(processes_.size())->make(start, *this, cpus, memory_.take(share_), services));
  return *processes_.back();
}

void Node::reprice() {
  for (const auto& cpu : cpus_) cpu->reprice();
  for (const auto& process : processes_) process->reprice();
  if (driver_) driver_->reprice();
}

/// A fork does not copy what is mapped as shared: a child and its parent would write to the same pages.
void Node::continue_in_child() {
  if (!shows_shared(kinds_)) return;
  std::vector<std::pair<native::Range, std::vector<std::byte>>> pieces;
  for (const auto& [name, piece] : shared_)
    if (piece.begin != nullptr) pieces.emplace_back(piece, std::vector(piece.begin, piece.end()));
  memory_.renew_shared(shared_room());
  for (const auto& [piece, contents] : pieces) std::copy(contents.begin(), contents.end(), piece.begin);
  for (const auto& process : processes_) process->continue_in_child();
}

void Node::go_down() {
  if (kernel_) kernel_->stop();
  for (const auto& process : processes_) process->die();
}

void Node::learn_of_death(int job, int node, Time died) {
  if (driver_) driver_->learn_of_death(node, died);
  for (const auto& process : processes_) {
    if (process->identity().job != job || process->has_ended()) continue;
    process->learn_of_death(node, died);
    for (Cpu* cpu : process->cpus()) process->react_to_death(*cpu);
  }
}

void Node::interrupt(bool raised, const sc_core::sc_time& delay) {
  raised_ = raised;
  if (raised) interrupt_.notify(net::kernel_now() + net::to_time(delay));
}

std::int64_t Node::ioctl(Process& process, Cpu& cpu, unsigned request, void* argument) {
  if (driver_ == nullptr) return -1;
  cpu.spend(settings_.system_call);
  cpu.synchronise();
  return driver_->call(cpu, process.identity().process, request, argument);
}

void Node::unmapped(Process& process, Cpu& cpu, std::uint64_t bus_address, std::size_t bytes) {
  if (driver_ == nullptr) return;
  cpu.synchronise();
  driver_->unmapped(cpu, process.identity().process, bus_address, bytes);
}

std::uint64_t Node::device_window(int bar) const {
  if (bar < 0 || static_cast<std::size_t>(bar) >= card_.windows.size()) return 0;
  constexpr int window_shift = 32;  // models/nic/module.hpp
  return Pci::device_base | static_cast<std::uint64_t>(bar) << window_shift;
}

void Node::kill(int process, const char* message) {
  if (process >= 0 && process < process_count()) processes_[process]->kill(message);
}

bool Node::lose(int process, int node) {
  if (process < 0 || process >= process_count()) return false;
  Process& loser = *processes_[process];
  if (!loser.ends_own_waits() || loser.has_ended()) return false;
  loser.learn_of_death(node, run_queue_.now());
  for (Cpu* cpu : loser.cpus()) loser.react_to_death(*cpu);
  return true;
}

void* Node::shared(int job, const std::string& name, std::size_t bytes) {
  auto& piece = shared_[{job, name}];
  if (piece.begin == nullptr) {
    auto* begin = static_cast<std::byte*>(shared_heap_.allocate(bytes, shared_alignment));
    if (begin == nullptr) return nullptr;
    std::memset(begin, 0, bytes);
    piece = {begin, bytes};
  }
  return piece.bytes == bytes ? piece.begin : nullptr;
}

std::optional<native::Range> Node::shared_region(int job, const volatile void* pointer, std::size_t bytes) const {
  const auto found = std::find_if(shared_.begin(), shared_.end(), [&](const auto& piece) {
    return piece.first.first == job && piece.second.contains(pointer, bytes);
  });
  return found != shared_.end() ? std::optional(found->second) : std::nullopt;
}

void Node::report(StatisticsTable& statistics) const {
  const std::string path = "node " + std::to_string(number_);
  statistics.add(path, "interrupts", "", static_cast<std::int64_t>(interrupts_));
  pci.report(statistics, path + ".pci");
  if (disk_) disk_->report(statistics, path + ".disk");
  for (const auto& process : processes_)
    process->report(statistics, path + ".process " + std::to_string(process->identity().process));
}

}  // namespace sanvp::host
