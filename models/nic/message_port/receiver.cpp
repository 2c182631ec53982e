#include "models/nic/message_port/receiver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sanvp::nic::message_port {
namespace {

message_status status_of(const Header& header, std::uint32_t state) {
  return {.node = header.node, .process = header.process, .tag = header.tag, .bytes = header.bytes, .state = state};
}

}  // namespace

message_complaint Receiver::senseless(const Payload& packet) const {
  const Header header = header_of(packet);
  const auto complaint = [&](std::string_view field, std::uint32_t value) {
    message_complaint result{.cause = MESSAGE_SENSELESS,
                             .node = header.node,
                             .process = header.to_process < MESSAGE_PORTS ? header.to_process : MESSAGE_ANY,
                             .field = {},
                             .value = value};
    field.copy(result.field, sizeof result.field - 1);
    return result;
  };
  const auto kind = static_cast<std::uint32_t>(header.kind);
  if (header.kind > Header::Kind::confirmation) return complaint("kind", kind);
  if (header.node >= nodes_) return complaint("node", header.node);
  if (header.process >= MESSAGE_PORTS) return complaint("process", header.process);
  if (header.to_process >= MESSAGE_PORTS) return complaint("receiver", header.to_process);
  if (header.may_overtake > 1) return complaint("order", header.may_overtake);
  if (header.bytes > MESSAGE_MOST_BYTES) return complaint("length", header.bytes);
  const std::size_t data = packet->size() - sizeof(Header);
  if (header.offset > header.bytes || data > header.bytes - header.offset) return complaint("offset", header.offset);
  return {};
}

net::Task<> Receiver::run() {
  for (;;) {
    const auto item = co_await work_.pop();
    if (const auto* packet = std::get_if<Payload>(&item))
      co_await take_in(*packet);
    else
      co_await post(std::get<Order>(item));
  }
}

bool Receiver::fits(const Order& order, const Header& header) {
  const message_command& command = order.command;
  return order.port == header.to_process && (command.node == MESSAGE_ANY || command.node == header.node) &&
         (command.process == MESSAGE_ANY || command.process == header.process) &&
         ((command.tag ^ header.tag) & command.mask) == 0;
}

Receiver::Place Receiver::message_of(const Header& header) {
  const auto known = std::find_if(messages_.begin(), messages_.end(), [&](const Message& message) {
    return message.first.node == header.node && message.first.number == header.number;
  });
  if (known != messages_.end()) return known;
  const auto message = messages_.emplace(messages_.end());
  message->first = header;
  const auto receive =
      std::find_if(receives_.begin(), receives_.end(), [&](const Order& order) { return fits(order, header); });
  if (receive != receives_.end()) {
    message->receive = *receive;
    receives_.erase(receive);
  } else {
    ++counters_.unexpected;
    announce(header);
  }
  return message;
}

/// Whether a packet's header is consistent with that of the message's first packet, and its bytes are new.
bool Receiver::belongs(const Message& message, const Header& header, std::size_t bytes) {
  const Header& first = message.first;
  return header.bytes == first.bytes && header.tag == first.tag && header.process == first.process &&
         header.to_process == first.to_process && bytes <= first.bytes - message.arrived;
}

/// Completes the probes that match the message.
void Receiver::announce(const Header& header) {
  std::erase_if(probes_, [&](const Order& probe) {
    if (!fits(probe, header)) return false;
    tell(bus_, probe.command.status, status_of(header, MESSAGE_DONE), clock_.now());
    return true;
  });
}

net::Task<> Receiver::take_in(Payload packet) {
  const Header header = header_of(packet);
  if (rules_.packet > Time{0} && header.node != sender_.host())
    co_await clock_.until(processor_.reserve(rules_.packet));
  const auto data = data_of(packet);
  const auto message = message_of(header);
  if (!belongs(*message, header, data.size())) {
    complain_({.cause = MESSAGE_SENSELESS,
               .node = header.node,
               .process = header.to_process,
               .field = "message",
               .value = header.number});
    co_return;
  }
  const auto end = header.offset + static_cast<std::uint32_t>(data.size());
  ++counters_.packets_received;
  if (end < message->reached) ++counters_.overtaken;
  message->reached = std::max(message->reached, end);
  message->arrived += static_cast<std::uint32_t>(data.size());
  store(*message, header.offset, data);
  if (message->is_complete() && message->receive) co_await finish(message);
}

void Receiver::store(Message& message, std::uint32_t offset, std::span<const std::byte> data) {
  if (data.empty()) return;
  if (!message.receive) {
    if (message.held.empty()) {
      message.held.resize(message.first.bytes);
      counters_.held += message.first.bytes;
      counters_.most_held = std::max(counters_.most_held, counters_.held);
    }
    std::memcpy(message.held.data() + offset, data.data(), data.size());
    return;
  }
  const message_command& command = message.receive->command;
  if (offset >= command.bytes) return;
  const auto transfer = bus_.write(
      command.buffer + offset, data.first(std::min<std::size_t>(data.size(), command.bytes - offset)), clock_.now());
  message.good = message.good && transfer.good();
  message.stored = std::max(message.stored, transfer.done);
}

net::Task<> Receiver::post(Order order) {
  if (order.command.kind == MESSAGE_CANCEL) {
    cancel(order);
    co_return;
  }
  const auto message = std::find_if(messages_.begin(), messages_.end(), [&](const Message& candidate) {
    return !candidate.receive && fits(order, candidate.first);
  });
  const bool is_probe = order.command.kind == MESSAGE_PROBE;
  if (message == messages_.end()) {
    (is_probe ? probes_ : receives_).push_back(order);
  } else if (is_probe) {
    tell(bus_, order.command.status, status_of(message->first, MESSAGE_DONE), clock_.now());
  } else {
    give(*message, order);
    if (message->is_complete()) co_await finish(message);
  }
}

/// Moves what has arrived so far to the receive's buffer.
void Receiver::give(Message& message, const Order& order) {
  message.receive = order;
  const std::vector<std::byte> held = std::move(message.held);
  counters_.held -= static_cast<std::int64_t>(held.size());
  store(message, 0, held);
}

net::Task<> Receiver::finish(Place message) {
  const Header header = message->first;
  const Time span = rules_.setup + (header.may_overtake ? rules_.reassembly : Time{0});
  const Time begin = clock_.now();
  const Time done = std::max(processor_.reserve(span), message->stored);
  co_await clock_.until(done);
  tracks_.received(header.node, header.bytes, begin, done);
  const message_command& command = message->receive->command;
  const std::uint32_t state = !message->good                 ? MESSAGE_BAD_ADDRESS
                              : header.bytes > command.bytes ? MESSAGE_TRUNCATED
                                                             : MESSAGE_DONE;
  ++counters_.messages_received;
  counters_.bytes_received += header.bytes;
  tell(bus_, command.status, status_of(header, state), clock_.now());
  messages_.erase(message);
  sender_.acknowledge(header, MESSAGE_DONE);
}

void Receiver::cancel(const Order& order) {
  for (auto* list : {&receives_, &probes_})
    std::erase_if(*list, [&](const Order& known) {
      if (known.port != order.port || known.command.status != order.command.status) return false;
      tell(bus_, known.command.status, outcome(MESSAGE_CANCELLED), clock_.now());
      return true;
    });
}

std::vector<CardQueue> Receiver::queues() const {
  const auto end = [](std::uint32_t number) {
    return number == MESSAGE_ANY ? std::string("any") : fmt::format("{}", number);
  };
  const auto posted = [&](const char* name, const std::list<Order>& orders) {
    CardQueue shown{name};
    for (const Order& order : orders)
      shown.entries.push_back(QueueEntry()
                                  .add("port", order.port)
                                  .add("from node", end(order.command.node))
                                  .add("process", end(order.command.process))
                                  .add_address("tag", order.command.tag)
                                  .add_address("mask", order.command.mask)
                                  .add("bytes", order.command.bytes));
    return shown;
  };
  CardQueue messages{"messages"};
  for (const Message& message : messages_)
    messages.entries.push_back(QueueEntry()
                                   .add("message", message.first.number)
                                   .add("from node", message.first.node)
                                   .add("process", message.first.process)
                                   .add("to process", message.first.to_process)
                                   .add_address("tag", message.first.tag)
                                   .add("bytes", message.first.bytes)
                                   .add("arrived", message.arrived)
                                   .add("state", message.receive ? "has a receive" : "unexpected"));
  return {posted("receives", receives_), posted("probes", probes_), messages};
}

}  // namespace sanvp::nic::message_port
