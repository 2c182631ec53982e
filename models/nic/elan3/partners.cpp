#include "models/nic/elan3/partners.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {

Partners::Rules Partners::Rules::read(const Parameters& parameters) {
  Rules rules;
  rules.at_hand = static_cast<int>(parameters.count(
      "partners", 40, "processes that a process may have routes to before it takes longer to release a circuit",
      "QsNET paper 5.5"));
  rules.release = parameters.time(
      "release", 225ns, "additional time until a circuit is released, if there are more",
      "calibrated: a hot node of 64 gets 8 % less (QsNET paper 5.5); it is 3 accesses of SDRAM. Not set to uniform "
      "traffic, permutations, I/O or barriers (models/nic/elan3/README.md)");
  return rules;
}

Time Partners::release(std::uint32_t context) {
  const std::uint32_t table = routes_.table(context);
  if (context >= many_.size()) many_.resize(context + 1);
  if (many_[context] != table || table == 0)
    many_[context] = routes_.has_more_partners(context, rules_.at_hand) ? table : 0;
  return many_[context] != 0 ? rules_.release : Time{0};
}

}  // namespace sanvp::nic::elan3
