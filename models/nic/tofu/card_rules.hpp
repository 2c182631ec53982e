/// The parameters of a card from section [nic]: those of its units.
#pragma once

#include "models/nic/tofu/barrier.hpp"
#include "models/nic/tofu/tni.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::tofu {

struct CardRules {
  HostMemory::Rules memory;
  Link::Rules link;
  OrderEngine::Rules order;
  Receiver::Rules receive;
  Barrier::Rules barrier;

  static CardRules read(const Parameters& parameters) {
    return {.memory = HostMemory::Rules::read(parameters.section("memory")),
            .link = Link::Rules::read(parameters.section("packet")),
            .order = OrderEngine::Rules::read(parameters.section("order")),
            .receive = Receiver::Rules::read(parameters.section("receive")),
            .barrier = Barrier::Rules::read(parameters.section("barrier"))};
  }
};

}  // namespace sanvp::nic::tofu
