/// The host's end of its DS link: state, parity errors and restart, packets out and in. Tokens and flow control between
/// the two ends of a link are the network core's (models/net); this is what the core does not know.
#pragma once

#include <vector>

#include "models/net/fabric.hpp"
#include "models/net/process.hpp"
#include "models/nic/card/interrupt_register.hpp"
#include "models/nic/ds_link/counters.hpp"
#include "models/nic/ds_link/packet.hpp"
#include "models/nic/ds_link/registers.h"
#include "models/nic/ds_link/routes.hpp"
#include "models/nic/ds_link/tracks.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::ds_link {

/// Who takes what comes in: the virtual channel processor.
class PacketReceiver {
 public:
  /// At the instant at which its last token is here.
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
    int deleted_bytes = 0;  ///< of them, by the last switch, where no table says so
    Time token{0};          ///< time of a data token
  };

  LinkEnd(const Rules& rules, const Wire& wire, net::Clock& clock, net::NetworkInitiatorSocket& network, Routes routes,
          Counters& counters, InterruptRegister& interrupts, Tracks& tracks);
  void connect(PacketReceiver& receiver) { receiver_ = &receiver; }

  // ---- registers ----
  void command(std::uint32_t command);
  std::uint32_t state() const { return state_; }

  // ---- for the virtual channel processor ----
  /// Ends when another packet may be handed over: the link runs, and of two places one is free, so that a packet is
  /// ready when the one before has left.
  net::Task<> room();
  /// Hands a packet over now. @return false: no switch serves the node
  bool send(int node, const LinkPacket& packet);

  // ---- what the network tells ----
  void sent(net::Packet& packet);
  void delivered(const net::Packet& packet);

  // At work as long as the card exists:
  net::Task<> starts();  ///< from started to running
  net::Task<> loop();    ///< passes on what a host sends to itself
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
  Time runs_at_{0};                     ///< when the start under way is over
  std::vector<net::Packet*> handed_{};  ///< to the network, and not out yet
  net::Condition started_;
  net::Condition room_;
  net::Mailbox<LinkPacket> own_;
};

}  // namespace sanvp::nic::ds_link
