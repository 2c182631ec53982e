#include "platform/traffic/patterns/exchange.hpp"

namespace sanvp::traffic {

static const Registration<PatternPart> registration{
    {"equal-dist", "node p exchanges with node p + N/2: all partners equally far on a mesh (Mesh of Clos paper)",
     [](const PatternContext& context) {
       return make_exchange(context, "equal-dist", [](int node, int nodes) { return (nodes / 2 + node) % nodes; });
     }}};

}  // namespace sanvp::traffic
