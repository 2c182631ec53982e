/// Events (QsNET paper 3.1.1, FACTS.md 1.5): counters in the card's memory. Whoever sets one takes one from its count;
/// when nothing is left to wait for, it fires and what it names is done: a block copied, another event set, the host
/// interrupted, a DMA queued, a thread run.
#pragma once

#include "models/net/process.hpp"
#include "models/nic/elan3/interrupts.hpp"
#include "models/nic/elan3/memory.hpp"

namespace sanvp::nic::elan3 {

/// What fired events and commands set to work.
class Work {
 public:
  /// Queues the DMA whose descriptor is at `descriptor`, in the name of `context`.
  virtual net::Task<Fault> put_dma(std::uint32_t context, e3_addr descriptor) = 0;
  virtual Fault run_thread(std::uint32_t context, e3_addr thread) = 0;

 protected:
  ~Work() = default;
};

class Events {
 public:
  struct Rules {
    Time set{0};
    static Rules read(const Parameters& parameters);
  };

  Events(const Rules& rules, net::Clock& clock, Memory& memory, Interrupts& interrupts, Counters& counters, Work& work);

  /// Sets the event at `event`, and those chained to it. Time passes as the hardware takes it.
  net::Task<Fault> set(Subject subject, e3_addr event);
  /// The wait-event commands: adds `count` to what the event waits for.
  net::Task<Fault> wait(Subject subject, e3_addr event, std::int32_t count);
  /// Whether `set` would be permitted now.
  Fault check(Subject subject, e3_addr event);

 private:
  struct Change {
    std::int32_t by = 0;  ///< of what it waits for
    bool sets = false;
  };
  net::Task<Fault> change(Subject subject, e3_addr event, Change change);
  std::uint32_t count(Subject subject, e3_addr event, std::int32_t by);
  Fault interrupt_host(Subject subject, e3_addr event, std::uint32_t action);
  Fault copy(Subject subject, e3_addr event, Time& at);

  Rules rules_;
  net::Clock& clock_;
  Memory& memory_;
  Interrupts& interrupts_;
  Counters& counters_;
  Work& work_;
};

}  // namespace sanvp::nic::elan3
