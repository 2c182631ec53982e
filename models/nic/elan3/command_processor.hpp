/// The command port and the microcode thread behind it (QsNET paper 2.1): a store of an Elan address into a context's
/// page is a command, executed in the order of arrival. A process can have its page mapped, and then needs no system
/// call.
#pragma once

#include <optional>

#include "models/net/task.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/elan3/events.hpp"
#include "models/nic/elan3/schedule.hpp"
#include "models/nic/elan3/tracks.hpp"
#include "models/nic/elan3/traps.hpp"

namespace sanvp::nic::elan3 {

class CommandProcessor {
 public:
  struct Rules {
    Time process{0};
    std::size_t entries = 1;
    static Rules read(const Parameters& parameters);
  };

  struct Neighbours {
    net::Clock& clock;
    Memory& memory;
    Events& events;
    Traps& traps;
    Interrupts& interrupts;
    Schedule& schedule;
    Counters& counters;
    Tracks& tracks;
  };

  CommandProcessor(const Rules& rules, const Neighbours& neighbours, Work& work);

  /// The command port. A store is queued at the instant at which it has arrived. When the queue is half full, it
  /// interrupts the driver; a command that does not fit is lost, which traps.
  static Registers<CommandProcessor> registers();
  CardQueue queue() const;
  bool busy() const { return working_ || waiting_ > 0; }

  net::Task<> run();

 private:
  template <std::uint32_t code>
  static Register<CommandProcessor> port(const char* name, const char* meaning, const char* source);

  struct Command {
    std::uint32_t context = 0;
    std::uint32_t code = 0;  ///< E3_CP_...
    e3_addr argument = 0;
    std::optional<Trace::Point> cause{};
  };

  void take(const Command& command);
  net::Task<> tell_of_loss();
  net::Task<Fault> obey(const Command& command);
  net::Task<Fault> get_dma(const Command& command);
  net::Task<Fault> wait_event0(const Command& command);

  Rules rules_;
  net::Clock& clock_;
  Memory& memory_;
  Events& events_;
  Traps& traps_;
  Interrupts& interrupts_;
  Schedule& schedule_;
  Counters& counters_;
  Tracks& tracks_;
  Work& work_;
  net::Mailbox<Command> queue_;
  std::size_t waiting_ = 0;      ///< in the queue
  std::optional<Command> lost_;  ///< the first lost command that was not yet reported to the driver
  bool working_ = false;
};

}  // namespace sanvp::nic::elan3
