#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"butterfly", "permutation: the highest and the lowest bit change places (QsNET paper, 4.4)",
     [](const PatternContext& context) {
       return bit_permutation(context, "butterfly", [](unsigned node, int bits) {
         const int top = bits - 1;
         const unsigned middle = node & ~(1U | 1U << top);
         return middle | (node & 1U) << top | (node >> top & 1U);
       });
     }}};

}  // namespace sanvp::traffic
