#include "platform/machine/link_classes.hpp"

#include <cmath>

#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

/// As given: what a class inherits.
struct Values {
  std::string rate = "400MB/s";
  std::string rate_place{};  ///< where that was given, for messages
  Time tail_time{0};
  Time delay{0};
  bool whole_flit = true;
  double bit_error_rate = 0;
};

Values read(const Parameters& parameters, const Values& inherited) {
  const char* const source = "the machine's file";
  Values values;
  values.rate = parameters.text("rate", inherited.rate, "data rate of each direction", source);
  const std::string key = parameters.path() + ".rate";
  const std::string place = parameters.place("rate");
  if (place == key && !inherited.rate_place.empty())
    values.rate_place = inherited.rate_place;
  else
    values.rate_place = place.ends_with(key) ? place : place + ": " + key;
  values.tail_time = parameters.time("tail_time", inherited.tail_time,
                                     "time of a packet's last flit where that is a short token; 0: as the others",
                                     "40 ns on DS links (FACTS 3.1)");
  values.delay = parameters.time("delay", inherited.delay, "of the cable", source);
  values.whole_flit = parameters.flag("whole_flit", inherited.whole_flit,
                                      "whether a receiver needs all of a flit before it can use it", source);
  values.bit_error_rate =
      parameters.real("bit_error_rate", inherited.bit_error_rate, "probability of an error, per bit",
                      "better than 1e-14 (Macrame paper 2)", 0, 1);
  return values;
}

LinkClass link_class(const Values& values, int flit_bytes) {
  constexpr double ps_per_second = 1e12;
  constexpr double longest_ps = 1e15;  // a flit in 1000 s: slower than any link, and far from overflow
  const double rate = parse_rate(values.rate, values.rate_place);
  const double ps = rate > 0 ? std::round(flit_bytes * ps_per_second / rate) : 0;
  if (!(ps >= 1 && ps <= longest_ps))
    throw UserError(
        values.rate_place,
        "at " + values.rate + " a flit of " + std::to_string(flit_bytes) + " bytes takes less than 1 ps or for ever",
        "give a rate such as 400MB/s");
  const Time flit_time{static_cast<std::int64_t>(ps)};
  return {flit_time, values.tail_time > Time{0} ? values.tail_time : flit_time, values.delay, values.whole_flit,
          values.bit_error_rate};
}

}  // namespace

std::vector<LinkClass> read_link_classes(const Parameters& link, const std::vector<std::string>& classes,
                                         int flit_bytes) {
  const Values common = read(link, {});
  std::vector<LinkClass> result;
  for (const std::string& name : classes) {
    // A class named "link" is the common one: text files that name no class have only that.
    const Parameters own = name == "link" ? link : link.section(name);
    result.push_back(link_class(name == "link" ? common : read(own, common), flit_bytes));
  }
  return result;
}

}  // namespace sanvp
