/// The router of the Mesh of Clos: 8 channels, no virtual channels, a flit or a few per input.
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 8, "Mesh of Clos paper 2: 8 channels");
  model.rules.routing = parameters.time("routing", 200ns, "from a header's being at the front to its request",
                                        "TIMING.md: 100 to 300 ns reproduce the Mesh of Clos paper");
  model.rules.arbitration = read_arbitration(parameters, "fifo", "assumed (FACTS 4.3)");
  model.rules.selection = read_selection(parameters, "idle-fixed",
                                         "Mesh of Clos paper, table 2 (with routing.layer = adaptive): random-fixed, "
                                         "round-robin, idle-fixed, idle-random");
  model.flow = read_credits(parameters, 1, "Mesh of Clos paper 4");
  return model;
}

const Registration<SwitchPart> registration{{"parsytec", "Parsytec router of the Mesh of Clos: 8 channels", build}};

}  // namespace
}  // namespace sanvp::switches
