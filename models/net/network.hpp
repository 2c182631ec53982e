/// A network at work: NICs, switches and channels under the rules of TIMING.md. Pure C++, driven by an EventQueue;
/// fabric.hpp is its SystemC module.
///
/// A packet's way: send() -> NicPort queue -> start of its first leg -> the flow moves flits (flit/ or worm/) ->
/// header at the front of a switch input -> Crossbar request -> grant -> next leg -> ... -> delivered().
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "models/net/crossbar.hpp"
#include "models/net/event_queue.hpp"
#include "models/net/flow.hpp"
#include "models/net/layout.hpp"
#include "models/net/memory.hpp"
#include "models/net/nic_port.hpp"
#include "models/net/packet.hpp"
#include "models/net/wiring.hpp"

namespace sanvp::net {

enum class Fidelity : std::uint8_t { worm, flit };

/// What a channel has carried, and how long headers waited for it.
struct ChannelStatistics {
  std::uint64_t packets = 0;
  std::uint64_t flits = 0;
  std::int64_t busy_ps = 0;  ///< flits x flit time: divided by the time it is the channel's use
  std::int64_t wait_ps = 0;  ///< effective blocking: headers at the front, ready, output busy
  std::int64_t longest_wait_ps = 0;
  std::int64_t head_blocking_ps = 0;  ///< from a header's arrival in the switch before this channel to its grant
  std::int64_t held_ps = 0;           ///< owned by some packet, summed over virtual channels
};

/// Follows legs, for traces. Instants of one leg, when its virtual channel is released.
class Observer {
 public:
  virtual void leg_over(const Leg& leg, Time released) = 0;
  /// Whether it wants to be told at that instant. Else it may hear of a leg later: by the delivery of the packet, by
  /// catch_up(), by conclude(), or when statistics are asked for or cleared. What it hears is the same.
  virtual bool is_prompt() const { return true; }

 protected:
  ~Observer() = default;
};

/// Hears of every packet at the instant at which it happens, for accounts of what failures cost.
class PacketObserver {
 public:
  /// It joins its NIC's queue.
  virtual void packet_sent(const Packet& packet, Time now) = 0;
  /// @param host  of a broadcast one of several
  virtual void packet_delivered(const Packet& packet, int host, Time now) = 0;
  /// Of a broadcast once for each part of its tree that gets nothing.
  /// @param hosts  to which it does not come
  virtual void packet_lost(const Packet& packet, std::span<const int> hosts, Time now) = 0;

 protected:
  ~PacketObserver() = default;
};

class Network final : public EventHandler, private FlowListener {
 public:
  /// @param queue  shared with everything that acts at exact times on this network
  Network(const Wiring& wiring, EventQueue& queue, Fidelity fidelity, std::uint64_t seed);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// A fresh packet, owned by the network; fill it in and send it.
  Packet& make_packet();
  void attach(int nic, Endpoint& endpoint) {
    ports_[nic].endpoint = &endpoint;
    ports_[nic].hears_sent = endpoint.hears_sent();
  }
  /// Puts the packet at the end of its source NIC's queue, now. Settled with the instant under way.
  void send(Packet& packet);
  /// The receiving NIC's answer to a packet delivered to `host` that holds its circuit (NicRules::answers), now.
  /// @param acknowledgement, reply  Packet's, for the source
  void acknowledge(Packet& packet, int host, int acknowledgement, std::uint64_t reply = 0);
  /// The sender of a packet has waited too long for its acknowledgement, and closes the circuit by itself: where the
  /// packet is delivered, or as soon as it would be, its channels become free again. The receiver hears of a packet
  /// that it has got by Endpoint::closed, and its answer then counts for nothing.
  void abandon(Packet& packet);
  /// The send DMA of `host` is set up for an in-transit packet that it was told of (NicRules::forwards): now.
  void forward(Packet& packet, int host);
  /// From now on the channel takes no new packets, and those that are on it are lost (TIMING.md, "Outages"). To be
  /// called by an event of kind `outage_kind`; likewise the next one.
  void fail(int channel);
  /// From now on it takes packets again.
  void repair(int channel);
  /// After all that arrives, is freed or asks for an output in the instant.
  static constexpr std::uint16_t outage_kind = 1000;

  Time now() const { return queue_.now(); }
  const Wiring& wiring() const { return wiring_; }
  /// Of what is over by now; where a run ends since no event is left, call conclude() before.
  ChannelStatistics statistics(int channel);
  std::uint64_t in_flight() const { return in_flight_; }
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t lost() const { return lost_; }
  /// Packets that were delivered with a wrong bit; one that goes to several hosts, for each.
  std::uint64_t corrupt() const { return corrupt_; }
  /// Times that a link has sent a packet again by itself (ChannelRules::retry).
  std::uint64_t retries() const { return retries_; }
  std::size_t queued(int nic) const { return ports_[nic].queue.size(); }
  /// The most that a NIC's in-transit pool, and its host's memory behind it, had at once since clear_statistics, in
  /// flits.
  std::int64_t pool_most(int nic) const { return ports_[nic].pool_most; }
  /// Packets in transit that went to the host's memory since then (FullPool::spills).
  std::int64_t spilled(int nic) const { return ports_[nic].spilled; }
  /// Packets started, granted outputs, delivered and acknowledged so far: the same number at an instant whatever is
  /// observed, and in both fidelities.
  std::uint64_t progress() const { return progress_; }
  /// @param observer  for good, or null; whether it is prompt is asked now
  void observe(Observer* observer) {
    observer_ = observer;
    told_promptly_ = observer != nullptr && observer->is_prompt();
  }
  /// @param observer  for good, or null
  void observe_packets(PacketObserver* observer) { packet_observer_ = observer; }
  /// Observers that are not prompt hear of what is over by now.
  void catch_up();
  /// When the last tail on its way of whose end no event tells will have come to it; now where there is none.
  Time last_quiet_release() const;
  /// Nothing more happens by itself: of what is in the event queue, background events come after all tails.
  bool is_over() const { return queue_.is_idle() && (queue_.empty() || last_quiet_release() < queue_.next()); }
  /// No event is left: tails that are still on their way come to their end, unless that is after `until`, and the time
  /// is that of the last of them, or `until`. So a run ends at the same time whether or not anything is observed.
  /// Nothing may be sent, acknowledged or failed afterwards. @return whether all came to their end
  bool conclude(Time until = never);
  void clear_statistics();

  /// Worms that wait for each other for ever, a line each; empty when every worm can still move (deadlock.cpp).
  std::string find_deadlock() const;

  void handle(const Event& event) override;
  void settle() override;
  void close_instant() override { flow_->close_instant(); }

 private:
  class DeadlockSearch;
  enum Kind : std::uint16_t { k_released, k_arrived, k_drained, k_front, k_request, k_detected, k_acknowledged, k_nic };

  void header_at_front(Leg& leg, std::int64_t ps) override;
  void tail_over(Leg& leg, std::int64_t ps) override;
  void data_over(Leg& leg, std::int64_t ps) override;
  void data_arrived(Leg& leg, std::int64_t ps) override;
  void drained(Leg& leg, std::int64_t ps) override;

  Leg& make_leg(Packet& packet, int channel, int vc);
  void end_loose(Leg& leg);
  void schedule(Kind kind, Leg& leg, std::int64_t ps);
  void wake_nic(int nic);
  void wake_nic_at(int nic, std::int64_t ps);
  void wake_switch(int unit);

  void start_packets(int nic);
  int free_vc(int nic, int wanted) const;
  void start_packet(int nic, int vc, Packet& packet, Leg* in_transit);
  void begin(Leg& leg, std::int64_t earliest_ps);
  std::int64_t meet_errors(Leg& leg, const ChannelRules& rules, std::int64_t earliest_ps);
  void serve_fronts();
  void admit_in_transit(int nic);
  void request(Leg& leg);
  void serve(int unit);
  void grant(int unit, const Grant& grant);
  void fetch_ahead(const Leg& leg) const;
  bool cannot_leave(int channel, const Packet& packet) const;
  void lose(Packet& packet);
  void count_loss(Packet& packet, int channel, std::int32_t step);
  void add_hosts_behind(const Packet& packet, int channel, std::int32_t step, std::vector<int>& hosts) const;
  bool is_on_its_channel(const Leg& leg) const;
  static void cut(Leg& leg);
  void find_spoilt(Leg& leg);
  void discard(Leg& leg);
  void release(Leg& leg);
  // A release that nobody waits for is no event: it is accounted for when the packet is delivered.
  void release_quietly(Leg& leg, std::int64_t until_ps);
  void release_quietly_until(std::int64_t until_ps);
  void count(Leg& leg, std::int64_t released_ps);
  void part(Leg& leg, std::int64_t until_ps);
  void deliver(Leg& leg);
  void close(Leg& leg);
  void acknowledge_from(Leg& last);
  void leave(int nic, int vc, std::int64_t ps);
  bool leave_later(const Leg& leg, int nic, std::int64_t ps);
  bool stands(const Leg& leg) const;

  Wiring wiring_;
  HugePages pages_;
  std::pmr::monotonic_buffer_resource memory_;  // of what every hop touches, in few large blocks
  EventQueue& queue_;
  bool by_flit_;
  std::vector<int> first_lane_;
  Layout layout_;
  std::unique_ptr<Flow> flow_;
  bool plans_stand_ = false;                    // what the flow says of the future is never taken back
  bool eops_stand_ = false;                     // nor what it says of a circuit's EOP, once the data are delivered
  std::pmr::vector<Crossbar::Output> outputs_;  // of each crossbar in turn (Layout::output)
  std::vector<Crossbar> crossbars_;
  std::vector<std::int64_t> processor_free_ps_;  // software routers
  std::vector<NicPort> ports_;
  std::vector<Random> bit_errors_;   // per NIC
  std::vector<Random> link_errors_;  // per channel, where links send again
  Observer* observer_ = nullptr;
  PacketObserver* packet_observer_ = nullptr;
  bool told_promptly_ = false;

  std::pmr::deque<Packet> packets_;  // storage with stable addresses, and what of it is free
  std::vector<Packet*> free_packets_;
  std::pmr::deque<Leg> legs_;
  std::vector<Leg*> free_legs_;
  std::vector<int> dirty_nics_;
  std::vector<int> dirty_switches_;
  std::vector<char> nic_is_dirty_;
  std::vector<char> switch_is_dirty_;
  std::vector<Leg*> fronts_;     // headers at software routers and in-transit NICs, this instant
  std::vector<int> full_pools_;  // NICs whose pool has had a place freed, or a newcomer
  std::vector<Grant> grants_;
  std::vector<Leg*> awaited_;

  std::uint32_t admitted_ = 0;
  std::uint64_t next_packet_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t corrupt_ = 0;
  std::uint64_t retries_ = 0;
  std::uint64_t progress_ = 0;
  std::pair<std::int64_t, std::uint64_t> caught_up_{-1, 0};  // at this time, after so many events
};

}  // namespace sanvp::net
