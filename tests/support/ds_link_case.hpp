/// Random cases on networks of STC104s and DS links, drawn by seed: flow-control tokens take turns with data.
#pragma once

#include "platform/core/random.hpp"
#include "tests/support/case.hpp"

namespace sanvp::test {

/// Folded Clos networks, grids and irregular networks of switches with buffers behind their crossbars; packets of 2 to
/// 300 tokens, loads from 0.05 to beyond saturation. Half of them have the times of Macramé (TIMING.md, parameters).
Case ds_link_case(Random& random);

}  // namespace sanvp::test
