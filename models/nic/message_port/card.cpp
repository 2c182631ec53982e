#include "models/nic/message_port/card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::message_port {
namespace {

message_position position(const CardRules& rules, const NicContext& context) {
  message_position position{.magic = MESSAGE_POSITION_MAGIC,
                            .node = static_cast<std::uint32_t>(context.host),
                            .nodes = static_cast<std::uint32_t>(context.graph.host_count()),
                            .card = {},
                            .send_setup_ps = static_cast<std::uint64_t>(rules.send_setup.count()),
                            .receive_setup_ps = static_cast<std::uint64_t>(rules.receive_setup.count())};
  rules.card.copy(position.card, sizeof position.card - 1);
  return position;
}

}  // namespace

Card::Card(const sc_core::sc_module_name& name, const CardRules& rules, const PacketFormat& format,
           std::unique_ptr<RouteSelection> selection, const NicContext& context)
    : NicModule(name),
      clock_(context.clock()),
      tracks_(context.trace, context.graph.hosts()[context.host].name),
      processor_(clock_),
      bus_master_(bus, context.timeline),
      sender_(
          rules.send, format, {clock_, processor_, bus_master_, network, counters_, context.routing, tracks_},
          context.host, context.graph.host_count(), context.seed, std::move(selection),
          [this](const Payload& packet) { take(packet); },
          rules.protection.is_on()
              ? Sender::Keep([this](std::uint32_t node, const Payload& packet) { protection_.going(node, packet); })
              : Sender::Keep{}),
      protection_(rules.protection, static_cast<std::uint32_t>(context.host), context.timeline.queue(), counters_,
                  {[this](std::uint32_t node, const Payload& packet) { sender_.send_again(node, packet); },
                   [this](const Header& header, int) { sender_.give_up(header); }}),
      receiver_(rules.receive, clock_, processor_, bus_master_, counters_, tracks_, sender_,
                static_cast<std::uint32_t>(context.graph.host_count()),
                [this](const message_complaint& complaint) { complain(complaint); }),
      position_(position(rules, context)),
      windows_(context.timeline, static_cast<std::uint32_t>(context.host), register_map(), *this) {
  network.bind(*static_cast<net::NetworkBackward*>(this));
  registers.bind(windows_);
}

const RegisterMap<Card>& Card::register_map() {
  static const auto map =
      RegisterMap<Card>(std::vector<Window<Card>>{
                            {.name = "ports",
                             .pages = {MESSAGE_PORTS, MESSAGE_PAGE_BYTES, "process"},
                             .meaning = "a page for each process of the node",
                             .source = "assumed"},
                            {.name = "ROM",
                             .bytes = sizeof(message_position),
                             .contents = [](const Card& card) { return std::as_bytes(std::span(&card.position_, 1)); },
                             .meaning = "struct message_position",
                             .source = "assumed"},
                            {.name = "complaint",
                             .bytes = sizeof(message_complaint),
                             .meaning = "for the driver, after an interrupt",
                             .source = "assumed"}})
          .with(Registers<Card>{
              {.name = "Command",
               .window = MESSAGE_BAR_PORTS,
               .bytes = sizeof(message_command),
               .write =
                   [](Card& card, const Store& store) {
                     card.obey({.port = store.instance.page, .command = store.as<message_command>()});
                   },
               .meaning = "struct message_command, in one burst",
               .source = "assumed"},
              {.name = "Complaint",
               .window = MESSAGE_BAR_COMPLAINT,
               .bytes = sizeof(message_complaint),
               .take = [](Card& card, const Instance&) -> Value {
                 card.raise(false);
                 return card.complaint_;
               },
               .effect = "lowers the interrupt",
               .meaning = "struct message_complaint: the error after which the card cannot continue; cause 0: none",
               .source = "assumed"}});
  return map;
}

void Card::start_of_simulation() {
  units_.push_back(sender_.run());
  units_.push_back(receiver_.run());
  for (auto& unit : units_) unit.start(clock_);
}

void Card::obey(const Order& order) {
  switch (order.command.kind) {
    case MESSAGE_SEND:
      sender_.take(order);
      break;
    case MESSAGE_COUNT_UNREACHABLE:
      sender_.count_unreachable(order);
      break;
    case MESSAGE_RECEIVE:
    case MESSAGE_PROBE:
    case MESSAGE_CANCEL:
      receiver_.take(order);
      break;
    default:
      tell(bus_master_, order.command.status, outcome(MESSAGE_REFUSED), clock_.now());
  }
}

void Card::delivered(net::Packet& packet, const sc_core::sc_time&) {
  if (packet.corrupt) {
    ++counters_.corrupt;
    if (protection_.rules().scheme == Protection::Scheme::crc) return;
    // The parity error disconnects the link, and both ends reset it: packets on it are lost.
    if (protection_.rules().scheme == Protection::Scheme::parity)
      return complain({.cause = MESSAGE_PARITY,
                       .node = static_cast<std::uint32_t>(packet.source),
                       .process = MESSAGE_ANY,
                       .field = {},
                       .value = 0});
    ++counters_.corrupt_taken;
  }
  if (!protection_.rules().is_on() || protection_.come(packet.payload)) take(packet.payload);
}

void Card::take(const Payload& packet) {
  const Header header = header_of(packet);
  if (const message_complaint complaint = receiver_.senseless(packet); complaint.cause != 0)
    complain(complaint);
  else if (header.kind == Header::Kind::acknowledgement)
    sender_.acknowledged(header);
  else
    receiver_.delivered(packet);
}

/// Reports the first complaint to the driver, which ends the job.
void Card::complain(const message_complaint& complaint) {
  if (complaint_.cause != 0) return;
  complaint_ = complaint;
  raise(true);
}

void Card::raise(bool level) {
  set_interrupt(level, net::to_sc_time(std::max(clock_.now() - net::kernel_now(), Time{0})));
}

std::string Card::busy() const {
  std::string text;
  if (sender_.unfinished() > 0) text = fmt::format("{} messages are not yet acknowledged", sender_.unfinished());
  if (receiver_.unfinished() > 0)
    text += fmt::format("{}{} messages wait for a receive", text.empty() ? "" : ", ", receiver_.unfinished());
  return text;
}

std::vector<CardQueue> Card::queues() const {
  std::vector<CardQueue> shown{sender_.queue()};
  for (CardQueue& queue : receiver_.queues()) shown.push_back(std::move(queue));
  return shown;
}

NicModel with_card(NicModel network_side, const Parameters& parameters, const CardRules& rules) {
  if (network_side.rules.circuit)
    throw UserError(parameters.where("circuit"), "a card of type " + rules.card + " does not answer circuits",
                    "leave it at 'no'");
  network_side.format.overhead_bytes += rules.protection.bytes;
  network_side.make_module = [rules, format = network_side.format, selection = network_side.make_route_selection](
                                 const char* module, const NicContext& context) {
    return std::make_unique<Card>(module, rules, format, selection(), context);
  };
  network_side.driver = "message_portdrv";
  return network_side;
}

std::uint64_t Card::work() const {
  return static_cast<std::uint64_t>(counters_.packets_sent + counters_.packets_received + counters_.messages_sent);
}

void Card::report(StatisticsTable& table) const {
  const auto add = [&](const char* what, const char* unit, std::int64_t value) {
    table.add(name(), what, unit, value);
  };
  add("messages_sent", "1", counters_.messages_sent);
  add("messages_received", "1", counters_.messages_received);
  add("packets_sent", "1", counters_.packets_sent);
  add("packets_received", "1", counters_.packets_received);
  add("bytes_sent", "B", counters_.bytes_sent);
  add("bytes_received", "B", counters_.bytes_received);
  add("unexpected", "1", counters_.unexpected);
  add("overtaken", "1", counters_.overtaken);
  add("corrupt", "1", counters_.corrupt);
  add("corrupt_taken", "1", counters_.corrupt_taken);
  add("resent", "1", counters_.resent);
  add("duplicates", "1", counters_.duplicates);
  add("confirmations", "1", counters_.confirmations);
  add("most_held", "B", counters_.most_held);
  table.add(name(), "send_away_ns", "ns", in_ns(counters_.send_away));
  table.add(name(), "processor_ns", "ns", in_ns(processor_.busy()));
}

}  // namespace sanvp::nic::message_port
