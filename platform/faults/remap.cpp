#include "platform/faults/remap.hpp"
#include "models/net/network.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::faults {

RemapTimes RemapTimes::read(const Parameters& section) {
  RemapTimes times;
  times.on =
      section.flag("remap", false, "whether new routes for the rest of the network are computed after each event",
                   "Myrinet: its mapper does (FACTS 2); other machines: to explore");
  times.detect = section.time("remap_detect", 10ms, "of remap: time from an event until it is noticed",
                              "assumed: a mapper that polls for changes");
  times.per_switch =
      section.time("remap_switch", 3400us, "of remap: time to find a switch and its cables",
                   "sw/apps/gm_mapper finds and loads myrinet-16 in 58 ms, myrinet-8 in 23, myrinet-32 in 171");
  times.per_host = section.time("remap_host", 50us, "of remap: time to load a host's routes", "as for remap_switch");
  return times;
}

void Remap::begin(const topologies::Failures& down) {
  down_ = down;
  queue_.schedule_background(
      {.ps = (queue_.now() + takes_).count(), .handler = this, .serial = ++begun_, .kind = net::Network::outage_kind});
}

void Remap::handle(const net::Event& event) {
  queue_.end_background();
  if (event.serial != begun_) return;  // another part has failed or been repaired since
  routes_.replace(compute_(down_));
  if (loaded_) loaded_();
}

}  // namespace sanvp::faults
