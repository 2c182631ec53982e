#include "models/host/call_profile.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sanvp::host {

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
  Totals& totals = totals_of(call_.name);
  ++totals.calls;
  totals.bytes += call_.bytes;
  totals.time += now - begun_;
  totals.waiting += waited - waited_;
}

CallProfile::Totals& CallProfile::totals_of(const char* name) {
  const auto known = std::find_if(known_.begin(), known_.end(), [name](const Known& of) { return of.name == name; });
  if (known != known_.end()) return *known->totals;
  Totals& totals = totals_[name];
  known_.push_back({name, &totals});
  return totals;
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
