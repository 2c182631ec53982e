/// A network interface (TNI): sending side, receiving side and responder.
#pragma once

#include "models/nic/tofu/order_engine.hpp"
#include "models/nic/tofu/receiver.hpp"

namespace sanvp::nic::tofu {

struct Tni {
  Tni(const OrderEngine::Rules& order, const Receiver::Rules& receive, std::uint32_t number, Shared& shared)
      : orders(order, number, shared), responder(number, shared), receiver(receive, number, shared, responder) {}

  OrderEngine orders;
  Responder responder;
  Receiver receiver;
};

}  // namespace sanvp::nic::tofu
