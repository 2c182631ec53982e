/// The flit fidelity: every flit is simulated, rule by rule as TIMING.md has them. Slow, evidently right: the reference
/// that the worm fidelity is tested against.
#pragma once

#include <deque>
#include <vector>

#include "models/net/flow.hpp"

namespace sanvp::net {

/// How far a hop has come.
struct FlitCounts {
  std::int64_t sent = 0;          ///< flits that have left
  std::int64_t arrived = 0;       ///< flits that are in, or have passed, the FIFO at the far end
  std::int64_t consumed = 0;      ///< flits that have left that FIFO
  std::int64_t sent_ps = -1;      ///< when the last of them left
  std::int64_t data_over_ps = 0;  ///< end of the transmission of its last data flit, once that has left
  bool at_front = false;          ///< its header is at the front of that FIFO ...
  bool announced = false;         ///< ... and the switch has been told
};

namespace flit {

class FlitFlow final : public Flow, private EventHandler {
 public:
  FlitFlow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue, Network& network);

  void start(Hop& hop, std::int64_t earliest_ps) override;
  void drain(Hop& hop) override;
  void acknowledge(Hop& source) override;
  void forget(Hop& hop) override { free_counts_.push_back(hop.flow.flits); }
  bool transmit() override;
  void close_instant() override;
  bool is_quiet() const override { return controls_ == 0; }
  bool is_idle(int channel) const override;
  std::int64_t buffered(int vc) const override;
  Started started(const Hop& hop) const override;
  const Hop* before(const Hop& hop) const override;

 private:
  enum Kind : std::uint16_t { flit_arrives, may_start, credits_arrive, signal_binds, channel_idle, next_header };
  static constexpr Kind first_control = credits_arrive;

  struct VirtualChannel {
    int channel = 0;
    Hop* sender = nullptr;  // owner, until its tail has started
    std::deque<Hop*> fifo;  // hops with flits in the FIFO at the far end, in order of arrival
    std::int64_t occupancy = 0;
    std::int64_t credits = 0;
    std::int64_t front_over_ps = 0;  // end of the transmission of the tail that left last
    std::int64_t slots_owed = 0;     // freed, not yet a full batch
    std::int64_t on_the_way = 0;     // flits that have started, and have not arrived
    std::int64_t settled_ps = -1;    // what is over has no effect from here on: transmissions, credits, signals
    int tokens_waiting = 0;
    bool said_stop = false;  // last signal sent by the receiver
    bool held = false;       // what binds the sender
    bool occupancy_changed = false;
    std::deque<std::int64_t> started_ps;  // flits that may not have arrived ...
    std::deque<std::int64_t> left_ps;     // ... and some that have left, if switches look at queues
    std::int64_t arrived = 0;             // flits before started_ps
    std::int64_t left = 0;                // flits before left_ps
  };
  struct Channel {
    std::int64_t busy_until_ps = 0;
    int last_served = -1;    // virtual channel
    std::deque<int> tokens;  // VCs of the reverse direction whose sender a waiting token gives a batch to
    bool dirty = false;
  };

  void handle(const Event& event) override;
  void schedule_control(const Event& event) {
    ++controls_;
    queue_.schedule_background(event);
  }
  void wake(int channel);
  bool send_next(int index);
  bool can_send(const Hop& hop) const;
  bool send_command(int index);
  void send_flit(int index, Hop& hop);
  void send_signal(int index, bool stop);
  void note(std::deque<std::int64_t>& instants_ps, std::int64_t& before, std::int64_t past_ps) const;
  void send_token(int index);
  void tell_credits(int index, Time usable);
  void take_from_fifo(Hop& up);
  void free_slot(int index);
  void arrive(Hop& hop);
  void consume_arrived(Hop& hop);
  void announce_header(int index);
  std::int64_t ready(const Hop& hop) const;

  const std::vector<int>& first_vc_;
  EventQueue& queue_;
  Network& network_;
  std::deque<FlitCounts> counts_;  // storage with stable addresses, and what of it is free
  std::vector<FlitCounts*> free_counts_;
  std::vector<VirtualChannel> vcs_;
  std::vector<Channel> channels_;
  std::vector<int> dirty_channels_;
  std::vector<int> changed_vcs_;
  std::size_t controls_ = 0;  // pending events of flow control
};

}  // namespace flit
}  // namespace sanvp::net
