#include "models/nic/tofu/link.hpp"

#include <algorithm>

#include "models/nic/tofu/one_path.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::tofu {
namespace {

// Before the units, as deliveries are.
constexpr std::uint16_t again_kind = 125, turn_kind = 126;

}  // namespace

Link::Rules Link::Rules::read(const Parameters& parameters) {
  return {
      .payload = parameters.size("payload", 1920, "maximum data of a packet", "assumed: packets of 2 KB at most"),
      .header = parameters.size("header", 96, "bytes of a packet in addition to its data",
                                "assumed: 95 % of the link for data; 93 % on its successor TofuD (Ajima 2018)"),
      .packets = static_cast<int>(parameters.count(
          "packets", 2, "packets of a network interface on the way into the router: one is read while another leaves",
          "assumed", 1, 64)),
      .turn = parameters.time("turn", 100ns, "time in the router of a packet to the own node",
                              "assumed: as much as a hop (FACTS 6.1)"),
      .again = parameters.time("again", 10us,
                               "until a lost answer or barrier signal is sent again; twice as long after each attempt",
                               "assumed: some round trips across the machine"),
      .attempts = static_cast<int>(parameters.count("attempts", 17,
                                                    "attempts to send such a packet; after the last one it is lost",
                                                    "assumed: 0.7 s of them, less than software tries", 1, 32))};
}

Link::Link(const Rules& rules, int flit_bytes, const NicContext& context, std::unique_ptr<RouteSelection> selection,
           net::Clock& clock, std::vector<net::NetworkInitiatorSocket*> ports, Counters& counters,
           std::function<void(Payload)> come)
    : rules_(rules),
      flit_bytes_(flit_bytes),
      node_(context.host / static_cast<int>(ports.size())),
      nodes_(context.graph.host_count() / static_cast<int>(ports.size())),
      flit_time_(context.flit_time),
      working_graph_(context.working()),
      routing_(context.routing),
      queue_(context.timeline.queue()),
      selection_(std::move(selection)),
      random_(context.seed, context.graph.hosts()[context.host].name + ".path"),
      ports_(std::move(ports)),
      counters_(counters),
      come_(std::move(come)),
      rooms_{Room(clock), Room(clock), Room(clock), Room(clock), Room(clock)} {}

net::Task<> Link::place(std::uint32_t sender) {
  Room& room = rooms_[sender];
  while (room.taken >= rules_.packets) co_await room.come.wait();
  ++room.taken;
}

void Link::give_back(std::uint32_t sender) {
  --rooms_[sender].taken;
  rooms_[sender].come.notify();
}

/// Selects one of the pair's routes: through the abc point that the order names or, if no working path uses it, through
/// the next one, so that packets of one path stay in order. Without a point, the machine's route selection decides.
int Link::alternative(const Header& header, int from, int to, std::int64_t bytes) {
  if (header.path == 0) return selection_->select(routing_, from, to, bytes, random_);
  constexpr int points = TOFU_PATHS;
  const int turn = (header.path - 1 - node_ % points + points) % points;  // relative to this node's own point
  const int count = routing_.alternatives(from, to);
  for (int i = 0; i < count; ++i)
    if (routing_.route_id(from, to, i) >= turn) return i;
  return 0;
}

std::optional<std::uint64_t> Link::send(Payload packet, Time at) { return put_on_wire(std::move(packet), at, 1); }

std::optional<std::uint64_t> Link::put_on_wire(Payload packet, Time at, int attempts) {
  counters_.count(Counter::packets_sent);
  const Header header = header_of(*packet);
  const auto bytes = static_cast<std::int64_t>(data_of(*packet).size()) + rules_.header;
  const int flits = static_cast<int>((bytes + flit_bytes_ - 1) / flit_bytes_);
  if (static_cast<int>(header.to.node) == node_) {
    turn_round(std::move(packet), flits, at);
    return std::nullopt;
  }
  const int port = port_of(header.from.tni);
  const int from = node_ * port_count() + port;
  const int to = static_cast<int>(header.to.node) * port_count() + port_of(header.to.tni);
  net::Packet& going = (*ports_[port])->make_packet();
  going.destination = to;
  if (routing_.alternatives(from, to) > 0)
    routing_.route(from, to, alternative(header, from, to, bytes), going.route);
  else
    going.route.steps.clear();  // the packet is lost
  keep_to_one_path(working_graph_, from, from + to, going.route);
  going.flits = flits;
  going.payload = std::move(packet);
  going.tag = attempts;
  const std::uint64_t number = going.id;
  (*ports_[port])->send(going, net::to_sc_time(at - net::kernel_now()));
  return number;
}

void Link::sent(net::Packet& packet) {
  if (packet.tag == 1) give_back(header_of(*packet.payload).from.tni);
}

std::optional<Header> Link::lost(const net::Packet& packet) {
  counters_.count(Counter::packets_lost);
  const Header header = header_of(*packet.payload);
  const auto attempts = static_cast<int>(packet.tag);
  if (attempts == 1 && packet.injected == never) give_back(header.from.tni);
  const bool asks =
      header.kind == Header::Kind::put || header.kind == Header::Kind::get || header.kind == Header::Kind::atomic;
  if (asks || attempts >= rules_.attempts) return header;
  const Time at = queue_.now() + (rules_.again * (std::int64_t{1} << (attempts - 1)));
  again_.emplace(at, Again{packet.payload, attempts + 1});
  queue_.schedule({.ps = at.count(), .handler = this, .kind = again_kind, .unit = static_cast<std::uint32_t>(node_)});
  return std::nullopt;
}

/// One packet after another, at the rate of a link.
void Link::turn_round(Payload packet, int flits, Time at) {
  const Time begin = std::max(at, turning_.empty() ? at : turning_.back().at - rules_.turn);
  const Time out = begin + flits * flit_time_ + rules_.turn;
  turning_.push_back({out, std::move(packet)});
  queue_.schedule({.ps = out.count(), .handler = this, .kind = turn_kind, .unit = static_cast<std::uint32_t>(node_)});
}

void Link::handle(const net::Event& event) {
  if (event.kind == again_kind) {
    counters_.count(Counter::packets_resent);
    Again again = std::move(again_.begin()->second);
    again_.erase(again_.begin());
    put_on_wire(std::move(again.packet), queue_.now(), again.attempts);
    return;
  }
  const Payload packet = std::move(turning_.front().packet);
  turning_.pop_front();
  give_back(header_of(*packet).from.tni);
  come_(packet);
}

std::size_t Link::under_way() const {
  std::size_t count = 0;
  for (const Room& room : rooms_) count += static_cast<std::size_t>(room.taken);
  return count;
}

}  // namespace sanvp::nic::tofu
