/// Elite: 8 links with two virtual channels each, a 16 x 8 crossbar, circuits held until acknowledged (QsNET).
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 8, "QsNET paper 2.2");
  model.flit_bytes = 2;  // 16 bits, QsNET paper 2.2.1
  model.virtual_channels = read_virtual_channels(parameters, 2, "QsNET paper 2.2, note 3");
  model.hold = read_hold(parameters, "hold",
                         "QsNET paper 5.5: two circuits fill a link to 99.5 %, so one sends while the other waits for "
                         "its acknowledgement (models/net/TIMING.md)");
  model.flow_through = parameters.time("flow_through", 35ns, "from an input pin to an output pin", "QsNET paper 2.2");
  model.rules.routing =
      parameters.time("routing", 0ns, "from a header's being at the front to its request", "part of flow_through");
  model.rules.arbitration = read_arbitration(parameters, "fifo-then-oldest",
                                             "QsNET paper 2.2 (ageing); near-global fairness gives the hot spot's "
                                             "groups (TIMING.md)");
  model.rules.age_threshold =
      parameters.time("age_threshold", 128us, "time in the network after which the oldest packet goes first",
                      "TIMING.md: near the mean waiting time; the hot spot's of 64 nodes is 63 x 2 packets x 1030 ns "
                      "(320 bytes at 310 MB/s, QsNET paper 5.5); a header's age has 4 bits (FACTS 1.1): 16 times 8 us");
  model.rules.selection = read_selection(parameters, "least", "QsNET paper 2.2.1 (least loaded up-link)");
  model.flow = read_credits(parameters, 128, "QsNET paper 2.1", 50ns, "assumed (TIMING.md): the scheme is unpublished");
  model.control_token =
      parameters.time("acknowledge_token", 5ns, "time of an acknowledgement on a link", "TIMING.md: one flit");
  return model;
}

const Registration<SwitchPart> registration{{"elite", "QsNET Elite: 8 links, two virtual channels, circuits", build}};

}  // namespace
}  // namespace sanvp::switches
