#include "models/host/call_profile.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sanvp::host {

CallProfile::Totals& CallProfile::Totals::operator+=(const Totals& other) {
  calls += other.calls;
  bytes += other.bytes;
  time += other.time;
  waiting += other.waiting;
  return *this;
}

void CallProfile::select(int thread) {
  if (thread == selected_) return;
  selected_ = thread;
  own_ = &threads_[thread];
}

void CallProfile::forget(int thread) {
  const auto known = threads_.find(thread);
  if (thread == 0 || known == threads_.end()) return;
  if (known->second.depth > 0) --in_calls_;
  if (thread == selected_) select(0);
  threads_.erase(known);
}

void CallProfile::leave(Time now, Time waited) {
  if (own_->depth == 0) return;
  own_->waited_before += waited - own_->waited;
  own_->left = now;
}

void CallProfile::arrive(Time was_ready, Time waited) {
  if (!own_->left) return;
  own_->waited_before += std::max(Time{0}, was_ready - *own_->left);
  own_->waited = waited;
  own_->left.reset();
}

void CallProfile::begin(const Call& call, Time now, Time waited) {
  if (++own_->depth > 1) return;
  ++in_calls_;
  own_->call = call;
  own_->part = {};
  own_->begun = now;
  own_->waited = waited;
  own_->waited_before = Time{0};
}

void CallProfile::end(Time now, Time waited) {
  if (own_->depth == 0 || --own_->depth > 0) return;
  --in_calls_;
  if (!std::exchange(own_->tests, false))
    own_->looks.count = 0;
  else if (++own_->looks.count == 1)
    own_->looks.since = own_->begun;
  own_->last = own_->call;
  own_->last_part = own_->part;
  totals_of(own_->call.name) += {.calls = 1,
                                 .bytes = own_->call.bytes,
                                 .time = now - own_->begun,
                                 .waiting = waited - own_->waited + own_->waited_before};
}

CallProfile::Totals& CallProfile::totals_of(const char* name) {
  const auto known = std::find(names_.begin(), names_.end(), name);
  if (known != names_.end()) return totals_[static_cast<std::size_t>(known - names_.begin())];
  names_.push_back(name);
  return totals_.emplace_back();
}

std::map<std::string, CallProfile::Totals> CallProfile::totals() const {
  std::map<std::string, Totals> by_name;
  for (std::size_t i = 0; i < names_.size(); ++i) by_name[names_[i]] += totals_[i];
  return by_name;
}

std::string CallProfile::current() const { return own_->depth > 0 ? text(own_->call, own_->part) : oldest(); }

std::string CallProfile::oldest() const {
  const auto thread = thread_of_oldest();
  return thread ? last(*thread) : "";
}

std::optional<int> CallProfile::thread_of_oldest() const {
  for (const auto& [id, thread] : threads_)
    if (thread.depth > 0) return id;
  return {};
}

std::string CallProfile::last(int thread) const {
  const auto known = threads_.find(thread);
  if (known == threads_.end()) return {};
  const Thread& one = known->second;
  return one.depth > 0 ? text(one.call, one.part) : text(one.last, one.last_part);
}

CallProfile::Looks CallProfile::looks(int thread) const {
  const auto known = threads_.find(thread);
  return known == threads_.end() ? Looks{} : known->second.looks;
}

std::optional<int> CallProfile::tests_without_progress(std::int64_t least, Time begun_before) const {
  for (const auto& [id, thread] : threads_)
    if (thread.looks.count >= least && thread.looks.since <= begun_before) return id;
  return {};
}

bool CallProfile::has_waited(int thread, Time since, bool waits) const {
  const auto known = threads_.find(thread);
  if (known == threads_.end()) return false;
  const Thread& one = known->second;
  return one.depth > 0 && one.begun <= since && one.moved <= since && (waits || one.last_wait >= since);
}

std::string CallProfile::text(const Call& call, const Call& part) {
  if (call.name == nullptr) return {};
  std::string about;
  const auto add = [&](const std::string& more) { about += (about.empty() ? "" : ", ") + more; };
  const Call& waits = part.name != nullptr ? part : call;
  if (std::string_view(waits.name) != call.name) add("of " + std::string(waits.name));
  if (waits.peer >= 0) add("rank " + std::to_string(waits.peer));
  if (waits.tag >= 0) add("tag " + std::to_string(waits.tag));
  if (call.bytes > 0) add(std::to_string(call.bytes) + " bytes");
  return about.empty() ? call.name : std::string(call.name) + " (" + about + ")";
}

}  // namespace sanvp::host
