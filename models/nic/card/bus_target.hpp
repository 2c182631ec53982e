/// A card's PCI interface as a TLM-2.0 target, common to all cards: windows (base address registers), loosely timed. A
/// derived class implements the contents of the windows.
///
/// A store returns at once, and takes effect when it arrives, after the delay that it came with. A load comes after the
/// stores before it: called from a thread, it waits out that delay first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/net/immediate_target.hpp"
#include "models/net/module.hpp"
#include "models/net/timeline.hpp"
#include "models/net/transfer_answer.hpp"

namespace sanvp::nic {

class BusTarget : public net::ImmediateTarget {
 public:
  explicit BusTarget(net::Timeline& timeline) : timeline_(timeline) {}

  /// Address: window << 32 | offset.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final {
    timeline_.catch_up();
    if (delay > sc_core::SC_ZERO_TIME && payload.is_read() && timeline_.caller_may_wait()) {
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
      timeline_.catch_up();
    }
    serve(payload, delay);
  }
  /// Does not wait: a load with a delay has the stores before it take effect early.
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/,
                                     sc_core::sc_time& delay) final {
    timeline_.catch_up();
    serve(payload, delay);
    return tlm::TLM_COMPLETED;
  }

 protected:
  struct Place {
    std::uint32_t window;
    std::uint32_t offset;
  };
  static Place place(const tlm::tlm_generic_payload& payload) {
    constexpr int window_shift = 32;
    return {static_cast<std::uint32_t>(payload.get_address() >> window_shift),
            static_cast<std::uint32_t>(payload.get_address())};
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
  net::Timeline& timeline() { return timeline_; }

 private:
  /// A read or a write of at least one byte, without byte enables, of consecutive addresses. `delay`, relative to the
  /// kernel's time, is its start and then its end.
  virtual tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) = 0;

  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    payload.set_response_status(answer(payload, delay));
  }
  tlm::tlm_response_status answer(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;  // it is for its extensions
    if (payload.get_byte_enable_ptr() != nullptr)
      return explain(payload, "an access with byte enables", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (payload.get_data_length() == 0 || payload.get_data_ptr() == nullptr)
      return explain(payload, "an access without data", tlm::TLM_BURST_ERROR_RESPONSE);
    if (payload.get_streaming_width() < payload.get_data_length())
      return explain(payload, "an access that streams to one address", tlm::TLM_BURST_ERROR_RESPONSE);
    return access(payload, place(payload), delay);
  }

  net::Timeline& timeline_;
};

/// When an access starts.
inline Time arrival(const sc_core::sc_time& delay) { return net::kernel_now() + net::to_time(delay); }

}  // namespace sanvp::nic
