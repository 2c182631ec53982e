#include "platform/traffic/patterns/exchange.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"unequal-dist", "node p exchanges with node N-1-p: partners at different distances (Mesh of Clos paper)",
     [](const PatternContext& context) {
       return make_exchange(context, "unequal-dist", [](int node, int nodes) { return nodes - 1 - node; });
     }}};

}  // namespace sanvp::traffic
