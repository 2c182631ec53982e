/// A rank of a job on its own CPU, for both kinds of programs: an image, or an interpreted one.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/host/grants.hpp"
#include "models/host/software.hpp"
#include "models/host/usage.hpp"
#include "models/native/own_calls.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/results.hpp"

namespace sanvp::riscv::os {
class Process;
}

namespace sanvp::host {

/// The arguments to start a process with.
struct ProcessStart {
  std::string program;                 ///< path of its file
  std::vector<std::string> arguments;  ///< [0] is its name
  Identity identity;
};

class Process : public Software {
 public:
  /// Starts it at this instant. Processes run in the order in which they were started.
  void start();

  /// Bus address of its memory at its own `address`; 0 unless all of the bytes, to whole pages, are its memory or its
  /// job's on this node. They are contiguous. A native process sees bus addresses.
  virtual std::uint64_t bus_address(std::uint64_t address, std::size_t bytes) const = 0;
  /// The parts of its node's card that the driver lets it access.
  Grants& grants() { return grants_; }
  bool has_ended() const { return is_dead_ || thread_.has_ended(); }
  /// The use of its CPUs: the first from its start, each further one from the first turn of a thread there; until its
  /// end or now.
  Usage usage() const;
  /// Ends it and its job. Not called in its thread.
  void kill(const std::string& why);
  /// Stops it for good, since its node goes down.
  virtual void die();
  /// The CPU of its first thread.
  Cpu& first_cpu() const { return cpu_; }
  /// All of its CPUs.
  virtual std::vector<Cpu*> cpus() const { return {&cpu_}; }
  /// What it waits for; nothing while any of its threads runs.
  virtual std::optional<Cpu::Waiting> waiting() const { return cpu_.waiting(); }
  /// The place at which its own code has made the library call that this thread is in, or else the thread's own. Not
  /// before it has begun. @param thread  0: the first
  virtual native::OwnCalls own_calls(int thread) = 0;
  /// Whether it has done nothing since then but wait without a time limit, asleep or by tests without progress: each
  /// of its threads.
  virtual bool has_waited(Time since) const;
  /// The first thread that has tested without progress for host.looks, and very often.
  std::optional<int> tests_without_progress() const;
  /// In a child process of the simulator: memory that other processes of the node see, too, is mapped again.
  virtual void continue_in_child() {}
  /// The interpreted program, for a debugger; null for an image.
  virtual riscv::os::Process* interpreted() { return nullptr; }
  /// Passes on what it has printed and has not written, if the run ends before it; not called in its thread. An image's
  /// stream has passed on each line.
  virtual void print_unwritten() {}
  /// Adds the counters of its kind.
  virtual void report(StatisticsTable& /*statistics*/, const std::string& /*path*/) const {}
  /// Instructions that it has executed, by class; nothing for an image, of which the loader counts blocks.
  virtual std::optional<cpu::InstructionCounts> executed() const { return {}; }
  /// The same by addresses of the program's code.
  virtual std::map<std::uint64_t, cpu::InstructionCounts> executed_by_address() const { return {}; }

 protected:
  /// An image.
  Process(const ProcessStart& start, Node& node, Cpu& cpu, Services& services);
  /// A program of an interpreter (Software).
  Process(std::int64_t& spent, const ProcessStart& start, Node& node, Cpu& cpu, std::size_t stack_bytes,
          Services& services);

  /// How much its time differs, typically, from that of the machine's own instructions: a share.
  virtual double instruction_error() const = 0;
  /// The program, in its thread; ends it by returning or Thread::leave.
  virtual void run_program() = 0;
  /// How its program failed, if that is known when its thread has ended.
  virtual std::string failure() const = 0;

  struct CpuUse {
    const Cpu* cpu;
    Time since;
    Time idle_before;  ///< until `since`
  };
  /// The CPUs other than the first that have run threads.
  virtual std::vector<CpuUse> further_cpus() const { return {}; }

  Cpu& cpu() override { return cpu_; }
  bool may_access(std::uint64_t bus_address, std::size_t bytes) const override;
  void exit(int status) override;
  void end_job(int status) override;
  void fail(const std::string& why) override;
  native::OwnCalls present_calls() override { return own_calls(calls().selected()); }
  void leave_with(std::exception_ptr failure) override { thread_.leave(std::move(failure)); }
  /// Whether this thread has only tested, without progress, since then.
  bool has_tested(int thread, Time since) const;
  /// Part of exit, end_job and fail, before they end the program.
  void set_status(int status) { status_ = status; }
  void set_ends_job() { ends_job_ = true; }
  void set_failure(const std::string& why);

  native::Thread& thread() { return thread_; }
  const native::Thread& thread() const { return thread_; }

 private:
  void run();
  void finish();

  Cpu& cpu_;
  native::Thread thread_;
  Grants grants_;
  int status_ = 0;
  bool ends_job_ = false;
  bool is_dead_ = false;
  std::string failure_;
  Time begun_{0};
  std::optional<Time> ended_;
};

/// What a file that defines a kind of process registers.
struct ProcessKind {
  static constexpr const char* kind() { return "kind of process"; }
  std::string name;
  std::string summary;
  unsigned elf_machine = 0;  ///< of programs that it runs (e_machine)
  /// CPUs that a process needs beside its first one, for its threads.
  int (*more_cpus)(const Settings& settings) = nullptr;
  /// Whether it maps what processes of a node share once more, for its program.
  bool shows_shared = false;
  /// Throws UserError if the file is no such program.
  /// @param cpus    the first, and then those for its threads
  /// @param memory  its share of the node's
  std::unique_ptr<Process> (*make)(const ProcessStart& start, Node& node, const std::vector<Cpu*>& cpus,
                                   native::Range memory, Services& services) = nullptr;
};

using ProcessKindRegistration = Registration<ProcessKind>;

/// The kind that runs this file; for a file that is not a program, `native`, which refuses it.
const ProcessKind& process_kind_of(const std::string& program);

}  // namespace sanvp::host
