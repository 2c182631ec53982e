#include "models/nic/elan3/link.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::elan3 {

namespace {

/// Passes an answer to the coroutine that waits for it.
struct Exchange final : Sender {
  explicit Exchange(net::Clock& clock) : come(clock) {}
  void answered(void*, std::int64_t, const Answer& what) override {
    answer = what;
    is_there = true;
    come.notify();
  }
  Answer answer;
  bool is_there = false;
  net::Condition come;
};

}  // namespace

Link::Rules Link::Rules::read(const Parameters& parameters) {
  return {.timeout =
              parameters.time("timeout", 100ms, "time without an acknowledgement after which a packet is given up",
                              "assumed; far above any wait for a congested network, whose packets still arrive")};
}

Link::Link(const Rules& rules, net::EventQueue& queue, std::uint32_t unit, net::Clock& clock,
           net::NetworkInitiatorSocket& network, Counters& counters)
    : rules_(rules), queue_(queue), unit_(unit), clock_(clock), network_(network), counters_(counters) {}

std::uint64_t Link::send(Outgoing outgoing, Time at, Sender& sender, void* subject, std::int64_t tag) {
  Flight* flight = nullptr;
  if (free_.empty()) {
    flight = &flights_.emplace_back();
  } else {
    flight = free_.back();
    free_.pop_back();
  }
  net::Packet& packet = network_->make_packet();
  *flight = {.packet = &packet, .sender = &sender, .subject = subject, .tag = tag, .deadline = at + rules_.timeout};
  in_flight_.push_back(flight);
  if (!timer_set_) set_timer(flight->deadline);

  packet.destination = outgoing.way.destination;
  packet.branches = outgoing.way.branches;
  packet.priority = outgoing.way.priority;
  packet.flits = outgoing.flits;
  packet.route = outgoing.way.route;
  if (outgoing.way.descends) packet.descend = outgoing.way.descend;
  packet.payload = std::move(outgoing.payload);
  packet.cookie = flight;
  const std::uint64_t id = packet.id;
  network_->send(packet, net::to_sc_time(at - net::kernel_now()));
  counters_.count(Counter::packets_sent);
  return id;
}

net::Task<Answer> Link::exchange(Outgoing outgoing, Time at) {
  Exchange exchange(clock_);
  send(std::move(outgoing), at, exchange, nullptr);
  while (!exchange.is_there) co_await exchange.come.wait();
  co_return exchange.answer;
}

void Link::acknowledged(net::Packet& packet) {
  end(packet, packet.lost ? Answer{.kind = Answer::Kind::lost}
                          : Answer{.acknowledgement = packet.acknowledgement,
                                   .reply = static_cast<std::uint32_t>(packet.reply)});
}

void Link::lost(net::Packet& packet) { end(packet, {.kind = Answer::Kind::lost}); }

void Link::end(net::Packet& packet, const Answer& answer) {
  auto* flight = static_cast<Flight*>(packet.cookie);
  if (flight == nullptr) return;  // answered already: the network reports a discarded packet twice
  packet.cookie = nullptr;
  const Flight over = *flight;
  free_.push_back(flight);             // before the call of the sender, which may send at once
  if (over.sender == nullptr) return;  // it was given up before
  in_flight_.erase(std::find(in_flight_.begin(), in_flight_.end(), flight));
  over.sender->answered(over.subject, over.tag, answer);
}

/// One timer for each card: it checks the oldest packet.
void Link::handle(const net::Event&) {
  timer_set_ = false;
  while (!in_flight_.empty() && in_flight_.front()->deadline <= queue_.now()) {
    Flight* flight = in_flight_.take_front();
    Sender* sender = std::exchange(flight->sender, nullptr);
    network_->abandon(*flight->packet);
    sender->answered(flight->subject, flight->tag, {.kind = Answer::Kind::timeout});
  }
  if (!in_flight_.empty() && !timer_set_) set_timer(in_flight_.front()->deadline);
}

void Link::set_timer(Time at) {
  timer_set_ = true;
  constexpr std::uint16_t kind = 200;  // after all that happens in the instant
  queue_.schedule({.ps = at.count(), .handler = this, .kind = kind, .unit = unit_});
}

CardQueue Link::queue() const {
  CardQueue shown{"unanswered packets"};
  for (const Flight* const flight : in_flight_)
    if (flight->packet != nullptr)
      shown.entries.push_back(QueueEntry()
                                  .add("packet", flight->packet->id)
                                  .add("to", flight->packet->destination)
                                  .add("flits", flight->packet->flits));
  return shown;
}

}  // namespace sanvp::nic::elan3
