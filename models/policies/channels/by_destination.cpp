/// A virtual channel that the destination's number selects among the free ones: packets for different hosts do not get
/// into each other's way as long as several are free.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class ByDestination final : public VcSelectionPolicy {
 public:
  int select(const Choice& choice) const override {
    int skipped = choice.packet.destination % std::popcount(choice.free);
    topologies::VcSet left = choice.free;
    while (skipped-- > 0) left &= left - 1;
    return std::countr_zero(left);
  }
};

const Registration<VcSelectionPart> registration{{"by-destination",
                                                  "the one that the destination's number selects among the free ones",
                                                  without_parameters<ByDestination>}};

}  // namespace
}  // namespace sanvp::net
