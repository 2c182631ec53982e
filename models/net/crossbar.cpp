#include "models/net/crossbar.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::net {

void Crossbar::release(int output, int vc) {
  outputs_[output].owned &= ~(1U << vc);
  if (!waiting_.empty()) outputs_[output].freed = any_freed_ = true;
}

bool Crossbar::release_later(int output, std::int64_t ps, Hop& holder, std::int64_t now_ps) {
  for (const Request& request : waiting_)
    if (output >= request.first_output && output < request.first_output + request.outputs) return false;
  OutputPort& out = outputs_[output];
  out.catch_up(now_ps);
  if (out.free_ps != INT64_MAX) return false;
  out.free_ps = ps;
  out.holder = &holder;
  out.free_vc = static_cast<std::uint8_t>(holder.vc);
  return true;
}

/// Outputs of the request's range whose quiet releases are over are free from now on.
void Crossbar::catch_up(const Request& request, std::int64_t now_ps) {
  for (int o = request.first_output; o < request.first_output + request.outputs; ++o) outputs_[o].catch_up(now_ps);
}

void Crossbar::fail(int output, std::vector<Hop*>& cut_off) {
  outputs_[output].virtual_channels = 0;
  std::size_t kept = 0;
  std::size_t fresh = fresh_;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    Request& request = waiting_[i];
    if (request.committed == output) {
      request.committed = -1;
      outputs_[output].freed = any_freed_ = true;  // it selects again
    }
    if (reachable(request.first_output, request.outputs, request.vc) || request.hop->fork != nullptr) {
      waiting_[kept++] = request;
    } else {
      cut_off.push_back(request.hop);
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

bool Crossbar::reachable(int first_output, int outputs, int vc) const {
  const int needed = vc == topologies::Step::any_vc ? 1 : vc + 1;
  const int end = std::min(first_output + outputs, static_cast<int>(outputs_.size()));
  for (int output = first_output; output < end; ++output)
    if (outputs_[output].virtual_channels >= needed) return true;
  return false;
}

/// Sets the output that the request would take now.
void Crossbar::select(Request& request) {
  const auto if_free = [&](int output) { return outputs_[output].vc_for(request) >= 0 ? output : -1; };
  if (request.outputs == 1) {
    request.selected = if_free(request.first_output);
  } else if (request.committed >= 0) {
    request.selected = if_free(request.committed);
  } else {
    const PermittedOutputs permitted{outputs_.subspan(request.first_output, request.outputs), request};
    const Selection selection = selection_->select(permitted, random_);
    request.selected = selection.output < 0 ? -1 : request.first_output + selection.output;
    if (!selection.final) return;
    request.committed = request.selected;
    request.selected = if_free(request.committed);
  }
}

bool Crossbar::goes_first(const Request& a, const Request& b, const OutputPort& output, std::int64_t now_ps) const {
  if (a.packet().priority != b.packet().priority) return a.packet().priority > b.packet().priority;
  const auto comes_from_host = [](const Hop& hop) { return hop.step == 0 || hop.reinjected; };
  if (rules_.hosts_last && comes_from_host(*a.hop) != comes_from_host(*b.hop)) return comes_from_host(*b.hop);
  if (const auto order = rules_.arbitration->compare(a, b, {output, now_ps, rules_}); order != 0) return order < 0;
  if (a.in_port != b.in_port) return a.in_port < b.in_port;
  return a.hop->vc < b.hop->vc;
}

std::size_t Crossbar::winner(int output, std::int64_t now_ps) {
  std::size_t best = waiting_.size();
  for (const std::size_t i : candidates_) {
    if (waiting_[i].selected != output) continue;
    if (best == waiting_.size() || goes_first(waiting_[i], waiting_[best], outputs_[output], now_ps)) best = i;
  }
  return best;
}

/// The last call left no waiting header with a free output, so only newcomers and headers that want an output freed
/// since are looked at.
bool Crossbar::may_get_one(std::size_t waiting) const {
  if (waiting >= fresh_) return true;
  const Request& request = waiting_[waiting];
  bool freed = false;
  for (int o = request.first_output; o < request.first_output + request.outputs; ++o) freed |= outputs_[o].freed;
  return freed;
}

/// No waiting request but `only` can get an output.
void Crossbar::grant_one(std::size_t only, std::int64_t now_ps, std::vector<Grant>& grants) {
  catch_up(waiting_[only], now_ps);
  select(waiting_[only]);
  if (waiting_[only].selected >= 0) {
    take(only, grants);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(only));
  }
}

void Crossbar::grant(std::int64_t now_ps, std::vector<Grant>& grants, std::vector<Hop*>& awaited) {
  const std::size_t newcomers = waiting_.size() - fresh_;
  grant_all(now_ps, grants);
  done(newcomers, awaited);
}

void Crossbar::grant_all(std::int64_t now_ps, std::vector<Grant>& grants) {
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
  // Looked at by input port, then virtual channel: random selections must not depend on the order of requests.
  std::sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
    const Request& ra = waiting_[a];
    const Request& rb = waiting_[b];
    if (ra.in_port != rb.in_port) return ra.in_port < rb.in_port;
    return ra.hop->vc != rb.hop->vc ? ra.hop->vc < rb.hop->vc : ra.first_output < rb.first_output;
  });
  while (!candidates_.empty()) {
    int output = -1;
    for (const std::size_t i : candidates_) {
      select(waiting_[i]);
      if (waiting_[i].selected >= 0 && (output < 0 || waiting_[i].selected < output)) output = waiting_[i].selected;
    }
    if (output < 0) break;
    const std::size_t won = winner(output, now_ps);
    take(won, grants);
    std::erase(candidates_, won);
  }
  std::erase_if(waiting_, [](const Request& request) { return request.hop == nullptr; });
}

/// Grants the waiting request `won` the output that it selected; it waits no longer.
void Crossbar::take(std::size_t won, std::vector<Grant>& grants) {
  Request& request = waiting_[won];
  OutputPort& out = outputs_[request.selected];
  const int vc = out.vc_for(request);
  out.owned |= 1U << vc;
  out.pointer = static_cast<std::int16_t>(request.in_port + 1);
  out.round = request.round;
  if (request.outputs > 1)
    outputs_[request.first_output].rotation =
        static_cast<std::int16_t>((request.selected - request.first_output + 1) % request.outputs);
  Grant& granted = grants.emplace_back();  // built in place, as in event_queue.hpp, new_node
  granted.request.hop = request.hop;
  granted.request.since_ps = request.since_ps;
  granted.output = request.selected;
  granted.vc = vc;
  request.hop = nullptr;
}

/// Newcomers that still wait need an event for each output that a quiet release would free.
void Crossbar::done(std::size_t newcomers, std::vector<Hop*>& awaited) {
  fresh_ = waiting_.size();
  for (std::size_t i = fresh_ - std::min(newcomers, fresh_); i < fresh_; ++i) {
    const Request& request = waiting_[i];
    for (int o = request.first_output; o < request.first_output + request.outputs; ++o)
      if (std::exchange(outputs_[o].free_ps, INT64_MAX) != INT64_MAX) awaited.push_back(outputs_[o].holder);
  }
  if (any_freed_)
    for (OutputPort& out : outputs_) out.freed = false;
  any_freed_ = false;
}

}  // namespace sanvp::net
