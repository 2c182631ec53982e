#include "models/host/call_profile.hpp"

#include <string_view>

namespace sanvp::host {

void CallProfile::begin(const Call& call, Time now, Time waited) {
  if (++depth_ > 1) return;
  call_ = call;
  begun_ = now;
  waited_ = waited;
}

void CallProfile::end(Time now, Time waited) {
  if (depth_ == 0 || --depth_ > 0) return;
  auto found = totals_.find(std::string_view(call_.name));
  if (found == totals_.end()) found = totals_.emplace(call_.name, Totals{}).first;
  Totals& totals = found->second;
  ++totals.calls;
  totals.bytes += call_.bytes;
  totals.time += now - begun_;
  totals.waiting += waited - waited_;
}

std::string CallProfile::current() const {
  if (depth_ == 0) return {};
  std::string about;
  const auto add = [&](const std::string& text) { about += (about.empty() ? "" : ", ") + text; };
  if (call_.peer >= 0) add("rank " + std::to_string(call_.peer));
  if (call_.tag >= 0) add("tag " + std::to_string(call_.tag));
  if (call_.bytes > 0) add(std::to_string(call_.bytes) + " bytes");
  return about.empty() ? call_.name : std::string(call_.name) + " (" + about + ")";
}

}  // namespace sanvp::host
