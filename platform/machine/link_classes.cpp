#include "platform/machine/link_classes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

/// Simulated time is whole picoseconds. A network of another rate than was asked for answers another question.
constexpr double most_rounded = 0.01;

double rounded_by(double ps) { return std::abs(ps / std::round(ps) - 1); }

/// Flits so large that rounding does not count.
int larger_flits(int flit_bytes, double flit_ps) {
  int times = 2;
  while (rounded_by(times * flit_ps) > most_rounded) times *= 2;
  return times * flit_bytes;
}

LinkClass read(const Parameters& parameters, int flit_bytes) {
  const char* const source = "the machine's file";
  constexpr double default_Bps = 400e6;
  constexpr double ps_per_second = 1e12;
  constexpr double longest_ps = 1e15;  // a flit in 1000 s: slower than any link, and far from overflow
  const double rate =
      parameters.rate("rate", default_Bps, "data rate of each direction; a flit takes whole picoseconds", source);
  const double exact_ps = rate > 0 ? flit_bytes * ps_per_second / rate : 0;
  const double ps = std::round(exact_ps);
  if (!(ps >= 1 && ps <= longest_ps))
    throw UserError(parameters.where("rate"),
                    "at " + rate_to_text(rate) + " a flit of " + std::to_string(flit_bytes) +
                        " bytes takes less than 1 ps or for ever",
                    "give a rate such as 400MB/s");
  if (rounded_by(exact_ps) > most_rounded) {
    const std::string held = rate_to_text(flit_bytes * ps_per_second / ps);
    throw UserError(
        parameters.where("rate"),
        fmt::format("at {} a flit of {} byte{} takes {:.3g} ps; in whole picoseconds, the link would run at {}",
                    rate_to_text(rate), flit_bytes, flit_bytes == 1 ? "" : "s", exact_ps, held),
        fmt::format("give {}, or larger flits, as -s switch.flit_bytes={}", held, larger_flits(flit_bytes, exact_ps)));
  }
  LinkClass link;
  link.flit_time = Time{static_cast<std::int64_t>(ps)};
  link.tail_time =
      parameters.time("tail_time", 0ns, "time of a packet's last flit if that is a short token; 0: as the others",
                      "40 ns on DS links (FACTS 3.1)");
  if (link.tail_time == 0ns) link.tail_time = link.flit_time;
  link.delay = parameters.time("delay", 0ns, "of the cable", source);
  link.whole_flit =
      parameters.flag("whole_flit", true, "whether a receiver needs a whole flit before it can use it", source);
  link.bit_error_rate = parameters.real("bit_error_rate", 0, "probability of an error, per bit",
                                        "better than 1e-14 (Macrame paper 2)", 0, 1);
  link.retry = parameters.flag("retry", false, "whether the link itself detects damaged packets and retransmits them",
                               "yes on TOFU (FACTS 6.2); the others leave that to cards and software");
  link.turnaround = parameters.time("turnaround", 100ns, "from the end of a damaged packet to its retransmission",
                                    "assumed: as much as a hop, there and back (FACTS 6.2)");
  return link;
}

}  // namespace

std::vector<LinkClass> read_link_classes(const Parameters& link, const std::vector<std::string>& classes,
                                         int flit_bytes) {
  const LinkClass common = read(link, flit_bytes);
  std::vector<LinkClass> result;
  // A class named "link" is the common one: text files without class names have only that.
  for (const std::string& name : classes) result.push_back(name == "link" ? common : read(link.heir(name), flit_bytes));
  return result;
}

}  // namespace sanvp
