/// The packet interface with its two DMA machines: SEND (SRAM -> wire) and RECV (wire -> SRAM). It computes the CRC of
/// outgoing packets and checks that of incoming ones. In-transit packets do not use buffers in SRAM: their bytes stay
/// in the in-transit pool, which the network side manages (README.md), and the processor gets an event.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "models/net/socket.hpp"
#include "models/nic/card/queues.hpp"
#include "models/nic/lanai/counters.hpp"
#include "models/nic/lanai/events.hpp"
#include "models/nic/lanai/route_memory.hpp"
#include "models/nic/lanai/tracks.hpp"
#include "models/nic/route_selection.hpp"

namespace sanvp::nic::lanai {

class PacketInterface final : public net::NetworkBackward {
 public:
  struct Neighbours {
    net::Clock& clock;
    Sram& sram;
    net::NetworkInitiatorSocket& network;
    Events& events;
    Counters& counters;
    Tracks& tracks;
    const topologies::Graph& graph;
    RouteSelection& selection;
  };
  struct Rules {
    Time detect{0};     ///< T_d of an in-transit packet, which has passed when the interface detects it
    int uncounted = 0;  ///< bytes of a packet that take no time on the wire; if above 0, route and CRC take none either
    static Rules read(const Parameters& parameters, Time detect);
  };
  /// @param flit_time  of the link
  PacketInterface(const Neighbours& neighbours, int host, const Rules& rules, Time flit_time)
      : at_(neighbours), host_(host), rules_(rules), flit_time_(flit_time) {}

  void link_changed(Time flit_time) { flit_time_ = flit_time; }
  /// Sends `bytes` after `route`. LANAI_EVENT_SEND is raised when the tail has left. Precondition: not sending.
  void send(std::span<const std::uint8_t> route, std::span<const std::byte> bytes);
  bool sending() const { return sending_; }

  /// Arms buffers for the next packets, in this order; a packet that is longer than its buffer is truncated.
  void arm(std::span<std::byte> buffer, std::uint32_t address) { armed_.push_back({buffer, address}); }
  struct Received {
    std::uint32_t buffer = 0;  ///< SRAM address
    std::uint32_t bytes = 0;   ///< without CRC
    bool intact = false;       ///< the CRC was right
  };
  /// Takes the oldest received packet. @return false if none has been received
  bool take(Received& received);

  /// The send DMA is set up for the oldest in-transit packet, which may now leave.
  void send_on();
  std::vector<CardQueue> queues() const;
  std::size_t in_transit() const { return in_transit_.size(); }

 private:
  struct Buffer {
    std::span<std::byte> memory;
    std::uint32_t address;
  };
  struct Transit {
    net::Packet* packet;
    Time detected;
  };

  void injected(net::Packet&, const sc_core::sc_time&) override {}
  void acknowledged(net::Packet&, const sc_core::sc_time&) override {}
  void sent(net::Packet& packet, const sc_core::sc_time&) override;
  void lost(net::Packet& packet, const sc_core::sc_time&) override;
  void delivered(net::Packet& packet, const sc_core::sc_time&) override;
  void in_transit(net::Packet& packet, const sc_core::sc_time&) override;

  int flits_of(std::size_t bytes, int route_bytes) const;
  net::Task<> swallow(int flits);
  void over();
  sc_core::sc_time ahead() const { return net::to_sc_time(at_.clock.now() - net::kernel_now()); }

  Neighbours at_;
  int host_;
  Rules rules_;
  Time flit_time_;
  bool sending_ = false;
  Time begun_{0};
  std::deque<Buffer> armed_;
  std::deque<Received> received_;
  std::deque<Transit> in_transit_;
  std::optional<net::Task<>> swallowing_;
};

}  // namespace sanvp::nic::lanai
