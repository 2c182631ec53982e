/// A switch of which everything is a parameter: for machines of your own, and to compare with other simulators.
#include "models/net/marking.hpp"
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

#include <utility>

namespace sanvp::switches {
namespace {

constexpr const char* source = "your machine";

void read_flow(const Parameters& parameters, SwitchModel& model) {
  const int buffer = read_buffer(parameters, 16, source);
  if (parameters.choice("flow", "credits", {"credits", "stop-go"}, "flow control of the inputs", source) == "credits") {
    net::Credits credits;
    credits.buffer = buffer;
    credits.batch = read_flits(parameters, "batch", 1, "credits that come back at a time", source);
    credits.return_delay =
        parameters.time("credit_delay", 0ns, "from a slot's becoming free to the credit's use", source);
    credits.token_time = parameters.time("flow_control_token", 0ns,
                                         "time of a batch on the reverse channel; 0: takes no bandwidth", source);
    model.flow = credits;
    return;
  }
  net::StopGo rule;
  rule.buffer = buffer;
  rule.stop = read_flits(parameters, "stop", 8, "flits above which STOP is sent", source);
  rule.go = read_flits(parameters, "go", 4, "flits below which GO is sent", source);
  read_signal_delay(parameters, rule, source, model);
}

void read_marking(const Parameters& parameters, SwitchModel& model) {
  using Policies = Registry<net::MarkingPart>;
  std::vector<std::string> choices = Policies::names();
  choices.insert(choices.begin(), "auto");
  const std::string chosen = parameters.choice(
      "marking", "auto", choices,
      "which packets are marked for congestion control (nic.congestion); auto: from mark_threshold on, if it is given, "
      "else as the source of nic.congestion has it (dcqcn: red)",
      source);
  const bool automatic = chosen == "auto";
  model.rules.marking =
      Policies::get(automatic ? "threshold" : chosen, parameters.where("marking")).build(parameters, model.flit_bytes);
  model.marks_as_nic_says = automatic && model.rules.marking.threshold == 0;
}

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 0, source);
  model.flit_bytes = read_flits(parameters, "flit_bytes", 1, "bytes of a flit", source);
  model.virtual_channels = read_virtual_channels(parameters, 1, source);
  model.flow_through = parameters.time("flow_through", 0ns, "of every flit, added to the delay of the link in", source);
  model.rules.routing = parameters.time("routing", 0ns, "from a header's being at the front to its request", source);
  model.rules.setup =
      parameters.time("setup", 0ns, "from the grant of an output to the header's earliest start", source);
  model.rules.arbitration = read_arbitration(parameters, "round-robin", source);
  model.rules.age_threshold =
      parameters.time("age_threshold", 0ns,
                      "of fifo-then-oldest: time in the network after which the oldest packet goes first", source);
  model.rules.selection = read_selection(parameters, "round-robin", source);
  model.rules.vc_selection = read_vc_selection(parameters, "round-robin", source);
  read_marking(parameters, model);
  model.rules.store_and_forward = parameters.flag(
      "store_and_forward", false, "whether a packet is stored as a whole before it is forwarded", source);
  model.rules.software_router =
      parameters.flag("software_router", false, "whether one processor routes a header at a time", source);
  const bool one_by_one = model.rules.store_and_forward || model.rules.software_router;
  if (parameters.flag(
          "pipelined", !one_by_one,
          "whether routing and setup are stages of a pipeline, which delay each flit and occupy nothing; no: "
          "an input waits for the routing of its header, and an output for the setup (TIMING.md, Header)",
          "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 16")) {
    if (one_by_one)
      throw UserError(parameters.place("pipelined"),
                      "a switch that takes in whole packets, or routes in software, has no pipeline",
                      "leave it out, or set store_and_forward and software_router to no");
    model.flow_through += std::exchange(model.rules.routing, Time{0}) + std::exchange(model.rules.setup, Time{0});
  }
  read_flow(parameters, model);
  model.control_token =
      parameters.time("acknowledge_token", 0ns, "time of a circuit's acknowledgement on a link", source);
  if (const int behind =
          read_flits(parameters, "output_buffer", 0, "output FIFO, flits; 0: the crossbar feeds the link", source, 0)) {
    const Time crossbar =
        parameters.time("crossbar", 1ns, "time of a flit through the crossbar into the output FIFO", source);
    model.output_buffer =
        OutputBuffer{.flit_time = crossbar, .delay = crossbar, .flow = net::Credits{.buffer = behind}};
  }
  return model;
}

const Registration<SwitchPart> registration{{"simple", "a switch of your own: everything is a parameter", build}};

}  // namespace
}  // namespace sanvp::switches
