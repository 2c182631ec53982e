/// A switch with a pipeline: a header takes a number of cycles from input to output.
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  const Time cycle = parameters.time("cycle", 10ns, "clock period", "mine: 100 MHz");
  const auto stages = parameters.count("stages", 3, "cycles from the grant of an output to the header's leaving by it",
                                       "mine: decode, arbitrate, cross", 1, 64);
  SwitchModel model;
  model.rules.setup = stages * cycle;
  model.rules.arbitration = read_arbitration(parameters, "oldest", "mine");
  model.flow = net::Credits{.buffer = read_buffer(parameters, 16, "mine"), .return_delay = cycle};
  return model;
}

const Registration<SwitchPart> registration{{"pipelined", "my switch: a pipeline, the oldest packet first", build}};

}  // namespace
}  // namespace sanvp::switches
