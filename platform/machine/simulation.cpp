#include "platform/machine/simulation.hpp"

namespace sanvp {

Simulation::Simulation(const Machine& machine, net::Fidelity fidelity)
    : fabric_("network", timeline_, machine.wiring(), fidelity, machine.seed()) {
  timeline_.end_when([this] { return network().is_over(); });
  if (!machine.faults().empty()) {
    outages_.emplace(machine.faults(), machine.stock(), network(), queue());
    observe_packets(outages_->packet_observer());
  }
}

void Simulation::observe_packets(net::PacketObserver& observer) {
  packet_observers_.add(observer);
  network().observe_packets(packet_observers_.all());
}

void Simulation::forget_packets(net::PacketObserver& observer) {
  packet_observers_.remove(observer);
  network().observe_packets(packet_observers_.all());
}

Simulation::End Simulation::run(Time until, std::function<bool()> keep_going) {
  bool paused = false;
  timeline_.hold_after(until);
  timeline_.watch([&] {
    paused = keep_going && !keep_going();
    return !paused;
  });
  timeline_.run();
  timeline_.watch({});
  if (paused) return End::paused;
  const bool is_idle = network().is_over() && network().conclude(until);
  if (!is_idle) queue().advance_to(until);
  if (outages_) outages_->close();
  if (!is_idle) return End::until;
  if (network().in_flight() > 0) deadlock_ = network().find_deadlock();
  return End::idle;
}

}  // namespace sanvp
