/// A CPU from the point of view of its software: time, device accesses, waiting for memory. The cost of instructions
/// accumulates as local time ahead of the timeline (TLM-2.0's temporal decoupling) until the software interacts with
/// the rest of the machine.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/host/cpu_queue.hpp"
#include "models/host/memory.hpp"
#include "models/host/memory_traffic.hpp"
#include "models/host/noise.hpp"
#include "models/host/pci.hpp"
#include "models/native/thread.hpp"
#include "models/net/transfer_answer.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::host {

class Cpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu, 64> bus{"bus"};

  /// @param trace  null: nothing is drawn
  Cpu(const sc_core::sc_module_name& name, const Settings& settings, Memory& memory, MemoryChannel& channel,
      net::RunQueue& run_queue, Trace* trace, int node);

  /// Sets the thread that it runs. Unless stated otherwise, the functions below are called in that thread.
  void run(native::Thread& thread) { thread_ = &thread; }
  native::Thread& thread() { return *thread_; }

  Time now() const;
  /// Sets the daemons that run on it. Call before the run.
  void disturb(Noise noise) { noise_ = std::move(noise); }
  /// The costs in the settings have changed.
  void reprice();
  /// Makes its rank share the node's CPUs with others. Call before the run.
  void share(CpuQueue& queue) { queue_ = &queue; }
  bool is_shared() const { return queue_ != nullptr; }
  /// Acquires a CPU, waiting for one if necessary, and releases it. No effect unless CPUs are shared.
  void begin_work();
  void end_work();
  /// The same for a thread that has been stopped, and may be waiting for a CPU. Not called in it.
  void withdraw();

  /// Adds the cost of instructions. Synchronises when a quantum is used up.
  void spend(Time span);
  /// The same without synchronising.
  void run_ahead(Time span) { ahead_ += span; }
  /// Follows what a loop has touched that has computed for `span` until now().
  MemoryTraffic::Looked look(const native::Loop& loop, const OperandAddresses& operands, const OperandStrides& strides,
                             Time span) {
    return traffic_.look(loop, operands, now(), span, strides);
  }
  /// How long loops stall for what they have touched since the last call.
  Time stall() { return traffic_.stall(now()); }
  /// The stall of a call that streams through `bytes` of memory and computes for `price`.
  Time stall(const void* memory, std::size_t bytes, Time price, bool writes) {
    return traffic_.stall(memory, bytes, now(), price, writes);
  }
  /// How long it waits for other users of the memory, if its caches have moved `bytes` since `asked`.
  Time share_memory(std::size_t bytes, Time asked) { return traffic_.share(bytes, asked, now()); }
  /// How much longer it may compute before it synchronises.
  Time quantum_left() const { return settings_.quantum - ahead_; }
  /// Like synchronise(), for code that polls memory by itself. A bus master's store is in memory before it is noticed:
  /// this waits until pending stores are noticed, so that the code does not see them early. The CPU's local time then
  /// lags the timeline's.
  void give_way();
  /// Lets the rest of the machine catch up with this CPU's local time.
  void synchronise();
  /// The same, before a wait. @return whether time has passed, so that the awaited change may have happened
  bool catch_up();
  /// Adds time for which an interrupt had this CPU. Not called in its thread.
  void steal(Time span) { stolen_ += span; }
  /// Retroactive preemption: the interval is reported after it ended. Time that the CPU spent waiting in it is not
  /// lost.
  void preempt(Time begin, Time end);

  void sleep(Time span);
  /// Returns at once if it has had to catch up.
  void wait_for(native::Condition& condition);
  /// The same, releasing the CPU: the rank waits for another rank of the node, which may need this CPU.
  void wait_idle(native::Condition& condition, const char* what, Time until = never);

  /// @return false: no device answers at this address, or it refuses the access
  bool read(std::uint64_t address, void* to, std::size_t bytes);
  bool write(std::uint64_t address, const void* from, std::size_t bytes);
  /// Why the device refused the latest access; empty: no device answered, or it does not say.
  const std::string& refusal() const { return answer_.refusal; }

  /// A word that a loop polls.
  struct Observed {
    const volatile void* at;
    std::uint32_t bytes;  ///< 8 at most
    std::uint64_t seen;
    std::uint64_t now() const;
  };
  /// Waits for one of the words to change, or until `until`, in a loop that has polled since `since`. It returns now
  /// and then without a change, so that the loop sees stores that are not reported to the memory.
  void spin(std::span<const Observed> observed, Time since, Time until);

  /// From now on waits time out: after `timeout` from their start, but not before `told` + `timeout`. Not called in its
  /// thread. @param wakes  ends the current wait, so that the software reacts
  void limit_waits(Time told, Time timeout, bool wakes);
  /// Ends the current wait, if any, so that the software reacts.
  void interrupt_wait();
  /// An interrupt that came at the very end of a wait does not end the next one.
  void forget_interrupt() { wakes_ = false; }
  bool limits_waits() const { return told_ != never; }
  /// Whether a wait that began at `since` has timed out.
  bool has_timed_out(Time since) const { return told_ != never && run_queue_.now() >= timeout_of(since); }
  /// When it times out; never: waits are not limited.
  Time timeout_of(Time since) const { return told_ == never ? never : std::max(told_, since) + timeout_; }

  /// Sleeps until one of the words differs from the value in `seen`, or until `until`. @return whether one differs
  bool wait_words(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count, Time until);
  /// When it has noticed that one of the words differs from the value in `seen`; never: none differs.
  Time change_noticed(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count) const;
  void stored(const volatile void* pointer, std::size_t bytes);

  /// One slice of the trace.
  struct Slice {
    const char* lasting;
    std::string own;  ///< used if `lasting` is null
    Time begin;

    std::string name() const { return lasting != nullptr ? lasting : own; }
  };
  /// Slices of the trace; they nest. @param name  outlives this CPU
  void begin_slice(const char* name) { slices_.push_back({.lasting = name, .own = {}, .begin = now()}); }
  /// The same with a copy of the name.
  void begin_slice(std::string name) {
    slices_.push_back({.lasting = nullptr, .own = std::move(name), .begin = now()});
  }
  /// A slice independent of the nesting.
  void draw_slice(const char* name, Time begin, Time end) {
    if (track_ && begin <= end && trace_->wants(begin, end)) trace_->slice(*track_, name, begin, end);
  }
  /// Ends the innermost slice, if any.
  void end_slice();
  /// Ends all open slices at `end`. @returns them, for continue_slices() of another CPU
  std::vector<Slice> leave_slices(Time end);
  void continue_slices(std::vector<Slice> slices);

  /// What it waits for and since when; nothing while it runs.
  struct Waiting {
    std::string what;  ///< text that follows "waits"
    Time since;
    Time until;  ///< never: only a store or notification ends the wait
  };
  std::optional<Waiting> waiting() const;
  /// It sleeps until an instant that simulated time does not reach.
  bool sleeps_past_end() const;
  /// Total time spent waiting for memory to be written.
  Time waited() const { return waited_; }
  /// The same, plus time asleep and in the run queue, with the part until `end` of a wait that lasts.
  Time idle(Time end) const { return waited_ + slept_ + std::max(Time{0}, end - idle_since_); }
  /// Total time taken by daemons.
  Time disturbed() const { return disturbed_; }

 private:
  tlm::tlm_response_status transport(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes,
                                     sc_core::sc_time& delay, const std::optional<Trace::Point>& cause = {});
  sc_core::sc_time since_kernel() const;
  void draw_store(Time begin, std::size_t bytes);
  void draw_wait(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count);
  void begin_waiting(const char* what, Time until);
  void end_waiting();
  void work(Time span);
  template <class Pause>
  void let_others_run(const char* what, Time until, Pause pause);
  Time end_idle_time();
  void begin_idle();
  void end_idle();

  const Settings& settings_;
  Memory& memory_;
  net::RunQueue& run_queue_;
  native::Thread* thread_ = nullptr;
  Time ahead_{0};
  Time stolen_{0};
  native::Condition written_;
  net::Bound<decltype(bus)> to_bus_{bus};
  tlm::tlm_generic_payload transfer_;
  net::TransferAnswer answer_;
  std::vector<Time> posted_;  ///< arrival times of the stores that the bridge holds
  Trace* trace_;
  std::optional<Trace::Track> track_;
  std::vector<Slice> slices_;
  struct Wait {
    const char* what;
    Time since;
    Time until;
  };
  std::optional<Wait> waiting_;
  Time last_wait_begin_{0}, last_wait_end_{0};
  Time idle_since_ = never;  ///< a wait that is not yet in the next two
  Time waited_{0};
  Time slept_{0};
  MemoryTraffic traffic_;
  Noise noise_;
  Time disturbed_{0};
  Time told_ = never;  ///< when the death of a node was reported
  Time timeout_{0};
  bool wakes_ = false;
  CpuQueue* queue_ = nullptr;
  CpuQueue::Turn turn_{run_queue_};
};

}  // namespace sanvp::host
