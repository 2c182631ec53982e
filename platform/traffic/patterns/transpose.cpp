#include "platform/traffic/patterns/fixed_partner.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"transpose", "permutation: the halves of the bits change places, as in a matrix transpose (QsNET paper, 4.4)",
     [](const PatternContext& context) {
       return bit_permutation(
           context, "transpose",
           [](unsigned node, int bits) {
             const int half = bits / 2;
             return (node & ((1U << half) - 1)) << half | node >> half;
           },
           /*even_bits=*/true);
     }}};

}  // namespace sanvp::traffic
