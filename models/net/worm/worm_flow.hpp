/// The worm fidelity: only what changes is computed. When a header gets an output, everything that follows from it is
/// known at once: the flits of its worm up to the buffer slots that are known to be free, the flits behind them that
/// now find slots, and so on back to the source. So a packet costs two events per hop (request, release), whatever its
/// length.
///
/// For every lane: t(k) = max( t(k-1)+T, arrival(k), slot(k) ), with arrival from the lane before, slot from the FIFO
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
#include "models/net/worm/planning.hpp"

namespace sanvp::net::worm {

class WormFlow final : public Flow, private EventHandler {
 public:
  WormFlow(const Wiring& wiring, const std::vector<int>& first_lane, EventQueue& queue, Network& network,
           std::pmr::memory_resource& memory);

  void fetch(int channel, int lane) const override;
  void start(Hop& hop, std::int64_t earliest_ps) override;
  void drain(Hop& hop) override;
  void acknowledge(Hop& source) override;
  void forget(Hop& hop) override;
  bool transmit() override;
  const Hop* before(const Hop& hop) const override {
    return hop.flow.ahead != nullptr && hop.flow.ahead->flow.tail_left_ps < 0 ? hop.flow.ahead : nullptr;
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
  bool plan_eop(Lane& lane, Hop& hop);

  // turns.cpp
  static constexpr int most_virtual_channels = 16;  // Wiring::validate
  bool next_ready(const Lane& lane, Run& ready) const;
  int rounds_after(const Lane& lane, std::int64_t n, std::int64_t ps) const;
  int rounds_until_free(const Lane& lane, std::int64_t slot, std::int64_t ps) const;
  int rounds_until_drained(const Lane& lane, const Hop& hop, std::int64_t ps) const;
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
  void record_turn(Lane& lane, const Hop& hop);
  bool may_run_on(const Hop& hop, std::int64_t period) const;
  void yield_to(int index, int newcomer, std::int64_t ready_ps);
  static std::int64_t turns_over(const Lane& lane, std::int64_t ps);
  /// Turns of others may have been planned without, or with other flits of, the hop.
  void unsee(const Hop& hop) {
    channels_[static_cast<std::size_t>(hop.channel)].unseen |= static_cast<std::uint16_t>(1U << hop.vc);
  }
  static std::int64_t first_turn(const Lane& lane, std::int64_t ps);
  void retract_turns(int index, std::int64_t ps);
  void retract_record(Lane& lane, const Hop& hop, std::int64_t n);

  // tokens.cpp
  bool is_sending(const Lane& lane, std::int64_t& begins_ps, std::int64_t& ends_ps) const;
  bool has_company(const Hop& hop) const;
  static std::int64_t token_share(const Channel& channel, const Lane& other);
  std::int64_t effective_interval(int index, const Lane* newcomer) const;
  void share(int index);

  // replan.cpp
  void replan();
  void extend(Lane& lane);
  void run_to_tail(Hop& last);
  bool leap(Hop& last);
  bool can_run_on(const Hop& hop, const Hop* down, std::int64_t period) const;
  Fit fit_of_supply(const Hop& hop, const Line& line) const;
  Fit fit_of_slots(const Hop& hop, const Hop* down, const Line& line) const;
  void retract(Lane& lane, std::int64_t n);
  void retract_flits(Lane& lane, std::int64_t n);
  void retract_slots(Lane& lane, std::int64_t n);
  void retract_front(Lane& lane, Hop& hop);
  void retract_departure(Hop& hop);

  // worm_flow.cpp
  void handle(const Event& event) override;
  void watch(int channel, std::int64_t ps);

  void forget_past(Lane& lane, const Hop& newest) const;
  void forget_if_past(Lane& lane) const;
  bool plan(Lane& lane, Hop& hop);
  void plan_with_credits(Lane& lane, const Hop& hop);
  void plan_with_stop_go(Lane& lane, const Hop& hop);
  bool send_until_stop(Lane& lane, const Hop& hop, Run run);
  /// What is sent leaves the FIFO before at the same time.
  static void send(Lane& lane, const Hop& hop, const Run& run) {
    lane.sent.append(run);
    if (hop.flow.leaves != nullptr) hop.flow.leaves->append(run);
  }
  void hand_departures_on(const Lane& lane, Hop& hop, std::int64_t from);
  static Run arrivals(const Lane& lane, const Hop& hop, std::int64_t n);
  Run supply(const Hop& hop, std::int64_t k) const;
  Run credit(const Lane& lane, std::int64_t n, const Run& supply) const;
  void advanced(Lane& lane, Hop& hop, std::int64_t from);
  void advanced_to_end(Lane& lane, Hop& hop, std::int64_t from);
  void begin_drain(Lane& lane, Hop& hop, std::int64_t from_ps);
  void data_drained(const Lane& lane, Hop& hop);
  void tail_drained(Lane& lane, Hop& hop);
  void free_slots(Lane& lane, Hop& hop);
  void free_slots_of_all_branches(Lane& up_lane, const Hop& up);
  void consumed(Hop& hop, std::int64_t left_ps, std::int64_t over_ps);
  void check_front(Lane& lane);
  void look_again_at(Lane& lane) {
    if (lane.sending != nullptr && has_supply(lane)) work_.push_back(&lane);
  }
  /// Whether there is anything that a lane could send, if it has slots.
  bool has_supply(const Lane& lane) const {
    const Hop& hop = *lane.sending;
    const std::int64_t k = lane.sent.end() - hop.flow.base;
    if (hop.up == nullptr) return k < hop.flow.limit;
    return k < hop.prepend || hop.up->flow.base + k + hop.strip - hop.prepend < lane_of(*hop.up).sent.end();
  }
  /// Whether new supply cannot help a lane, for want of slots.
  static bool is_full(const Lane& lane) {
    const LaneRules& rules = *lane.rules;
    if (rules.stop_go) return lane.free_ps >= lane.signals.binds_ps && lane.freed.end() <= lane.signals.awaited;
    return lane.sent.end() - lane.freed.end() >= rules.buffer && !rules.unbounded_sink;
  }

  // ahead.cpp
  /// Whether the hop is one of a worm of which only the header is planned as yet.
  static bool is_ahead(const Hop& hop) { return hop.flow.limit < hop.data_length; }
  void go_ahead(Hop& hop);
  bool may_go_ahead(const Hop& hop) const;
  void follow(Hop& last);
  bool plan_back_from(Hop& last);
  bool plan_whole(Lane& lane, Hop& hop);
  bool is_supplied(const Hop& hop) const;
  void catch_up(Hop& last);
  static void go_on(Lane& lane, Hop& hop);

  Lane& lane_of(const Hop& hop) { return lanes_[static_cast<std::size_t>(hop.lane)]; }
  const Lane& lane_of(const Hop& hop) const { return lanes_[static_cast<std::size_t>(hop.lane)]; }

  std::int64_t decided_ps_ = -1;  // the latest instant in which channels have had their turn ...
  std::vector<int> decides_;      // ... and channels that decide again in it
  std::deque<LaneRules> rules_;   // each kind once
  std::int64_t most_held_ = 0;    // flits that a lane can hold at most, on their way to its FIFO included
  bool any_shared_ = false;       // plans are taken back somewhere ...
  bool any_tokens_ = false;       // ... and made again at another interval: the full history stays, for re-planning
  std::pmr::vector<Lane> lanes_;
  std::pmr::vector<Channel> channels_;
  std::vector<Lane*> work_;         // lanes that may be planned further
  std::vector<Hop*> arriving_;      // hops that have just begun to be drained
  std::vector<Hop*> chain_;         // the worm under leap() or plan_back_from(), last hop first
  std::vector<std::int64_t> more_;  // flits that each of them can run on
  std::vector<StopGoState> known_;  // of each of their lanes, before plan_back_from()
  EventQueue& queue_;
  Network& network_;
};

}  // namespace sanvp::net::worm
