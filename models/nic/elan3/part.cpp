/// The Elan3 as a part of a machine: its network side for `sanvp traffic`, the whole card for `sanvp run`.
#include "models/nic/part.hpp"

#include "models/nic/elan3/elan3.hpp"
#include "models/nic/elan3/network_map.hpp"
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  // Two circuits at once (FACTS 1.4); 335 MB/s leave two flits between packets (FACTS 7.1); 58 bytes beside the data,
  // of which the EOP, 2, is the circuit's own flit (paper 5.1).
  NicModel model = read_network_side(parameters, flit_bytes,
                                     {.slots = 2,
                                      .gap = 10ns,
                                      .gap_from = "data-end",
                                      .circuit = true,
                                      .most_payload = E3_PACKET_BLOCKS * E3_BLOCK_BYTES,
                                      .overhead = 56});
  const CardRules rules = CardRules::read(parameters);
  model.make_module = [rules](const char* name, const NicContext& context) {
    return std::make_unique<Elan3>(name, rules, context);
  };
  model.check_network = [](const NicNetwork& network) {
    check_network_map(network);
    return std::string();
  };
  model.input_channels = Inputter::channels;
  model.driver = "elan3drv";
  model.most_processes = 16;  // sw/elan3drv/elan3drv.h
  return model;
}

const Registration<NicPart> registration{
    {"elan3", "QsNET Elan3: command port, DMA engine, inputter, thread processor, MMU, events", build}};
const Registration<RegisterMapPart> registers{{"elan3", "windows and registers of a QsNET Elan3",
                                               []() -> const RegisterTable& { return Elan3::register_map(); }}};

}  // namespace
}  // namespace sanvp::nic::elan3
