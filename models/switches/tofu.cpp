/// The switch of a TOFU node: a pipeline of input register, FIFO and crossbar.
#include "models/switches/part.hpp"
#include "models/switches/rules_by_name.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::switches {
namespace {

SwitchModel build(const Parameters& parameters) {
  SwitchModel model;
  model.ports = read_ports(parameters, 14, "FACTS 6.1: 10 links; 4 network interfaces");
  const char* const assumed = "assumed (FACTS 6): a cycle of 1 ns; the TOFU paper gives no clock";
  model.flit_bytes = static_cast<int>(
      parameters.count("flit_bytes", 5, "bytes of a flit", "5 GB/s at a flit per cycle of 1 ns (FACTS 6)", 1, 1 << 16));
  model.virtual_channels =
      read_virtual_channels(parameters, 4, "FACTS 6: a dateline's two, apart for the first and the last abc phase");
  // The input register is the link's flit time; then the FIFO and the crossbar, a cycle each.
  model.flow_through =
      parameters.time("flow_through", 1ns, "of every flit, from the input register to the FIFO", assumed);
  model.rules.setup =
      parameters.time("setup", 1ns, "from the grant of an output to the header's leaving by it", assumed);
  model.rules.arbitration = read_arbitration(parameters, "round-robin", "assumed");
  model.rules.hosts_last =
      parameters.flag("hosts_last", false, "whether packets of the node's own host yield to those of its neighbours",
                      "TOFU paper 2: the host's have lower priority; on in tofu-36");
  model.rules.selection = read_selection(parameters, "first", "TOFU routes leave no choice");
  model.flow = read_credits(parameters, 4, "assumed (FACTS 6)");
  return model;
}

const Registration<SwitchPart> registration{
    {"tofu", "TOFU node switch: three-stage pipeline, four virtual channels", build}};

}  // namespace
}  // namespace sanvp::switches
