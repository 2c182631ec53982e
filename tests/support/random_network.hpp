/// Random networks for property tests: a tree of switches with several hosts each and groups of parallel cables, random
/// rules, and random packets on them. Trees have one path per pair, so nothing deadlocks.
#pragma once

#include "platform/core/random.hpp"
#include "tests/support/case.hpp"
#include "tests/support/random_rules.hpp"

namespace sanvp::test {

Case random_case(sanvp::Random& random, const CaseOptions& options);

}  // namespace sanvp::test
