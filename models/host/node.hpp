/// A node: memory, I/O bus, CPUs with their processes, and the driver of its card. The card itself is created elsewhere
/// and bound to `pci`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "models/host/disk.hpp"
#include "models/host/driver.hpp"
#include "models/host/process.hpp"
#include "models/net/timeline.hpp"

namespace sanvp::host {

class Node : public sc_core::sc_module {
 public:
  /// What software needs to know about the card.
  struct Card {
    std::string name{};                    ///< of its part, such as "elan3"
    std::vector<std::uint64_t> windows{};  ///< bytes of each
    std::function<int(const std::string&)> load_firmware{};
    std::function<std::string()> firmware_complaint{};
  };

  /// All references must outlive the node.
  /// @param processes  the kinds of those that it will have: each gets an equal share of the memory
  /// @param seed       of the run
  Node(const sc_core::sc_module_name& name, int number, int nodes, const std::vector<const ProcessKind*>& processes,
       const Settings& settings, native::Loader& loader, Services& services, net::Timeline& timeline, Trace* trace,
       std::uint64_t seed);
  ~Node() override;

  Pci pci;

  void insert(Card card) { card_ = std::move(card); }
  /// Loads the driver, which boots at time 0. @param booted  called when it has booted
  void install_driver(const std::string& image, std::function<void()> booted);

  /// Throws UserError if the file is not a program.
  Process& add_process(const std::string& program, std::vector<std::string> arguments, Identity identity) {
    return add_process(program, std::move(arguments), identity, services_);
  }
  /// The same with services of its own.
  Process& add_process(const std::string& program, std::vector<std::string> arguments, Identity identity,
                       Services& services);
  const std::vector<std::unique_ptr<Process>>& processes() const { return processes_; }

  /// From now on these daemons take time of the processes' CPUs. @param seed  of the run
  void disturb(const std::vector<DaemonSettings>& daemons, std::uint64_t seed);
  /// The costs of computing in its settings have changed; the loader has them already.
  void reprice();
  /// In a child process: memory that several places show becomes its own (platform/snapshots).
  void continue_in_child();

  /// Stops its CPUs for good.
  void go_down();
  /// Tells its driver and the processes of that job that a node has died (Software::learn_of_death).
  void learn_of_death(int job, int node, Time died);

  /// Sets the card's interrupt line, `delay` from now.
  void interrupt(bool raised, const sc_core::sc_time& delay);

  /// Reports that the first process's CPU was used otherwise from `begin` to `end` (Cpu::preempt).
  void preempt(Time begin, Time end) {
    if (!processes_.empty()) processes_.front()->first_cpu().preempt(begin, end);
  }

  const Settings& settings() const { return settings_; }
  std::uint64_t seed() const { return seed_; }
  native::Loader& loader() { return loader_; }
  Memory& memory() { return memory_; }
  net::RunQueue& run_queue() { return run_queue_; }
  /// Null if it has none.
  Disk* disk() { return disk_ ? &*disk_ : nullptr; }
  /// Removes the disk of a node that is not an I/O node: its files are on those.
  void remove_disk() { disk_.reset(); }
  void report(StatisticsTable& statistics) const;

  // Called by software.
  std::int64_t ioctl(Process& process, Cpu& cpu, unsigned request, void* argument);
  /// Called in the process's thread, while the memory is still its own: it is giving back these whole pages.
  void unmapped(Process& process, Cpu& cpu, std::uint64_t bus_address, std::size_t bytes);
  /// Whether software must ask for the card's windows: a driver grants them. Without one everything is granted.
  bool grants_devices() const { return driver_ != nullptr; }
  /// The name of the card's part; empty without a card.
  const std::string& card() const { return card_.name; }
  std::uint64_t device_window(int bar) const;
  int load_firmware(const std::string& name) { return card_.load_firmware ? card_.load_firmware(name) : -1; }
  std::string firmware_complaint() const { return card_.firmware_complaint ? card_.firmware_complaint() : ""; }
  void kill(int process, const char* message);
  /// Another node does not answer one of the processes. @return whether the process continues without that node
  bool lose(int process, int node);
  int process_count() const { return static_cast<int>(processes_.size()); }
  /// All memory that processes may share.
  const native::Range& shared_room() const { return shared_heap_.room(); }
  /// The piece of shared memory of that name, zeroed when it is created; null if there is no room or its size differs.
  void* shared(int job, const std::string& name, std::size_t bytes);
  /// The job's piece of shared memory that contains [pointer, pointer + bytes).
  std::optional<native::Range> shared_region(int job, const volatile void* pointer, std::size_t bytes) const;

 private:
  void run_kernel();
  Cpu& add_cpu(const std::string& name);

  int number_;
  int nodes_;
  std::uint64_t seed_;
  const Settings& settings_;
  native::Loader& loader_;
  Services& services_;
  net::RunQueue& run_queue_;
  Trace* trace_;
  Memory memory_;
  MemoryChannel channel_;
  std::optional<Disk> disk_;
  std::optional<CpuQueue> queue_;  ///< if there are more ranks than CPUs
  std::size_t share_;              ///< of the memory, for each process, the driver, and what processes share
  Heap shared_heap_;
  std::map<std::pair<int, std::string>, native::Range> shared_;
  Card card_;
  std::vector<std::unique_ptr<Cpu>> cpus_;
  std::vector<const ProcessKind*> kinds_;             ///< of the processes that it will have
  std::vector<std::vector<Cpu*>> cpus_of_processes_;  ///< the first of each, and those for its threads
  std::vector<std::unique_ptr<Process>> processes_;
  Cpu& kernel_cpu_;  ///< boots, and serves interrupts on the first CPU's time
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<native::Thread> kernel_;
  std::function<void()> booted_;
  bool raised_ = false;
  native::Condition interrupt_;
  std::uint64_t interrupts_ = 0;
};

}  // namespace sanvp::host
