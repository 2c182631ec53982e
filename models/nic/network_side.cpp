#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

#include <limits>

namespace sanvp::nic {
namespace {

constexpr int most_bytes = 1 << 20;

net::NicRules::GapFrom read_gap_from(const Parameters& parameters, std::string_view fallback) {
  using From = net::NicRules::GapFrom;
  const std::string from =
      parameters.choice("gap_from", fallback, {"start", "data-end", "tail-end"},
                        "event of the previous packet from which the gap is measured", "TIMING.md, NIC");
  return from == "start" ? From::start : from == "data-end" ? From::data_end : From::tail_end;
}

net::NicRules read_rules(const Parameters& parameters, const NetworkSideDefaults& defaults) {
  net::NicRules rules;
  rules.slots = static_cast<int>(
      parameters.count("slots", defaults.slots,
                       defaults.slots > 0 ? "packets in progress at once"
                                          : "packets in progress at once; 0: one for each virtual channel",
                       "TIMING.md, NIC", std::min(1, defaults.slots), std::numeric_limits<int>::max()));
  rules.gap = parameters.time("gap", defaults.gap, "least time between packets", "TIMING.md, NIC");
  rules.gap_from = read_gap_from(parameters, defaults.gap_from);
  rules.circuit = parameters.flag("circuit", defaults.circuit,
                                  "whether the path is held until the destination acknowledges", "QsNET paper 2.2.1");
  rules.acknowledge = parameters.time("acknowledge", 0ns, "from the last data flit's delivery to the acknowledgement",
                                      "assumed: with 0, one slot gives the 215 MB/s of TIMING.md");
  return rules;
}

PacketFormat read_format(const Parameters& parameters, int flit_bytes, const NetworkSideDefaults& defaults) {
  PacketFormat format;
  format.flit_bytes = flit_bytes;
  const auto overhead =
      parameters.size("overhead", defaults.overhead, "bytes on the wire in addition to the payload, per packet",
                      "58 QsNET (its EOP included), 2 Macrame and Mesh of Clos (FACTS)");
  format.overhead_bytes = static_cast<int>(std::min<std::int64_t>(overhead, most_bytes));
  format.end_token = parameters.flag("end_token", false, "whether a packet ends with a token that carries no byte",
                                     "DS links: EOP (FACTS 3.1)");
  format.most_payload = parameters.size("most_payload", defaults.most_payload,
                                        "maximum payload of a packet; longer messages are split; 0: no limit",
                                        "320 QsNET, 128 Mesh of Clos (FACTS)");
  format.send_latency = parameters.time("send_latency", 0ns, "in the sending NIC, overlapped with other packets",
                                        "Macrame: dispatch 650 ns (paper 4.4)");
  format.receive_latency = parameters.time("receive_latency", 0ns, "in the receiving NIC, overlapped with others",
                                           "Macrame: 1.75 us at the end nodes (TIMING.md)");
  return format;
}

}  // namespace

NicModel read_network_side(const Parameters& parameters, int flit_bytes, const NetworkSideDefaults& defaults) {
  NicModel model;
  model.rules = read_rules(parameters, defaults);
  model.format = read_format(parameters, flit_bytes, defaults);
  const std::string selection =
      parameters.text("routing", "first", "the route selection: which of a pair's routes a packet takes", "FACTS 2.4");
  model.make_route_selection =
      Registry<RouteSelectionPart>::get(selection, parameters.place("routing")).build(parameters);
  return model;
}

void read_in_transit(const Parameters& parameters, NicModel& model) {
  net::NicRules& rules = model.rules;
  rules.detect =
      parameters.time("detect", 275ns, "until an in-transit header is recognised", "Myrinet paper 4.1: 44 byte times");
  rules.reprogram = parameters.time("reprogram", 200ns, "until the send DMA is set up for an in-transit packet",
                                    "Myrinet paper 4.1: 32 byte times");
  const std::int64_t pool =
      parameters.size("pool", 512 << 10, "memory for in-transit packets", "Myrinet paper 4.1: 512 KB");
  rules.pool_flits = pool / model.format.flit_bytes;
  const std::string policy =
      parameters.choice("full_pool", "auto", {"auto", "host-memory", "drop", "back-pressure"},
                        "what happens to a packet when the pool is full: it is stored in the host's memory, "
                        "dropped, or waits in the network and blocks others, which can deadlock; "
                        "auto: drop if the hosts run software, which retransmits it, else host-memory",
                        "the paper leaves it open, but takes packets out of the network whole (FACTS 2.3)");
  rules.full_pool = policy == "drop"            ? net::FullPool::drops
                    : policy == "back-pressure" ? net::FullPool::holds_back
                                                : net::FullPool::spills;
  model.card_drops_when_full = policy == "auto";
  model.has_in_transit_buffers = true;
}

}  // namespace sanvp::nic
