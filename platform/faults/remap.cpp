#include "platform/faults/remap.hpp"

namespace sanvp::faults {

RemapTimes RemapTimes::read(const Parameters& section) {
  RemapTimes times;
  times.on = section.flag("remap", false, "whether routes are computed anew after each event, for what is left",
                          "Myrinet: its mapper does (FACTS 2); others: a question of yours");
  times.detect = section.time("remap_detect", 10ms, "of remap: from an event until it is noticed",
                              "assumed: a mapper that asks for changes again and again");
  times.per_switch =
      section.time("remap_switch", 3400us, "of remap: to find a switch and what is plugged in there",
                   "sw/apps/gm_mapper finds and loads myrinet-16 in 58 ms, myrinet-8 in 23, myrinet-32 in 171");
  times.per_host = section.time("remap_host", 50us, "of remap: to load a host's routes", "the same");
  return times;
}

void Remap::begin(const topologies::Failures& down) {
  down_ = down;
  queue_.schedule_background(
      {.ps = (queue_.now() + takes_).count(), .handler = this, .serial = ++begun_, .kind = net::Network::outage_kind});
}

void Remap::handle(const net::Event& event) {
  queue_.end_background();
  if (event.serial != begun_) return;  // another part has failed or come back since
  routes_.replace(compute_(down_));
  if (loaded_) loaded_();
}

}  // namespace sanvp::faults
