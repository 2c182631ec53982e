#include "models/nic/message_port/sender.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace sanvp::nic::message_port {
namespace {

/// The cookie of packets: for data it tells the sender when the next packet may follow.
void* const is_data = reinterpret_cast<void*>(1);

bool may_overtake(const topologies::Route& route) {
  return route.has_choice() ||
         std::any_of(route.steps.begin(), route.steps.end(), [](const auto& step) { return step.ports > 1; });
}

}  // namespace

Sender::Sender(const Rules& rules, const PacketFormat& format, Parts parts, int host, int nodes, std::uint64_t seed,
               std::unique_ptr<RouteSelection> selection, std::function<void(const Payload&)> intra_node, Keep keep)
    : rules_(rules),
      format_(format),
      parts_(parts),
      host_(static_cast<std::uint32_t>(host)),
      nodes_(static_cast<std::uint32_t>(nodes)),
      random_(seed, "message port " + std::to_string(host)),
      selection_(std::move(selection)),
      intra_node_(std::move(intra_node)),
      keep_(std::move(keep)),
      ready_(parts.clock),
      injected_(parts.clock) {}

void Sender::take(const Order& order) {
  const Message message{order, ++last_number_};
  under_way_.emplace(message.number, message);
  const auto [pair, is_first] = behind_.try_emplace(pair_of(order));
  if (is_first)
    ready_.push(message);
  else
    pair->second.push_back(message);
}

net::Task<> Sender::run() {
  for (;;) {
    const Message message = co_await ready_.pop();
    co_await send(message);
  }
}

net::Task<> Sender::send(Message message) {
  const message_command& command = message.order.command;
  const bool is_near = command.node == host_;
  topologies::Route route;
  if (command.bytes > MESSAGE_MOST_BYTES) {
    end(message.number, MESSAGE_REFUSED);
    co_return;
  }
  if (!is_near && !find_route(command.node, command.bytes, route)) {
    end(message.number, MESSAGE_UNREACHABLE);
    co_return;
  }
  const Time begin = parts_.clock.now();
  co_await parts_.clock.until(parts_.processor.reserve(rules_.setup));
  Header header{.number = message.number,
                .node = host_,
                .process = message.order.port,
                .to_process = command.process,
                .tag = command.tag,
                .bytes = command.bytes};
  bool good = true;
  for (std::int64_t i = 0; i < format_.packets(command.bytes); ++i) {
    header.offset = static_cast<std::uint32_t>(i * format_.most_payload);
    const std::int64_t bytes = format_.payload(command.bytes, i);
    if (!is_near) find_route(command.node, bytes, route);
    header.may_overtake = may_overtake(route) ? 1 : 0;
    const Payload payload = encode(header, static_cast<std::size_t>(bytes));
    const bool fetched = co_await fetch(command.buffer + header.offset, payload);
    good = good && fetched;
    while (waiting_ > 0) co_await injected_.wait();
    hand_over(command.node, route, payload, message.number);
    parts_.counters.bytes_sent += bytes;
  }
  parts_.tracks.sent(command.node, command.bytes, begin, parts_.clock.now());
  // Unreadable data was sent as zeros, so that the receiver does not wait for ever.
  if (!good) end(message.number, MESSAGE_BAD_ADDRESS);
}

net::Task<bool> Sender::fetch(std::uint64_t address, Payload payload) {
  bool good = true;
  if (!data_of(payload).empty()) {
    const auto transfer = parts_.bus.read(address, data_of(payload), parts_.clock.now());
    good = transfer.good();
    co_await parts_.clock.until(transfer.done);
  }
  co_await parts_.clock.until(parts_.processor.reserve(rules_.packet));
  co_return good;
}

bool Sender::find_route(std::uint32_t node, std::int64_t bytes, topologies::Route& route) {
  const int from = static_cast<int>(host_);
  const int to = static_cast<int>(node);
  if (node >= nodes_ || parts_.routing.alternatives(from, to) == 0) return false;
  parts_.routing.route(from, to, selection_->select(parts_.routing, from, to, bytes, random_), route);
  return true;
}

void Sender::hand_over(std::uint32_t node, const topologies::Route& route, const Payload& payload,
                       std::uint32_t number) {
  ++parts_.counters.packets_sent;
  if (node == host_) {
    intra_node_(payload);
    return;
  }
  if (keep_) keep_(node, payload);
  put_on_wire(node, route, payload, number, header_of(payload).kind == Header::Kind::data);
}

/// @param holds_next  the next packet waits until this one has left
void Sender::put_on_wire(std::uint32_t node, const topologies::Route& route, const Payload& payload,
                         std::uint32_t number, bool holds_next) {
  net::Packet& packet = parts_.network->make_packet();
  packet.destination = static_cast<int>(node);
  packet.route = route;
  packet.flits = format_.flits(static_cast<std::int64_t>(data_of(payload).size()));
  packet.payload = payload;
  packet.cookie = holds_next ? is_data : nullptr;
  packet.tag = number;
  if (holds_next) ++waiting_;
  parts_.network->send(packet, net::to_sc_time(parts_.clock.now() - net::kernel_now()));
}

void Sender::acknowledge(const Header& of, std::uint32_t state) {
  const Header header{.kind = Header::Kind::acknowledgement,
                      .number = of.number,
                      .node = host_,
                      .process = of.to_process,
                      .to_process = of.process,
                      .state = state};
  topologies::Route route;
  if (of.node == host_ || find_route(of.node, 0, route)) hand_over(of.node, route, encode(header, 0), of.number);
}

void Sender::send_again(std::uint32_t node, const Payload& payload) {
  topologies::Route route;
  if (find_route(node, static_cast<std::int64_t>(data_of(payload).size()), route))
    put_on_wire(node, route, payload, header_of(payload).number, false);
}

void Sender::give_up(const Header& header) {
  if (header.kind == Header::Kind::data) end(header.number, MESSAGE_UNREACHABLE);
}

void Sender::injected(const net::Packet& packet) {
  if (packet.cookie != is_data) return;
  --waiting_;
  injected_.notify();
}

void Sender::sent(const net::Packet& packet) {
  if (packet.cookie == is_data) parts_.counters.send_away += parts_.clock.now() - packet.generated;
}

void Sender::lost(const net::Packet& packet) {
  if (packet.injected == never) injected(packet);  // it leaves the queue all the same
  if (packet.cookie == is_data) end(static_cast<std::uint32_t>(packet.tag), MESSAGE_UNREACHABLE);
}

/// A message ends once; later reports about it are ignored. One that does not arrive ends those queued behind it, too:
/// without it they would arrive out of order.
void Sender::end(std::uint32_t number, std::uint32_t state) {
  const auto found = under_way_.find(number);
  if (found == under_way_.end()) return;
  const Order order = found->second.order;
  under_way_.erase(found);
  tell_end(order, state);
  const auto pair = behind_.find(pair_of(order));
  if (state == MESSAGE_UNREACHABLE) {
    for (const Message& message : pair->second) {
      under_way_.erase(message.number);
      tell_end(message.order, state);
    }
    pair->second.clear();
  }
  if (pair->second.empty()) {
    behind_.erase(pair);
    return;
  }
  ready_.push(pair->second.front());
  pair->second.pop_front();
}

void Sender::tell_end(const Order& order, std::uint32_t state) {
  ++parts_.counters.messages_sent;
  const message_command& command = order.command;
  message_status status{
      .node = command.node, .process = command.process, .tag = command.tag, .bytes = command.bytes, .state = state};
  tell(parts_.bus, command.status, status, parts_.clock.now());
  const auto counted = unreachable_.find(order.port);
  if (state != MESSAGE_UNREACHABLE || counted == unreachable_.end()) return;
  status.state = ++counted->second.sends;
  tell(parts_.bus, counted->second.status, status, parts_.clock.now());
}

CardQueue Sender::queue() const {
  std::set<std::uint32_t> behind;
  for (const auto& [pair, messages] : behind_)
    for (const Message& message : messages) behind.insert(message.number);
  CardQueue shown{"sends"};
  for (const auto& [number, message] : under_way_)
    shown.entries.push_back(QueueEntry()
                                .add("message", number)
                                .add("port", message.order.port)
                                .add("to node", message.order.command.node)
                                .add("process", message.order.command.process)
                                .add_address("tag", message.order.command.tag)
                                .add("bytes", message.order.command.bytes)
                                .add("state", behind.contains(number) ? "waits for the one before" : "under way"));
  return shown;
}

}  // namespace sanvp::nic::message_port
