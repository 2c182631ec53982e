#include "platform/traffic/patterns/fixed_partner.hpp"

#include <bit>

#include "platform/core/error.hpp"

namespace sanvp::traffic {

std::unique_ptr<Pattern> bit_permutation(const PatternContext& context, const std::string& name,
                                         const std::function<unsigned(unsigned number, int bits)>& image,
                                         bool even_bits) {
  require_nodes(context, name, 2);
  const auto nodes = static_cast<unsigned>(context.nodes());
  const int bits = std::bit_width(nodes) - 1;
  if (!std::has_single_bit(nodes) || (even_bits && bits % 2 != 0))
    throw UserError("pattern " + name,
                    "it permutes the bits of node numbers and needs a power of " +
                        std::string(even_bits ? "four" : "two") + " of nodes, the machine has " + std::to_string(nodes),
                    "choose another machine, or a pattern such as uniform or pairs");
  std::vector<int> partner;
  for (unsigned node = 0; node < nodes; ++node) partner.push_back(static_cast<int>(image(node, bits)));
  return std::make_unique<FixedPartner>(std::move(partner));
}

}  // namespace sanvp::traffic
