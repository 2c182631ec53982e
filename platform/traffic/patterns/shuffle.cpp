#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"shuffle", "permutation: the bits rotated left by one, the perfect shuffle (QsNET paper, 4.4)",
     [](const PatternContext& context) {
       return bit_permutation(context, "shuffle", [](unsigned node, int bits) {
         return (node << 1 & ((1U << bits) - 1)) | node >> (bits - 1);
       });
     }}};

}  // namespace sanvp::traffic
