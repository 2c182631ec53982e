#include "models/net/hop_trace.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "models/net/hop.hpp"
#include "models/net/network.hpp"

namespace sanvp::net {

HopTrace::HopTrace(const Wiring& wiring, Trace& trace) : wiring_(wiring), trace_(trace) {
  for (const auto& channel : wiring.channels) tracks_.emplace_back(channel.rules.virtual_channels);
}

Trace::Track HopTrace::track(int channel, int vc) {
  auto& known = tracks_[channel][vc];
  if (!known) {
    const auto& from = wiring_.channels[channel].from;
    const bool is_nic = from.kind == Terminal::Kind::nic;
    const std::string& unit = is_nic ? wiring_.nics[from.unit].name : wiring_.switches[from.unit].name;
    known = trace_.track(unit, "port " + std::to_string(from.port) + " vc " + std::to_string(vc));
  }
  return *known;
}

/// Valid until the next call.
std::string_view HopTrace::name_of(const Packet& packet) {
  char* at = name_.data();
  char* const end = at + name_.size();
  const auto text = [&](std::string_view words) { at = std::copy(words.begin(), words.end(), at); };
  const auto number = [&](auto value) { at = std::to_chars(at, end, value).ptr; };
  text("packet ");
  number(packet.id);
  text(" (");
  number(packet.source);
  text(" to ");
  number(packet.destination);
  text(")");
  return {name_.data(), at};
}

void HopTrace::observe(Network& network) {
  has_flits_ = network.simulates_flits();
  if (has_flits_) network.observe_flits(this);
}

void HopTrace::hop_over(const Hop& hop, Time released) {
  const Time granted{hop.granted_ps};
  if (!trace_.wants(granted, released)) {
    flits_.erase({hop.channel, hop.vc});
    return;
  }
  const Packet& packet = *hop.packet;
  const Trace::Track row = track(hop.channel, hop.vc);
  const std::string_view name = name_of(packet);
  if (!has_flits_)
    trace_.slice(row, name, granted, released, {{"flits", hop.length}, {"header_start_ps", hop.header_start_ps}});
  else
    trace_.slice(row, name, granted, released,
                 {{"flits", hop.length},
                  {"header_start_ps", hop.header_start_ps},
                  {"header_arrival_ps", hop.header_arrival_ps},
                  {"requested_ps", hop.requested_ps},
                  {"granted_ps", hop.granted_ps},
                  {"released_ps", released.count()},
                  {"channel", hop.channel},
                  {"strip", hop.strip},
                  {"prepend", hop.prepend}});
  draw_flits(hop, row);
  // If the NIC answers by itself, its model draws the arrow to its end.
  if (hop.last && !wiring_.nics[wiring_.channels[hop.channel].to.unit].rules.answers)
    trace_.flow_end(row, packet.id, granted);
  else
    trace_.flow(row, packet.id, granted);
}

void HopTrace::run_over(const Network& network) {
  if (has_flits_) network.visit_owners([&](const Hop& hop) { hop_over(hop, network.now()); });
  for (const auto& [place, returned] : credits_) draw_credits(place.first, place.second, returned);
  credits_.clear();
}

bool HopTrace::Run::takes(std::int64_t ps) {
  const std::int64_t after_ps = ps - last_ps();
  if (count == 1) period_ps = after_ps;
  if (after_ps != period_ps) return false;
  ++count;
  return true;
}

void HopTrace::flit_sent(const Hop& hop, std::int64_t flit, Time now) {
  std::vector<Run>& runs = flits_[{hop.channel, hop.vc}];
  if (flit == 0) runs.clear();
  if (!runs.empty() && runs.back().takes(now.count())) return;
  runs.push_back({.flit = flit, .first_ps = now.count()});
}

/// Whether the timeline begins after this instant.
bool HopTrace::is_before_window(Time at) const { return trace_.wants(at, never) && !trace_.wants(at, at); }

/// Drops what a run has before the window.
void HopTrace::enter_window(Run& run) const {
  while (run.count > 0 && is_before_window(Time{run.first_ps})) {
    ++run.flit;
    --run.count;
    run.first_ps += run.period_ps;
  }
}

/// An instant for each run, where it enters the window. Each names the packet, since others may share the row later.
void HopTrace::draw_flits(const Hop& hop, Trace::Track row) {
  const auto found = flits_.find({hop.channel, hop.vc});
  if (found == flits_.end()) return;
  for (Run run : found->second) {
    enter_window(run);
    if (run.count == 0) continue;
    trace_.instant(row, "flits", Time{run.first_ps},
                   {{"packet", static_cast<std::int64_t>(hop.packet->id)},
                    {"flit", run.flit},
                    {"count", run.count},
                    {"period_ps", run.period_ps}});
  }
  flits_.erase(found);
}

void HopTrace::signal_sent(int channel, int vc, bool stop, Time now, Time binds) {
  trace_.instant(track(channel, vc), stop ? "STOP" : "GO", now, {{"channel", channel}, {"binds_ps", binds.count()}});
}

void HopTrace::credits_sent(int channel, int vc, int slots, Time from, Time usable) {
  const auto [known, is_first] = credits_.try_emplace({channel, vc});
  if (!is_first && known->second.run.takes(from.count())) return;
  if (!is_first) draw_credits(channel, vc, known->second);
  known->second = {.run = {.first_ps = from.count()}, .slots = slots, .delay_ps = (usable - from).count()};
}

/// An instant for the run, where it enters the window.
void HopTrace::draw_credits(int channel, int vc, Returned returned) {
  enter_window(returned.run);
  if (returned.run.count == 0) return;
  trace_.instant(track(channel, vc), "credits", Time{returned.run.first_ps},
                 {{"channel", channel},
                  {"slots", returned.slots},
                  {"count", returned.run.count},
                  {"period_ps", returned.run.period_ps},
                  {"usable_ps", returned.run.first_ps + returned.delay_ps}});
}

void HopTrace::acknowledgement_passes(const Hop& hop, Time from, Time until) {
  trace_.instant(
      track(hop.channel, hop.vc), "acknowledgement", from,
      {{"packet", static_cast<std::int64_t>(hop.packet->id)}, {"channel", hop.channel}, {"until_ps", until.count()}});
}

}  // namespace sanvp::net
