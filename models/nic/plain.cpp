/// A NIC as far as the network sees it: when packets start, what they carry, what passes through.
#include <limits>

#include "models/nic/part.hpp"

namespace sanvp::nic {
namespace {

constexpr int most_bytes = 1 << 20;

net::NicRules::GapFrom read_gap_from(const Parameters& parameters) {
  using From = net::NicRules::GapFrom;
  const std::string from =
      parameters.choice("gap_from", "tail-end", {"start", "data-end", "tail-end"},
                        "event of the previous packet that the gap is counted from", "TIMING.md, NIC");
  return from == "start" ? From::start : from == "data-end" ? From::data_end : From::tail_end;
}

net::NicRules read_rules(const Parameters& parameters, int flit_bytes) {
  net::NicRules rules;
  rules.slots = static_cast<int>(parameters.count("slots", 1, "packets in progress at once", "TIMING.md, NIC", 1,
                                                  std::numeric_limits<int>::max()));
  rules.gap = parameters.time("gap", 0ns, "least time between packets", "TIMING.md, NIC");
  rules.gap_from = read_gap_from(parameters);
  rules.detect =
      parameters.time("detect", 275ns, "until an in-transit header is recognised", "Myrinet paper 4.1: 44 byte times");
  rules.reprogram = parameters.time("reprogram", 200ns, "until the send DMA is set up for an in-transit packet",
                                    "Myrinet paper 4.1: 32 byte times");
  const std::int64_t pool =
      parameters.size("pool", 512 << 10, "memory for in-transit packets", "Myrinet paper 4.1: 512 KB");
  rules.pool_flits = pool / flit_bytes;
  rules.drop_when_full = parameters.flag("drop_when_full", false,
                                         "whether a full pool drops packets (else it exerts flow control)", "assumed");
  rules.circuit = parameters.flag("circuit", false, "whether the path is held until the destination acknowledges",
                                  "QsNET paper 2.2.1");
  rules.acknowledge = parameters.time("acknowledge", 0ns, "from the last data flit's delivery to the acknowledgement",
                                      "assumed: with 0, one slot gives the 215 MB/s of TIMING.md");
  return rules;
}

PacketFormat read_format(const Parameters& parameters, int flit_bytes) {
  PacketFormat format;
  format.flit_bytes = flit_bytes;
  const auto overhead = parameters.size("overhead", 0, "bytes on the wire beside the payload, per packet",
                                        "58 QsNET (its EOP included), 2 Macrame and Mesh of Clos (FACTS)");
  format.overhead_bytes = static_cast<int>(std::min<std::int64_t>(overhead, most_bytes));
  format.end_token = parameters.flag("end_token", false, "whether a packet ends with a token that carries no byte",
                                     "DS links: EOP (FACTS 3.1)");
  format.most_payload = parameters.size("most_payload", 0, "payload of a packet; longer messages are cut; 0: no limit",
                                        "320 QsNET, 128 Mesh of Clos (FACTS)");
  format.send_latency = parameters.time("send_latency", 0ns, "in the sending NIC, overlapped with other packets",
                                        "Macrame: dispatch 650 ns (paper 4.4)");
  format.receive_latency = parameters.time("receive_latency", 0ns, "in the receiving NIC, overlapped with others",
                                           "Macrame: 1.75 us at the end nodes (TIMING.md)");
  return format;
}

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model;
  model.rules = read_rules(parameters, flit_bytes);
  model.format = read_format(parameters, flit_bytes);
  const std::string selection =
      parameters.text("routing", "first", "which of a pair's routes a packet takes: a route selection", "FACTS 2.4");
  model.make_route_selection =
      Registry<RouteSelectionPart>::get(selection, parameters.place("routing")).build(parameters);
  return model;
}

const Registration<NicPart> registration{
    {"plain", "a NIC as far as the network sees it: slots, gaps, packet format, in-transit buffers, circuits", build}};

}  // namespace
}  // namespace sanvp::nic
