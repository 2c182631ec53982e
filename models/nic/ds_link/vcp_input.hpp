/// The receiving half of the virtual channel processor: keeps a packet until a process wants it, writes it to memory,
/// has it acknowledged when the writing starts, and notifies the process when its message is complete.
#pragma once

#include "models/nic/card/queues.hpp"
#include "models/nic/ds_link/vcp_output.hpp"

namespace sanvp::nic::ds_link {

class VcpInput final : public PacketReceiver {
 public:
  struct Rules {
    Time packet{0};
    static Rules read(const Parameters& parameters);
  };

  VcpInput(const Rules& rules, net::Clock& clock, BusMaster& bus, VcpOutput& output, VirtualLinks& links,
           ControlBlocks& blocks, Counters& counters, Tracks& tracks);

  /// Executes a command: sets the buffer for the channel's next message, or withdraws it.
  void input(std::uint32_t link, const ds_transfer& input);
  /// Executes a command: a process has become ready to receive.
  void connected(std::uint32_t link);
  /// So many virtual links from the first one on have an owner now.
  void owned(std::uint32_t first, std::uint32_t links);
  void arrived(LinkPacket packet) override;

  /// The coroutine that runs as long as the card exists.
  net::Task<> run();

  CardQueue queue() const;
  bool busy() const { return working_ || !queue_.empty(); }
  std::uint64_t work() const { return work_; }

 private:
  /// A work item: a received packet, or a channel with a new buffer.
  struct Item {
    std::optional<LinkPacket> packet{};
    std::uint32_t link = 0;
  };

  net::Task<> serve(Item item);
  void take(std::uint32_t link, const LinkPacket& packet);
  net::Task<> consume(std::uint32_t link);
  net::Task<> store(std::uint32_t link, LinkPacket packet);
  void end(std::uint32_t number);
  Slot& expected(InputChannel& channel) const { return channel.slots[channel.expected % links_.window()]; }

  Rules rules_;
  net::Clock& clock_;
  BusMaster& bus_;
  VcpOutput& output_;
  VirtualLinks& links_;
  ControlBlocks& blocks_;
  Counters& counters_;
  Tracks& tracks_;
  net::Mailbox<Item> queue_;
  bool working_ = false;
  std::uint64_t work_ = 0;
};

}  // namespace sanvp::nic::ds_link
