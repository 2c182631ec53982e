/// The receiving half of the virtual channel processor: keeps a packet until a process wants it, puts it into memory,
/// has it acknowledged as soon as that begins, and tells the process when its message is there.
#pragma once

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

  /// A command: the channel's next message goes to `input`; or none is wanted there any more.
  void input(std::uint32_t link, const ds_transfer& input);
  /// A command: there is somebody who may want what has come.
  void connected(std::uint32_t link);
  void arrived(LinkPacket packet) override;

  /// At work as long as the card exists.
  net::Task<> run();

  bool busy() const { return working_ || !queue_.empty(); }
  std::uint64_t work() const { return work_; }

 private:
  /// Something to look at: a packet, or an input that was given.
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
