/// The host's end of its DS link: state, parity errors and restart, packets out and in. Tokens and flow control between
/// the two ends of a link are modelled by the network core (models/net); this is the rest.
#pragma once

#include <vector>

#include "models/net/socket.hpp"
#include "models/net/task.hpp"
#include "models/nic/card/interrupt_register.hpp"
#include "models/nic/ds_link/counters.hpp"
#include "models/nic/ds_link/packet.hpp"
#include "models/nic/ds_link/routes.hpp"
#include "models/nic/ds_link/tracks.hpp"
#include "platform/core/time.hpp"
#include "sw/abi/registers/ds_link.h"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::ds_link {

/// The receiver of incoming packets: the virtual channel processor.
class PacketReceiver {
 public:
  /// Called at the instant at which its last token has arrived.
  virtual void arrived(LinkPacket packet) = 0;

 protected:
  ~PacketReceiver() = default;
};

class LinkEnd {
 public:
  struct Rules {
    Time disconnect{0};
    Time handshake{0};
    static Rules read(const Parameters& parameters);
  };
  struct Wire {
    int header_bytes = 2;   ///< at the injecting end
    int deleted_bytes = 0;  ///< the part that the last switch deletes if no tables are loaded
    Time token{0};          ///< time of a data token
  };

  LinkEnd(const Rules& rules, const Wire& wire, net::Clock& clock, net::NetworkInitiatorSocket& network, Routes routes,
          Counters& counters, InterruptRegister& interrupts, Tracks& tracks);
  void connect(PacketReceiver& receiver) { receiver_ = &receiver; }

  void link_changed(Time token) { wire_.token = token; }

  // ---- registers ----
  static Registers<LinkEnd> registers();
  void command(std::uint32_t command);
  std::uint32_t state() const { return state_; }

  // ---- for the virtual channel processor ----
  /// Waits until another packet may be passed: the link runs, and one of two buffer slots is free, so that a packet is
  /// ready when the one before has left.
  net::Task<> room();
  /// Passes a packet now. @return false: no switch serves the node
  bool send(int node, const LinkPacket& packet);

  // ---- reports of the network ----
  void sent(net::Packet& packet);
  void delivered(const net::Packet& packet);

  // Coroutines that run as long as the card exists:
  net::Task<> starts();  ///< from started to running
  net::Task<> loop();    ///< delivers packets that a host sends to itself
  bool busy() const { return !handed_.empty(); }

 private:
  void start();
  void parity_error();
  int tokens(const LinkPacket& packet) const;

  Rules rules_;
  Wire wire_;
  net::Clock& clock_;
  net::NetworkInitiatorSocket& network_;
  Routes routes_;
  Counters& counters_;
  InterruptRegister& interrupts_;
  Tracks& tracks_;
  PacketReceiver* receiver_ = nullptr;
  ds_link_state state_ = DS_LINK_STOPPED;
  Time silent_since_{0};
  Time runs_at_{0};                     ///< when the current start ends
  std::vector<net::Packet*> handed_{};  ///< packets passed to the network that have not left
  net::Condition started_;
  net::Condition room_;
  net::Mailbox<LinkPacket> own_;
};

}  // namespace sanvp::nic::ds_link
