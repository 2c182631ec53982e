#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"bit-reversal", "permutation: the bits of the node's number in reverse order (QsNET paper, 4.4)",
     [](const PatternContext& context) {
       return bit_permutation(context, "bit-reversal", [](unsigned node, int bits) {
         unsigned image = 0;
         for (int bit = 0; bit < bits; ++bit) image |= (node >> bit & 1U) << (bits - 1 - bit);
         return image;
       });
     }}};

}  // namespace sanvp::traffic
