/// A rank whose program is for RISC-V: its threads run on an interpreter, each on a CPU of the node.
///
/// A bus address of its memory is the address of the byte in the simulator: its window (models/cpu/riscv/memory) is a
/// region of the node's memory. Memory that processes share is the node's own, and is mapped at the end of each window.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/cpu/riscv/linux/machine.hpp"
#include "models/cpu/riscv/observed.hpp"
#include "models/host/process.hpp"
#include "models/host/riscv/parked.hpp"
#include "platform/core/random.hpp"

namespace sanvp::host {

class RiscvProcess final : public Process, private riscv::os::Machine {
 public:
  /// @param cpus    the first, and those for its threads
  /// @param memory  its share of the node's: only the size counts
  RiscvProcess(const ProcessStart& start, Node& node, const std::vector<Cpu*>& cpus, native::Range memory,
               Services& services);
  ~RiscvProcess() override;

  riscv::os::Process& program() { return program_; }

  // For its system calls (calls).
  //  Thrown through the interpreter when the process ends.
  struct Ended {};
  using Software::calls_of_hal;
  void fail(const std::string& why) override;
  void leave_with(std::exception_ptr failure) override { std::rethrow_exception(failure); }
  [[noreturn]] void reject_version();
  const std::string& card() const;
  /// A function that is called where the program's own code yields; nowhere else, since code of the C library must not
  /// be called in the middle of its own.
  struct ProgressHook {
    std::uint64_t function = 0;      ///< 0: none
    std::uint64_t own_code_end = 0;  ///< libraries begin there
  };
  void set_progress_hook(ProgressHook hook) { hook_ = hook; }
  bool is_checked() { return services().checks(identity()); }
  bool is_recorded() { return services().records(identity()); }
  void set_untimed(bool untimed) { is_untimed_ = untimed; }
  /// The function that sends a request for bytes of a file to I/O nodes, and waits for the reply.
  void set_file_carrier(std::uint64_t function) { file_carrier_ = function; }
  /// The byte in the simulator; in shared memory the node's own.
  std::byte* native_address(std::uint64_t address) const;
  std::uint64_t address_for_program(const volatile void* pointer) const;
  /// Shared memory of this name in the program's addresses; 0: no room.
  std::uint64_t show_shared(const std::string& name, std::uint64_t bytes);
  /// hal_wait_words of this thread. No result: it waits without a core.
  riscv::os::Result wait_words(riscv::os::Thread& thread, Parked::Words words, std::uint64_t until_ps);
  /// A copy that lasts as long as the process.
  const char* keep(const std::string& text) { return texts_.insert(text).first->c_str(); }

  std::uint64_t bus_address(std::uint64_t address, std::size_t bytes) const override;
  std::string place() const override;
  native::OwnCalls own_calls(int thread) override;
  void after_sleep(Cpu& at) override;
  void die() override;
  std::optional<Cpu::Waiting> waiting() const override;
  bool has_waited(Time since) const override;
  std::vector<Cpu*> cpus() const override;
  void continue_in_child() override;
  void reprice() override;
  riscv::os::Process* interpreted() override { return &program_; }
  std::optional<cpu::InstructionCounts> executed() const override;
  std::map<std::uint64_t, cpu::InstructionCounts> executed_by_address() const override;
  void print_unwritten() override;
  void report(StatisticsTable& statistics, const std::string& path) const override;

 protected:
  Cpu& cpu() override { return *current_; }
  std::vector<CpuUse> further_cpus() const override;
  double instruction_error() const override;
  void run_program() override;
  std::string failure() const override;
  std::optional<native::Range> region_of(const volatile void* pointer, std::size_t bytes) const override;
  Heap& heap() override;
  std::int64_t ioctl(unsigned request, void* argument) override;
  const std::byte* checked_memory(std::uint64_t address, std::size_t bytes) const override;
  void report_accesses(std::uint64_t address, std::uint64_t bytes, bool begins) const override;
  bool checked_is_allocated(std::uint64_t address) const override { return checked_memory(address, 1) != nullptr; }
  const std::string& checked_program() const override { return program_path_; }
  std::uint64_t checked_code(std::uint64_t address) const override { return address - program_.load_bias(); }
  void exit(int status) override;
  void end_job(int status) override;

 private:
  struct Core;

  // riscv::os::Machine
  bool has_call(std::uint64_t number) const override;
  riscv::os::Result call(riscv::os::Call& call, std::uint64_t number) override;
  void signalled(const riscv::os::Thread& thread) override;
  std::vector<riscv::os::Process*> sharing() override;
  void made_ready() override { wake_cores(nullptr); }
  bool has_device(std::uint64_t address) const override;
  bool access(riscv::os::Thread& thread, riscv::os::DeviceAccess& access) override;
  void unmapped(std::uint64_t address, std::uint64_t bytes) override;

  void report_access(const riscv::ObservedAccess& access);
  void written_by_bus(const std::byte* begin, std::size_t bytes);
  void run_core(Core& core);
  void give_turn(Core& core, riscv::os::Thread& thread);
  void share_memory(Core& core, Time began);
  /// 0: the first.
  int number_of(const riscv::os::Thread& thread) const { return thread.id - program_.settings().id; }
  /// No longer draws the last thread of this core there.
  void leave_track(Core& core);
  /// Draws the thread of this number on the core's track of the trace.
  void enter_track(Core& core, int thread);
  void end_track(Core& core, int thread);
  void wait_for_work(Core& core);
  void call_hook(riscv::os::Thread& thread);
  void wake_cores(const Core* but);
  void begin_core(Core& core);
  /// Threads that wait on a core in wait_words give it up if others that are ready find none.
  void ask_for_cores();
  bool is_ready(const riscv::os::Thread& thread) const;
  bool is_first(const riscv::os::Thread& thread) const { return thread.id == program_.settings().id; }
  bool has_more_threads_than_cores() const;
  bool first_needs(const Core& core) const;
  riscv::os::Result wait_again(const Core& core, riscv::os::Thread& thread);
  std::optional<riscv::os::Result> hold(Core& core, const Parked::Wait& wait, bool must_look);
  struct ThreadWait {
    Time since;
    Time until;  ///< never: only others end it
  };
  /// What a thread waits for, if it does, in a call or in the kernel.
  std::optional<ThreadWait> wait_of(const riscv::os::Thread& thread) const;
  /// Makes threads ready whose wait without a core is over, as this core sees it.
  void end_parked(Core& core);
  riscv::os::Thread* ready_thread(const Core& core, Time until) const;
  std::optional<Time> next_ready(const Core& core) const;
  std::uint64_t budget() const;
  Core& core_of(const riscv::os::Thread& thread);
  /// Accounts for what the thread has computed, and makes its CPU the current one.
  Core& settle(riscv::os::Thread& thread);
  /// The CPU of a thread that has settled, before it waits in a call.
  Cpu& accounted_cpu();
  /// The thread continues at the time of its CPU.
  void resume(riscv::os::Thread& thread);
  void write(bool is_error, std::string_view bytes);
  std::string unwritten();
  /// @returns when the disk's request ends
  std::int64_t access_file(const riscv::os::FileAccess& access);
  void carry_file(riscv::os::Thread& thread, const riscv::os::FileAccess& access);

  std::byte* base() const { return program_.space().memory().window().base; }

  std::int64_t spent_ = std::numeric_limits<std::int64_t>::min();  ///< Software
  riscv::os::Process program_;
  std::unique_ptr<riscv::Observed> observed_;  ///< null: accesses are not reported
  std::string program_path_ = program_.settings().program->path();
  std::vector<std::unique_ptr<Core>> cores_;  ///< [0] runs the first thread
  Cpu* current_;
  riscv::os::Thread* running_ = nullptr;  ///< while the interpreter runs
  std::uint64_t turns_ = 0;
  Random turn_lengths_{0, "lengths of turns"};  ///< no chance of the machine's, so not by the run's seed
  Parked parked_;
  std::map<int, std::uint64_t> reactions_known_;   ///< to deaths, at the end of a thread's last wait, by id
  std::map<int, std::vector<Cpu::Slice>> slices_;  ///< of threads that are on no core's track, by number
  ProgressHook hook_;
  std::uint64_t file_carrier_ = 0;
  bool is_untimed_ = false;
  bool is_cut_off_ = false;             ///< it has not ended itself by Linux's exit
  std::uint64_t retired_at_write_ = 0;  ///< instructions, at its last write to standard output
  bool show_shared_room() const;
  bool shows_shared_ = false;
  std::set<std::string> texts_;
};

}  // namespace sanvp::host
