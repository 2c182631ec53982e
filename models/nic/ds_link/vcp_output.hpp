/// The sending half of the virtual channel processor: splits messages into packets, sends those of all its channels
/// round robin, keeps each until it is acknowledged, and sends acknowledgements for the other half.
#pragma once

#include "models/nic/card/queues.hpp"
#include "models/nic/ds_link/control_blocks.hpp"
#include "models/nic/ds_link/link_end.hpp"

namespace sanvp::nic::ds_link {

class VcpOutput {
 public:
  struct Rules {
    Time packet{0};
    Time acknowledgement{0};
    Time resend{0};
    std::uint32_t packet_bytes = 0;
    static Rules read(const Parameters& parameters);
  };

  VcpOutput(const Rules& rules, net::Clock& clock, BusMaster& bus, LinkEnd& link, VirtualLinks& links,
            ControlBlocks& blocks, Counters& counters, Tracks& tracks);

  /// Executes a command: sends `message` on an idle channel.
  void output(std::uint32_t link, const ds_transfer& message);
  /// Called when the far end has started to consume a packet.
  void acknowledged(std::uint32_t link, std::uint32_t turn);
  /// Sends an acknowledgement for the received packet with number `turn`, `copies` times.
  void acknowledge(std::uint32_t link, std::uint32_t turn, int copies);

  // Coroutines that run as long as the card exists:
  net::Task<> run();
  net::Task<> look_for_losses();

  std::vector<CardQueue> queues() const;
  std::size_t unfinished() const { return unfinished_; }
  /// Acknowledged packets; retransmissions do not count.
  std::uint64_t work() const { return work_; }

 private:
  struct Due {
    Time at;
    std::uint32_t link;
    std::uint32_t sequence;
  };
  struct Turn {
    std::uint32_t link;
    std::uint32_t turn;
  };

  void queue(std::uint32_t link);
  bool may_send(OutputChannel& channel) const;
  net::Task<> send_next(std::uint32_t link);
  net::Task<> send_again(std::uint32_t link, std::uint32_t sequence);
  net::Task<> send_data(std::uint32_t link, std::uint32_t sequence);
  net::Task<> send_acknowledgement(Turn turn);
  void end(std::uint32_t link);
  static Flight* find(OutputChannel& channel, std::uint32_t sequence);

  Rules rules_;
  net::Clock& clock_;
  BusMaster& bus_;
  LinkEnd& link_;
  VirtualLinks& links_;
  ControlBlocks& blocks_;
  Counters& counters_;
  Tracks& tracks_;
  net::Condition work_to_do_;
  net::Condition sent_one_;
  std::deque<Turn> acknowledgements_{};
  std::deque<Due> losses_{};  ///< packets to be retransmitted
  std::deque<std::uint32_t> ready_{};
  std::deque<Due> due_{};  ///< sent copies, in order
  std::size_t unfinished_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace sanvp::nic::ds_link
