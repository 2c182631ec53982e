/// The card's interrupt line, and the queue of cookies that events leave for the driver (registers/elan3.h,
/// E3_REG_INTERRUPT).
#pragma once

#include <deque>

#include "models/nic/card/interrupt_register.hpp"
#include "models/nic/card/registers.hpp"

namespace sanvp::nic::elan3 {

class Interrupts : public InterruptRegister {
 public:
  using InterruptRegister::InterruptRegister;

  static Registers<Interrupts> registers();

  void push_cookie(std::uint32_t cookie) { cookies_.push_back(cookie); }
  /// Takes the oldest cookie; 0 if none is queued.
  std::uint32_t take_cookie() {
    if (cookies_.empty()) return 0;
    const std::uint32_t cookie = cookies_.front();
    cookies_.pop_front();
    return cookie;
  }

 private:
  std::deque<std::uint32_t> cookies_;
};

}  // namespace sanvp::nic::elan3
