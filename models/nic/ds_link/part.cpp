/// The DS-link card as a part of a machine: for `sanvp traffic` only its network side, which is then that of
/// the traffic node; for `sanvp run` the whole card.
#include "models/nic/part.hpp"

#include "models/nic/ds_link/ds_link.hpp"
#include "models/nic/network_side.hpp"
#include "models/nic/stc104/driver_tables.hpp"
#include "platform/core/error.hpp"

namespace sanvp::nic::ds_link {
namespace {

/// Throws UserError where the cards have too few headers, or the tables that node 0 is to load are not [routing]'s.
std::string check_network(const CardRules& rules, const NicNetwork& network) {
  Addressing::of(rules, network.graph.host_count());
  if (rules.configure == Configure::no) return {};
  const std::string why = stc104::why_tables_differ(network);
  if (why.empty()) return {};
  if (rules.configure == Configure::yes)
    throw UserError("nic.configure", why,
                    "give nic.configure=no, or auto: the switches then route as [routing] says, by themselves");
  return "the switches route as [routing] says, by themselves (nic.configure = auto): " + why;
}

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  const CardRules rules = CardRules::read(parameters, model.format.overhead_bytes);
  model.card_gap = rules.gap;
  model.check_network = [rules](const NicNetwork& network) { return check_network(rules, network); };
  // One control network for all cards of a machine; the first card builds it.
  model.make_module = [rules, control = std::make_shared<std::unique_ptr<stc104::ControlNetwork>>()](
                          const char* name, const NicContext& context) {
    if (context.host == stc104::ControlNetwork::node && rules.loads_tables(context.network()))
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
