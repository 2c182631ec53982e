/// TOFU's card as a part of a machine: its network side for `sanvp traffic`, the whole card for `sanvp run`.
#include "models/nic/part.hpp"

#include "models/nic/network_side.hpp"
#include "models/nic/tofu/tofu.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::tofu {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  const CardRules rules = CardRules::read(parameters);
  model.ports = static_cast<int>(parameters.count(
      "ports", 1,
      "ports of the card into the router: from one that all interfaces share to one for each (as many hosts per node)",
      "FACTS 6.1: four network interfaces and a router in one ICC", 1, TOFU_TNIS));
  model.make_module = [rules, flit_bytes, ports = model.ports, selection = model.make_route_selection](
                          const char* name, const NicContext& context) {
    return std::make_unique<Tofu>(name, rules, flit_bytes, ports, selection(), context);
  };
  model.driver = "tofudrv";
  model.most_processes = 16;  // sw/tofudrv/card.c
  return model;
}

const Registration<NicPart> registration{
    {"tofu", "Tofu interconnect controller: four network interfaces, control queues, atomics, barrier gates", build}};
const Registration<RegisterMapPart> registers{
    {"tofu", "windows and registers of an ICC", []() -> const RegisterTable& { return Tofu::register_map(); }}};

}  // namespace
}  // namespace sanvp::nic::tofu
