/// `link`: a header that has waited for a link for so long.
#include <fmt/format.h>

#include <algorithm>

#include "platform/breakpoints/breakpoint.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

/// Looks when the oldest header that waits now will have waited for so long. One that comes later is seen by then.
class Blocked final : public Watch, public std::enable_shared_from_this<Blocked> {
 public:
  Blocked(Cluster& cluster, int link, Time span, Breakpoint::Hit hit)
      : cluster_(cluster), link_(link), span_(span), hit_(std::move(hit)) {}

  std::string text() const override {
    return fmt::format("gdb stops when a header has waited for link {} for {}", link_, to_text(span_));
  }

  void look() {
    const Time now = cluster_.now();
    Time next = now + span_;
    cluster_.network().visit_waiting([&](int unit, const net::Request& request) {
      const int channel = channel_wanted(unit, request);
      if (channel < 0) return;
      const Time due = Time{request.since_ps} + span_;
      if (due > now)
        next = std::min(next, due);
      else if (due == now)
        hit_(fmt::format("the header of packet {} has waited for {} at {} for {}", request.packet().id,
                         wiring().channels[static_cast<std::size_t>(channel)].name,
                         wiring().switches[static_cast<std::size_t>(unit)].name, to_text(span_)));
    });
    look_at(cluster_, next, shared_from_this(), [](Blocked& watch) { watch.look(); });
  }

 private:
  const net::Wiring& wiring() const { return cluster_.network().wiring(); }

  /// The link's channel among the outputs that the header wants; below 0: none is.
  int channel_wanted(int unit, const net::Request& request) const {
    const auto& out = wiring().switches[static_cast<std::size_t>(unit)].out;
    int wanted = -1;
    request.for_each_output([&](int output) {
      const int channel = out[static_cast<std::size_t>(output)];
      const bool may_take_it = request.committed < 0 || request.committed == output;
      if (may_take_it && channel >= 0 && channel / 2 == link_) wanted = channel;
    });
    return wanted;
  }

  Cluster& cluster_;
  int link_;
  Time span_;
  Breakpoint::Hit hit_;
};

std::shared_ptr<Watch> set(const Watched& watched, const Breakpoint::Words& words, Breakpoint::Hit hit) {
  if (words.size() != 3 || words[1] != "blocked")
    throw UserError(break_place, "a link and a time are missing", "write `monitor break link 3 blocked 10us`");
  const int link = parse_number(words[0], break_place, "link", watched.machine.graph().link_count());
  const Time span = parse_time(words[2], break_place);
  if (span <= Time{0}) throw UserError(break_place, "a header waits longer than 0", "give a longer time");
  const auto watch = std::make_shared<Blocked>(watched.cluster, link, span, std::move(hit));
  watch->look();
  return watch;
}

const Registration<Breakpoint> registration{
    {.name = "link",
     .form = "link N blocked TIME",
     .meaning = "gdb stops when a packet's header has waited for a direction of link N for so long",
     .set = set}};

}  // namespace
}  // namespace sanvp
