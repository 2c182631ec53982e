/// Software that runs on a node: the common base of processes and drivers, with the implementation of hal.h's calls. An
/// image reaches them through a table (sw/abi/hal/host.h), a program of an interpreter through system calls.
#pragma once

#include <exception>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>

#include "models/host/call_profile.hpp"
#include "models/host/checked_process.hpp"
#include "models/host/cpu.hpp"
#include "models/host/heap.hpp"
#include "models/host/line_stream.hpp"
#include "models/host/services.hpp"
#include "models/native/block_table.hpp"
#include "models/native/own_calls.hpp"
#include "sw/abi/hal/host.h"

namespace sanvp::host {

class Node;

class Software : private CheckedProcess {
 public:
  /// An image.
  Software(const std::string& image, const Identity& identity, Node& node, Services& services);
  /// A program of an interpreter. @param spent  raised by what its code computes, in picoseconds, and below 0 while its
  /// quantum lasts, as sanvp_spent of an image; the lowest value at first; outlives it
  Software(std::int64_t& spent, const Identity& identity, Node& node, Services& services);
  Software(const Software&) = delete;
  Software& operator=(const Software&) = delete;

  const Identity& identity() const { return identity_; }
  /// The cost model of file accesses here: an enum hal_files.
  int files() const;
  /// For images only.
  const native::Image& image() const { return *image_; }
  const CallProfile& calls() const { return profile_; }
  /// Computing time of its code outside of library calls.
  Time computed() const { return computed_; }
  /// The part of it in which counted code waited for memory.
  Time stalled() const { return stalled_; }
  /// From now on its code costs what the settings of its node say now.
  virtual void reprice();
  /// Called by the machine's monitoring, or by a library that has found it out: a node of its job has died, or is
  /// unreachable, since `died`.
  void learn_of_death(int node, Time died);
  bool ends_own_waits() const { return ends_own_waits_; }
  /// Wakes its libraries, which may end their waits for the dead node, or limits its waits (key `patience`).
  virtual void react_to_death(Cpu& cpu);
  /// The code's position when it last yielded during computation; empty if unknown, or if it has made a call since.
  virtual std::string place() const;

 protected:
  virtual ~Software() = default;

  /// Passes the table to the image.
  void attach(const hal_kernel* kernel = nullptr);

  /// The calls of hal.h; their first argument is the Software.
  static const hal_calls& calls_of_hal();
  /// The cost of its code since the last call.
  Time take_spent();
  /// Lets its code compute for so long until it yields.
  void allow(Time quantum);
  void compute(Cpu& cpu, Time span);
  /// The same without letting others run.
  void account(Time span);
  /// A part of what it computes next is a wait for memory.
  void stalls(Time span) {
    if (!profile_.is_in_call()) stalled_ += span;
  }
  /// Code has computed for `span`, which has been accounted for, without letting others run.
  /// @return whether its quantum is used up; if not, it continues until the next look at its loops
  bool has_used_quantum(Time span);
  /// Sets when the next look is due after one at a loop that has computed for `span`.
  void has_looked(const MemoryTraffic::Looked& looked, Time span);
  /// Lets the rest of the machine run, since code has used up its quantum. @param span  that it has computed, and has
  /// been accounted for. @param is_program  the program's own code computes, not a library's
  void give_way(Cpu& cpu, Time span, bool is_program);

  /// The CPU that runs it now.
  virtual Cpu& cpu() = 0;
  /// The same, after adding the cost of what its code has computed so far.
  Cpu& settled_cpu();
  /// The same for a call of `span` with which code polls for the work of others.
  Cpu& looking_cpu(Time span);
  /// Whether a death ends waits, so that its libraries react.
  bool reacts_to_deaths() const { return ends_own_waits_ || death_word_ != nullptr; }
  /// The number of reactions due so far.
  std::uint64_t reactions() const { return reactions_; }
  /// Ends it, since a wait for a dead node has timed out. @param where  the call
  void give_up(const std::string& where);
  /// Called around every wait in which other software of the node may run.
  virtual void before_sleep() {}
  virtual void after_sleep(Cpu&) {}

  /// The region of its own memory that contains [pointer, pointer + bytes).
  virtual std::optional<native::Range> region_of(const volatile void* pointer, std::size_t bytes) const = 0;
  virtual Heap& heap() = 0;
  virtual std::int64_t ioctl(unsigned request, void* argument) = 0;
  /// Whether it may load from and store to this part of the card's windows.
  virtual bool may_access(std::uint64_t /*bus_address*/, std::size_t /*bytes*/) const { return true; }
  // CheckedProcess, for an image
  const std::byte* checked_memory(std::uint64_t address, std::size_t bytes) const override;
  const std::string& checked_program() const override { return image_->path(); }
  std::uint64_t checked_code(std::uint64_t address) const override;
  Time checked_worked() const override { return worked_; }
  /// Does not return.
  virtual void exit(int status) = 0;
  virtual void end_job(int status) { exit(status); }
  virtual void fail(const std::string& why) = 0;
  /// The place at which its program's own code has made the library call that it is in now.
  virtual native::OwnCalls present_calls() { return {}; }
  /// Ends its code with an exception, which is thrown outside of it.
  [[noreturn]] virtual void leave_with(std::exception_ptr failure) = 0;
  /// Called where no frames of its code are: throws what has waited for that.
  void throw_failure();
  /// To be called when its working directory, umask or locale has changed.
  virtual void surroundings_changed() {}
  /// Bit mask (1 << number) of the signals for which its program has handlers.
  virtual void signals_handled(std::uint64_t /*signals*/) {}

  Node& node() const { return node_; }
  Services& services() { return services_; }
  LineStream& stream(bool is_error) { return is_error ? error_ : out_; }
  /// Draws computing of the selected thread in the trace, from the end of its last library call, or since it has this
  /// CPU, until `end`.
  void draw_computing(Cpu& at, Time end);
  /// Calls and computing that follow are this thread's; 0, the first, to begin with.
  void select_thread(int thread);
  void forget_thread(int thread);
  CallProfile& profile() { return profile_; }
  /// Marks the start of computing outside of library calls.
  void begin_computing(const Cpu& at) { own_->since = {at.now(), own_->computed}; }

 private:
  struct Calls;
  /// Upper bound of the quantum of code that computes for long: smaller costs simulation time, larger delays progress
  /// hooks of its libraries.
  static constexpr int most_quanta = 64;
  void has_moved_data();
  struct Area {
    const void* begin;  ///< null: none
    bool is_written;
  };
  void walk(Cpu& at, std::initializer_list<Area> areas, std::size_t bytes, Time price);
  /// Accounts for what its code has computed since the last call, and for its waits. @return the former
  Time settle(Cpu& at);
  void go_on();
  void stall(Cpu& at);
  const native::Loop* loop_at(const void* returns_to) const;
  OperandAddresses operands_of(const native::Loop& loop, const hal_registers& registers) const;
  int gave_way(const hal_registers& registers, const void* returns_to);
  int spun(const hal_registers& registers, const void* returns_to, Time until);
  void refuse_access(const char* what, std::uint64_t address, const char* cause);
  std::uint64_t seed(bool of_job, const char* consumer) const;
  void say(bool is_error, std::string_view line);

  std::optional<native::Image> image_;
  Identity identity_;
  Node& node_;
  Services& services_;
  hal_host table_{};
  LineStream out_, error_;
  CallProfile profile_;
  std::exception_ptr failure_;  ///< that waits for a place where it can be thrown
  std::int64_t* spent_;         ///< the image's sanvp_spent
  std::int64_t base_;           ///< its value when the cost was last taken
  Time computed_{0};
  Time stalled_{0};
  Time worked_{0};   ///< computed_, and its libraries' work: what the CPU executes, without waits, interrupts and noise
  Time silent_{0};   ///< computing time since its last call
  Time quantum_{0};  ///< after which its code yields
  Time used_{0};     ///< of the quantum
  Time unlooked_{0};         ///< computing time since the last look
  Time until_look_ = never;  ///< from one look at its loops to the next
  Time looked_at_{0};        ///< when libraries last ran their progress hooks in the middle of the program's code
  const void* gave_way_at_ = nullptr;
  Time spins_since_{0};
  const std::vector<native::Loop>* loops_ = nullptr;
  std::map<int, Time> deaths_;                    ///< node to time of death
  bool ends_own_waits_ = false;                   ///< those for dead nodes
  volatile std::uint32_t* death_word_ = nullptr;  ///< the image's counter of deaths
  std::uint64_t reactions_ = 0;
  std::uint64_t reactions_known_ = 0;  ///< at the end of its last wait
  struct Computing {
    Time computed{0};
    struct {
      Time begin{0};
      Time computed{0};
    } since;
  };
  std::map<int, Computing> computing_;  ///< by thread
  Computing* own_ = &computing_[0];     ///< the selected thread's
};

}  // namespace sanvp::host
