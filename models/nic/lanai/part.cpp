/// The LANai as a part of a machine: its network side for `sanvp traffic`, the whole card for `sanvp run`.
#include "models/nic/part.hpp"

#include "models/nic/lanai/lanai.hpp"
#include "models/nic/lanai/map_file.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::lanai {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  read_in_transit(parameters, model);
  const CardRules rules = CardRules::read(parameters, model.rules);
  model.make_module = [rules, select = model.make_route_selection](const char* name, const NicContext& context) {
    return std::make_unique<Lanai>(name, rules, select(), context);
  };
  model.check_network = [](const NicNetwork& network) {
    for (int host = 0; host < network.graph.host_count(); ++host) map_file(network, host);
    return std::string();
  };
  model.driver = "gmdrv";
  model.most_processes = 14;  // ports of GM that are free (sw/transport/gm.c)
  return model;
}

const Registration<NicPart> registration{
    {"lanai", "Myrinet LANai: SRAM, four DMA machines, CRC-8, route table, control program, in-transit buffers",
     build}};
const Registration<RegisterMapPart> registers{{"lanai", "windows and registers of a Myrinet LANai card",
                                               []() -> const RegisterTable& { return Lanai::register_map(); }}};

}  // namespace
}  // namespace sanvp::nic::lanai
