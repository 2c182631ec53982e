#include "models/nic/ds_link/link_end.hpp"
#include "platform/core/parameters.hpp"

#include <algorithm>

namespace sanvp::nic::ds_link {
namespace {

constexpr std::size_t places = 2;  // one on the wire, one ready to follow

}  // namespace

LinkEnd::Rules LinkEnd::Rules::read(const Parameters& parameters) {
  Rules rules;
  rules.disconnect = parameters.time("disconnect", 1us, "silence after which the far end considers the link broken",
                                     "assumed: FACTS 3.2 has the rule, not the number");
  rules.handshake = parameters.time("handshake", 1us, "NULLs both ways, then FCTs, until a started link runs",
                                    "assumed: tens of tokens; FACTS 3.2 has the order");
  return rules;
}

LinkEnd::LinkEnd(const Rules& rules, const Wire& wire, net::Clock& clock, net::NetworkInitiatorSocket& network,
                 Routes routes, Counters& counters, InterruptRegister& interrupts, Tracks& tracks)
    : rules_(rules),
      wire_(wire),
      clock_(clock),
      network_(network),
      routes_(std::move(routes)),
      counters_(counters),
      interrupts_(interrupts),
      tracks_(tracks),
      started_(clock),
      room_(clock),
      own_(clock) {}

Registers<LinkEnd> LinkEnd::registers() {
  return {{.name = "LinkCommand",
           .window = DS_BAR_REGISTERS,
           .offset = DS_REG_LINK_COMMAND,
           .write = put<&LinkEnd::command>,
           .meaning = "enum ds_link_command: start, reset",
           .source = "FACTS 3.2; the register is assumed"},
          {.name = "LinkStatus",
           .window = DS_BAR_REGISTERS,
           .offset = DS_REG_LINK_STATUS,
           .read = get<&LinkEnd::state>,
           .meaning = "enum ds_link_state: stopped, started, running, error",
           .source = "FACTS 3.2; the register is assumed"}};
}

void LinkEnd::command(std::uint32_t command) {
  if (command == DS_LINK_RESET) {
    state_ = DS_LINK_STOPPED;
    silent_since_ = clock_.now();
  }
  if (command == DS_LINK_START && state_ != DS_LINK_RUNNING && state_ != DS_LINK_STARTED) start();
}

void LinkEnd::start() {
  // The far end must have seen that the link was down, or it would mistake new tokens for the middle of a packet.
  const bool was_up = silent_since_ > Time{0};
  const Time quiet = was_up ? silent_since_ + rules_.disconnect : clock_.now();
  runs_at_ = std::max(quiet, clock_.now()) + rules_.handshake;
  state_ = DS_LINK_STARTED;
  started_.notify();
}

net::Task<> LinkEnd::starts() {
  for (;;) {
    while (state_ != DS_LINK_STARTED) co_await started_.wait();
    const Time runs_at = runs_at_;
    co_await clock_.until(runs_at);
    if (state_ != DS_LINK_STARTED || runs_at != runs_at_) continue;  // reset meanwhile
    state_ = DS_LINK_RUNNING;
    tracks_.slice(Unit::link, "down", silent_since_, runs_at);
    counters_.count(Counter::starts);
    interrupts_.raise(DS_INT_LINK_RUNNING);
    room_.notify();
  }
}

net::Task<> LinkEnd::room() {
  while (state_ != DS_LINK_RUNNING || handed_.size() >= places) co_await room_.wait();
}

int LinkEnd::tokens(const LinkPacket& packet) const {
  return wire_.header_bytes + (packet.data ? static_cast<int>(packet.data->size()) : 0) + 1;
}

bool LinkEnd::send(int node, const LinkPacket& packet) {
  counters_.count(packet.kind == LinkPacket::Kind::data ? Counter::packets_out : Counter::acknowledgements);
  if (node == routes_.host()) {
    own_.push(packet);
    return true;
  }
  topologies::Route route;
  if (!routes_.find(node, route)) return false;
  if (wire_.deleted_bytes > 0 && !route.steps.empty()) {
    const auto deleted = static_cast<std::uint8_t>(wire_.deleted_bytes);
    route.steps.back().strip = deleted;
    if (route.has_choice()) route.steps[route.second - 1U].strip = deleted;
  }
  net::Packet& out = network_->make_packet();
  out.destination = node;
  out.route = std::move(route);
  out.flits = tokens(packet);
  out.payload = packet.data;
  out.tag = encode(packet);
  handed_.push_back(&out);
  network_->send(out, net::to_sc_time(clock_.now() - net::kernel_now()));
  return true;
}

void LinkEnd::sent(net::Packet& packet) {
  std::erase(handed_, &packet);
  room_.notify();
}

/// A bit error violates a token's parity (tokens.hpp): the link stops at once, and packets on it in both directions are
/// lost.
void LinkEnd::parity_error() {
  counters_.count(Counter::parity_errors);
  counters_.count(Counter::lost, handed_.size());
  state_ = DS_LINK_ERROR;
  silent_since_ = clock_.now();
  for (net::Packet* packet : handed_) {
    LinkPacket cut = decode(*packet);
    cut.cut = true;
    packet->tag = encode(cut);
  }
  interrupts_.raise(DS_INT_LINK_ERROR);
}

void LinkEnd::delivered(const net::Packet& packet) {
  const LinkPacket link_packet = decode(packet);
  if (state_ != DS_LINK_RUNNING || link_packet.cut) {
    counters_.count(Counter::lost);
  } else if (packet.corrupt) {
    counters_.count(Counter::lost);
    parity_error();
  } else {
    receiver_->arrived(link_packet);
  }
}

net::Task<> LinkEnd::loop() {
  for (;;) {
    const LinkPacket packet = co_await own_.pop();
    co_await clock_.after(wire_.token * tokens(packet));
    receiver_->arrived(packet);
  }
}

}  // namespace sanvp::nic::ds_link
