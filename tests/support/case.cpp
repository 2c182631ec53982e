#include "tests/support/case.hpp"

namespace sanvp::test {
namespace {

class Ledger final : public net::Endpoint, public net::EventHandler {
 public:
  Ledger(const Case& one, net::Network& network, net::EventQueue& queue, Result& result)
      : case_(one), network_(network), queue_(queue), result_(result) {
    result_.outcomes.resize(one.shipments.size());
    result_.payloads.resize(one.shipments.size());
    open_circuits_.resize(one.shipments.size());
    for (std::size_t n = 0; n < one.wiring.nics.size(); ++n) network.attach(static_cast<int>(n), *this);
    for (std::size_t i = 0; i < one.failures.size(); ++i)
      for (const Time at : {one.failures[i].time, one.failures[i].repaired})
        if (at != never)
          queue.schedule({.ps = at.count(),
                          .handler = this,
                          .kind = net::Network::outage_kind,
                          .unit = static_cast<std::uint32_t>(i)});
    for (std::size_t i = 0; i < one.shipments.size(); ++i)
      queue.schedule({.ps = one.shipments[i].time.count(),
                      .handler = this,
                      .kind = shipment_kind,
                      .unit = static_cast<std::uint32_t>(i)});
    for (std::size_t i = 0; i < one.shipments.size(); ++i)
      if (one.shipments[i].abandoned != never)
        queue.schedule({.ps = one.shipments[i].abandoned.count(),
                        .handler = this,
                        .kind = abandonment_kind,
                        .unit = static_cast<std::uint32_t>(i)});
  }

  void handle(const net::Event& event) override {
    if (event.kind == net::Network::outage_kind) {
      const Failure& failure = case_.failures[event.unit];
      if (event.ps == failure.repaired.count())
        network_.repair(failure.channel);
      else
        network_.fail(failure.channel);
      return;
    }
    if (event.kind == abandonment_kind || event.kind == answer_kind) {
      net::Packet* circuit = open_circuits_[event.unit];
      if (circuit == nullptr) return;
      if (event.kind == abandonment_kind) {
        network_.abandon(*circuit);
      } else {
        network_.acknowledge(*circuit, static_cast<int>(event.serial), 0);
      }
      return;
    }
    const Shipment& shipment = case_.shipments[event.unit];
    net::Packet& packet = network_.make_packet();
    packet.source = shipment.source;
    packet.destination = shipment.destination;
    packet.flits = shipment.flits;
    packet.priority = shipment.priority;
    packet.route = shipment.route;
    packet.descend = shipment.descend;
    packet.branches = shipment.copies;
    packet.payload = shipment.payload;
    packet.tag = event.unit;
    const auto source = static_cast<std::size_t>(shipment.source);  // some cases name none that is there
    if (source < case_.wiring.nics.size() && case_.wiring.nics[source].rules.answers)
      open_circuits_[event.unit] = &packet;
    network_.send(packet);
  }
  void injected(net::Packet& packet) override { of(packet).injected_ps = network_.now().count(); }
  void delivered(net::Packet& packet, int host) override {
    Outcome& outcome = of(packet);
    outcome.delivered_ps = network_.now().count();
    outcome.corrupt = packet.corrupt;
    outcome.marked = packet.marked;
    if (packet.descend || host == packet.destination) ++outcome.deliveries;
    if (packet.descend) outcome.arrivals.push_back({host, outcome.delivered_ps});
    result_.delivery_order.push_back(static_cast<int>(packet.tag));
    result_.payloads[static_cast<std::size_t>(packet.tag)] = packet.payload;
    if (case_.wiring.nics[static_cast<std::size_t>(host)].rules.answers)
      queue_.schedule({.ps = outcome.delivered_ps + case_.answer.count(),
                       .handler = this,
                       .serial = static_cast<std::uint32_t>(host),
                       .kind = answer_kind,
                       .unit = static_cast<std::uint32_t>(packet.tag)});
  }
  void acknowledged(net::Packet& packet) override { open_circuits_[static_cast<std::size_t>(packet.tag)] = nullptr; }
  void sent(net::Packet& packet) override { of(packet).sent_ps = network_.now().count(); }
  void lost(net::Packet& packet) override {
    of(packet).lost = true;
    open_circuits_[static_cast<std::size_t>(packet.tag)] = nullptr;
  }

 private:
  enum Kind : std::uint16_t {
    shipment_kind = 1,
    answer_kind = 100,
    abandonment_kind
  };  // the last two after the network's

  Outcome& of(const net::Packet& packet) { return result_.outcomes[static_cast<std::size_t>(packet.tag)]; }

  const Case& case_;
  net::Network& network_;
  net::EventQueue& queue_;
  Result& result_;
  std::vector<net::Packet*> open_circuits_;  // per shipment, until its acknowledgement is back
};

constexpr Time long_after{std::int64_t{1} << 50};

}  // namespace

Result run_case(const Case& one, net::Fidelity fidelity, const Look& look) {
  net::EventQueue queue;
  net::Network network{one.wiring, queue, fidelity, one.seed};
  Result result;
  Ledger ledger{one, network, queue, result};
  if (look.take) {
    while (!queue.empty() && queue.next() <= look.at) queue.run_instant();
    queue.advance_to(look.at);
    look.take(network);
  }
  while (queue.run_until(long_after)) {
  }
  network.conclude();
  for (std::size_t c = 0; c < one.wiring.channels.size(); ++c)
    result.statistics.push_back(network.statistics(static_cast<int>(c)));
  result.events = queue.processed();
  result.left_over = network.in_flight();
  result.lost = network.lost();
  if (result.left_over > 0) result.deadlock = network.find_deadlock();
  return result;
}

}  // namespace sanvp::test
