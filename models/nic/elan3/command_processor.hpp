/// The command port and the microcode thread behind it (QsNET paper 2.1): a store of an Elan address into a context's
/// page is a command, done in the order of arrival. A process can be given its page, and needs no system call then.
#pragma once

#include "models/net/process.hpp"
#include "models/nic/elan3/events.hpp"
#include "models/nic/elan3/tracks.hpp"
#include "models/nic/elan3/traps.hpp"

namespace sanvp::nic::elan3 {

class CommandProcessor {
 public:
  struct Rules {
    Time process{0};
    static Rules read(const Parameters& parameters);
  };

  CommandProcessor(const Rules& rules, net::Clock& clock, Memory& memory, Events& events, Traps& traps,
                   Counters& counters, Tracks& tracks, Work& work);

  /// Whether a store at `offset` of the command window is a command.
  static bool is_command(std::uint64_t offset);
  /// Such a store, at this instant.
  void store(std::uint64_t offset, std::uint32_t value);
  bool busy() const { return working_ || !queue_.empty(); }

  net::Task<> run();

 private:
  struct Command {
    std::uint32_t context = 0;
    std::uint32_t code = 0;  ///< E3_CP_...
    e3_addr argument = 0;
  };

  net::Task<Fault> obey(const Command& command);
  net::Task<Fault> get_dma(const Command& command);
  net::Task<Fault> wait_event0(const Command& command);

  Rules rules_;
  net::Clock& clock_;
  Memory& memory_;
  Events& events_;
  Traps& traps_;
  Counters& counters_;
  Tracks& tracks_;
  Work& work_;
  net::Mailbox<Command> queue_;
  bool working_ = false;
};

}  // namespace sanvp::nic::elan3
