#include "platform/traffic/spy.hpp"

#include "models/net/hop.hpp"
#include "platform/core/error.hpp"
#include "platform/core/text.hpp"

namespace sanvp::traffic {

Spy::Spy(const net::Wiring& wiring, const std::string& channel, const std::string& place, Time from, Time until)
    : from_(from), until_(until) {
  std::vector<std::string> names;
  for (const auto& known : wiring.channels) {
    if (known.name == channel) channel_ = static_cast<int>(names.size());
    names.push_back(known.name);
  }
  if (channel_ >= 0) return;
  throw UserError(place, "there is no channel " + in_quotes(channel),
                  "the nearest name is '" + nearest_of_all(channel, names) + "'; links.csv of any run lists them");
}

void Spy::hop_over(const net::Hop& hop, Time released) {
  if (hop.channel != channel_) return;
  const Time header{hop.header_start_ps >= 0 ? hop.header_start_ps : hop.granted_ps};
  if (header < from_ || header >= until_) return;
  sightings_.push_back(
      {header, released, hop.vc, hop.packet->id, hop.packet->source, hop.packet->destination, hop.length});
}

Table Spy::table() const {
  Table table({"header_ns", "tail_ns", "vc", "packet", "source", "destination", "flits"});
  for (const Sighting& one : sightings_)
    table.add({in_ns(one.header), in_ns(one.tail), std::int64_t{one.vc}, static_cast<std::int64_t>(one.packet),
               std::int64_t{one.source}, std::int64_t{one.destination}, std::int64_t{one.flits}});
  return table;
}

}  // namespace sanvp::traffic
