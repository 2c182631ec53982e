/// Events (QsNET paper 3.1.1, FACTS.md 1.5): counters in the card's memory. Setting an event decrements its counter;
/// when it reaches zero, the event fires and executes its action: it copies a block, sets another event, interrupts the
/// host, queues a DMA, or runs a thread.
#pragma once

#include "models/net/task.hpp"
#include "models/nic/elan3/interrupts.hpp"
#include "models/nic/elan3/memory.hpp"

namespace sanvp::nic::elan3 {

/// The units that fired events and commands start.
class Work {
 public:
  /// Queues the DMA whose descriptor is at `descriptor`, with the rights of `context`.
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

  /// Sets the event at `event`, and those chained to it, in the time that the hardware takes.
  net::Task<Fault> set(Subject subject, e3_addr event);
  /// The wait-event commands: adds `count` to the event's counter.
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
