/// Execution of a packet's transactions on the memory of the receiving card (FACTS.md 1.3, registers/elan3.h). A packet
/// is checked as a whole before any of it is executed, so that one that is refused, and retried, has no effect.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "models/nic/elan3/dma_engine.hpp"
#include "models/nic/elan3/packet.hpp"
#include "models/nic/elan3/posted_writes.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {

/// A transaction may request execution only after the EOP, when all destinations have accepted the packet.
inline bool waits_for_end(const Transaction& transaction) {
  return !transaction.is_block() && (transaction.type & E3_TR_WAIT_EOP) != 0;
}

struct Judgement {
  int acknowledgement = E3_ACK_OK;
  bool thrown_away = false;  ///< discarded, but acknowledged
  bool waits = false;        ///< some transaction waits for the EOP
  Fault fault{};             ///< traps: the driver has to decide
  e3_addr object = 0;        ///< address that the fault concerns
  Time done{0};
};

class Transactions {
 public:
  struct Rules {
    int requests = 1;
    static Rules read(const Parameters& parameters) {
      return {.requests = static_cast<int>(parameters.count("requests", 8, "blocks on their way to main memory at once",
                                                            "QsNET paper 2.1: up to eight requests can be outstanding",
                                                            1, 64))};
    }
  };

  Transactions(const Rules& rules, Memory& memory, Events& events, DmaEngine& dma, Counters& counters)
      : memory_(memory), events_(events), dma_(dma), counters_(counters), posted_(rules.requests) {}

  /// Prefetches what the check of the packet will read into the cache of the simulating computer.
  void fetch_ahead(const ParsedPacket& packet) const;
  /// Checks the packet; changes nothing.
  Judgement judge(const ParsedPacket& packet, Time at);

  struct Applied {
    Time done{0};             ///< the packet may be answered; blocks may still be on their way over the bus
    std::uint32_t reply = 0;  ///< the word that goes back with the acknowledgement
  };
  /// Executes the writes of an accepted packet: those that wait for its EOP, or the others. At one instant, so that no
  /// other packet can interleave.
  Applied apply(const ParsedPacket& packet, bool after_end, Time at);
  /// Whether it has further effects after its writes: an event is set, a DMA queued.
  static bool acts(const Transaction& transaction);
  /// Executes these effects. Precondition: acts().
  /// @param input  the channel it came by, for the trace
  net::Task<Fault> act(const Transaction& transaction, int input = -1);

 private:
  /// The queue slot for a packet's blocks, between lock and unlock.
  struct Slot {
    e3_addr base = 0;
    std::uint32_t bytes = 0;
  };

  void judge(const Transaction& transaction, std::optional<Slot>& slot, Judgement& judgement);
  void judge_block(const Transaction& transaction, const std::optional<Slot>& slot, Judgement& judgement);
  void judge_lock(const Transaction& transaction, std::optional<Slot>& slot, Judgement& judgement);
  void judge_test(const Transaction& transaction, Judgement& judgement);
  void judge_remote_dma(const Transaction& transaction, Judgement& judgement);
  void require(const Transaction& transaction, std::uint32_t bytes, Intent intent, Judgement& judgement);
  Time write_blocks(std::span<const Transaction> blocks, const std::optional<Slot>& slot, Time at);
  Time write_word(const Transaction& transaction, Applied& applied, Time at);
  net::Task<Fault> queue_dma(const Transaction& transaction);
  void advance(Subject subject, e3_addr queue, Time at);

  Memory& memory_;
  Events& events_;
  DmaEngine& dma_;
  Counters& counters_;
  PostedWrites posted_;
};

}  // namespace sanvp::nic::elan3
