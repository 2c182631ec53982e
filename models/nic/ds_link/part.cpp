/// The DS-link card as a part of a machine: for `sanvp traffic` only its network side, which is then that of
/// the traffic node; for `sanvp run` the whole card.
#include "models/nic/part.hpp"

#include "models/nic/ds_link/ds_link.hpp"
#include "models/nic/network_side.hpp"

namespace sanvp::nic::ds_link {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  const CardRules rules = CardRules::read(parameters, model.format.overhead_bytes);
  model.card_gap = rules.gap;
  // One control network for all cards of a machine; the first card builds it.
  model.make_module = [rules, control = std::make_shared<std::unique_ptr<stc104::ControlNetwork>>()](
                          const char* name, const NicContext& context) {
    if (rules.configure && context.host == stc104::ControlNetwork::node)
      *control =
          std::make_unique<stc104::ControlNetwork>(rules.control, context.graph, context.working(), rules.header_bytes);
    return std::make_unique<DsLink>(name, rules, context, control->get());
  };
  model.driver = "ds_linkdrv";
  return model;
}

const Registration<NicPart> registration{
    {"ds_link", "DS link and virtual channel processor, as of a T9000: packets of 32 bytes, virtual links", build}};

}  // namespace
}  // namespace sanvp::nic::ds_link
