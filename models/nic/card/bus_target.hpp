/// A card's PCI interface as a TLM-2.0 target, common to all cards: windows (base address registers), loosely timed. A
/// derived class implements the contents of the windows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/net/immediate_target.hpp"
#include "models/net/module.hpp"
#include "models/net/transfer_answer.hpp"

namespace sanvp::nic {

class BusTarget : public net::ImmediateTarget {
 public:
  /// Address: window << 32 | offset.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final {
    payload.set_response_status(payload.get_byte_enable_ptr() != nullptr ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                                                         : access(payload, place(payload), delay));
  }

 protected:
  struct Place {
    int window;
    std::uint32_t offset;
  };
  static Place place(const tlm::tlm_generic_payload& payload) {
    constexpr int window_shift = 32;
    return {static_cast<int>(payload.get_address() >> window_shift), static_cast<std::uint32_t>(payload.get_address())};
  }
  /// Tells the initiator what it has accessed, for traces. @param name  lasts as long as the program
  static void name_target(const tlm::tlm_generic_payload& payload, std::string_view name) {
    if (net::TransferAnswer* const answer = net::answer_of(payload)) answer->target = name;
  }
  /// Tells the initiator why its access is refused. @return the status
  static tlm::tlm_response_status explain(const tlm::tlm_generic_payload& payload, std::string sentence,
                                          tlm::tlm_response_status status) {
    if (net::TransferAnswer* const answer = net::answer_of(payload)) answer->refusal = std::move(sentence);
    return status;
  }

 private:
  /// An access without byte enables. `delay`, relative to the kernel's time, is its start and then its end.
  virtual tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) = 0;
};

/// When an access starts.
inline Time arrival(const sc_core::sc_time& delay) { return net::kernel_now() + net::to_time(delay); }

}  // namespace sanvp::nic
