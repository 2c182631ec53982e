/// The processor-scheduling thread of the microcode (QsNET paper 2.1): the existing threads, and which of them the
/// thread processor runs next. RunThread and events name a thread by the address of its record; a new address starts a
/// thread, the address of a sleeping thread wakes it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "models/native/fiber.hpp"
#include "models/net/task.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/elan3/firmware.hpp"
#include "models/nic/elan3/memory.hpp"
#include "models/nic/elan3/schedule.hpp"

namespace sanvp::nic::elan3 {

/// A thread's request to be executed on the timeline, while its code waits. Nearly always its end time is known when it
/// begins. After a trap it may be repeated.
struct Operation {
  void* object = nullptr;
  Access (*begin)(void* object) = nullptr;           ///< returns its end time; null: at once
  void (*end)(void* object) = nullptr;               ///< called at its end; null: nothing
  net::Task<Fault> (*task)(void* object) = nullptr;  ///< instead of both: it waits for more than a time
};

struct FirmwareThread {
  enum class State : std::uint8_t { ready, running, sleeping };

  std::uint32_t context = 0;
  e3_addr address = 0;  ///< of its record
  e3_thread record{};
  const Firmware::Program* program = nullptr;
  bool system = false;
  State state = State::ready;
  bool named = false;  ///< it was started again while it was awake
  std::unique_ptr<native::Fiber> code;
  Operation wanted{};
  Time silent_since = never;          ///< send time of the first packet without any answer, if none was answered since
  bool wants_again = false;           ///< its request is repeated when it runs next, before its code continues
  std::uint64_t cycles_due = 0;       ///< used, but not passed yet
  std::uint64_t cycles_unbroken = 0;  ///< since it last yielded
};

class Scheduler {
 public:
  struct Rules {
    Time dispatch{0};
    std::size_t user_entries = 1;
    std::size_t system_entries = 1;
    Time timeout{0};  ///< native::Fiber::watch (key `patience`)
    static Rules read(const Parameters& parameters);
  };

  Scheduler(const Rules& rules, net::Clock& clock, Memory& memory, const Firmware& firmware, Schedule& schedule);

  /// Starts or wakes the thread whose record is at `address`.
  Fault run(std::uint32_t context, e3_addr address);
  /// Between two threads, the thread processor halts if the driver wants it; waits for work if none is queued;
  /// otherwise lets `dispatch()` pass, and takes the next thread.
  bool is_halted() const { return schedule_.halts(E3_SCHEDULE_HALT_THREAD); }
  net::Task<> rest() { return schedule_.rest(E3_SCHEDULE_HALT_THREAD, E3_INT_THREAD_HALTED); }
  net::Condition& work() { return work_; }
  Time dispatch() const { return rules_.dispatch; }
  /// System before user threads, otherwise in the order in which they became ready. Precondition: one is queued.
  FirmwareThread& take();
  /// Prefetches the stack of the thread that runs next into the cache of the simulating computer.
  void fetch_ahead() const {
    ready_[ready_[system_priority].empty() ? user_priority : system_priority].front()->code->fetch_ahead();
  }

  /// Called when the driver has changed a control register.
  void look_up() { work_.notify(); }

  /// A thread's next state: ready, sleeping, or ended.
  void requeue(FirmwareThread& thread);
  void sleep(FirmwareThread& thread) { thread.state = FirmwareThread::State::sleeping; }
  void end(FirmwareThread& thread) { threads_.erase({thread.context, thread.address}); }

  /// Whether others should run when `thread` yields.
  bool others_wait(const FirmwareThread& thread) const {
    return !ready_[system_priority].empty() || (!thread.system && !ready_[user_priority].empty());
  }
  std::size_t queued() const { return ready_[system_priority].size() + ready_[user_priority].size(); }
  CardQueue queue() const;
  std::size_t threads() const { return threads_.size(); }

 private:
  enum Priority : std::uint8_t { system_priority, user_priority, priorities };

  Fault start(std::uint32_t context, e3_addr address);
  std::size_t entries(Priority priority) const {
    return priority == system_priority ? rules_.system_entries : rules_.user_entries;
  }

  Rules rules_;
  net::Clock& clock_;
  Memory& memory_;
  const Firmware& firmware_;
  Schedule& schedule_;
  std::map<std::pair<std::uint32_t, e3_addr>, std::unique_ptr<FirmwareThread>> threads_;
  std::array<net::Fifo<FirmwareThread*>, priorities> ready_;
  net::Condition work_;
};

}  // namespace sanvp::nic::elan3
