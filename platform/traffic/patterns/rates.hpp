/// What lines with a rate have in common: `mix` and `matrix`.
#pragma once

#include <map>
#include <string>

#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "platform/traffic/arrivals.hpp"
#include "platform/traffic/message_sizes.hpp"

namespace sanvp::traffic {

/// Payload, in bytes per second.
inline double rate_of(const Statements& lines, int word) {
  const double rate_Bps = parse_rate(std::string(lines.word(word)), lines.place());
  if (!(rate_Bps > 0)) lines.fail("a rate has to be positive", "leave out what sends nothing");
  return rate_Bps;
}

inline Arrivals arrivals_of(const Statements& lines, const std::string& text) {
  static const std::map<std::string, Arrivals> laws{{"constant", Arrivals::constant},
                                                    {"exponential", Arrivals::exponential},
                                                    {"uniform", Arrivals::uniform},
                                                    {"on-off", Arrivals::on_off}};
  const auto law = laws.find(text);
  if (law == laws.end())
    lines.fail("there are no arrivals " + in_quotes(text), "choose constant, exponential, uniform or on-off");
  return law->second;
}

/// Mean time between messages of these sizes.
inline double interval_ps_of(const Statements& lines, const MessageSizes& sizes, double rate_Bps) {
  constexpr double ps_per_s = 1e12;
  const double interval_ps = sizes.mean_bytes() / rate_Bps * ps_per_s;
  if (interval_ps < least_interval_ps)
    lines.fail("that is more than a message per picosecond", "give a lower rate, or longer messages");
  return interval_ps;
}

}  // namespace sanvp::traffic
