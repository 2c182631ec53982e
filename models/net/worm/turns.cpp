/// Channels that several virtual channels send on by turns, decided flit by flit as TIMING.md says and planned as runs.
///
/// A channel decides whenever it is free and a VC has a flit and a credit for it. All that is known of its VCs is
/// planned at once: one VC's flits while no other VC can send, or those of several VCs that alternate. Planning
/// stops where the next flit of a VC that has taken part is not known yet; when that instant comes and it still is
/// not, the VC counts as silent, and the others are planned without it. When more becomes known of a silent VC,
/// the turns that it conflicts with are taken back and planned again. So every decision in the past was made with all
/// that mattered for it.

#include <algorithm>
#include <array>
#include <climits>
#include <span>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

/// Flits of the hop that take turns: all; if a virtual channel holds the channel, all but the EOP, which is a command.
std::int64_t WormFlow::end_of_turns(const VirtualChannel& vc, const Hop& hop) {
  return hop.flow.base +
         (vc.rules->hold ? std::min(hop.data_length, static_cast<std::int32_t>(hop.flow.limit)) : hop.flow.limit);
}

/// When the VC's next flits have arrived and have credits. @return false if it is not known
bool WormFlow::next_ready(const VirtualChannel& vc, Run& ready) const {
  const Hop& hop = *vc.sending;
  const std::int64_t n = vc.sent.end();
  const Run supplied = supply(hop, n - hop.flow.base);
  if (supplied.count <= 0) return false;
  const Run credited = credit(vc, n, supplied);
  if (credited.count <= 0) return false;
  ready = later_of(supplied, credited);
  ready.count = std::min(ready.count, end_of_turns(vc, hop) - n);
  return true;
}

/// More is known of the channel's VCs: plans their turns as far as possible.
void WormFlow::take_turns(int index) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  if (channel.mixes_with_tokens) return mix_with_tokens(index);
  see_newcomers(index);
  const Token token = next_token(channel);
  if (token.ready_ps < channel.over_ps) yield_to_token(index, token);
  int wanting = 0;
  VirtualChannel* only = nullptr;
  for (int number = 0; number < channel.vcs; ++number)
    if (VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)]; wants_turns(vc)) {
      ++wanting;
      only = &vc;
    }
  if (wanting == 0 && token.vc < 0) return;
  if (wanting == 1 && !expects_tokens(channel)) return take_all_turns(index, *only);
  std::array<std::int64_t, most_virtual_channels> before;
  for (int number = 0; number < channel.vcs; ++number)
    before[static_cast<std::size_t>(number)] = vcs_[static_cast<std::size_t>(channel.first_vc + number)].sent.end();
  while (plan_turn(index)) {
  }
  for (int number = 0; number < channel.vcs; ++number) {
    VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)];
    if (const std::int64_t from = before[static_cast<std::size_t>(number)]; vc.sent.end() > from)
      advanced(vc, *vc.sending, from);
  }
}

/// More is known of VCs that turns were planned without: takes back the turns that they come before.
void WormFlow::see_newcomers(int index) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  for (int number = 0; channel.unseen != 0 && number < channel.vcs; ++number) {
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)];
    Run ready;
    if ((channel.unseen >> number & 1U) == 0 || !wants_turns(vc) || !next_ready(vc, ready)) continue;
    channel.unseen &= static_cast<std::uint16_t>(~(1U << number));
    channel.silent &= static_cast<std::uint16_t>(~(1U << number));
    const std::int64_t from_ps = std::max({vc.free_ps, ready.ps, undecided_ps(index)});
    if (from_ps < channel.over_ps) yield_to(index, number, from_ps);
  }
}

/// The same if no other VC has anything to send.
void WormFlow::take_all_turns(int index, VirtualChannel& vc) {
  const std::int64_t from = vc.sent.end();
  Hop& hop = *vc.sending;
  std::int64_t free_ps = std::max(channels_[static_cast<std::size_t>(index)].over_ps, queue_.now_ps());
  Run ready;
  while (wants_turns(vc) && next_ready(vc, ready)) {
    free_ps = std::max(free_ps, vc.free_ps);
    if (free_ps == decided_ps_) decides_.push_back(index);
    const Run run = first_run(free_ps, vc.rules->flit_ps, ready);
    send(vc, hop, run);
    vc.free_ps = run.last() + vc.rules->flit_ps;
  }
  if (vc.sent.end() == from) return;
  record_turn(vc, hop);
  advanced(vc, hop, from);
}

/// What is known of the next flits of the channel's VCs.
void WormFlow::look_at_vcs(const Channel& channel, Outlook& outlook) const {
  outlook.first_ps = unknown_ps;
  outlook.unknown = 0;
  outlook.has_data = false;
  for (int number = 0; number < channel.vcs; ++number) {
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)];
    const auto i = static_cast<std::size_t>(number);
    outlook.from_ps[i] = unknown_ps;
    if (!wants_turns(vc)) continue;
    outlook.has_data = true;
    if (next_ready(vc, outlook.ready[i])) {
      outlook.from_ps[i] = std::max(vc.free_ps, outlook.ready[i].ps);
      outlook.first_ps = std::min(outlook.first_ps, outlook.from_ps[i]);
    } else {
      outlook.unknown |= (1U << number) & ~std::uint32_t{channel.silent};
    }
  }
}

/// Keeps only those of the VCs that can send at `ps` which belong to the first round of that instant. @return that
/// round
int WormFlow::keep_first_round(const Channel& channel, Outlook& outlook, std::int64_t ps) const {
  std::array<int, most_virtual_channels> rounds{};
  int first = INT_MAX;
  for (int number = 0; number < channel.vcs; ++number) {
    const auto i = static_cast<std::size_t>(number);
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)];
    if (outlook.from_ps[i] > ps) continue;
    if (outlook.from_ps[i] == ps) rounds[i] = rounds_after(vc, vc.sent.end(), ps);
    first = std::min(first, rounds[i]);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(channel.vcs); ++i)
    if (rounds[i] > first) outlook.from_ps[i] = ps + 1;
  return first;
}

/// Plans the next flits of one VC, or of several that alternate. @return false if nothing is to be planned for now
bool WormFlow::plan_turn(int index) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  const VcRules& rules = *vcs_[static_cast<std::size_t>(channel.first_vc)].rules;
  const std::int64_t now_ps = queue_.now_ps();
  Outlook outlook;
  look_at_vcs(channel, outlook);
  const Token token = next_token(channel);
  outlook.first_ps = std::min(outlook.first_ps, token.ready_ps);
  if (outlook.first_ps == unknown_ps) return false;
  const std::int64_t ps = std::max({outlook.first_ps, channel.over_ps, now_ps});
  const bool mixes = outlook.has_data && expects_tokens(channel);
  const std::int64_t horizon_ps = mixes ? now_ps + lookahead_flits * rules.flit_ps : unknown_ps;
  // A token is planned by the time it is ready, however long it waits: later on, hops that step_of() needs may be over.
  if (ps > horizon_ps && token.ready_ps > horizon_ps) {
    watch(index, std::min(ps, token.ready_ps));
    return false;
  }
  const int first_round = rules.reuses_slots_at_once() ? keep_first_round(channel, outlook, ps) : 0;
  // A holder continues without a pause, whatever becomes known of others.
  const std::int64_t holder_from_ps = outlook.from_ps[static_cast<std::size_t>(channel.served)];
  const bool goes_on = (rules.hold && holder_from_ps <= std::max(channel.over_ps, now_ps)) ||
                       is_before(token, channel.over_ps, {0, index});
  if (outlook.unknown != 0 && !goes_on) {
    if (ps > now_ps) {
      watch(index, ps);
      return false;
    }
    channel.silent |= static_cast<std::uint16_t>(outlook.unknown);
    channel.unseen |= static_cast<std::uint16_t>(outlook.unknown);
    outlook.unknown = 0;
  }
  if (ps == decided_ps_) decides_.push_back(index);

  // In turn: those that are ready; and when the first of the others is.
  std::array<int, most_virtual_channels> in_turn{};
  int able = 0;
  std::int64_t next_ps = unknown_ps;
  for (int i = 0; i < channel.vcs; ++i) {
    const int number = (channel.served + (rules.hold ? 0 : 1) + i) % channel.vcs;
    const std::int64_t at_ps = outlook.from_ps[static_cast<std::size_t>(number)];
    if (at_ps <= ps)
      in_turn[static_cast<std::size_t>(able++)] = number;
    else
      next_ps = std::min(next_ps, at_ps);
  }
  if (token.ready_ps <= ps && (able == 0 || is_before(token, ps, {first_round, index}))) {
    send_token(index, token, ps);
    return true;
  }
  // Until a token is ready, and no further ahead than is worth while.
  const std::int64_t end_ps = std::min(std::max(token.ready_ps, ps + 1), horizon_ps);
  const std::span among{in_turn.data(), static_cast<std::size_t>(able)};
  if (!rules.hold && able > 1 && send_rounds(index, among, outlook, ps, std::min(next_ps, end_ps))) return true;
  if (!rules.hold && able < channel.vcs && next_ps != unknown_ps && send_cycles(index, outlook, ps, end_ps))
    return true;
  Run run = first_run(ps, rules.flit_ps, outlook.ready[static_cast<std::size_t>(among[0])]);
  // Another VC gets in where this one pauses; with turns by flit, after any flit.
  if (run.count > 1 && (!rules.hold || rules.reuses_slots_at_once() || run.period > rules.flit_ps)) {
    if (able > 1 || outlook.unknown != 0 || (rules.reuses_slots_at_once() && next_ps != unknown_ps))
      run.count = 1;
    else if (next_ps != unknown_ps)
      run.count = std::min(run.count, (next_ps - ps + run.period - (rules.hold ? 0 : 1)) / run.period);
  }
  if (run.count > 1 && run.last() >= end_ps)
    run.count = std::max<std::int64_t>((end_ps - ps + run.period - 1) / run.period, 1);
  send_turn(index, among[0], run);
  return true;
}

/// Plans rounds, from `ps` on, in which each of the VCs `among` sends one flit, until one of them has none that is
/// ready, or another VC is ready at `next_ps`. Tails are no part of them: they may be shorter.
/// @return false if that is not even one round
bool WormFlow::send_rounds(int index, std::span<const int> among, const Outlook& outlook, std::int64_t ps,
                           std::int64_t next_ps) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  const VcRules& rules = *vcs_[static_cast<std::size_t>(channel.first_vc)].rules;
  if (rules.reuses_slots_at_once()) return false;
  const auto vcs = static_cast<std::int64_t>(among.size());
  const std::int64_t round_ps = vcs * rules.flit_ps;
  std::int64_t rounds = next_ps == unknown_ps ? without_end : (next_ps - ps + rules.flit_ps - 1) / round_ps;
  std::int64_t start_ps = ps;
  for (const int number : among) {
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)];
    const Run& flits = outlook.ready[static_cast<std::size_t>(number)];
    const std::int64_t to_tail = vc.sending->flow.base + vc.sending->length - 1 - vc.sent.end();
    rounds = std::min({rounds, flits.count, to_tail});
    if (rounds <= 0) return false;
    rounds = first_later(flits, {start_ps, round_ps, rounds}, rounds);
    start_ps += rules.flit_ps;
  }
  if (rounds <= 0) return false;
  for (std::int64_t i = 0; i < vcs; ++i)
    send_turn(index, among[static_cast<std::size_t>(i)], {ps + i * rules.flit_ps, round_ps, rounds});
  return true;
}

/// Plans cycles, from `ps` on, in which each VC that can send at all sends one flit: they come at the period of the
/// slowest supply. Two cycles are simulated decision by decision; if the second one repeats the first, so do the
/// others. @return false if there are no such cycles
bool WormFlow::send_cycles(int index, const Outlook& outlook, std::int64_t ps, std::int64_t end_ps) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  const auto vc_at = [&](int number) -> const VirtualChannel& {
    return vcs_[static_cast<std::size_t>(channel.first_vc + number)];
  };
  const std::int64_t flit_ps = vc_at(0).rules->flit_ps;
  if (vc_at(0).rules->reuses_slots_at_once()) return false;
  constexpr std::int64_t least = 3;  // with fewer cycles, single turns are as fast
  std::int64_t cycles = without_end;
  std::int64_t period = 0;
  int vcs = 0;
  for (int number = 0; number < channel.vcs; ++number) {
    const auto i = static_cast<std::size_t>(number);
    if (outlook.from_ps[i] == unknown_ps) continue;
    const VirtualChannel& vc = vc_at(number);
    const std::int64_t to_tail = vc.sending->flow.base + vc.sending->length - 1 - vc.sent.end();
    cycles = std::min({cycles, outlook.ready[i].count, to_tail});
    period = std::max(period, outlook.ready[i].period);
    ++vcs;
  }
  if (period < vcs * flit_ps) return false;
  if (end_ps != unknown_ps) cycles = std::min(cycles, (end_ps - ps) / period);
  if (cycles < least) return false;

  std::array<std::int64_t, most_virtual_channels> from_ps = outlook.from_ps;
  std::array<std::int64_t, most_virtual_channels> sent{};
  std::array<int, most_virtual_channels> order{};
  std::array<std::int64_t, most_virtual_channels> start_ps{};
  int served = channel.served;
  std::int64_t free_ps = ps;
  for (int turn = 0; turn < 2 * vcs; ++turn) {
    const std::int64_t at_ps = std::max(free_ps, *std::min_element(from_ps.begin(), from_ps.begin() + channel.vcs));
    int number = (served + 1) % channel.vcs;
    while (from_ps[static_cast<std::size_t>(number)] > at_ps) number = (number + 1) % channel.vcs;
    const auto i = static_cast<std::size_t>(number);
    const auto position = static_cast<std::size_t>(turn % vcs);
    if (turn < vcs) {
      if (sent[i] > 0) return false;  // it has had its flit of this cycle
      order[position] = number;
      start_ps[position] = at_ps;
    } else if (order[position] != number || start_ps[position] + period != at_ps) {
      return false;
    }
    const Run& ready = outlook.ready[i];
    const std::int64_t ready_ps = ready.at(++sent[i]);
    // A faster supply must be ahead already, so that it does not matter.
    if (ready.period < period && ready_ps > at_ps + flit_ps) return false;
    from_ps[i] = std::max(ready_ps, at_ps + flit_ps);
    free_ps = at_ps + flit_ps;
    served = number;
  }
  // Not the last one: what follows a VC's flit of it may come sooner, and before another VC's.
  for (std::size_t position = 0; position < static_cast<std::size_t>(vcs); ++position)
    send_turn(index, order[position], {start_ps[position], period, cycles - 1});
  return true;
}

void WormFlow::send_turn(int index, int number, const Run& run) {
  VirtualChannel& vc = vcs_[static_cast<std::size_t>(channels_[static_cast<std::size_t>(index)].first_vc + number)];
  send(vc, *vc.sending, run);
  vc.free_ps = run.last() + vc.rules->flit_ps;
  record_turn(vc, *vc.sending);
}

/// Flits of the hop have just been planned on its channel, later than any other.
void WormFlow::record_turn(VirtualChannel& vc, const Hop& hop) {
  const std::int64_t n = vc.sent.end();
  const VcRules& rules = *vc.rules;
  std::int64_t& over_ps = turn_ends_of(vc).over_ps;
  over_ps = vc.sent.last_ps() + (n == hop.flow.base + hop.length ? rules.tail_ps : rules.flit_ps);
  // Behind its own data a circuit keeps the time of its EOP, which may go between the data of others.
  if (rules.hold && n == hop.flow.base + hop.data_length && n < hop.flow.base + hop.length) over_ps += rules.tail_ps;
  Channel& channel = channels_[static_cast<std::size_t>(hop.channel)];
  channel.over_ps = over_ps;
  channel.served = static_cast<std::int16_t>(hop.vc);
}

/// Whether the hop's flits may follow each other at `period` as if it were alone on its channel.
bool WormFlow::may_run_on(const Hop& hop, std::int64_t period) const {
  const Channel& channel = channels_[static_cast<std::size_t>(hop.channel)];
  if (channel.served != hop.vc) return false;
  const VirtualChannel& vc = vc_of(hop);
  if (vc.rules->hold && period == vc.rules->flit_ps && !vc.rules->reuses_slots_at_once()) return true;
  if (expects_tokens(channel)) return false;
  for (int number = 0; number < channel.vcs; ++number)
    if (number != hop.vc && wants_turns(vcs_[static_cast<std::size_t>(channel.first_vc + number)])) return false;
  return true;
}

/// More is known of a VC whose next flit can be sent from `ready_ps` on: takes back what was planned for others from
/// where that one comes in.
void WormFlow::yield_to(int index, int newcomer, std::int64_t ready_ps) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  const auto vc_at = [&](int number) -> const VirtualChannel& {
    return vcs_[static_cast<std::size_t>(channel.first_vc + number)];
  };
  const VirtualChannel& vc = vc_at(newcomer);
  const VcRules& rules = *vc.rules;
  for (std::int64_t ps = ready_ps;;) {
    // The next turn, and the one before it.
    const Turn turn = next_turn(channel, ps);
    if (turn.vc < 0) return;
    const std::int64_t turn_ps = turn.ps;
    int before = channel.vcs - 1;
    std::int64_t over_ps = tokens_over(channel, turn_ps);
    std::int64_t vcs_over_ps = long_ago;
    for (int other = 0; other < channel.vcs; ++other)
      if (const std::int64_t at_ps = turns_over(vc_at(other), turn_ps); at_ps > vcs_over_ps) {
        before = other;
        vcs_over_ps = at_ps;
      }
    over_ps = std::max(over_ps, vcs_over_ps);
    if (std::max(ready_ps, over_ps) < turn_ps) return retract_turns(index, turn_ps);
    const int own_rounds = ready_ps == turn_ps ? rounds_after(vc, vc.sent.end(), turn_ps) : 0;
    if (turn.token) {
      if (!is_before(token_of(turn.vc, turn.n), turn_ps, {own_rounds, index})) return retract_turns(index, turn_ps);
      ps = turn_ps + 1;
      continue;
    }
    const int number = turn.vc - channel.first_vc;
    const std::int64_t n = turn.n;
    if (rules.hold && number == before && !rules.reuses_slots_at_once()) {  // an unbroken stream continues
      const Hop& hop = *vc_at(number).newest;
      const Run run = vc_at(number).sent.search(n);
      const std::int64_t together = std::min(run.count, hop.flow.base + hop.data_length - n);
      ps = (run.period == rules.flit_ps ? run.at(together - 1) : run.ps) + 1;
      continue;
    }
    const auto rank = [&](int of) { return (of - before - (rules.hold ? 0 : 1) + 2 * channel.vcs) % channel.vcs; };
    const int rounds = rounds_after(vc_at(number), n, turn_ps);
    if (own_rounds < rounds || (own_rounds == rounds && rank(newcomer) < rank(number)))
      return retract_turns(index, turn_ps);
    ps = turn_ps + 1;
  }
}

/// The next turn of any VC, or token, that begins at `ps` or later.
WormFlow::Turn WormFlow::next_turn(const Channel& channel, std::int64_t ps) const {
  Turn next;
  const auto look_at = [&](const Turn& turn) {
    if (turn.ps < next.ps) next = turn;
  };
  for (int l = channel.first_vc; l < channel.first_vc + channel.vcs; ++l) {
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(l)];
    if (const std::int64_t n = first_turn(vc, ps); n >= 0)
      look_at({.vc = l, .token = false, .n = n, .ps = vc.sent.search(n).ps});
  }
  if (channel.tokens_of < 0) return next;
  const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
  for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l) {
    const Runs& sent = tokens_[static_cast<std::size_t>(l)].sent;
    if (sent.last_ps() < ps) continue;
    const std::int64_t n = sent.first_after(ps - 1);
    look_at({.vc = l, .token = true, .n = n, .ps = sent.search(n).ps});
  }
  return next;
}

/// When the VC's turns that begin before `ps` are over.
std::int64_t WormFlow::turns_over(const VirtualChannel& vc, std::int64_t ps) const {
  const std::int64_t n = first_turn(vc, ps);
  const TurnEnds& ends = turn_ends_of(vc);
  if (n < 0) return ends.over_ps;
  return n > vc.newest->flow.base ? vc.sent.search(n - 1).ps + vc.rules->flit_ps : ends.before_over_ps;
}

/// Number of the VC's first flit that takes its turn at `ps` or later, or -1.
std::int64_t WormFlow::first_turn(const VirtualChannel& vc, std::int64_t ps) {
  if (vc.sent.last_ps() < ps || vc.newest == nullptr) return -1;
  const std::int64_t n = vc.sent.first_after(ps - 1);
  const Hop& hop = *vc.newest;
  const std::int64_t end = std::min(vc.sent.end(), hop.flow.base + (vc.rules->hold ? hop.data_length : hop.length));
  return n < hop.flow.base || n >= end ? -1 : n;
}

/// Takes back all turns from `ps` on.
void WormFlow::retract_turns(int index, std::int64_t ps) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  for (int number = 0; number < channel.vcs; ++number) {
    VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc + number)];
    if (const std::int64_t n = first_turn(vc, ps); n >= 0) retract_flits(vc, n);
  }
  retract_tokens(index, ps);
}

/// The VC has been planned up to before flit n only.
void WormFlow::retract_record(VirtualChannel& vc, const Hop& hop, std::int64_t n) {
  if (vc.rules->hold && n == hop.flow.base + hop.data_length) return;
  TurnEnds& ends = turn_ends_of(vc);
  ends.over_ps = n > hop.flow.base ? vc.sent.last_ps() + vc.rules->flit_ps : ends.before_over_ps;
  find_last_turn(hop.channel);
}

void WormFlow::find_last_turn(int index) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  channel.over_ps = long_ago;
  channel.served = static_cast<std::int16_t>(channel.vcs - 1);
  for (int number = 0; number < channel.vcs; ++number) {
    const std::int64_t over_ps = turn_ends_[static_cast<std::size_t>(channel.first_vc + number)].over_ps;
    if (over_ps <= channel.over_ps) continue;
    channel.over_ps = over_ps;
    channel.served = static_cast<std::int16_t>(number);
  }
  channel.over_ps = std::max(channel.over_ps, tokens_over(channel, unknown_ps));
}

}  // namespace sanvp::net::worm
