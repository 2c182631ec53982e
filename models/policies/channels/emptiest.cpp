/// The free virtual channel with the fewest flits in the buffer at the far end; the lowest-numbered of several.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class Emptiest final : public VcSelectionPolicy {
 public:
  int select(const Choice& choice) const override {
    int best = -1;
    std::int64_t fewest = 0;
    for (topologies::VcSet left = choice.free; left != 0; left &= left - 1) {
      const int vc = std::countr_zero(left);
      const std::int64_t flits = choice.queues.buffered(choice.output, vc);
      if (best < 0 || flits < fewest) best = vc, fewest = flits;
    }
    return best;
  }
  bool looks_at_queues() const override { return true; }
};

const Registration<VcSelectionPart> registration{
    {"emptiest", "the one with the fewest flits in the buffer at the far end", without_parameters<Emptiest>}};

}  // namespace
}  // namespace sanvp::net
