/// What follows the hops or the packets of a network.
#pragma once

#include <cstdint>
#include <span>

#include "platform/core/time.hpp"

namespace sanvp::net {

struct Hop;
struct Packet;

/// Follows hops, for traces. Instants of one hop, when its virtual channel is released.
class Observer {
 public:
  virtual void hop_over(const Hop& hop, Time released) = 0;
  /// Whether it has to be called at that instant. Else it may be called later: at the delivery of the packet, by
  /// catch_up(), by conclude(), or when statistics are read or cleared. The calls are the same.
  virtual bool is_prompt() const { return true; }

 protected:
  ~Observer() = default;
};

/// Called for every packet at the instant at which it happens, for accounts of what failures cost.
class PacketObserver {
 public:
  /// The packet joins its NIC's queue.
  virtual void packet_sent(const Packet& packet, Time now) = 0;
  /// @param host  one of several for a broadcast
  virtual void packet_delivered(const Packet& packet, int host, Time now) = 0;
  /// For a broadcast: called once per subtree that receives nothing. @param hosts  that the packet does not reach
  virtual void packet_lost(const Packet& packet, std::span<const int> hosts, Time now) = 0;

 protected:
  ~PacketObserver() = default;
};

/// Called in the fidelity `flit` for all that moves on channels, at its instant.
class FlitObserver {
 public:
  /// A flit of the hop, 0 its header, starts on the hop's channel.
  virtual void flit_sent(const Hop& hop, std::int64_t flit, Time now) = 0;
  /// The receiver sends STOP or GO back to the sender of a virtual channel.
  /// @param binds  when the sender obeys it
  virtual void signal_sent(int channel, int vc, bool stop, Time now, Time binds) = 0;
  /// Buffer slots of a virtual channel go back to its sender as credits.
  /// @param from    when the last of the slots is free; where a control token takes them back, when that starts
  /// @param usable  when the sender has them
  virtual void credits_sent(int channel, int vc, int slots, Time from, Time usable) = 0;
  /// In both fidelities, ahead of time: an acknowledgement passes the hop's channel backwards.
  virtual void acknowledgement_passes(const Hop& hop, Time from, Time until) = 0;

 protected:
  ~FlitObserver() = default;
};

}  // namespace sanvp::net
