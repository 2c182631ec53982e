/// The LANai as a part of a machine: its edge to the network for `sanvp traffic`, the whole card for `sanvp run`.
#include "models/nic/part.hpp"

#include <algorithm>

#include "models/nic/lanai/lanai.hpp"
#include "models/nic/network_side.hpp"

namespace sanvp::nic::lanai {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  read_in_transit(parameters, model);
  const std::int64_t uncounted = std::min<std::int64_t>(
      parameters.size(
          "uncounted", 0,
          "bytes of a packet's header that take no time on the wire; above 0 route and CRC take none either",
          "0: as it is; 24 is GM's header (FACTS 2.2), for comparison with `sanvp traffic`"),
      4096);
  const CardRules rules{.dma = HostDma::Rules::read(parameters.section("dma")),
                        .processor = Processor::Rules::read(parameters.section("lanai"), model.rules.reprogram),
                        .uncounted = static_cast<int>(uncounted),
                        .detect = model.rules.detect};
  model.make_module = [rules, select = model.make_route_selection](const char* name, const NicContext& context) {
    return std::make_unique<Lanai>(name, rules, select(), context);
  };
  model.driver = "gmdrv";
  return model;
}

const Registration<NicPart> registration{
    {"lanai", "Myrinet LANai: SRAM, four DMA machines, CRC-8, route table, control program, in-transit buffers",
     build}};

}  // namespace
}  // namespace sanvp::nic::lanai
