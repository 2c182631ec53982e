/// The port that the destination's number selects, so that the packets of a pair stay in order and share no port with
/// those of other destinations that another port serves.
#include <bit>

#include "models/nic/port_selection.hpp"

namespace sanvp::nic {
namespace {

class ByDestination final : public PortSelection {
 public:
  int select(const PortChoice& choice, Random&) const override {
    std::uint32_t left = choice.served;
    for (int skipped = choice.destination % std::popcount(left); skipped > 0; --skipped) left &= left - 1;
    return std::countr_zero(left);
  }
};

const Registration<PortSelectionPart> registration{
    {"port-by-destination", "the port that the destination's number selects",
     [](const Parameters&) { return std::make_shared<ByDestination>(); }}};

}  // namespace
}  // namespace sanvp::nic
