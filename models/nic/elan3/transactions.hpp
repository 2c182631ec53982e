/// What the transactions of a packet mean for the memory of the card that it arrives at (FACTS.md 1.3, registers.h). A
/// packet is judged as a whole before anything of it is done, so that one that is refused, and sent again, leaves no
/// trace.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "models/nic/elan3/dma_engine.hpp"
#include "models/nic/elan3/packet.hpp"
#include "models/nic/elan3/posted_writes.hpp"

namespace sanvp::nic::elan3 {

/// A transaction may ask to be done only when the EOP has come, and has said that all who got the packet took it.
inline bool waits_for_end(const Transaction& transaction) {
  return !transaction.is_block() && (transaction.type & E3_TR_WAIT_EOP) != 0;
}

struct Judgement {
  int acknowledgement = E3_ACK_OK;
  bool thrown_away = false;  ///< acknowledged all the same
  bool waits = false;        ///< something of it waits for the EOP
  Fault fault{};             ///< the driver has to decide
  e3_addr object = 0;        ///< what the fault is about
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

  /// The packet will be judged soon: what that looks at comes into the cache of the computer that simulates.
  void fetch_ahead(const ParsedPacket& packet) const;
  /// What would become of the packet; changes nothing.
  Judgement judge(const ParsedPacket& packet, Time at);

  struct Applied {
    Time done{0};             ///< the packet may be answered; blocks may still be on their way over the bus
    std::uint32_t reply = 0;  ///< the word that goes back with the acknowledgement
  };
  /// Writes what an approved packet has to write: what waits for its end, or what does not. In one instant, so that no
  /// other packet comes between.
  Applied apply(const ParsedPacket& packet, bool after_end, Time at);
  /// Whether something follows from it when it has been applied: an event is set, a DMA queued.
  static bool acts(const Transaction& transaction);
  /// That. Precondition: acts().
  /// @param input  the channel it came by, for the trace
  net::Task<Fault> act(const Transaction& transaction, int input = -1);

 private:
  /// The slot that a packet's blocks go to, between lock and unlock.
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
