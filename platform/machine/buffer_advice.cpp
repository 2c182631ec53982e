#include "platform/machine/buffer_advice.hpp"

#include <algorithm>
#include <cstdint>

namespace sanvp {
namespace {

/// Flits that a sender needs credits for to send without a pause: those that start until the first one's credit is
/// back.
std::int64_t flits_needed(const net::ChannelRules& rules, const net::Credits& credits) {
  const Time round_trip =
      rules.delay + credits.return_delay + (credits.token_time > Time{0} ? credits.token_time + rules.wire : Time{0});
  return (round_trip + rules.flit_time - Time{1}) / rules.flit_time + credits.batch - 1;
}

}  // namespace

std::string buffer_advice(const topologies::Graph& graph, const net::Wiring& wiring) {
  std::int64_t needed = 0;
  std::int64_t has = 0;
  std::string link_class;
  for (int channel = 0; channel < graph.channel_count(); ++channel) {
    if (!graph.channel_source(channel).is_switch() || !graph.channel_target(channel).is_switch()) continue;
    const net::ChannelRules& rules = wiring.channels[channel].rules;
    const auto* credits = std::get_if<net::Credits>(&rules.flow);
    if (credits == nullptr) continue;
    const std::int64_t flits = flits_needed(rules, *credits);
    if (flits <= credits->buffer || flits <= needed) continue;
    needed = flits;
    has = credits->buffer;
    link_class = graph.link_classes()[graph.links()[channel / 2].link_class];
  }
  if (needed == 0) return {};
  return "a buffer of " + std::to_string(has) + " flits is less than the " + std::to_string(needed) +
         " that a cable of class " + link_class + " carries until a credit is back: a packet alone gets " +
         std::to_string(100 * has / needed) + " % of its rate; -s switch.buffer=" + std::to_string(needed) +
         " covers it";
}

}  // namespace sanvp
