/// Each node to one other, each receiver from one: one permutation for each seed, in one cycle of all nodes, so that
/// none sends to itself (Sattolo, Information Processing Letters 22(6), 1986).
#include <numeric>
#include <utility>

#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {
namespace {

const Registration<PatternPart> registration{{"random-permutation",
                                              "permutation: drawn by the seed, such that no node sends to itself",
                                              [](const PatternContext& context) -> std::unique_ptr<Pattern> {
                                                require_nodes(context, "random-permutation", 2);
                                                std::vector<int> partner(static_cast<std::size_t>(context.nodes()));
                                                std::iota(partner.begin(), partner.end(), 0);
                                                Random random(context.seed, "random-permutation");
                                                for (std::size_t last = partner.size() - 1; last > 0; --last)
                                                  std::swap(partner[last], partner[random.below(last)]);
                                                return std::make_unique<FixedPartner>(std::move(partner));
                                              }}};

}  // namespace
}  // namespace sanvp::traffic
