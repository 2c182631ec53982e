/// A process of user-level Linux: address space, threads, files, signals.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/cpu/caches/caches.hpp"
#include "models/cpu/riscv/interpreter.hpp"
#include "models/cpu/riscv/linux/address_space.hpp"
#include "models/cpu/riscv/linux/files.hpp"
#include "models/cpu/riscv/linux/signal_action.hpp"
#include "models/cpu/riscv/linux/thread.hpp"
#include "models/native/loader.hpp"
#include "platform/core/random.hpp"

namespace sanvp::riscv::os {

class Debugger;
class Machine;
struct StackContents;

/// A request for bytes of a file, whose contents have been moved.
struct FileAccess {
  enum class Way : std::uint8_t { read, write, sync };
  Way way = Way::read;
  std::uint64_t file = 0;  ///< tells it from others
  std::uint64_t begin = 0, bytes = 0;
};

/// The settings of a process, and its interface to the rest of the simulator.
struct ProcessSettings {
  std::string path{};  ///< of the executable, for messages: the program may change what is there
  std::shared_ptr<const native::File> program{};  ///< what it held at first (copy_of_program); Process fills it if null
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};
  native::StandardInput* standard_input = nullptr;  ///< null: empty
  std::string folder = ".";                         ///< the job's folder, which holds its files
  std::string node = "node0";
  int id = 1;
  int cpus = 1;
  std::uint64_t seed = 1;
  std::uint64_t window_bytes = std::uint64_t{4} << 30;  ///< addresses
  std::uint64_t window_place = 0;                       ///< in the simulator; 0: anywhere
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  ///< its share of the node's
  std::uint64_t stack_bytes = std::uint64_t{8} << 20;   ///< as `ulimit -s` of Linux
  std::uint64_t shared_bytes = 0;                       ///< at the end of the window, for Machine to map
  Machine* machine = nullptr;                           ///< null: Linux alone
  cpu::InstructionCosts costs{};
  std::optional<cpu::InstructionCosts> library_costs{};  ///< of the libraries of sw/; nothing: the same
  std::int64_t misprediction_ps = 0;                     ///< of a conditional branch, on average
  std::optional<cpu::CachesSettings> caches{};           ///< of each CPU; the machine gives harts theirs
  std::optional<TranslationSettings> translation{};      ///< nothing: blocks are interpreted
  bool is_observed = false;  ///< accesses to certain pages are reported, to what the machine gives to harts
  std::int64_t system_call_ps = 0;
  std::function<void(bool is_error, std::string_view bytes)> output = [](bool, std::string_view) {};
  std::function<void(const std::string& sentence)> warn = [](const std::string&) {};
  /// Takes a request that is made now, and returns when it ends: the thread waits until then. Empty: files take no
  /// time.
  std::function<std::int64_t(const FileAccess& access, std::int64_t now_ps)> access_file{};
  /// Instead, the thread carries the request to the node of the file (call_function) before it continues.
  std::function<void(Thread& thread, const FileAccess& access)> carry_file{};
};

/// How a process ended.
struct End {
  int status = 0;                          ///< of exit
  int signal = 0;                          ///< that killed it; 0: none
  std::string cause{};                     ///< without the place in the source (crash.hpp)
  int thread = 0;                          ///< id of the thread that it has killed
  std::optional<std::uint64_t> address{};  ///< of the access, if the signal is of one
  bool is_out_of_memory = false;           ///< why the signal is SIGKILL
  bool is_illegal = false;                 ///< an instruction, which is why the signal is SIGILL
};

class Process {
 public:
  /// Loads the program; its first thread is ready. Throws UserError for a file that cannot be run.
  explicit Process(ProcessSettings settings);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const ProcessSettings& settings() const { return settings_; }
  AddressSpace& space() { return space_; }
  const AddressSpace& space() const { return space_; }
  Files& files() { return files_; }
  const Files& files() const { return files_; }
  Random& random() { return random_; }
  Interpreter<std::uint64_t>& interpreter() { return interpreter_; }
  const Interpreter<std::uint64_t>& interpreter() const { return interpreter_; }
  std::array<SignalAction, 65>& actions() { return actions_; }
  const std::vector<std::unique_ptr<Thread>>& threads() const { return threads_; }
  const std::optional<End>& end() const { return end_; }
  /// The thread of this id; null: none, or it has ended.
  Thread* find_thread(int id) const;
  std::uint64_t retired() const;

  /// From now on its instructions cost this; what has been executed, or paid for, keeps its price.
  void reprice(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries,
               std::int64_t misprediction_ps);

  /// From now on this debugger is called for the process. Null: none. It changes neither results nor times by itself.
  void debug_by(Debugger* debugger) {
    debugger_ = debugger;
    if (debugger != nullptr) interpreter_.blocks().keep_all();
  }
  Debugger* debugger() const { return debugger_; }

  /// The thread that runs has made a thread of another process ready: it gives way after this instruction.
  void end_turn() { has_made_ready_ = true; }

  /// Runs a thread that is ready, from its hart's time on, for about so many instructions, or until it waits, or has
  /// made others ready. System calls are handled on the way.
  void run(Thread& thread, std::uint64_t instructions);

  /// @returns the new thread, which has the registers and signal mask of `parent`
  Thread& add_thread(const Thread& parent);
  void end_thread(Thread& thread);
  /// Removes threads that have ended; references to them become invalid.
  void forget_ended_threads();
  /// CPU time of threads that have been forgotten.
  std::int64_t used_by_ended_ps() const { return used_by_ended_ps_; }
  void exit(int status) { end_ = end_.value_or(End{.status = status}); }
  /// Kills the process, by a signal that has no handler.
  void kill(Thread& thread, const Signal& signal);
  /// Kills it, as Linux's out-of-memory killer does, if it has touched more pages than it may. @returns whether it did
  bool end_if_out_of_memory(Thread& thread);

  /// Suspends the thread that makes a system call. `wait.number` is given here.
  void suspend(Thread& thread, Wait wait);
  /// Ends a thread's wait with this result of its system call.
  void resume(Thread& thread, std::int64_t result, std::int64_t now_ps);
  /// Threads that wait for files try again.
  void files_changed(std::int64_t now_ps);
  /// Wakes up to `count` threads that wait for this address with one of these bits. @returns how many
  std::int64_t wake(std::uint64_t address, std::int64_t count, std::uint32_t bits, std::int64_t now_ps);
  /// Since when the thread that would be woken first has waited; nothing if none waits.
  std::optional<std::int64_t> waits_since(std::uint64_t address, std::uint32_t bits) const;
  /// Whether a thread waits for a word that other processes may see.
  bool waits_for_shared_word() const;
  /// The highest count of lost attempts among the threads that wait for this address.
  int most_losses(std::uint64_t address) const;
  /// Up to `count` threads that wait for one address wait for another. @returns how many
  std::int64_t requeue(std::uint64_t from, std::int64_t count, std::uint64_t to);
  /// A thread's wait has ended by time.
  void time_out(Thread& thread);
  /// SIGALRM comes at this time, and then each interval; 0: once. Nothing: never.
  struct Alarm {
    std::int64_t at_ps = 0, interval_ps = 0;
  };
  std::optional<Alarm>& alarm() { return alarm_; }
  /// Ends all waits that last until this time at most, and sends an alarm that is due.
  void end_waits_until(std::int64_t time_ps);
  /// When the first wait of a thread ends by time; nothing if none does.
  std::optional<std::int64_t> next_time_out() const;
  /// Signals pending for the process: taken by threads that do not block them, or that wait for them.
  std::deque<Signal>& pending() { return pending_; }
  /// A signal that does nothing is dropped, and so is an ordinary one that is pending. It ends the wait of a thread.
  void send(Thread& thread, const Signal& signal, std::int64_t now_ps);
  /// To a thread that waits for it, or to the first that does not block it.
  void send(const Signal& signal, std::int64_t now_ps);
  /// Whether so many signals are pending that no more queue (RLIMIT_SIGPENDING).
  bool has_full_queue() const;
  static constexpr std::size_t most_pending = 4096;  // as Linux gives a computer of 1 GiB, about
  bool has_signal(const Thread& thread) const;       ///< to handle
  /// When setitimer's signal comes next.
  std::optional<std::int64_t> next_alarm() const;
  /// The thread, which waits in a system call or is about to, retries it after it has handled its signals.
  void call_again(Thread& thread, std::int64_t now_ps);
  /// Ends a thread's wait if it has a signal to handle.
  void interrupt(Thread& thread, std::int64_t now_ps);

  void warn_once(const std::string& sentence);
  std::uint64_t sigreturn_address() const { return sigreturn_address_; }
  /// The bounds of the first thread's stack. The `guard_bytes` below it permit no access.
  std::uint64_t stack_begin() const { return stack_begin_; }
  std::uint64_t stack_end() const { return stack_end_; }
  static constexpr std::uint64_t guard_bytes = 65536;
  std::uint64_t program_begin() const { return program_begin_; }
  /// The target of /proc/self/exe.
  const std::string& own_path() const { return own_path_; }
  /// The offset from addresses of the program's file to those in memory.
  std::uint64_t load_bias() const { return load_bias_; }
  /// Whether an address of the program's file is before all libraries; nothing if it is not linked with those of sw/.
  std::optional<bool> is_own_code(std::uint64_t address) const;
  /// The beginning of the memory that Machine maps.
  std::uint64_t shared_begin() const { return space_.memory().bytes() - settings_.shared_bytes; }

 private:
  void place(const StackContents& contents);
  Stop execute(Thread& thread, std::uint64_t limit);
  void call_system(Thread& thread);
  void handle_fault(Thread& thread);
  Thread* first_waiting(std::uint64_t address, std::uint32_t bits) const;
  void send_alarm(std::int64_t now_ps);
  void go_on(Thread& thread, std::int64_t now_ps);  ///< its wait has ended

  ProcessSettings settings_;
  AddressSpace space_;
  Interpreter<std::uint64_t> interpreter_;
  Files files_;
  std::string own_path_;
  Random random_;
  std::array<SignalAction, 65> actions_{};
  std::vector<std::unique_ptr<Thread>> threads_;
  std::deque<Signal> pending_;
  std::optional<End> end_;
  std::set<std::string> warned_;
  std::optional<Alarm> alarm_;
  std::uint64_t waits_ = 0;
  std::uint64_t sigreturn_address_ = 0;
  std::uint64_t stack_begin_ = 0, stack_end_ = 0, program_begin_ = 0, load_bias_ = 0;
  bool has_made_ready_ = false;
  Debugger* debugger_ = nullptr;
  std::uint64_t retired_by_ended_ = 0;
  std::int64_t used_by_ended_ps_ = 0;
  int next_id_ = 0;
  CodeRange libraries_{};  ///< of sw/; empty: none
};

}  // namespace sanvp::riscv::os
