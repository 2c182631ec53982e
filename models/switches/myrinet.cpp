/// The switch of a Myrinet: source-routed, STOP/GO, one header at a time for each output.
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 16, "Myricom's largest crossbar, XBar16; the Myrinet paper's (4.1) have 8");
  model.rules.setup = parameters.time("setup", 150ns, "from the grant of an output to the first flit's leaving by it",
                                      "Myrinet paper 4.1: first-flit latency");
  model.rules.arbitration = read_arbitration(parameters, "demand-slotted", "Myrinet paper 4.1");
  model.rules.selection = read_selection(parameters, "first", "source routes leave no choice");
  net::StopGo flow;
  flow.buffer = read_buffer(parameters, 80, "Myrinet paper 4.1: the slack buffer");
  flow.stop = read_flits(parameters, "stop", 56, "flits above which STOP is sent", "Myrinet paper 4.1");
  flow.go = read_flits(parameters, "go", 40, "flits below which GO is sent", "Myrinet paper 4.1");
  read_signal_delay(parameters, flow, "TIMING.md: the cable's 8 flit times", model);
  return model;
}

const Registration<SwitchPart> registration{{"myrinet", "Myrinet switch: source routes, STOP/GO", build}};

}  // namespace
}  // namespace sanvp::switches
