/// The lowest-numbered free virtual channel.
#include "models/net/policy.hpp"

namespace sanvp::net {
namespace {

class Lowest final : public VcSelectionPolicy {
 public:
  int select(const Choice& choice) const override { return std::countr_zero(choice.free); }
};

const Registration<VcSelectionPart> registration{
    {"lowest", "the lowest-numbered free one", without_parameters<Lowest>}};

}  // namespace
}  // namespace sanvp::net
