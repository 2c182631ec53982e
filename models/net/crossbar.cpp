#include "models/net/crossbar.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <utility>

namespace sanvp::net {

void Crossbar::release(int output, int vc) {
  outputs_[output].owned &= ~(1U << vc);
  if (!waiting_.empty()) outputs_[output].freed = any_freed_ = true;
}

bool Crossbar::release_later(int output, std::int64_t ps, Leg& holder, std::int64_t now_ps) {
  for (const Request& request : waiting_)
    if (output >= request.first_output && output < request.first_output + request.outputs) return false;
  Output& out = outputs_[output];
  out.catch_up(now_ps);
  if (out.free_ps != INT64_MAX) return false;
  out.free_ps = ps;
  out.holder = &holder;
  out.free_vc = static_cast<std::uint8_t>(holder.vc);
  return true;
}

/// Outputs of the request's range that have become free without being told are free from now on.
void Crossbar::catch_up(const Request& request, std::int64_t now_ps) {
  for (int o = request.first_output; o < request.first_output + request.outputs; ++o) outputs_[o].catch_up(now_ps);
}

void Crossbar::fail(int output, std::vector<Leg*>& cut_off) {
  outputs_[output].virtual_channels = 0;
  std::size_t kept = 0;
  std::size_t fresh = fresh_;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    Request& request = waiting_[i];
    if (request.committed == output) {
      request.committed = -1;
      outputs_[output].freed = any_freed_ = true;  // it chooses again
    }
    if (reachable(request.first_output, request.outputs, request.vc) || request.leg->fork != nullptr) {
      waiting_[kept++] = request;
    } else {
      cut_off.push_back(request.leg);
      if (i < fresh_) --fresh;
    }
  }
  waiting_.resize(kept);
  fresh_ = fresh;
}

void Crossbar::repair(int output) {
  outputs_[output].virtual_channels = outputs_[output].cabled_channels;
  if (!waiting_.empty()) outputs_[output].freed = any_freed_ = true;
}

/// A virtual channel that the request may have, or -1.
int Crossbar::free_vc(const Output& output, const Request& request) {
  int channels = output.virtual_channels;
  if (channels == 0 && request.leg->fork != nullptr) channels = output.cabled_channels;  // fail() has left it waiting
  const std::uint32_t free = ~output.owned & ((1U << channels) - 1);
  if (request.vc != topologies::Step::any_vc) return (free >> request.vc & 1U) != 0 ? request.vc : -1;
  return free == 0 ? -1 : std::countr_zero(free);
}

bool Crossbar::available(int output, const Request& request) const { return free_vc(outputs_[output], request) >= 0; }

bool Crossbar::reachable(int first_output, int outputs, int vc) const {
  const int needed = vc == topologies::Step::any_vc ? 1 : vc + 1;
  const int end = std::min(first_output + outputs, static_cast<int>(outputs_.size()));
  for (int output = first_output; output < end; ++output)
    if (outputs_[output].virtual_channels >= needed) return true;
  return false;
}

void Crossbar::choose(Request& request) {
  // Others choose again after every grant; who has drawn one keeps it.
  if (choice_ == Choice::random && request.choice >= 0 && available(request.choice, request)) return;
  request.choice = -1;
  if (request.committed >= 0) {
    if (available(request.committed, request)) request.choice = request.committed;
    return;
  }
  if (request.outputs == 1) {
    if (available(request.first_output, request)) request.choice = request.first_output;
    return;
  }
  const auto working = [&](int offset) { return outputs_[request.first_output + offset].virtual_channels > 0; };
  const auto free_at = [&](int offset) { return available(request.first_output + offset, request); };
  const auto random_among = [&](auto accept) {
    std::uint64_t acceptable = 0;
    for (int i = 0; i < request.outputs; ++i) acceptable += accept(i) ? 1 : 0;
    if (acceptable == 0) return -1;
    std::uint64_t before = random_.below(acceptable);
    for (int i = 0;; ++i)
      if (accept(i) && before-- == 0) return i;
  };
  const auto rotate_from = [&](int start) {
    for (int i = 0; i < request.outputs; ++i)
      if (const int offset = (start + i) % request.outputs; free_at(offset)) return offset;
    return -1;
  };

  // A fixed choice whose link has failed falls to the next working one.
  const auto next_working = [&](int start) {
    for (int i = 0; i < request.outputs; ++i)
      if (const int offset = (start + i) % request.outputs; working(offset)) return offset;
    return 0;
  };

  int offset = -1;
  switch (choice_) {
    case Choice::first:
      offset = rotate_from(0);
      break;
    case Choice::least:
      for (int i = 0, least = INT_MAX; i < request.outputs && least > 0; ++i) {
        if (!free_at(i)) continue;
        const std::uint32_t owned = outputs_[request.first_output + i].owned;
        const int count = owned == 0 ? 0 : std::popcount(owned);  // a call where the processor may lack the instruction
        if (count < least) offset = i, least = count;
      }
      break;
    case Choice::round_robin:
      offset = rotate_from(outputs_[request.first_output].rotation);
      break;
    case Choice::random:
      offset = random_among(free_at);
      break;
    case Choice::random_fixed:
      request.committed = request.first_output + random_among(working);
      break;
    case Choice::idle_fixed:
      offset = rotate_from(0);
      if (offset < 0) request.committed = request.first_output + next_working(request.preferred);
      break;
    case Choice::idle_random:
      offset = rotate_from(0);
      if (offset < 0) request.committed = request.first_output + random_among(working);
      break;
  }
  if (offset >= 0) request.choice = request.first_output + offset;
  if (request.committed >= 0 && available(request.committed, request)) request.choice = request.committed;
}

bool Crossbar::prefer(const Request& a, const Request& b, const Output& output, std::int64_t now_ps) const {
  const Packet& pa = *a.leg->packet;
  const Packet& pb = *b.leg->packet;
  if (pa.priority != pb.priority) return pa.priority > pb.priority;
  const auto comes_from_host = [](const Leg& leg) { return leg.step == 0 || leg.reinjected; };
  if (rules_.hosts_last && comes_from_host(*a.leg) != comes_from_host(*b.leg)) return comes_from_host(*b.leg);
  switch (arbitration_) {
    case Arbitration::round_robin:
    case Arbitration::demand_slotted: {
      if (arbitration_ == Arbitration::demand_slotted && a.round != b.round) return a.round < b.round;
      const bool a_wrapped = a.in_port < output.pointer;
      const bool b_wrapped = b.in_port < output.pointer;
      if (a_wrapped != b_wrapped) return b_wrapped;
      break;
    }
    case Arbitration::fifo_then_oldest: {
      const bool a_old = now_ps - pa.injected.count() > rules_.age_threshold.count();
      const bool b_old = now_ps - pb.injected.count() > rules_.age_threshold.count();
      if (a_old != b_old) return a_old;
      if (a_old && pa.injected != pb.injected) return pa.injected < pb.injected;
      if (!a_old && a.since_ps != b.since_ps) return a.since_ps < b.since_ps;
      break;
    }
    case Arbitration::fifo:
      if (a.since_ps != b.since_ps) return a.since_ps < b.since_ps;
      break;
    case Arbitration::oldest:
      if (pa.injected != pb.injected) return pa.injected < pb.injected;
      break;
  }
  if (a.in_port != b.in_port) return a.in_port < b.in_port;
  return a.leg->vc < b.leg->vc;
}

std::size_t Crossbar::winner(int output, std::int64_t now_ps) {
  std::size_t best = waiting_.size();
  for (const std::size_t i : candidates_) {
    if (waiting_[i].choice != output) continue;
    if (best == waiting_.size() || prefer(waiting_[i], waiting_[best], outputs_[output], now_ps)) best = i;
  }
  return best;
}

/// Since the last call left no waiting header with a free output, only newcomers and those who want an output that was
/// freed since need a look.
bool Crossbar::may_get_one(std::size_t waiting) const {
  if (waiting >= fresh_) return true;
  const Request& request = waiting_[waiting];
  bool freed = false;
  for (int o = request.first_output; o < request.first_output + request.outputs; ++o) freed |= outputs_[o].freed;
  return freed;
}

/// Nobody but waiting request `only` can get an output.
void Crossbar::grant_one(std::size_t only, std::int64_t now_ps, std::vector<Grant>& grants) {
  catch_up(waiting_[only], now_ps);
  choose(waiting_[only]);
  if (waiting_[only].choice >= 0) {
    take(only, grants);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(only));
  }
}

void Crossbar::grant(std::int64_t now_ps, std::vector<Grant>& grants, std::vector<Leg*>& awaited) {
  const std::size_t newcomers = waiting_.size() - fresh_;
  grant_all(now_ps, grants);
  done(newcomers, awaited);
}

void Crossbar::grant_all(std::int64_t now_ps, std::vector<Grant>& grants) {
  if (arbitration_ == Arbitration::demand_slotted)
    for (std::size_t i = fresh_; i < waiting_.size(); ++i)
      waiting_[i].round = outputs_[waiting_[i].first_output].round + 1;
  const std::size_t newcomers = waiting_.size() - fresh_;
  if (!any_freed_ && newcomers == 1) {  // nearly always
    grant_one(fresh_, now_ps, grants);
    return;
  }
  candidates_.clear();
  for (std::size_t i = any_freed_ ? 0 : fresh_; i < waiting_.size(); ++i)
    if (may_get_one(i)) candidates_.push_back(i);
  if (candidates_.size() == 1) {
    grant_one(candidates_.front(), now_ps, grants);
    return;
  }
  for (const std::size_t i : candidates_) catch_up(waiting_[i], now_ps);
  // Looked at by input port, then virtual channel: random choices must not depend on who asked first.
  std::sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
    const Request& ra = waiting_[a];
    const Request& rb = waiting_[b];
    if (ra.in_port != rb.in_port) return ra.in_port < rb.in_port;
    return ra.leg->vc != rb.leg->vc ? ra.leg->vc < rb.leg->vc : ra.first_output < rb.first_output;
  });
  while (!candidates_.empty()) {
    int output = -1;
    for (const std::size_t i : candidates_) {
      choose(waiting_[i]);
      if (waiting_[i].choice >= 0 && (output < 0 || waiting_[i].choice < output)) output = waiting_[i].choice;
    }
    if (output < 0) break;
    const std::size_t won = winner(output, now_ps);
    take(won, grants);
    std::erase(candidates_, won);
  }
  std::erase_if(waiting_, [](const Request& request) { return request.leg == nullptr; });
}

/// Gives waiting request `won` the output of its choice; it waits no longer.
void Crossbar::take(std::size_t won, std::vector<Grant>& grants) {
  Request& request = waiting_[won];
  Output& out = outputs_[request.choice];
  const int vc = free_vc(out, request);
  out.owned |= 1U << vc;
  out.pointer = static_cast<std::int16_t>(request.in_port + 1);
  out.round = request.round;
  if (request.outputs > 1)
    outputs_[request.first_output].rotation =
        static_cast<std::int16_t>((request.choice - request.first_output + 1) % request.outputs);
  Grant& granted = grants.emplace_back();  // member by member, in its place at once: as in event_queue.hpp, new_node
  granted.request.leg = request.leg;
  granted.request.since_ps = request.since_ps;
  granted.output = request.choice;
  granted.vc = vc;
  request.leg = nullptr;
}

/// Those who still wait are told when what they wait for is free.
void Crossbar::done(std::size_t newcomers, std::vector<Leg*>& awaited) {
  fresh_ = waiting_.size();
  for (std::size_t i = fresh_ - std::min(newcomers, fresh_); i < fresh_; ++i) {
    const Request& request = waiting_[i];
    for (int o = request.first_output; o < request.first_output + request.outputs; ++o)
      if (std::exchange(outputs_[o].free_ps, INT64_MAX) != INT64_MAX) awaited.push_back(outputs_[o].holder);
  }
  if (any_freed_)
    for (Output& out : outputs_) out.freed = false;
  any_freed_ = false;
}

}  // namespace sanvp::net
