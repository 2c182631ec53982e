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
    if (request.wants(output)) return false;
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
  request.for_each_output([&](int o) { outputs_[o].catch_up(now_ps); });
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
    if (reachable(request) || request.hop->fork != nullptr) {
      waiting_[kept++] = request;
    } else {
      cut_off.push_back(request.hop);
      drop_options(request);
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

void Crossbar::add(Request request, std::span<const Option> options) {
  if (free_options_.empty()) free_options_.push_back(std::make_unique<std::vector<Option>>());
  options_.push_back(std::move(free_options_.back()));
  free_options_.pop_back();
  options_.back()->assign(options.begin(), options.end());
  request.options = options_.back().get();
  request.first_output = options.front().output;
  add(request);
}

/// Remembers the option that the request gets, with the first one of its rank.
void Crossbar::rotate_options(const Request& request) {
  const std::vector<Option>& all = *request.options;
  const auto is_it = [&](const Option& one) {
    return one.output == request.selected && one.vcs == request.vcs && one.state == request.state;
  };
  const auto chosen = std::ranges::find_if(all, is_it);
  const auto [first, last] = std::ranges::equal_range(all, chosen->rank, {}, &Option::rank);
  outputs_[first->output].rotation = static_cast<std::int16_t>((chosen - first + 1) % (last - first));
}

void Crossbar::drop_options(const Request& request) {
  if (request.options == nullptr) return;
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const auto& options) { return options.get() == request.options; });
  free_options_.push_back(std::move(*found));
  *found = std::move(options_.back());
  options_.pop_back();
}

bool Crossbar::reachable(int first_output, int outputs, topologies::VcSet vcs) const {
  const int end = std::min(first_output + outputs, static_cast<int>(outputs_.size()));
  for (int output = first_output; output < end; ++output)
    if ((((1U << outputs_[output].virtual_channels) - 1) & vcs) != 0) return true;
  return false;
}

bool Crossbar::reachable(const Request& request) const {
  if (request.options == nullptr) return reachable(request.first_output, request.outputs, request.vcs);
  return std::ranges::any_of(*request.options,
                             [this](const Option& option) { return reachable(option.output, 1, option.vcs); });
}

/// The policy chooses among the outputs of the first rank that has a free one. A header does not commit itself to one
/// output: the escape from a cycle of waiting may be another.
Selection Crossbar::select_option(const Request& request, const Queues& queues) {
  const std::span<const Option> all = *request.options;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].rank == all[begin].rank) ++end;
    const PermittedOutputs permitted{outputs_, request, all.subspan(begin, end - begin), queues};
    if (permitted.first_free_from(0) < 0) continue;
    Selection selection = selection_->select(permitted, random_);
    if (selection.output < 0 || !permitted.is_free(selection.output)) selection.output = permitted.first_free_from(0);
    return {static_cast<int>(begin) + selection.output};
  }
  return {};
}

/// Sets the output that the request would take now.
void Crossbar::select(Request& request, const Queues& queues) {
  const auto if_free = [&](int output) { return outputs_[output].free_for(request, request.vcs) != 0 ? output : -1; };
  if (request.options != nullptr) {
    const int option = select_option(request, queues).output;
    request.selected = -1;
    if (option < 0) return;
    const Option& chosen = (*request.options)[static_cast<std::size_t>(option)];
    request.selected = chosen.output;
    request.vcs = chosen.vcs;
    request.state = chosen.state;
  } else if (request.outputs == 1) {
    request.selected = if_free(request.first_output);
  } else if (request.committed >= 0) {
    request.selected = if_free(request.committed);
  } else {
    const PermittedOutputs permitted{outputs_, request, queues};
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
  request.for_each_output([&](int o) { freed |= outputs_[o].freed; });
  return freed;
}

/// No waiting request but `only` can get an output.
void Crossbar::grant_one(std::size_t only, std::int64_t now_ps, const Queues& queues, std::vector<Grant>& grants) {
  catch_up(waiting_[only], now_ps);
  select(waiting_[only], queues);
  if (waiting_[only].selected >= 0) {
    take(only, queues, grants);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(only));
  }
}

void Crossbar::grant(std::int64_t now_ps, const Queues& queues, std::vector<Grant>& grants,
                     std::vector<Hop*>& awaited) {
  const std::size_t newcomers = waiting_.size() - fresh_;
  grant_all(now_ps, queues, grants);
  done(newcomers, awaited);
}

void Crossbar::grant_all(std::int64_t now_ps, const Queues& queues, std::vector<Grant>& grants) {
  for (std::size_t i = fresh_; i < waiting_.size(); ++i)
    waiting_[i].round = outputs_[waiting_[i].first_output].round + 1;
  const std::size_t newcomers = waiting_.size() - fresh_;
  if (!any_freed_ && newcomers == 1) {  // nearly always
    grant_one(fresh_, now_ps, queues, grants);
    return;
  }
  candidates_.clear();
  for (std::size_t i = any_freed_ ? 0 : fresh_; i < waiting_.size(); ++i)
    if (may_get_one(i)) candidates_.push_back(i);
  if (candidates_.size() == 1) {
    grant_one(candidates_.front(), now_ps, queues, grants);
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
      select(waiting_[i], queues);
      if (waiting_[i].selected >= 0 && (output < 0 || waiting_[i].selected < output)) output = waiting_[i].selected;
    }
    if (output < 0) break;
    const std::size_t won = winner(output, now_ps);
    take(won, queues, grants);
    std::erase(candidates_, won);
  }
  std::erase_if(waiting_, [](const Request& request) { return request.hop == nullptr; });
}

/// Grants the waiting request `won` the output that it selected; it waits no longer.
void Crossbar::take(std::size_t won, const Queues& queues, std::vector<Grant>& grants) {
  Request& request = waiting_[won];
  OutputPort& out = outputs_[request.selected];
  const topologies::VcSet free = out.free_for(request, request.vcs);
  int vc = std::countr_zero(free);
  if ((free & (free - 1)) != 0)
    vc = vc_selection_->select({free, out.next_vc, request.packet(), queues, request.selected});
  out.owned |= 1U << vc;
  out.next_vc = static_cast<std::uint8_t>((vc + 1) % most_virtual_channels);
  out.pointer = static_cast<std::int16_t>(request.in_port + 1);
  out.round = request.round;
  if (request.outputs > 1)
    outputs_[request.first_output].rotation =
        static_cast<std::int16_t>((request.selected - request.first_output + 1) % request.outputs);
  else if (request.options != nullptr)
    rotate_options(request);
  Grant& granted = grants.emplace_back();  // built in place, as in event_queue.hpp, new_node
  granted.request.hop = request.hop;
  granted.request.since_ps = request.since_ps;
  granted.output = request.selected;
  granted.vc = vc;
  granted.state = request.state;
  if (request.options != nullptr) drop_options(request);
  request.hop = nullptr;
}

/// Newcomers that still wait need an event for each output that a quiet release would free.
void Crossbar::done(std::size_t newcomers, std::vector<Hop*>& awaited) {
  fresh_ = waiting_.size();
  for (std::size_t i = fresh_ - std::min(newcomers, fresh_); i < fresh_; ++i) {
    const Request& request = waiting_[i];
    request.for_each_output([&](int o) {
      if (std::exchange(outputs_[o].free_ps, INT64_MAX) != INT64_MAX) awaited.push_back(outputs_[o].holder);
    });
  }
  if (any_freed_)
    for (OutputPort& out : outputs_) out.freed = false;
  any_freed_ = false;
}

}  // namespace sanvp::net
