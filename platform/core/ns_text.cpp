#include "platform/core/ns_text.hpp"

namespace sanvp {

std::string ns_text(Time t) {
  if (t == never) return "-1";
  constexpr std::int64_t ps_per_ns = 1000;
  std::string text = std::to_string(t.count() / ps_per_ns);
  const std::int64_t ps = t.count() % ps_per_ns;
  if (ps == 0) return text;
  std::string decimals = std::to_string(ps_per_ns + ps).substr(1);  // the leading 1 keeps the zeros and is cut off
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return text + "." + decimals;
}

}  // namespace sanvp
