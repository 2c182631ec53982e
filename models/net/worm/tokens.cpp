/// Channels that flow-control tokens share with virtual channels. While tokens are sent, a VC's flits follow each other
/// at an *effective flit interval*: the flit time times the VCs that send, plus the tokens' share. When a VC or the
/// tokens begin or stop, what was planned for later on the channel is retracted, and planned again with the new
/// interval.
///
/// Tokens are the one thing of which the worm fidelity is not exact: it is right on average.
/// tests/unit/transport_sharing.cpp prints and bounds the deviation.

#include <algorithm>

#include "models/net/worm/worm_flow.hpp"

namespace sanvp::net::worm {

/// Whether the VC sends now. Brings `begins_ps` forward to when it will begin, or `ends_ps` to when it will pause, as
/// far as is known.
bool WormFlow::is_sending(const VirtualChannel& vc, std::int64_t& begins_ps, std::int64_t& ends_ps) const {
  const std::int64_t now_ps = queue_.now_ps();
  if (vc.sent.last_ps() < now_ps) return false;
  const Run run = vc.sent.search(vc.sent.first_after(now_ps - 1));
  const std::int64_t pause_ps = 2 * vc.interval_ps;
  if (run.ps > now_ps + pause_ps) {
    begins_ps = std::min(begins_ps, run.ps);
    return false;
  }
  ends_ps = std::min(ends_ps, run.period > pause_ps ? run.ps + vc.interval_ps : run.last() + vc.interval_ps);
  return true;
}

/// Whether anything but the hop's VC is planned to be sent on its channel, or tokens for what comes the other way.
bool WormFlow::has_company(const Hop& hop) const {
  const std::int64_t now_ps = queue_.now_ps();
  const auto busy = [&](int c) {
    if (c < 0) return false;
    const Channel& channel = channels_[static_cast<std::size_t>(c)];
    if (channel.company_until_ps(hop.vc_index) < now_ps) return false;
    for (int l = channel.first_vc; l < channel.first_vc + channel.vcs; ++l)
      if (l != hop.vc_index && vcs_[static_cast<std::size_t>(l)].sent.last_ps() >= now_ps) return true;
    return false;
  };
  const Channel& channel = channels_[static_cast<std::size_t>(hop.channel)];
  return busy(hop.channel) || busy(channel.tokens_of) || busy(channel.tokens_on);
}

/// Time per flit that goes to tokens for what `other` sends in the other direction: one for each batch, whose flits
/// come at about this VC's interval. Of a packet shorter than a batch it counts whether its flits complete one.
std::int64_t WormFlow::token_share(const Channel& channel, const VirtualChannel& other) {
  const std::int64_t batch = other.rules->batch;
  const Hop* hop = other.newest;
  if (hop == nullptr || hop->length >= batch) return channel.token_share_ps;
  const bool completes_one = (hop->flow.base + hop->length) / batch > hop->flow.base / batch;
  return completes_one ? channel.token_share_ps * batch / hop->length : 0;
}

/// The effective flit interval of a VC on the channel; `newcomer` counts as sending.
std::int64_t WormFlow::effective_interval(int index, const VirtualChannel* newcomer) const {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  std::int64_t begins_ps = INT64_MAX;
  std::int64_t ends_ps = INT64_MAX;
  std::int64_t senders = 0;
  for (int l = channel.first_vc; l < channel.first_vc + channel.vcs; ++l) {
    const VirtualChannel& vc = vcs_[static_cast<std::size_t>(l)];
    senders += &vc == newcomer || is_sending(vc, begins_ps, ends_ps) ? 1 : 0;
  }
  std::int64_t each_ps = vcs_[static_cast<std::size_t>(channel.first_vc)].rules->flit_ps;
  if (channel.tokens_of >= 0) {
    const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
    for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l)
      if (is_sending(vcs_[static_cast<std::size_t>(l)], begins_ps, ends_ps)) {
        each_ps += token_share(channel, vcs_[static_cast<std::size_t>(l)]);
        break;
      }
  }
  return std::max<std::int64_t>(senders, 1) * each_ps;
}

void WormFlow::share(int index) {
  const Channel& channel = channels_[static_cast<std::size_t>(index)];
  const std::int64_t now_ps = queue_.now_ps();
  std::int64_t begins_ps = INT64_MAX;
  std::int64_t ends_ps = INT64_MAX;
  int senders = 0;
  const std::int64_t interval_ps = effective_interval(index, nullptr);
  const auto vcs = [&](auto act) {
    for (int l = channel.first_vc; l < channel.first_vc + channel.vcs; ++l) act(vcs_[static_cast<std::size_t>(l)]);
  };
  if (channel.tokens_of >= 0) {
    const Channel& other = channels_[static_cast<std::size_t>(channel.tokens_of)];
    for (int l = other.first_vc; l < other.first_vc + other.vcs; ++l)
      senders += is_sending(vcs_[static_cast<std::size_t>(l)], begins_ps, ends_ps) ? 1 : 0;
  }

  // VCs whose interval changes are planned again, in turn after the VC that was served last.
  std::vector<VirtualChannel*> changed;
  std::int64_t busy_until_ps = 0;
  const VirtualChannel* served_last = nullptr;
  vcs([&](VirtualChannel& vc) {
    if (is_sending(vc, begins_ps, ends_ps)) {
      ++senders;
      if (vc.interval_ps != interval_ps) changed.push_back(&vc);
    }
    vc.interval_ps = interval_ps;
    const std::int64_t n = vc.sent.first_after(now_ps - 1);
    if (n == 0) return;
    const std::int64_t sent_ps = vc.sent.search(n - 1).ps;
    if (sent_ps <= long_ago) return;
    if (const std::int64_t over_ps = sent_ps + vc.rules->flit_ps; over_ps > busy_until_ps) {
      busy_until_ps = over_ps;
      served_last = &vc;
    }
  });
  if (!changed.empty()) {
    if (served_last != nullptr) {
      const auto after =
          std::find_if(changed.begin(), changed.end(), [&](const VirtualChannel* vc) { return vc > served_last; });
      std::rotate(changed.begin(), after, changed.end());
    }
    std::int64_t start_ps = std::max(now_ps, busy_until_ps);
    for (VirtualChannel* vc : changed) {
      const std::int64_t from = vc->sent.first_after(now_ps - 1);
      if (from >= vc->sent.end()) continue;  // gone with what another VC lost
      const std::int64_t planned_ps = vc->sent.search(from).ps;
      retract(*vc, from);
      vc->free_ps = std::max(start_ps, vc->newest->flow.earliest_ps);
      start_ps = std::max(start_ps, planned_ps) + vc->rules->flit_ps;
    }
    ends_ps = std::min(ends_ps, now_ps + interval_ps);
  }
  // The end of a VC that sends alone changes nothing for others.
  if (senders > 1) begins_ps = std::min(begins_ps, ends_ps);
  if (begins_ps != INT64_MAX) watch(index, std::max(begins_ps, now_ps + 1));
}

}  // namespace sanvp::net::worm
