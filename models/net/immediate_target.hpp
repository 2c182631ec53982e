/// TLM-2.0's base protocol, loosely timed, for a target that never waits: a transfer is done when the call
/// returns, whichever call it is. The delay that b_transport leaves is its time.
#pragma once

#include <tlm>

namespace sanvp::net {

class ImmediateTarget : public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  /// Without time, for loaders and tests. @return the bytes moved
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

}  // namespace sanvp::net
