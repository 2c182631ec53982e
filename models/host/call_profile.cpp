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

void CallProfile::begin(const Call& call, Time now, Time waited) {
  if (++depth_ > 1) return;
  call_ = call;
  part_ = {};
  begun_ = now;
  waited_ = waited;
}

void CallProfile::end(Time now, Time waited) {
  if (depth_ == 0 || --depth_ > 0) return;
  if (!std::exchange(looks_, false))
    row_ = 0;
  else if (++row_ == 1)
    row_since_ = begun_;
  totals_of(call_.name) += {.calls = 1, .bytes = call_.bytes, .time = now - begun_, .waiting = waited - waited_};
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

std::string CallProfile::current() const { return depth_ == 0 ? std::string{} : last(); }

std::string CallProfile::last() const {
  if (call_.name == nullptr) return {};
  std::string about;
  const auto add = [&](const std::string& text) { about += (about.empty() ? "" : ", ") + text; };
  const Call& waits = part_.name != nullptr ? part_ : call_;
  if (std::string_view(waits.name) != call_.name) add("of " + std::string(waits.name));
  if (waits.peer >= 0) add("rank " + std::to_string(waits.peer));
  if (waits.tag >= 0) add("tag " + std::to_string(waits.tag));
  if (call_.bytes > 0) add(std::to_string(call_.bytes) + " bytes");
  return about.empty() ? call_.name : std::string(call_.name) + " (" + about + ")";
}

}  // namespace sanvp::host
