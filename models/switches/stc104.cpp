/// STC104: 32 DS links, interval routing, buffers of 32 tokens before and behind the crossbar (Macrame).
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 32, "FACTS 3.1: 32 links");
  const Time crossbar =
      parameters.time("crossbar", 30ns, "time of a token through the crossbar", "TIMING.md, Macrame row");
  // The 1 us from pin to pin is a pipeline: the switch routes the shortest packets at the rate of its 32 links.
  model.rules.routing =
      parameters.time("routing", 160ns, "from a header's being at the front to its request",
                      "FACTS 3.1 (data sheet): up to 200 million packets/s, so one in 160 ns on each of 32 links");
  const Time delay = parameters.time("crossbar_delay", 740ns, "of a token, from the input FIFO to the output FIFO",
                                     "CERN, WoTUG 21: 1 us per STC104, less 100 ns on the link and routing");
  model.rules.arbitration = read_arbitration(parameters, "round-robin", "assumed (FACTS 3.1)");
  // A fixed preference would load one centre of a Clos more than the other: 26 us at 60 % load, and not the paper's 18.
  model.rules.selection = read_selection(parameters, "round-robin",
                                         "grouped adaptive links: any free one (FACTS 3.2); which one is assumed");
  net::Credits credits;
  credits.buffer = read_buffer(parameters, 32, "Macrame paper 4.2: 32 bytes in each link input");
  credits.batch =
      read_flits(parameters, "batch", 8, "tokens that one flow-control token grants", "FACTS 3.1 (IEEE 1355)");
  credits.token_time = parameters.time("flow_control_token", 40ns, "time of a flow-control token on the reverse link",
                                       "FACTS 3.1: 4 bits at 100 Mbit/s");
  credits.return_delay =
      parameters.time("credit_delay", 0ns, "from a flow-control token's arrival to the credits' use", "assumed");
  model.flow = credits;
  const int behind =
      read_flits(parameters, "output_buffer", 38, "output FIFO and what is on its way there, tokens; 0: none",
                 "FACTS 3.1: 70 tokens per link; 32 in its input, 32 in its output (Macrame paper 4.2), 6 between", 0);
  if (behind > 0)
    model.output_buffer = OutputBuffer{.flit_time = crossbar, .delay = delay, .flow = net::Credits{.buffer = behind}};
  else
    model.flow_through = delay;
  return model;
}

const Registration<SwitchPart> registration{
    {"stc104", "INMOS STC104: 32 DS links, interval routing, input and output buffers", build}};

}  // namespace
}  // namespace sanvp::switches
