#include "platform/core/error.hpp"
#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"neighbor", "permutation: nodes in pairs, 0 with 1, 2 with 3 and so on (QsNET paper, 4.4)",
     [](const PatternContext& context) -> std::unique_ptr<Pattern> {
       if (context.nodes() % 2 != 0)
         throw UserError("pattern neighbor", "nodes form pairs, and the machine has " + std::to_string(context.nodes()),
                         "choose a machine with an even number of nodes");
       std::vector<int> partner;
       for (int node = 0; node < context.nodes(); ++node) partner.push_back(node ^ 1);
       return std::make_unique<FixedPartner>(std::move(partner));
     }}};

}  // namespace sanvp::traffic
