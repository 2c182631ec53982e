#include "models/nic/elan3/interrupts.hpp"

#include "sw/abi/registers/elan3.h"

namespace sanvp::nic::elan3 {

Registers<Interrupts> Interrupts::registers() {
  return {{.name = "Interrupt",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_INTERRUPT,
           .read = get<&Interrupts::pending>,
           .write = put<&Interrupts::clear>,
           .meaning = "pending interrupts, E3_INT_...; a write clears the bits written",
           .source = "FACTS 1.5"},
          {.name = "InterruptMask",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_INTERRUPT_MASK,
           .read = get<&Interrupts::mask>,
           .write = put<&Interrupts::set_mask>,
           .meaning = "bits of the interrupts that reach the host",
           .source = "FACTS 1.5"},
          {.name = "EventCookie",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_EVENT_COOKIE,
           .take = nic::take<&Interrupts::take_cookie>,
           .effect = "takes the cookie from the queue",
           .meaning = "oldest cookie of an event interrupt; 0: none is queued",
           .source = "assumed"}};
}

}  // namespace sanvp::nic::elan3
