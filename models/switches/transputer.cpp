/// A transputer that forwards packets in software: whole packets, one header at a time (Parsytec GCel).
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 5, "T805: 4 links, and the processor itself");
  model.rules.store_and_forward = true;  // Mesh of Clos paper 4
  model.rules.software_router = true;
  model.rules.routing =
      parameters.time("routing", 30us, "the processor's time for each packet that passes", "assumed (FACTS 5)");
  model.rules.arbitration = read_arbitration(parameters, "fifo", "assumed: the router process serves in order");
  model.rules.selection = read_selection(parameters, "first", "XY routes leave no choice");
  net::Credits credits = read_credits(parameters, 4096, "assumed: memory for each link; the longest packet must fit");
  credits.token_time = parameters.time("acknowledge", 0ns, "that each byte's acknowledgement takes of the reverse link",
                                       "FACTS 5: 2 bits, 100 ns, with link.rate = 1.818MB/s; 0: the rate has it");
  model.flow = credits;
  return model;
}

const Registration<SwitchPart> registration{
    {"transputer", "T805 as a software router: store and forward (GCel)", build}};

}  // namespace
}  // namespace sanvp::switches
