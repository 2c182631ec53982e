/// The DS-link card as a part of a machine: for `sanvp traffic` only its network side, which is then that of
/// the traffic node; for `sanvp run` the whole card.
#include "models/nic/part.hpp"

#include <memory>
#include <optional>
#include <string>

#include "models/nic/ds_link/ds_link.hpp"
#include "models/nic/network_side.hpp"
#include "models/nic/stc104/driver_tables.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::ds_link {
namespace {

/// Whether node 0 loads the switches' tables. They are compared with [routing] once for a machine: on a large one that
/// is most of its start.
class TableChoice {
 public:
  explicit TableChoice(Configure configure) : configure_(configure) {}

  bool loads(const NicNetwork& network) {
    return configure_ == Configure::yes || (configure_ == Configure::where_same && why_not(network).empty());
  }

  /// Throws UserError if they are to be loaded and are not those of [routing]. @return a note, or nothing
  std::string check(const NicNetwork& network) {
    if (configure_ == Configure::no || why_not(network).empty()) return {};
    if (configure_ == Configure::yes)
      throw UserError("nic.configure", why_not(network),
                      "give nic.configure=no, or auto: the switches then route as [routing] says, by themselves");
    return "the switches route as [routing] says, by themselves (nic.configure = auto): " + why_not(network);
  }

 private:
  const std::string& why_not(const NicNetwork& network) {
    if (!why_not_) why_not_ = stc104::why_tables_differ(network);
    return *why_not_;
  }

  Configure configure_;
  std::optional<std::string> why_not_;
};

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  const CardRules rules = CardRules::read(parameters, model.format.overhead_bytes);
  const auto tables = std::make_shared<TableChoice>(rules.configure);
  model.card_gap = rules.gap;
  model.check_network = [rules, tables](const NicNetwork& network) {
    Addressing::of(rules, network.graph.host_count());  // throws UserError if the cards have too few headers
    return tables->check(network);
  };
  // One control network for all cards of a machine; the first card builds it.
  model.make_module = [rules, tables, control = std::make_shared<std::unique_ptr<stc104::ControlNetwork>>()](
                          const char* name, const NicContext& context) {
    if (context.host == stc104::ControlNetwork::node && tables->loads(context.network()))
      *control =
          std::make_unique<stc104::ControlNetwork>(rules.control, context.graph, context.working(), rules.header_bytes);
    return std::make_unique<DsLink>(name, rules, context, control->get());
  };
  model.driver = "ds_linkdrv";
  return model;
}

const Registration<NicPart> registration{
    {"ds_link", "DS link and virtual channel processor, as of a T9000: packets of 32 bytes, virtual links", build}};
const Registration<RegisterMapPart> registers{{"ds_link", "windows and registers of a DS-link card",
                                               []() -> const RegisterTable& { return DsLink::register_map(); }}};

}  // namespace
}  // namespace sanvp::nic::ds_link
