/// The worm fidelity: only what changes is computed. When a header gets an output, everything that follows from it is
/// known at once: the flits of its worm up to the buffer slots that are known to be free, the flits behind them that
/// now find slots, and so on back to the source. So a packet costs two events per hop (request, release), whatever its
/// length.
///
/// For every VC: t(k) = max( t(k-1)+T, arrival(k), slot(k) ), with arrival from the VC before, slot from the FIFO
/// behind; all as runs. What depends on a grant that has not been given is simply not known yet; `extend` takes it up
/// again when it is.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <deque>
#include <span>
#include <vector>

#include "models/net/flow.hpp"
#include "models/net/worm/planning.hpp"
#include "models/net/worm/virtual_channel.hpp"

namespace sanvp::net::worm {

class WormFlow final : public Flow, private EventHandler {
 public:
  WormFlow(const Wiring& wiring, const std::vector<int>& first_vc, EventQueue& queue, Network& network,
           std::pmr::memory_resource& memory);

  void fetch(int channel, int vc) const override;
  void start(Hop& hop, std::int64_t earliest_ps) override;
  void drain(Hop& hop) override;
  void acknowledge(Hop& source) override;
  void forget(Hop& hop) override;
  bool transmit() override;
  bool is_quiet() const override { return looks_ == 0; }
  bool is_idle(int channel) const override;
  void expect_times(const Wiring& other) override;
  void adopt_times(const Wiring& wiring, int channel) override;
  std::int64_t buffered(int vc) const override;
  Started started(const Hop& hop) const override;
  const Hop* before(const Hop& hop) const override {
    return hop.flow.ahead != nullptr && hop.flow.ahead->flow.tail_left_ps < 0 ? hop.flow.ahead : nullptr;
  }

 private:
  /// A channel, as far as its VCs have to share it.
  struct alignas(cache_line) Channel {
    int first_vc = 0;
    std::int16_t vcs = 1;
    std::uint16_t unseen = 0;         ///< VCs of which nothing was known when turns were planned, a bit each
    std::uint16_t silent = 0;         ///< of these, VCs that planning does not wait for
    std::int16_t served = 0;          ///< virtual channel that has the last turn planned
    int tokens_of = -1;               ///< channel whose credits come as tokens on this one, or -1
    bool mixes_with_tokens = false;   ///< one VC takes turns with tokens for one
    std::int64_t token_ps = 0;        ///< time that one token takes
    std::int64_t look_at_ps = -1;     ///< when turns are planned next, or -1
    std::int64_t over_ps = long_ago;  ///< all turns that are planned are over
  };
  static_assert(sizeof(Channel) == cache_line);

  // times.cpp
  bool is_settled(const VirtualChannel& vc) const;
  void share_rules(int channel, const VcRules& rules);

  // circuit.cpp
  bool plan_eop(VirtualChannel& vc, Hop& hop);

  // rounds.cpp
  static const Hop* hop_in(const VirtualChannel& vc, std::int64_t slot);
  static std::int64_t flit_of_slot(const Hop& hop, const Hop& down, std::int64_t slot);
  int rounds_after(const VirtualChannel& vc, std::int64_t n, std::int64_t ps) const;
  int rounds_until_free(const VirtualChannel& vc, std::int64_t slot, std::int64_t ps) const;
  int rounds_until_drained(const VirtualChannel& vc, const Hop& hop, std::int64_t ps) const;
  std::int64_t undecided_ps(int index) const;

  // turns.cpp
  static std::int64_t end_of_turns(const VirtualChannel& vc, const Hop& hop);
  static bool wants_turns(const VirtualChannel& vc) {
    return vc.sending != nullptr && vc.sent.end() < end_of_turns(vc, *vc.sending);
  }
  bool next_ready(const VirtualChannel& vc, Run& ready) const;
  void take_turns(int index);
  void see_newcomers(int index);
  void take_all_turns(int index, VirtualChannel& vc);
  const TurnEnds& turn_ends_of(const VirtualChannel& vc) const {
    return turn_ends_[static_cast<std::size_t>(&vc - vcs_.data())];
  }
  TurnEnds& turn_ends_of(const VirtualChannel& vc) { return turn_ends_[static_cast<std::size_t>(&vc - vcs_.data())]; }
  /// What is known of a channel's VCs when it decides, by virtual channel.
  struct Outlook {
    std::array<Run, most_virtual_channels> ready;             ///< arrived, and with a credit
    std::array<std::int64_t, most_virtual_channels> from_ps;  ///< when the next flit can be sent, as far as is known
    std::int64_t first_ps = 0;                                ///< the earliest of these
    std::uint32_t unknown = 0;  ///< VCs that have taken part and of which nothing is known, a bit each
    bool has_data = false;      ///< some VC has flits to send, whether they are known or not
  };
  void look_at_vcs(const Channel& channel, Outlook& outlook) const;
  int keep_first_round(const Channel& channel, Outlook& outlook, std::int64_t ps) const;
  bool plan_turn(int index);
  bool send_rounds(int index, std::span<const int> among, const Outlook& outlook, std::int64_t ps,
                   std::int64_t next_ps);
  bool send_cycles(int index, const Outlook& outlook, std::int64_t ps, std::int64_t end_ps);
  void send_turn(int index, int vc, const Run& run);
  void record_turn(VirtualChannel& vc, const Hop& hop);
  bool may_run_on(const Hop& hop, std::int64_t period) const;
  void yield_to(int index, int newcomer, std::int64_t ready_ps);
  std::int64_t turns_over(const VirtualChannel& vc, std::int64_t ps) const;
  /// Turns of others may have been planned without, or with other flits of, the hop.
  void unsee(const Hop& hop) {
    channels_[static_cast<std::size_t>(hop.channel)].unseen |= static_cast<std::uint16_t>(1U << hop.vc);
  }
  static std::int64_t first_turn(const VirtualChannel& vc, std::int64_t ps);
  /// A turn that has been planned: of a VC, or of a token.
  struct Turn {
    int vc = -1;         ///< of all; -1: none
    bool token = false;  ///< for flits of that VC, which came the other way
    std::int64_t n = 0;  ///< number of the flit, or of the token
    std::int64_t ps = unknown_ps;
  };
  Turn next_turn(const Channel& channel, std::int64_t ps) const;
  void retract_turns(int index, std::int64_t ps);
  void retract_record(VirtualChannel& vc, const Hop& hop, std::int64_t n);
  void find_last_turn(int index);

  // tokens.cpp
  /// If tokens may come, turns are planned so far ahead: about two batches of a DS link. Further on, many would be
  /// taken back; with less, there are more events.
  static constexpr std::int64_t lookahead_flits = 16;
  /// A call of drain(): the far end took the flits that waited in a VC's FIFO, from buffer slot `first` on.
  struct Drain {
    std::int64_t first = 0;
    std::int64_t ps = 0;
    std::int64_t order = 0;  ///< number of the call, from 1
  };
  /// Tokens for flits of one VC.
  struct Tokens {
    Runs sent;                  ///< start of each, one per batch
    int carrier = -1;           ///< channel on which they travel
    std::vector<Drain> drains;  ///< those whose tokens may not be sent yet
  };
  /// One that is ready, or will be.
  struct Token {
    int vc = -1;
    std::int64_t number = 0;
    std::int64_t ready_ps = unknown_ps;
  };
  /// A step of an instant: the round, and in it the channel that decides; -1: before all channels.
  struct Step {
    int round = 0;
    int channel = -1;
    std::int64_t drain = 0;  ///< before all channels: Drain::order; 0: a flit arrives
    int command = INT_MAX;   ///< virtual channel of an EOP, which goes before tokens and data if a channel is held
    auto operator<=>(const Step&) const = default;
  };
  Token token_of(int vc, std::int64_t number) const;
  Token next_token(const Channel& channel) const;
  void note_drain(const VirtualChannel& vc, const Hop& hop);
  static std::int64_t drain_of(const Tokens& tokens, std::int64_t slot, std::int64_t ps);
  Step step_of(const Token& token) const;
  bool is_before(const Token& a, const Token& b) const;
  bool is_before(const Token& token, std::int64_t ps, const Step& step) const;
  bool expects_tokens(const Channel& channel) const;
  std::int64_t tokens_over(const Channel& channel, std::int64_t ps) const;
  void mix_with_tokens(int index);
  bool is_planned_far(const Channel& channel, const VcRules& rules) const;
  void send_token(int index, const Token& token, std::int64_t ps);
  void yield_to_token(int index, const Token& token);
  void retract_tokens(int index, std::int64_t ps);
  void retract_tokens_of(const VirtualChannel& vc);
  Run credit_by_tokens(const VirtualChannel& vc, std::int64_t n, const Run& supply) const;
  bool forget_tokens_if_past(const VirtualChannel& vc);
  void carry_tokens(int of, int carrier, std::int64_t token_ps);
  void slots_freed(VirtualChannel& vc);
  bool are_tokens_on(const VirtualChannel& vc, int channel) const {
    return vc.rules->tokens && tokens_of(vc).carrier == channel;
  }
  const Tokens& tokens_of(const VirtualChannel& vc) const {
    return tokens_[static_cast<std::size_t>(&vc - vcs_.data())];
  }
  Tokens& tokens_of(const VirtualChannel& vc) { return tokens_[static_cast<std::size_t>(&vc - vcs_.data())]; }

  // replan.cpp
  void replan();
  void extend(VirtualChannel& vc);
  void run_to_tail(Hop& last);
  bool leap(Hop& last);
  bool can_run_on(const Hop& hop, const Hop* down, std::int64_t period) const;
  Fit fit_of_supply(const Hop& hop, const Line& line) const;
  Fit fit_of_slots(const Hop& hop, const Hop* down, const Line& line) const;
  void retract(VirtualChannel& vc, std::int64_t n);
  void retract_flits(VirtualChannel& vc, std::int64_t n);
  void retract_slots(VirtualChannel& vc, std::int64_t n);
  void retract_front(VirtualChannel& vc, Hop& hop);
  void retract_departure(Hop& hop);

  // worm_flow.cpp
  void handle(const Event& event) override;
  void watch(int channel, std::int64_t ps);

  void forget_past(VirtualChannel& vc, const Hop& newest) const;
  void forget_if_past(VirtualChannel& vc);
  bool plan(VirtualChannel& vc, Hop& hop);
  void plan_with_credits(VirtualChannel& vc, const Hop& hop);
  void plan_with_stop_go(VirtualChannel& vc, const Hop& hop);
  bool send_until_stop(VirtualChannel& vc, const Hop& hop, Run run);
  /// What is sent leaves the FIFO before at the same time.
  static void send(VirtualChannel& vc, const Hop& hop, const Run& run) {
    vc.sent.append(run);
    if (hop.flow.leaves != nullptr) hop.flow.leaves->append(run);
  }
  void hand_departures_on(const VirtualChannel& vc, Hop& hop, std::int64_t from);
  static Run arrivals(const VirtualChannel& vc, const Hop& hop, std::int64_t n);
  Run supply(const Hop& hop, std::int64_t k) const;
  Run credit(const VirtualChannel& vc, std::int64_t n, const Run& supply) const;
  void advanced(VirtualChannel& vc, Hop& hop, std::int64_t from);
  void advanced_to_end(VirtualChannel& vc, Hop& hop, std::int64_t from);
  void begin_drain(VirtualChannel& vc, Hop& hop, std::int64_t from_ps);
  void data_drained(const VirtualChannel& vc, Hop& hop);
  void tail_drained(VirtualChannel& vc, Hop& hop);
  void free_slots(VirtualChannel& vc, Hop& hop);
  void free_slots_of_all_branches(VirtualChannel& up_vc, const Hop& up);
  void consumed(Hop& hop, std::int64_t left_ps, std::int64_t over_ps);
  void check_front(VirtualChannel& vc);
  void look_again_at(VirtualChannel& vc) {
    if (vc.sending != nullptr && has_supply(vc)) work_.push_back(&vc);
  }
  /// Whether there is anything that a VC could send, if it has slots.
  bool has_supply(const VirtualChannel& vc) const {
    const Hop& hop = *vc.sending;
    const std::int64_t k = vc.sent.end() - hop.flow.base;
    if (hop.up == nullptr) return k < hop.flow.limit;
    return k < hop.prepend || hop.up->flow.base + k + hop.strip - hop.prepend < vc_of(*hop.up).sent.end();
  }
  /// Whether new supply cannot help a VC, for want of slots.
  static bool is_full(const VirtualChannel& vc) {
    const VcRules& rules = *vc.rules;
    if (rules.stop_go) return vc.free_ps >= vc.signals->binds_ps && vc.freed.end() <= vc.signals->awaited;
    return vc.sent.end() - vc.freed.end() >= rules.buffer && !rules.unbounded_sink;
  }

  // ahead.cpp
  /// Whether the hop is one of a worm of which only the header is planned as yet.
  static bool is_ahead(const Hop& hop) { return hop.flow.limit < hop.data_length; }
  void go_ahead(Hop& hop);
  bool may_go_ahead(const Hop& hop) const;
  void follow(Hop& last);
  bool plan_back_from(Hop& last);
  bool plan_whole(VirtualChannel& vc, Hop& hop);
  bool is_supplied(const Hop& hop) const;
  void catch_up(Hop& last);
  static void go_on(VirtualChannel& vc, Hop& hop);

  VirtualChannel& vc_of(const Hop& hop) { return vcs_[static_cast<std::size_t>(hop.vc_index)]; }
  const VirtualChannel& vc_of(const Hop& hop) const { return vcs_[static_cast<std::size_t>(hop.vc_index)]; }

  std::int64_t decided_ps_ = -1;  // the latest instant in which channels have had their turn ...
  std::vector<int> decides_;      // ... and channels that decide again in it
  std::deque<VcRules> rules_;     // each kind once
  std::int64_t most_held_ = 0;    // flits that a VC can hold at most, on their way to its FIFO included
  bool any_turns_ = false;        // plans are taken back somewhere
  std::pmr::vector<VirtualChannel> vcs_;
  std::pmr::vector<Channel> channels_;
  std::pmr::vector<TurnEnds> turn_ends_;   // by VC; empty if none takes turns
  std::pmr::vector<StopGoState> signals_;  // by VC; empty if none is under STOP/GO
  std::pmr::vector<Tokens> tokens_;        // by VC; empty if no credits come as tokens
  std::int64_t drains_ = 0;                // calls of drain() so far (Drain::order)
  std::size_t looks_ = 0;                  // pending events at which channels are looked at again
  std::vector<VirtualChannel*> work_;      // VCs that may be planned further
  std::vector<int> carriers_;              // channels on which tokens may be
  std::vector<Hop*> arriving_;             // hops that have just begun to be drained
  std::vector<Hop*> chain_;                // the worm under leap() or plan_back_from(), last hop first
  std::vector<std::int64_t> more_;         // flits that each of them can run on
  std::vector<StopGoState> known_;         // of each of their VCs, before plan_back_from()
  EventQueue& queue_;
  Network& network_;
};

}  // namespace sanvp::net::worm
