/// STC104: 32 DS links, interval routing, buffers of 32 tokens before and behind the crossbar (Macrame).
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  const Time crossbar =
      parameters.time("crossbar", 30ns, "time of a token through the crossbar", "TIMING.md, Macrame row");
  // The data sheet's 1 us from pin to pin is one token (100 ns) + routing + one token through the crossbar.
  model.rules.routing = parameters.time("routing", 870ns, "from a header's being at the front to its request",
                                        "CERN, WoTUG 21: 1 us per STC104, less 100 ns link and 30 ns crossbar");
  model.rules.arbitration = read_arbitration(parameters, "round-robin", "assumed (FACTS 3.1)");
  model.rules.choice = read_choice(parameters, "first", "grouped adaptive links: any free one (FACTS 3.2)");
  net::Credits credits;
  credits.buffer = read_buffer(parameters, 32, "Macrame paper 4.2: 32 bytes in each link input");
  credits.batch =
      read_flits(parameters, "batch", 8, "tokens that one flow-control token grants", "FACTS 3.1 (IEEE 1355)");
  credits.token_time = parameters.time("flow_control_token", 40ns, "time of a flow-control token on the reverse link",
                                       "FACTS 3.1: 4 bits at 100 Mbit/s");
  credits.return_delay =
      parameters.time("credit_delay", 0ns, "from a flow-control token's arrival to the credits' use", "assumed");
  model.flow = credits;
  const int behind = read_flits(parameters, "output_buffer", 32, "output FIFO, tokens; 0: the crossbar feeds the link",
                                "Macrame paper 4.2: 32 bytes in each link output", 0);
  if (behind > 0) model.output_buffer = OutputBuffer{crossbar, net::Credits{.buffer = behind}};
  return model;
}

const Registration<SwitchPart> registration{
    {"stc104", "INMOS STC104: 32 DS links, interval routing, input and output buffers", build}};

}  // namespace
}  // namespace sanvp::switches
