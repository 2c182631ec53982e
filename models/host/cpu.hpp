/// A CPU, as the software on it feels it: time, loads and stores of devices, waiting for memory. What instructions cost
/// adds up as local time ahead of the timeline's (TLM-2.0's temporal decoupling) until the software looks at the
/// outside.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/host/memory.hpp"
#include "models/host/memory_traffic.hpp"
#include "models/host/noise.hpp"
#include "models/host/pci.hpp"
#include "models/host/run_queue.hpp"
#include "models/native/thread.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::host {

class Cpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu, 64> bus{"bus"};

  /// @param track  of the trace; nothing: none is drawn
  Cpu(const sc_core::sc_module_name& name, const Settings& settings, Memory& memory, MemoryChannel& channel,
      net::Agenda& agenda, Trace* trace, int node);

  /// The thread whose code it runs. Everything below is called from within that.
  void run(native::Thread& thread) { thread_ = &thread; }
  native::Thread& thread() { return *thread_; }

  Time now() const;
  /// What else runs on it; before the run.
  void disturb(Noise noise) { noise_ = std::move(noise); }
  /// It is one of a node's CPUs that take turns; before the run.
  void share(RunQueue& queue) { queue_ = &queue; }
  /// The thread wants a CPU, and has one when this returns; it has ended, and wants none. Nothing where none is shared.
  void begin_work();
  void end_work();

  /// Instructions that took so long. Gives way where that is more than a quantum.
  void spend(Time span);
  /// What a loop that has computed for `span` waits for memory beyond that; it is at `now()` then.
  Time stall(const native::Loop& loop, const hal_registers& registers, const native::Image& image, Time span) {
    return traffic_.stall(loop, registers, image, now(), span);
  }
  /// The same of a call that goes through so much memory, and computes for `price` besides.
  Time stall(const void* memory, std::size_t bytes, Time price) { return traffic_.stall(memory, bytes, now(), price); }
  /// How much longer it may compute before it gives way.
  Time quantum_left() const { return settings_.quantum - ahead_; }
  /// The same as synchronise(), amid code that looks at memory by itself: what others have stored there already,
  /// though that is noticed later, it does not see early. The CPU's own time is then behind the machine's.
  void give_way();
  /// Lets the rest of the machine catch up with this CPU.
  void synchronise();
  /// Somebody else, an interrupt, has had this CPU for so long. Called from outside.
  void steal(Time span) { stolen_ += span; }
  /// The same, told afterwards and by when it was: what this CPU has waited meanwhile it has not lost.
  void preempt(Time begin, Time end);

  void sleep(Time span);
  void wait_for(native::Wakeup& wakeup);
  /// The same of one that has a rank, for what another rank of its node has, which may need this CPU to go on.
  void wait_idle(native::Wakeup& wakeup, const char* what);

  /// @return whether there is such an address
  bool read(std::uint64_t address, void* to, std::size_t bytes);
  bool write(std::uint64_t address, const void* from, std::size_t bytes);

  /// What a loop has read of memory.
  struct Observed {
    const volatile void* at;
    std::uint32_t bytes;  ///< 8 at most
    std::uint64_t seen;
    std::uint64_t now() const;
  };
  /// A loop, which has been at it since then, waits for one of these to change, or until `until`. It is to look again
  /// by itself now and then: for what is not told.
  void spin(std::span<const Observed> observed, Time since, Time until);

  /// Waits after `told`, and those under way, last no longer than this after it and after their beginning.
  /// @param wakes  the one under way ends, for its software to look
  void lose_patience(Time told, Time patience, bool wakes);
  bool has_lost_patience() const { return told_ != never; }
  /// Since a death was told, a wait that began then has lasted too long.
  bool is_out_of_patience(Time since) const { return told_ != never && agenda_.now() >= end_of_patience(since); }

  /// Sleeps until one of the words differs from what was seen of it, or `until`. @return whether one differs
  bool wait_words(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count, Time until);
  void stored(const volatile void* pointer, std::size_t bytes);

  /// Slices of the trace; they nest. @param name  outlives this CPU
  void begin_slice(const char* name) { slices_.push_back({.lasting = name, .own = {}, .begin = now()}); }
  /// The same with a name that may not: it is copied.
  void begin_slice(std::string name) {
    slices_.push_back({.lasting = nullptr, .own = std::move(name), .begin = now()});
  }
  /// One from `begin` until now, without the others' nesting.
  void draw_slice(const char* name, Time begin) {
    if (track_ && trace_->wants(begin, now())) trace_->slice(*track_, name, begin, now());
  }
  /// The innermost; nothing where there is none.
  void end_slice();

  /// What it waits for and since when; nothing while it has something to do.
  struct Waiting {
    std::string what;  ///< to be read behind "waits"
    Time since;
    Time until;  ///< never: somebody has to wake it
  };
  std::optional<Waiting> waiting() const;
  /// It sleeps until an instant that simulated time does not reach.
  bool sleeps_past_end() const;
  /// How long it has waited for memory to be written so far, all in all.
  Time waited() const { return waited_; }
  /// ... and has slept, and stood in the queue for a CPU.
  Time idle() const { return waited_ + slept_; }
  /// What daemons have taken from it.
  Time disturbed() const { return disturbed_; }

 private:
  struct Slice {
    const char* lasting;
    std::string own;  ///< where that is null
    Time begin;

    std::string name() const { return lasting != nullptr ? lasting : own; }
  };

  tlm::tlm_response_status transport(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes,
                                     sc_core::sc_time& delay, const std::optional<Trace::Point>& cause = {});
  sc_core::sc_time since_kernel() const;
  void draw_wait(const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count);
  Time end_of_patience(Time since) const { return told_ == never ? never : std::max(told_, since) + patience_; }
  void begin_waiting(const char* what, Time until);
  void end_waiting();
  void work(Time span);
  template <class Pause>
  void let_others_run(const char* what, Time until, Pause pause);
  void begin_idle();
  void end_idle();

  const Settings& settings_;
  Memory& memory_;
  net::Agenda& agenda_;
  native::Thread* thread_ = nullptr;
  Time ahead_{0};
  Time stolen_{0};
  native::Wakeup written_;
  net::Bound<decltype(bus)> to_bus_{bus};
  tlm::tlm_generic_payload transfer_;
  std::vector<Time> posted_;  ///< when the stores that the bridge holds will be at their devices
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
  Time waited_{0};
  Time slept_{0};
  MemoryTraffic traffic_;
  Noise noise_;
  Time disturbed_{0};
  Time told_ = never;  ///< of a node that has died
  Time patience_{0};
  bool wakes_ = false;
  RunQueue* queue_ = nullptr;
  RunQueue::Turn turn_{agenda_};
};

}  // namespace sanvp::host
