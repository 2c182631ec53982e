#include "platform/traffic/traffic_nodes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/net/network.hpp"
#include "platform/core/error.hpp"

namespace sanvp::traffic {
namespace {

/// It travels outside the ledger.
bool is_notification(const net::Packet& packet) { return packet.tag == PacedFlows::notification_tag; }

/// With so many waiting messages, a node only counts further ones.
constexpr std::size_t most_known = 16;

}  // namespace

TrafficNodes::TrafficNodes(const NetworkUnderTest& under_test, net::Network& network, net::EventQueue& queue,
                           Pattern& pattern, const Workload& workload, Ledger& ledger, Meter& meter)
    : under_test_(under_test),
      network_(network),
      queue_(queue),
      pattern_(pattern),
      workload_(workload),
      ledger_(ledger),
      meter_(meter),
      ports_(under_test.routing.host_ports()),
      ends_(under_test.format.send_latency + under_test.format.receive_latency) {
  const std::uint64_t seed = under_test.seed;
  for (int n = 0; n < under_test.nodes(); ++n) {
    const std::string name = "traffic." + std::to_string(n);
    nodes_.push_back({.selection = under_test.make_route_selection ? under_test.make_route_selection() : nullptr,
                      .routes = {seed, name + ".routes"},
                      .generator = {.destinations = {seed, name + ".destinations"},
                                    .sizes = {seed, name + ".sizes"},
                                    .arrivals = {workload.arrivals, 0, {seed, name + ".arrivals"}}}});
    if (under_test.congestion.is_on())
      nodes_.back().flows =
          std::make_unique<PacedFlows>([make = under_test.congestion.make,
                                        phase = Random(seed, name + ".timers").uniform()] { return make(phase); });
    if (ports_ > 1) nodes_.back().under_way.assign(static_cast<std::size_t>(ports_), 0);
    network.attach(n, *this);
  }
  if (pattern.pace() != Pattern::Pace::load) return;
  double interval_ps = 0;
  const net::ChannelRules* rules = nullptr;
  for (int n = 0; n < under_test.nodes(); ++n) {
    if (under_test.wiring.nics[n].out < 0) continue;  // not cabled: its first packet reports the error
    if (rules == nullptr || !(under_test.injection(n) == *rules))
      interval_ps = mean_interval_ps(under_test, workload, n);
    rules = &under_test.injection(n);
    nodes_[n].generator.arrivals = {workload.arrivals,
                                    interval_ps,
                                    {seed, "traffic." + std::to_string(n) + ".arrivals"},
                                    workload_.load.steps,
                                    workload.bursts};
  }
}

void TrafficNodes::start() {
  for (int n = 0; n < under_test_.nodes(); ++n) {
    if (pattern_.pace() != Pattern::Pace::closed && !pattern_.sends(n)) continue;
    if (is_planned())
      for (int messages = pattern_.window(); messages > 0; --messages) plan(n, Time{0});
    else
      schedule(generate_kind, n, nodes_[n].generator.arrivals.now());
  }
}

/// Prepares the next message of a pattern that sets its own pace; its delay counts from `from`.
void TrafficNodes::plan(int n, Time from) {
  Node& node = nodes_[n];
  const auto next = silent_ ? std::nullopt : pattern_.next(n, node.generator.destinations);
  if (!next) {
    ++node.waiting;
    return;
  }
  node.planned.push_back({from + next->delay, *next});
  schedule(generate_kind, n, from + next->delay);
}

/// The planned message whose time has come; of several the one that was planned first.
Descriptor TrafficNodes::take_planned(int n) {
  auto& planned = nodes_[n].planned;
  const auto first = std::ranges::min_element(planned, {}, &Planned::at);
  const Descriptor what = first->what;
  planned.erase(first);
  return what;
}

void TrafficNodes::schedule(Kind kind, int node, Time at, std::uint32_t serial) {
  if (at == never)
    throw UserError("traffic",
                    "simulated time ends after 106 days, before node " + std::to_string(node) + " sends next",
                    "give a higher load");
  queue_.schedule({.ps = at.count(),
                   .handler = this,
                   .serial = serial,
                   .kind = static_cast<std::uint16_t>(kind),
                   .unit = static_cast<std::uint32_t>(node)});
}

void TrafficNodes::handle(const net::Event& event) {
  ++turns_;
  if (event.kind == answer_kind)
    enqueue(event.serial);
  else if (event.kind == unsent_kind)
    taken(static_cast<int>(event.unit));
  else if (event.kind == resume_kind)
    feed(static_cast<int>(event.unit));
  else if (event.kind == notify_kind)
    send_notification(static_cast<int>(event.unit), static_cast<int>(event.serial));
  else
    generate(static_cast<int>(event.unit));
}

void TrafficNodes::wake(int n) {
  Node& node = nodes_[n];
  if (node.waiting == 0) return;
  --node.waiting;
  if (is_planned()) {
    plan(n, network_.now() + (pattern_.pace() == Pattern::Pace::closed ? ends_ : Time{0}));
    return;
  }
  node.generator.arrivals.restart(network_.now());
  schedule(generate_kind, n, node.generator.arrivals.now());
}

Message TrafficNodes::message_of(int n, const Descriptor& descriptor, Time generated, Random& sizes) const {
  Message message{.source = n, .destination = descriptor.destination, .origin = n, .generated = generated};
  message.data_bytes = descriptor.bytes ? *descriptor.bytes : workload_.sizes.draw(sizes);
  message.bytes = descriptor.read ? workload_.request_bytes : message.data_bytes;
  if (descriptor.read) message.kind = Message::Kind::request;
  message.packets = under_test_.format.packets(message.bytes);
  message.flow_class = descriptor.flow_class;
  return message;
}

void TrafficNodes::generate(int n) {
  if (silent_) return;
  Node& node = nodes_[n];
  if (node.superseded == network_.now()) {
    node.superseded = Time{-1};
    return;
  }
  const bool closed = pattern_.pace() == Pattern::Pace::closed;
  const bool is_counted = node.flows == nullptr && pattern_.is_repeatable() &&
                          (node.source_queue.counted() > 0 || node.source_queue.size() >= most_known);
  const auto before = is_counted && !node.behind ? std::optional(node.generator) : std::nullopt;
  const auto descriptor = is_planned() ? std::optional(take_planned(n)) : pattern_.next(n, node.generator.destinations);
  if (!descriptor) {
    node.waiting = 1;
    return;
  }
  Message message = message_of(n, *descriptor, network_.now(), node.generator.sizes);
  if (under_test_.routing.alternatives(n, message.destination) == 0) {
    unserved_ += meter_.is_open() ? 1 : 0;
    if (node.behind) node.source_queue.push_discarded();
    if (closed) plan(n, network_.now());
  } else {
    const nic::PacketFormat& format = under_test_.format;
    const bool asks = message.kind == Message::Kind::request;
    meter_.generated(message, message.packets + (asks ? format.packets(message.data_bytes) : 0),
                     wire_bytes(format, message.bytes) + (asks ? wire_bytes(format, message.data_bytes) : 0));
    if (is_counted) {
      if (before) node.behind = before;
      node.source_queue.push_counted(message.measured);
      enqueued(n);
    } else {
      enqueue(ledger_.messages.add(message));
    }
  }
  switch (pattern_.pace()) {
    case Pattern::Pace::load:
      node.generator.arrivals.advance();
      schedule(generate_kind, n, node.generator.arrivals.now());
      break;
    case Pattern::Pace::listed:
      plan(n, network_.now());
      break;
    case Pattern::Pace::closed:
      break;
  }
}

/// Generates the first of the messages that are only counted. The queue knows whether those before it had a route:
/// routes may have changed since.
std::uint32_t TrafficNodes::generate_again(int n) {
  Node& node = nodes_[n];
  Generator& behind = *node.behind;
  const auto next = [&] {
    const Time generated = behind.arrivals.now();
    const Message message = message_of(n, *pattern_.next(n, behind.destinations), generated, behind.sizes);
    behind.arrivals.advance();
    return message;
  };
  for (std::uint64_t left = node.source_queue.take_discarded(); left > 0; --left) next();
  Message message = next();
  message.measured = node.source_queue.is_first_measured();
  return ledger_.messages.add(message);
}

bool TrafficNodes::is_quiet() const { return queue_.empty() && network_.last_quiet_release() == network_.now(); }

std::uint32_t TrafficNodes::send_probe(int source, int destination, std::int64_t bytes) {
  ++turns_;
  const std::uint32_t index = ledger_.messages.add({.kind = Message::Kind::probe,
                                                    .source = source,
                                                    .destination = destination,
                                                    .origin = source,
                                                    .bytes = bytes,
                                                    .generated = network_.now(),
                                                    .packets = under_test_.format.packets(bytes)});
  enqueue(index);
  return index;
}

// ---- sending

void TrafficNodes::enqueue(std::uint32_t index) {
  const int n = ledger_.messages[index].source;
  Node& node = nodes_[n];
  if (node.flows != nullptr)
    node.flows->push(ledger_.messages[index].destination, index);
  else
    node.source_queue.push(index);
  enqueued(n);
}

void TrafficNodes::enqueued(int n) {
  meter_.queue_length(n, network_.now(), queued_messages(nodes_[n]));
  feed(n);
}

std::int64_t TrafficNodes::queued_messages(const Node& node) const {
  return static_cast<std::int64_t>(node.flows != nullptr ? node.flows->size() : node.source_queue.size());
}

/// Hands the NIC one packet at a time, or as many as it has ports, so that in overload messages wait in long queues
/// instead of packets; the next one follows at the instant at which the NIC takes one. A message that has lost its
/// route since it was generated is not sent.
void TrafficNodes::feed(int n) {
  Node& node = nodes_[n];
  if (node.flows != nullptr) return feed_flows(n);
  while (node.handed_over < ports_ && !node.source_queue.empty()) {
    if (node.source_queue.is_first_counted()) {
      node.source_queue.generate_first(generate_again(n));
      if (node.source_queue.counted() == 0) node.behind.reset();
    }
    const std::uint32_t index = node.source_queue.first();
    const bool has_route = under_test_.routing.alternatives(n, ledger_.messages[index].destination) > 0;
    if (has_route) {
      send_packet(n, index);
      const Message& message = ledger_.messages[index];
      if (message.packets_sent < message.packets) continue;
    }
    node.source_queue.pop();
    meter_.queue_length(n, network_.now(), static_cast<std::int64_t>(node.source_queue.size()));
    if (!has_route) give_up(index);
  }
}

/// The rest of a message whose route no longer exists.
void TrafficNodes::give_up(std::uint32_t index) {
  Message& message = ledger_.messages[index];
  unserved_ += message.measured ? 1 : 0;
  message.packets_lost += message.packets - std::exchange(message.packets_sent, message.packets);
  if (message.is_over()) message_over(index);
}

/// Precondition: the pair is served.
int TrafficNodes::choose_port(int n, int destination) {
  Node& node = nodes_[n];
  nic::PortChoice choice{.next = node.next_port, .destination = destination, .under_way = node.under_way};
  for (int port = 0; port < ports_; ++port)
    if (under_test_.routing.by_port(n, destination, port).count > 0) choice.served |= 1U << port;
  const int port = under_test_.port_selection->select(choice, node.routes);
  node.next_port = (port + 1) % ports_;
  return port;
}

int TrafficNodes::choose_alternative(int n, int destination, std::int64_t payload) {
  if (ports_ == 1) return choose_route(n, under_test_.routing, n, destination, payload);
  const topologies::PortAlternatives of = under_test_.routing.by_port(n, destination, choose_port(n, destination));
  return of.first + choose_route(n, *of.routing, of.source, of.destination, payload);
}

int TrafficNodes::choose_route(int n, const topologies::Routing& routing, int source, int destination,
                               std::int64_t payload) {
  Node& node = nodes_[n];
  if (node.selection != nullptr) return node.selection->select(routing, source, destination, payload, node.routes);
  if (!routing.random_alternative()) return 0;
  return static_cast<int>(node.routes.below(static_cast<std::uint64_t>(routing.alternatives(source, destination))));
}

void TrafficNodes::send_packet(int n, std::uint32_t index) {
  Message& message = ledger_.messages[index];
  const nic::PacketFormat& format = under_test_.format;
  const std::int64_t payload = format.payload(message.bytes, message.packets_sent++);
  const int alternative = choose_alternative(n, message.destination, payload);
  net::Packet& packet = network_.make_packet();
  packet.flits = format.flits(payload);
  packet.generated = message.generated;
  under_test_.address(packet, n, message.destination, alternative);
  PacketRecord record{
      .packet_id = packet.id,
      .message = index,
      .alternative = alternative,
      .payload = payload,
      .wire_bytes = std::int64_t{format.flits(payload) - (format.end_token ? 1 : 0)} * format.flit_bytes};
  meter_.packet_sent(record, message, packet.route.in_transit_hosts());
  packet.tag = ledger_.packets.add(record);
  Node& node = nodes_[n];
  ++node.handed_over;
  if (ports_ > 1) node.under_way[packet.route.source_port] += packet.flits;
  network_.send(packet);
}

void TrafficNodes::injected(net::Packet& packet) {
  if (is_notification(packet)) return;
  if (nodes_[packet.source].flows != nullptr) flow_started(packet);
  Message& message = ledger_.messages[ledger_.packets[static_cast<std::uint32_t>(packet.tag)].message];
  if (message.injected == never) message.injected = packet.injected;
  taken(packet.source);
}

void TrafficNodes::taken(int n) {
  --nodes_[n].handed_over;
  feed(n);
}

void TrafficNodes::sent(net::Packet& packet) {
  Node& node = nodes_[packet.source];
  if (node.selection == nullptr || !under_test_.unhindered) return;
  node.selection->sent(packet.injected, network_.now(), under_test_.unhindered(packet.source, packet.flits));
}

// ---- arrival

void TrafficNodes::delivered(net::Packet& packet, int) {
  if (is_notification(packet)) return notification_arrived(packet);
  if (packet.lost) return;
  if (packet.marked) notify(packet);
  packet_arrived(packet, false);
}

/// A packet that was lost before it was sent, because its host's own cable has failed, delays the next packet for as
/// long as if it had been sent.
void TrafficNodes::lost(net::Packet& packet) {
  if (is_notification(packet)) return;
  if (packet.injected == never) {
    const Time span = under_test_.unhindered ? under_test_.unhindered(packet.source, packet.flits) : 1ns;
    schedule(unsent_kind, packet.source, network_.now() + span);
  }
  packet_arrived(packet, true);
}

void TrafficNodes::packet_arrived(net::Packet& packet, bool is_lost) {
  const auto index = static_cast<std::uint32_t>(packet.tag);
  PacketRecord& record = ledger_.packets[index];
  if (record.packet_id != packet.id || record.delivered) return;
  const std::uint32_t message_index = record.message;
  Message& message = ledger_.messages[message_index];
  record.delivered = true;
  if (ports_ > 1) nodes_[packet.source].under_way[packet.route.source_port] -= packet.flits;
  if (packet_over) packet_over(packet, record);
  if (is_lost) {
    meter_.packet_lost(record, message);
    ++message.packets_lost;
  } else {
    meter_.packet_delivered(record, message, packet);
    ++message.packets_arrived;
  }
  if (is_lost || record.released) {
    if (!is_lost) meter_.packet_over(record);
    record.packet_id = UINT64_MAX;
    ledger_.packets.remove(index);
  }
  if (message.is_over()) message_over(message_index);
}

void TrafficNodes::message_over(std::uint32_t index) {
  const Message message = ledger_.messages[index];
  ledger_.messages.remove(index);
  const Time now = network_.now();
  meter_.message_over(message, now);
  if (message.kind == Message::Kind::probe) {
    if (probe_arrived) probe_arrived(message, now);
    return;
  }
  if (message.kind == Message::Kind::request && message.packets_lost == 0) {
    Message data = message;
    data.kind = Message::Kind::data;
    data.source = message.destination;
    data.destination = message.source;
    data.bytes = message.data_bytes;
    data.injected = never;
    data.packets = under_test_.format.packets(data.bytes);
    data.packets_sent = data.packets_arrived = 0;
    if (under_test_.routing.alternatives(data.source, data.destination) == 0) {
      unserved_ += data.measured ? 1 : 0;
      data.packets_lost = data.packets;
      meter_.message_over(data, now);
      return;
    }
    schedule(answer_kind, data.source, now + ends_, ledger_.messages.add(data));
    return;
  }
  pattern_.arrived(message.source, message.destination, *this);
  if (pattern_.pace() == Pattern::Pace::closed) plan(message.origin, now + ends_);
}

}  // namespace sanvp::traffic
