/// The worm fidelity: only what changes is computed. When a header gets an output, everything that follows from it is
/// known at once and for good: the flits of its worm up to the places that are known to be free, the flits behind them
/// that now find room, and so on back to the source. So a packet costs two events per hop (request, release),
/// whatever its length.
///
/// For every lane: t(k) = max( t(k-1)+T, arrival(k), place(k) ), with arrival from the lane before, place from the FIFO
/// behind; all as runs. What depends on a grant that has not been given is simply not known yet; `extend` takes it up
/// again when it is.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <vector>

#include "models/net/flow.hpp"
#include "models/net/worm/lane.hpp"

namespace sanvp::net::worm {

class WormFlow final : public Flow, private EventHandler {
 public:
  WormFlow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue, FlowListener& listener,
           std::pmr::memory_resource& memory);

  void fetch(int channel, int lane) const override;
  void start(Leg& leg, std::int64_t earliest_ps) override;
  void drain(Leg& leg) override;
  void acknowledge(Leg& source) override;
  void forget(Leg& leg) override;
  bool transmit() override;
  const Leg* before(const Leg& leg) const override {
    return leg.ahead != nullptr && leg.ahead->tail_left_ps < 0 ? leg.ahead : nullptr;
  }

 private:
  /// A channel, as far as its lanes have to share it.
  struct alignas(cache_line) Channel {
    int first_lane = 0;
    std::int16_t lanes = 1;
    std::uint16_t unseen = 0;                 ///< lanes of which nothing was known when turns were planned, a bit each
    int tokens_of = -1;                       ///< channel whose credits come as tokens on this one, or -1
    int tokens_on = -1;                       ///< channel that carries this one's credits as tokens, or -1
    std::int64_t token_share_ps = 0;          ///< time that tokens take per flit of `tokens_of`
    std::int64_t look_at_ps = -1;             ///< when the sharing is looked at next, or -1
    std::int32_t planned_last = -1;           ///< the lane of which flits were planned last ...
    std::int16_t served = 0;                  ///< where lanes take turns: virtual channel that has the last one planned
    std::uint16_t silent = 0;                 ///< of these, lanes that planning does not wait for
    std::int64_t planned_last_ps = long_ago;  ///< ... and when the last of them starts
    union {
      std::int64_t last_of_others_ps = long_ago;
      std::int64_t over_ps;  ///< where lanes take turns: all that are planned are over
    };

    /// The last flit of all lanes but this one starts then or before: what has been taken back counts, too.
    std::int64_t company_until_ps(int lane) const {
      return lane == planned_last ? last_of_others_ps : std::max(planned_last_ps, last_of_others_ps);
    }
    /// Whenever flits of a lane that shares the channel have been planned. @param ps  start of its last one
    void note(int lane, std::int64_t ps) {
      if (lane != planned_last) last_of_others_ps = std::max(last_of_others_ps, planned_last_ps);
      planned_last = lane;
      planned_last_ps = ps;
    }
  };
  static_assert(sizeof(Channel) == cache_line);

  // circuit.cpp
  bool plan_eop(Lane& lane, Leg& leg);

  // turns.cpp
  static constexpr int most_virtual_channels = 16;  // Wiring::validate
  bool next_ready(const Lane& lane, Run& ready) const;
  int rounds_after(const Lane& lane, std::int64_t n, std::int64_t ps) const;
  int rounds_until_free(const Lane& lane, std::int64_t place, std::int64_t ps) const;
  int rounds_until_drained(const Lane& lane, const Leg& leg, std::int64_t ps) const;
  std::int64_t undecided_ps(int index) const;
  void take_turns(int index);
  void take_all_turns(int index, Lane& lane);
  /// What is known of a channel's lanes when it decides, by virtual channel.
  struct Outlook {
    std::array<Run, most_virtual_channels> ready;             ///< arrived, and with a credit
    std::array<std::int64_t, most_virtual_channels> from_ps;  ///< when the next flit can be sent, as far as is known
    std::int64_t first_ps = 0;                                ///< the earliest of these
    std::uint32_t unknown = 0;  ///< lanes that have taken part and of which nothing is known, a bit each
  };
  void look_at_lanes(const Channel& channel, Outlook& outlook) const;
  void keep_first_round(const Channel& channel, Outlook& outlook, std::int64_t ps) const;
  bool plan_turn(int index);
  bool send_rounds(int index, std::span<const int> among, const Outlook& outlook, std::int64_t ps,
                   std::int64_t next_ps);
  bool send_cycles(int index, const Outlook& outlook, std::int64_t ps);
  void send_turn(int index, int vc, const Run& run);
  void has_turn_until(Lane& lane, const Leg& leg);
  bool may_run_on(const Leg& leg, std::int64_t period) const;
  void make_way(int index, int newcomer, std::int64_t ready_ps);
  static std::int64_t turns_over(const Lane& lane, std::int64_t ps);
  /// Turns of others may have been planned without, or with other flits of, the leg.
  void unsee(const Leg& leg) {
    channels_[static_cast<std::size_t>(leg.channel)].unseen |= static_cast<std::uint16_t>(1U << leg.vc);
  }
  static std::int64_t first_turn(const Lane& lane, std::int64_t ps);
  void cut_turns(int index, std::int64_t ps);
  void had_turns_until(Lane& lane, const Leg& leg, std::int64_t n);

  // sharing.cpp
  void handle(const Event& event) override;
  void watch(int channel, std::int64_t ps);
  bool is_sending(const Lane& lane, std::int64_t& begins_ps, std::int64_t& ends_ps) const;
  bool has_company(const Leg& leg) const;
  static std::int64_t token_share(const Channel& channel, const Lane& other);
  std::int64_t pace(int index, const Lane* newcomer) const;
  void share(int index);
  void cut(Lane& lane, std::int64_t n);
  void take_back(Lane& lane, std::int64_t n);
  void cut_places(Lane& lane, std::int64_t n);
  void not_at_front(Lane& lane, Leg& leg);
  void not_through(Leg& leg);

  void forget_past(Lane& lane, const Leg& newest) const;
  void forget_if_past(Lane& lane) const;
  void extend(Lane& lane);
  bool plan(Lane& lane, Leg& leg);
  void plan_with_credits(Lane& lane, const Leg& leg);
  void plan_with_stop_go(Lane& lane, const Leg& leg);
  bool send_until_stop(Lane& lane, const Leg& leg, Run run);
  /// What is sent leaves the FIFO before at the same time.
  static void send(Lane& lane, const Leg& leg, const Run& run) {
    lane.sent.append(run);
    if (leg.leaves != nullptr) leg.leaves->append(run);
  }
  void hand_departures_on(const Lane& lane, Leg& leg, std::int64_t from);
  static Run arrivals(const Lane& lane, const Leg& leg, std::int64_t n);
  Run supply(const Leg& leg, std::int64_t k) const;
  Run credit(const Lane& lane, std::int64_t n, const Run& supply) const;
  void advanced(Lane& lane, Leg& leg, std::int64_t from);
  void advanced_to_end(Lane& lane, Leg& leg, std::int64_t from);
  void begin_drain(Lane& lane, Leg& leg, std::int64_t from_ps);
  void data_drained(const Lane& lane, Leg& leg);
  void tail_drained(Lane& lane, Leg& leg);
  void free_places(Lane& lane, Leg& leg);
  void free_places_of_all_branches(Lane& up_lane, const Leg& up);
  void consumed(Leg& leg, std::int64_t left_ps, std::int64_t over_ps);
  void check_front(Lane& lane);
  void look_again_at(Lane& lane) {
    if (lane.sending != nullptr && has_supply(lane)) work_.push_back(&lane);
  }
  /// Whether there is anything that a lane could send, if it has places.
  bool has_supply(const Lane& lane) const {
    const Leg& leg = *lane.sending;
    const std::int64_t k = lane.sent.end() - leg.base;
    if (leg.up == nullptr) return k < leg.limit;
    return k < leg.prepend || leg.up->base + k + leg.strip - leg.prepend < lane_of(*leg.up).sent.end();
  }
  /// Whether new supply cannot help a lane, for want of places.
  static bool is_full(const Lane& lane) {
    const LaneRules& rules = *lane.rules;
    if (rules.stop_go) return lane.free_ps >= lane.signals.binds_ps && lane.freed.end() <= lane.signals.awaited;
    return lane.sent.end() - lane.freed.end() >= rules.buffer && !rules.roomy;
  }
  void spread();

  // ahead.cpp
  /// Whether the leg is one of a worm of which only the header is planned as yet.
  static bool is_ahead(const Leg& leg) { return leg.limit < leg.data_length; }
  void go_ahead(Leg& leg);
  bool may_go_ahead(const Leg& leg) const;
  void follow(Leg& last);
  bool plan_back_from(Leg& last);
  bool plan_whole(Lane& lane, Leg& leg);
  bool is_supplied(const Leg& leg) const;
  void catch_up(Leg& last);
  static void go_on(Lane& lane, Leg& leg);

  // jump.cpp
  void rush(Leg& last);
  bool jump(Leg& last);
  bool can_run_on(const Leg& leg, const Leg* down, std::int64_t period, std::int64_t& more) const;
  Lane& lane_of(const Leg& leg) { return lanes_[static_cast<std::size_t>(leg.lane)]; }
  const Lane& lane_of(const Leg& leg) const { return lanes_[static_cast<std::size_t>(leg.lane)]; }

  std::int64_t decided_ps_ = -1;  // the latest instant in which channels have had their turn ...
  std::vector<int> decides_;      // ... and channels that decide again in it
  std::deque<LaneRules> rules_;   // each kind once
  std::int64_t most_held_ = 0;    // flits that a lane can hold at most, on their way to its FIFO included
  bool any_shared_ = false;       // plans are taken back somewhere ...
  bool any_paced_ = false;        // ... and planned anew at another pace: then their form counts, not only their times
  std::pmr::vector<Lane> lanes_;
  std::pmr::vector<Channel> channels_;
  std::vector<Lane*> work_;         // lanes whose constraints have become better known
  std::vector<Leg*> arriving_;      // legs that have just begun to be drained
  std::vector<Leg*> chain_;         // the worm under jump() or plan_back_from(), last leg first
  std::vector<std::int64_t> more_;  // flits that each of them can run on
  std::vector<StopGoState> known_;  // of each of their lanes, before plan_back_from()
  EventQueue& queue_;
  FlowListener& listener_;
};

}  // namespace sanvp::net::worm
