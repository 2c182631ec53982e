/// Flow-control tokens that take turns with the flits of a channel. A token is ready when the last flit of a batch
/// leaves its FIFO, which is known ahead (VirtualChannel::freed). The channel sends it next, before any flit; the
/// credits of the batch count from its start (VcRules::credit_ps). Turns that were planned without it are taken back.

#include <algorithm>

#include "models/net/worm/planning.hpp"
#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

void WormFlow::carry_tokens(int of, int carrier, std::int64_t token_ps) {
  Channel& on = channels_[static_cast<std::size_t>(carrier)];
  const Channel& channel = channels_[static_cast<std::size_t>(of)];
  on.tokens_of = of;
  on.token_ps = token_ps;
  on.mixes_with_tokens = on.vcs == 1 && channel.vcs == 1;
  for (int l = channel.first_vc; l < channel.first_vc + channel.vcs; ++l)
    tokens_[static_cast<std::size_t>(l)].carrier = carrier;
}

/// More slots of the VC are known to become free.
void WormFlow::slots_freed(VirtualChannel& vc) {
  if (!vc.rules->tokens) return look_again_at(vc);
  const Tokens& tokens = tokens_of(vc);
  if ((tokens.sent.end() + 1) * vc.rules->batch <= vc.freed.end()) carriers_.push_back(tokens.carrier);
}

/// A token with its time, if the end of its batch is known to leave the FIFO.
WormFlow::Token WormFlow::token_of(int vc, std::int64_t number) const {
  const VirtualChannel& of = vcs_[static_cast<std::size_t>(vc)];
  const std::int64_t last = (number + 1) * of.rules->batch - 1;
  if (last >= of.freed.end()) return {};
  return {vc, number, of.freed.search(last).ps};
}

/// The next one that the channel has to send, as far as is known.
WormFlow::Token WormFlow::next_token(const Channel& channel) const {
  Token next;
  if (channel.tokens_of < 0) return next;
  const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
  for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l)
    if (const Token token = token_of(l, tokens_[static_cast<std::size_t>(l)].sent.end());
        token.vc >= 0 && (next.vc < 0 || is_before(token, next)))
      next = token;
  return next;
}

/// The far end begins to take the hop's flits: those that wait in its FIFO leave it now. This is kept apart from the
/// hop, which may be over before their tokens are sent.
void WormFlow::note_drain(const VirtualChannel& vc, const Hop& hop) {
  if (!vc.rules->tokens) return;
  Tokens& tokens = tokens_of(vc);
  const std::int64_t past = tokens.sent.first_after(queue_.now_ps() - 1) * vc.rules->batch;
  while (tokens.drains.size() > 1 && tokens.drains[1].first <= past) tokens.drains.erase(tokens.drains.begin());
  tokens.drains.push_back({.first = hop.flow.base, .ps = queue_.now_ps(), .order = ++drains_});
}

/// Drain::order of the call with which the slot became free at `ps`; 0 if its flit arrived at `ps`.
std::int64_t WormFlow::drain_of(const Tokens& tokens, std::int64_t slot, std::int64_t ps) {
  for (auto drain = tokens.drains.rbegin(); drain != tokens.drains.rend(); ++drain)
    if (drain->first <= slot) return drain->ps == ps ? drain->order : 0;
  return 0;
}

/// The step of its instant in which the token joins the queue (TIMING.md, order within an instant): with the departure
/// of its batch's last flit.
WormFlow::Step WormFlow::step_of(const Token& token) const {
  const VirtualChannel& vc = vcs_[static_cast<std::size_t>(token.vc)];
  const std::int64_t slot = (token.number + 1) * vc.rules->batch - 1;
  const Hop* hop = hop_in(vc, slot);
  // A far end that takes all flits does so before channels have their turn: first flits that arrive, by VC, then flits
  // that wait when it begins to take them.
  if (hop == nullptr || hop->flow.drain_from_ps >= 0) {
    const int rounds = hop == nullptr ? 0 : rounds_until_drained(vc, *hop, token.ready_ps);
    return {.round = std::max(rounds - 1, 0), .drain = drain_of(tokens_of(vc), slot, token.ready_ps)};
  }
  Step step;
  const auto leaves_by = [&](const Hop& down) {
    const std::int64_t m = flit_of_slot(*hop, down, slot);
    const VirtualChannel& next = vc_of(down);
    if (m >= next.sent.end() || next.sent.search(m).ps != token.ready_ps) return;
    const bool is_command = next.rules->hold && m >= down.flow.base + down.data_length;
    step = std::max(step, Step{.round = rounds_after(next, m, token.ready_ps),
                               .channel = down.channel,
                               .command = is_command ? down.vc : INT_MAX});
  };
  if (hop->down != nullptr) leaves_by(*hop->down);
  if (hop->fork != nullptr)
    for (const Hop* branch : hop->fork->branches) leaves_by(*branch);
  return step;
}

/// The order in which two tokens join the queue.
bool WormFlow::is_before(const Token& a, const Token& b) const {
  if (a.ready_ps != b.ready_ps) return a.ready_ps < b.ready_ps;
  const Step step_a = step_of(a), step_b = step_of(b);
  return step_a != step_b ? step_a < step_b : a.vc < b.vc;
}

/// Whether the token is in the queue when its channel decides at `ps` in `step`.
bool WormFlow::is_before(const Token& token, std::int64_t ps, const Step& step) const {
  return token.ready_ps != ps ? token.ready_ps < ps : step_of(token) < step;
}

/// Whether flits are under way the other way that complete a batch.
bool WormFlow::expects_tokens(const Channel& channel) const {
  if (channel.tokens_of < 0) return false;
  const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
  for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l) {
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(l)];
    const std::int64_t end = vc.sending != nullptr ? vc.sending->flow.base + vc.sending->length : vc.sent.end();
    if (end >= (tokens_[static_cast<std::size_t>(l)].sent.end() + 1) * vc.rules->batch) return true;
  }
  return false;
}

/// When the tokens that begin before `ps` are over.
std::int64_t WormFlow::tokens_over(const Channel& channel, std::int64_t ps) const {
  std::int64_t last_ps = long_ago;
  if (channel.tokens_of < 0) return last_ps;
  const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
  for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l) {
    const Runs& sent = tokens_[static_cast<std::size_t>(l)].sent;
    if (sent.last_ps() < ps)
      last_ps = std::max(last_ps, sent.last_ps());
    else if (const std::int64_t n = sent.first_after(ps - 1); n > 0)
      last_ps = std::max(last_ps, sent.search(n - 1).ps);
  }
  return last_ps + channel.token_ps;
}

void WormFlow::send_token(int index, const Token& token, std::int64_t ps) {
  VirtualChannel& vc = vcs_[static_cast<std::size_t>(token.vc)];
  Runs& sent = tokens_[static_cast<std::size_t>(token.vc)].sent;
  sent.append({ps, 0, 1});
  if (sent.many()) sent.forget(without_end, queue_.now_ps() - vc.rules->credit_ps);
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  channel.over_ps = ps + channel.token_ps;
  // Only if the VC waits for just this one.
  if (vc.sent.end() >= vc.rules->buffer + token.number * vc.rules->batch) look_again_at(vc);
}

/// A token has become known: takes back what was planned from where that comes in.
void WormFlow::yield_to_token(int index, const Token& token) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  for (std::int64_t ps = std::max(token.ready_ps, undecided_ps(index));;) {
    const Turn turn = next_turn(channel, ps);
    if (turn.vc < 0) return;
    bool is_first = token.ready_ps < turn.ps;
    if (turn.token) {
      is_first = is_before(token, token_of(turn.vc, turn.n));
    } else if (!is_first) {
      const VirtualChannel& vc = vcs_[static_cast<std::size_t>(turn.vc)];
      is_first = is_before(token, turn.ps, {rounds_after(vc, turn.n, turn.ps), index});
    }
    if (is_first) return retract_turns(index, turn.ps);
    ps = turn.ps + 1;
  }
}

/// Whether turns are planned so far ahead that more will be planned later, whatever is known now.
bool WormFlow::is_planned_far(const Channel& channel, const VcRules& rules) const {
  return channel.mixes_with_tokens && channel.unseen == 0 && channel.look_at_ps >= 0 &&
         channel.look_at_ps <= channel.over_ps && channel.over_ps > queue_.now_ps() + lookahead_flits * rules.flit_ps;
}

/// take_turns() for one VC that takes turns with tokens for one, as on DS links: in one pass.
void WormFlow::mix_with_tokens(int index) {
  Channel& channel = channels_[static_cast<std::size_t>(index)];
  if (channel.unseen != 0) see_newcomers(index);
  VirtualChannel& vc = vcs_[static_cast<std::size_t>(channel.first_vc)];
  const int of = channels_[static_cast<std::size_t>(channel.tokens_of)].first_vc;
  const Runs& tokens = tokens_[static_cast<std::size_t>(of)].sent;
  Token token = token_of(of, tokens.end());
  if (token.ready_ps < channel.over_ps) {
    yield_to_token(index, token);
    token = token_of(of, tokens.end());
  }
  const VcRules& rules = *vc.rules;
  const std::int64_t now_ps = queue_.now_ps();
  const std::int64_t from = vc.sent.end();
  const std::int64_t horizon_ps =
      wants_turns(vc) && expects_tokens(channel) ? now_ps + lookahead_flits * rules.flit_ps : unknown_ps;
  Run ready;
  for (;;) {
    if (channel.over_ps > horizon_ps) {
      watch(index, channel.over_ps);
      break;
    }
    const bool wants = wants_turns(vc);
    if (wants && ready.count == 0 && !next_ready(vc, ready)) ready.count = 0;
    const std::int64_t data_ps = wants && ready.count > 0 ? std::max(vc.free_ps, ready.ps) : unknown_ps;
    const std::int64_t first_ps = std::min(data_ps, token.ready_ps);
    if (first_ps == unknown_ps) break;
    const std::int64_t ps = std::max({first_ps, channel.over_ps, now_ps});
    if (ps > horizon_ps) {
      watch(index, ps);
      break;
    }
    const bool is_known = !wants || data_ps != unknown_ps || (channel.silent & 1U) != 0;
    if (!is_known && !is_before(token, channel.over_ps, {0, index})) {
      if (ps > now_ps) {
        watch(index, ps);
        break;
      }
      channel.silent = channel.unseen = 1;
    }
    if (ps == decided_ps_) decides_.push_back(index);
    const int round = data_ps == ps && rules.reuses_slots_at_once() ? rounds_after(vc, vc.sent.end(), ps) : 0;
    if (token.ready_ps <= ps && (data_ps > ps || is_before(token, ps, {round, index}))) {
      send_token(index, token, ps);
      token = token_of(of, tokens.end());
      continue;
    }
    Run run = first_run(ps, rules.flit_ps, ready);
    const std::int64_t end_ps = std::min(std::max(token.ready_ps, ps + 1), horizon_ps);
    if (run.count > 1 && run.last() >= end_ps)
      run.count = std::max<std::int64_t>((end_ps - ps + run.period - 1) / run.period, 1);
    ready = {ready.at(run.count), ready.period, ready.count - run.count};
    send_turn(index, 0, run);
  }
  if (vc.sent.end() > from) advanced(vc, *vc.sending, from);
}

/// Takes back all tokens from `ps` on, and the flits that were planned with their credits.
void WormFlow::retract_tokens(int index, std::int64_t ps) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  if (channel.tokens_of < 0) return;
  const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
  for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l) {
    Runs& sent = tokens_[static_cast<std::size_t>(l)].sent;
    if (sent.last_ps() < ps) continue;
    sent.cut(sent.first_after(ps - 1));
    find_last_turn(index);
    carriers_.push_back(index);
    VirtualChannel& vc = vcs_[static_cast<std::size_t>(l)];
    retract(vc, sent.end() * vc.rules->batch + vc.rules->buffer);
  }
}

/// The ends of batches are not known any more: nor are their tokens, so that what comes after them may be sent sooner.
void WormFlow::retract_tokens_of(const VirtualChannel& vc) {
  const Tokens& tokens = tokens_of(vc);
  const std::int64_t number = vc.freed.end() / vc.rules->batch;
  if (number < tokens.sent.end()) retract_turns(tokens.carrier, tokens.sent.search(number).ps);
}

/// When there are slots for flits n, n+1, ... of a VC whose credits come as tokens; count 0 if that is not known.
Run WormFlow::credit_by_tokens(const VirtualChannel& vc, std::int64_t n, const Run& supply) const {
  const VcRules& rules = *vc.rules;
  const Runs& sent = tokens_of(vc).sent;
  const std::int64_t slot = n - rules.buffer;
  std::int64_t number = slot / rules.batch;
  if (number >= sent.end()) return {};
  std::int64_t count = (number + 1) * rules.batch - slot;
  const std::int64_t credit_ps = sent.search(number).ps + rules.credit_ps;
  if (credit_ps > std::max(supply.ps, vc.free_ps)) return {credit_ps, 0, count};
  // Early enough: so are those of more batches as long as each is before its first flit.
  for (; count < supply.count && ++number < sent.end(); count += rules.batch) {
    const std::int64_t earliest_ps = std::max(supply.at(count), vc.free_ps + count * rules.flit_ps);
    if (sent.search(number).ps + rules.credit_ps > earliest_ps) break;
  }
  return {long_ago, 0, count};
}

/// Forgets the tokens of an empty VC. @return false if they are not all past
bool WormFlow::forget_tokens_if_past(const VirtualChannel& vc) {
  Runs& sent = tokens_of(vc).sent;
  if (sent.end() < vc.freed.end() / vc.rules->batch || sent.last_ps() + vc.rules->credit_ps >= queue_.now_ps())
    return false;
  sent.forget();
  tokens_of(vc).drains.clear();
  return true;
}

}  // namespace sanvp::net::worm
