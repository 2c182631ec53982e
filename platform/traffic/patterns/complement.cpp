#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"complement", "permutation: all bits inverted (QsNET paper, 4.4)", [](const PatternContext& context) {
       return bit_permutation(context, "complement",
                              [](unsigned node, int bits) { return ~node & ((1U << bits) - 1); });
     }}};

}  // namespace sanvp::traffic
