/// The mistake of a routing on a graph of another family.
#pragma once

#include "platform/core/error.hpp"

namespace sanvp::topologies {

/// A graph that a routing does not support. The machine adds to the message where the routing was chosen, and one that
/// supports any graph.
class UnsuitableGraph : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace sanvp::topologies
