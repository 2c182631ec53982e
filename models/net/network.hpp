/// A network at work: NICs, switches and channels under the rules of TIMING.md. Pure C++, driven by an EventQueue;
/// fabric.hpp is its SystemC module.
///
/// A packet's way from send() to deliver() is one page, network_walk.cpp.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "models/net/channel_statistics.hpp"
#include "models/net/crossbar.hpp"
#include "models/net/event_queue.hpp"
#include "models/net/fidelity.hpp"
#include "models/net/flow.hpp"
#include "models/net/layout.hpp"
#include "models/net/memory.hpp"
#include "models/net/nic_port.hpp"
#include "models/net/observer.hpp"
#include "models/net/packet.hpp"
#include "models/net/wiring.hpp"
#include "topologies/routing/relation.hpp"

namespace sanvp::net {

class Network final : public EventHandler {
 public:
  /// A wiring that outlives the network, which then needs no copy: names and rules of a large network take memory.
  struct Borrowed {
    const Wiring& wiring;
  };
  /// @param queue  shared with everything that acts at exact times on this network
  Network(Borrowed wiring, EventQueue& queue, Fidelity fidelity, std::uint64_t seed);
  Network(const Wiring& wiring, EventQueue& queue, Fidelity fidelity, std::uint64_t seed);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// A fresh packet, owned by the network; fill it in and send it.
  Packet& make_packet();
  void attach(int host, Endpoint& endpoint) {
    for (int nic = host; nic < static_cast<int>(ports_.size()); nic += hosts_) {
      ports_[nic].endpoint = &endpoint;
      ports_[nic].hears_sent = endpoint.hears_sent();
    }
  }
  /// Puts the packet at the end of its source NIC's queue, now. It may start in the update phase of this instant.
  void send(Packet& packet);
  /// The receiving NIC's answer to a packet delivered to `host` that holds its circuit (NicRules::answers), now.
  /// @param acknowledgement, reply  Packet's, for the source
  void acknowledge(Packet& packet, int host, int acknowledgement, std::uint64_t reply = 0);
  /// The sender of a packet has waited too long for its acknowledgement, and closes the circuit: the packet's channels
  /// become free if it has been delivered, or as soon as it would be. A receiver that has got the packet learns of this
  /// by Endpoint::closed; its answer then has no effect.
  void abandon(Packet& packet);
  /// The send DMA of `host` is set up for an in-transit packet that was announced to it (NicRules::forwards): now.
  void forward(Packet& packet, int host);
  /// From now on the channel takes no new packets, and those that are on it are lost (TIMING.md, "Outages"). To be
  /// called by an event of kind `outage_kind`; likewise the next one.
  void fail(int channel);
  /// From now on it takes packets again.
  void repair(int channel);
  /// After all that arrives, is freed or asks for an output in the instant.
  static constexpr std::uint16_t outage_kind = 1000;

  Time now() const { return queue_.now(); }
  /// Valid as long as the network, though what has changed since may be in another one.
  const Wiring& wiring() const { return *wiring_; }
  /// Covers what is over by now. If a run ends because no event is left, call conclude() first.
  ChannelStatistics statistics(int channel);
  /// What packets that hold channels now have used of them so far, per channel: statistics() counts a packet in full
  /// when it releases the channel.
  std::vector<ChannelUse> under_way();
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
    observed_promptly_ = observer != nullptr && observer->is_prompt();
  }
  /// @param observer  for good, or null
  void observe_packets(PacketObserver* observer) { packet_observer_ = observer; }
  /// @param observer  for good, or null
  void observe_flits(FlitObserver* observer) { flit_observer_ = observer; }
  bool simulates_flits() const { return by_flit_; }
  FlitObserver* flit_observer() const { return flit_observer_; }
  /// The worms on virtual channels that they own now, in no particular order but the same in each run.
  void visit_owners(const std::function<void(const Hop&)>& visit) const;
  /// The headers that wait at switches, by switch in the order in which they came.
  void visit_waiting(const std::function<void(int unit, const Request&)>& visit) const;
  /// Accounts for quiet releases that are over by now: observers that are not prompt are called.
  void catch_up();
  /// When the last quiet release will be over; now if none is pending.
  Time last_quiet_release() const;
  /// Whether nothing more will happen: the queue holds only background events, which come after all tails. Flow control
  /// behind the last tail does not count: it has fewer events in one fidelity than in the other.
  bool is_over() const {
    return queue_.is_idle() && (in_flight_ == 0 || flow_->is_quiet()) &&
           (queue_.empty() || last_quiet_release() < queue_.next());
  }
  /// To be called when no event is left: completes quiet releases, unless they end after `until`, and advances time to
  /// the last of them, or to `until`. So a run ends at the same time whether or not anything is observed. Nothing may
  /// be sent, acknowledged or failed afterwards. @return whether all were completed
  bool conclude(Time until = never);
  void clear_statistics();

  /// From now on the switches decide by the policies of another wiring of the same network.
  void adopt_policies(const Wiring& other);
  /// Links get the times of another wiring of the same network (rules.hpp: all of ChannelRules that are times, and
  /// StopGo::signal_delay). Each direction takes them with the first packet that gets it while it is idle: no other
  /// packet has it, its buffer is empty, its credits are back. If credits come as tokens, both directions take them
  /// together. Acknowledgements that start from now on have them.
  void change_links(const Wiring& other);
  /// Directions that have the old ones still.
  std::size_t unchanged_links() const { return unchanged_links_; }
  /// From now on random numbers are those of another seed, as from the start of a run.
  void reseed(std::uint64_t seed);

  /// Worms that wait for each other for ever, a line each; empty when every worm can still move (deadlock.cpp).
  std::string find_deadlock() const;

  /// Called by the flow, with instants that may be in the future. A later call replaces an earlier one; -1: not known
  /// any more. The header is at the front of the buffer at the hop's far end.
  void header_at_front(Hop& hop, std::int64_t ps);
  /// The end of the transmission of the hop's tail: its virtual channel is free.
  void tail_over(Hop& hop, std::int64_t ps);
  /// The end of the transmission of the last data flit (first hops only).
  void data_over(Hop& hop, std::int64_t ps);
  /// The arrival of the last data flit at the NIC that keeps the packet (last hops only).
  void data_arrived(Hop& hop, std::int64_t ps);
  /// All flits have been consumed at the hop's far end (drained hops only).
  void drained(Hop& hop, std::int64_t ps);

  void handle(const Event& event) override;
  void update() override;
  void close_instant() override { flow_->close_instant(); }

 private:
  class DeadlockSearch;
  /// Kinds of events, by the function that handles them, in their order within an instant.
  enum class Due : std::uint16_t {
    release,
    deliver,
    end_drain,
    serve_front,
    request,
    detect,
    acknowledged,
    wake_nic,
  };
  static constexpr std::uint16_t kind_of(Due due) { return static_cast<std::uint16_t>(due); }
  void schedule(Due due, Hop& hop, std::int64_t ps);

  // network_walk.cpp
  void start_packets(int nic);
  bool cannot_leave(int channel, const Packet& packet) const;
  int free_vc(int nic, int wanted, const Packet& packet) const;
  void start_packet(Packet& packet, int nic, int vc, Hop* in_transit);
  void start_hop(Packet& packet, Hop& hop, std::int64_t earliest_ps);
  void require_that_it_fits(const Packet& packet, const Hop& hop, const Wiring::Channel& channel) const;
  void request(Packet& packet, Hop& hop);
  void request_branches(Packet& packet, Hop& hop, Request wanted);
  void serve(int unit);
  void grant(Packet& packet, int unit, const Grant& grant);
  void change_header(const Packet& packet, Hop& hop, const topologies::Step& step) const;
  void fetch_ahead(const Hop& hop) const;
  void deliver(Packet& packet, Hop& hop);
  void hand_over(Packet& packet, const Hop& hop, int nic);

  // network_choice.cpp
  class QueuesOf;
  void choose_path(Packet& packet, int unit, Crossbar& crossbar);
  void request_by_relation(Packet& packet, Hop& hop, Request wanted);
  void keep_shortest(int unit);
  std::int64_t queue_at(int unit, int first_port, int ports, topologies::VcSet vcs) const;
  void require_queues() const;

  // network_marks.cpp
  bool is_congested(int unit, const Grant& grant);

  // network_errors.cpp
  std::int64_t draw_bit_errors(Hop& hop, const ChannelRules& rules, std::int64_t earliest_ps);
  static std::shared_ptr<std::vector<std::byte>> damaged(const std::vector<std::byte>& payload, Random& random);

  // network_in_transit.cpp
  void serve_fronts();
  void route_in_software(Hop& hop, int unit);
  void admit_in_transit(int nic);
  void detect(Packet& packet, Hop& hop);

  // network_releases.cpp
  bool is_final(const Hop& hop) const;
  bool is_exclusive(const Hop& hop) const {
    return (wiring_->channels[hop.channel].rules.exclusive >> hop.vc & 1U) != 0;
  }
  void give_back(const Hop& hop);
  void empty(Hop& hop);
  bool release_quietly_at(Hop& hop, std::int64_t ps);
  bool leave_quietly_at(const Hop& hop, int nic, std::int64_t ps);
  void release(Hop& hop);
  void release_by_event(Hop& hop);
  void account_for_release(Hop& hop, std::int64_t until_ps);
  void account_for_releases(std::int64_t until_ps);
  void count(Hop& hop, std::int64_t released_ps);
  void part(Hop& hop, std::int64_t until_ps);
  void leave(int nic, int vc, std::int64_t ps);
  void free_slots_left_by(NicPort& port, int nic);

  // network_circuits.cpp
  void acknowledge_from(Hop& last);
  void acknowledged(Packet& packet, Hop& source);
  void close(Packet& packet, const Hop& hop);

  // network_outages.cpp
  bool is_on_its_channel(const Hop& hop) const;
  static void cut(Hop& hop);
  void find_spoilt(Hop& hop);
  void discard(Hop& hop);
  void end_drain(Packet& packet, Hop& hop);
  void lose(Packet& packet);
  void count_loss(Packet& packet, int channel, std::int32_t step);
  void add_hosts_behind(const Packet& packet, int channel, std::int32_t step, std::vector<int>& hosts) const;

  // network_changes.cpp
  Wiring& change_wiring();
  void take_new_times(int channel);

  // network.cpp
  Network(std::unique_ptr<Wiring> own, const Wiring& wiring, EventQueue& queue, Fidelity fidelity, std::uint64_t seed);
  Hop& make_hop(Packet& packet, int channel, int vc);
  void end_loose(Hop& hop);
  void wake_nic(int nic);
  void wake_nic_at(int nic, std::int64_t ps);
  void wake_switch(int unit);

  /// The NIC by which the packet leaves its source.
  int nic_of(const Packet& packet) const { return packet.source + packet.route.source_port * hosts_; }

  std::unique_ptr<Wiring> own_wiring_;  // null if `wiring_` is borrowed
  const Wiring* wiring_;
  int hosts_;
  HugePages pages_;
  std::pmr::monotonic_buffer_resource memory_;  // for data that every hop touches, in few large blocks
  EventQueue& queue_;
  bool by_flit_;
  std::vector<int> first_vc_;
  Layout layout_;
  std::unique_ptr<Flow> flow_;
  bool plans_are_final_ = false;          // the flow never takes back what it has planned
  bool eops_are_final_ = false;           // nor the plan of a circuit's EOP once its data are delivered
  bool elides_ = true;                    // EventElision
  std::pmr::vector<OutputPort> outputs_;  // of each crossbar in turn (Layout::output)
  std::vector<Crossbar> crossbars_;
  std::vector<std::int64_t> processor_free_ps_;  // software routers
  std::vector<NicPort> ports_;                   // per NIC
  std::vector<Random> bit_errors_;               // per NIC
  std::vector<Random> link_errors_;              // per channel, where links send again
  std::vector<Random> marks_;                    // per switch, if some mark by chance
  bool has_exclusive_vcs_ = false;               // ChannelRules::exclusive
  struct NewTimes {
    ChannelRules rules;
    bool are_taken = true;
    Layout::Counters until{};  // what was counted by then ...
    std::int64_t busy_ps = 0;  // ... and its time
  };
  std::vector<NewTimes> new_times_;  // per channel, if links have been changed
  std::size_t unchanged_links_ = 0;
  Observer* observer_ = nullptr;
  PacketObserver* packet_observer_ = nullptr;
  FlitObserver* flit_observer_ = nullptr;
  bool observed_promptly_ = false;

  std::pmr::deque<Packet> packets_;  // storage with stable addresses, and what of it is free
  std::vector<Packet*> free_packets_;
  std::pmr::deque<Hop> hops_;
  std::vector<Hop*> free_hops_;
  std::vector<int> dirty_nics_;
  std::vector<int> dirty_switches_;
  std::vector<char> nic_is_dirty_;
  std::vector<char> switch_is_dirty_;
  std::vector<Hop*> fronts_;                       // headers at software routers and in-transit NICs, this instant
  bool serves_fronts_ = false;                     // serve_fronts() is at them
  std::vector<int> full_pools_;                    // NICs whose pool has had slots freed, or a newcomer
  std::vector<topologies::Candidate> candidates_;  // of the request under way ...
  std::vector<Option> options_;                    // ... and as outputs
  std::vector<Grant> grants_;
  std::vector<Hop*> awaited_;

  std::uint32_t admitted_ = 0;
  std::uint64_t next_packet_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t corrupt_ = 0;
  std::uint64_t retries_ = 0;
  std::uint64_t progress_ = 0;
  std::pair<std::int64_t, std::uint64_t> caught_up_{-1, 0};  // the instant, and the number of events before it
};

}  // namespace sanvp::net
