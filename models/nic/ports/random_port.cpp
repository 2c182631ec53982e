/// A port at random for each packet.
#include <bit>

#include "models/nic/port_selection.hpp"
#include "platform/core/random.hpp"

namespace sanvp::nic {
namespace {

class Drawn final : public PortSelection {
 public:
  int select(const PortChoice& choice, Random& random) const override {
    std::uint32_t left = choice.served;
    for (auto skipped = random.below(static_cast<std::uint64_t>(std::popcount(left))); skipped > 0; --skipped)
      left &= left - 1;
    return std::countr_zero(left);
  }
};

const Registration<PortSelectionPart> registration{
    {"random-port", "a port at random for each packet", [](const Parameters&) { return std::make_shared<Drawn>(); }}};

}  // namespace
}  // namespace sanvp::nic
